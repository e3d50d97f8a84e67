"""Train the recurrent PPO of sb3-contrib, which remembers what it saw, under the arena's protocol.

python examples/training/sb3_contrib_recurrent.py
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import torch
from sb3_contrib import RecurrentPPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    steps: int = 50_000
    games: int = 16
    level: str = "1-1"
    seed: int = 1


class Curve(BaseCallback):
    """Prints a point of the learning curve after every rollout."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        games, successes = self.model.ep_info_buffer, self.model.ep_success_buffer
        if games:
            mean = sum(game["r"] for game in games) / len(games)
            print(f"{self.num_timesteps} {mean:.3f} {sum(successes) / max(1, len(successes)):.3f}")


def main(args: Args) -> None:
    """Train and print the curve (decisions, mean return, success) and the speed."""
    torch.set_num_threads(1)
    envs = make_vec_env(
        "ludus/MarioArena-v0", args.games, args.seed, env_kwargs={"level": args.level}
    )
    model = RecurrentPPO("MlpLstmPolicy", envs, n_steps=128, batch_size=512, n_epochs=2,
                         learning_rate=1e-3, ent_coef=0.01, seed=args.seed, device="cpu",
                         policy_kwargs={"lstm_hidden_size": 64})  # fmt: skip
    before = time.perf_counter()
    model.learn(args.steps, callback=Curve())
    print(f"{model.num_timesteps / (time.perf_counter() - before):.0f} steps a second")


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
