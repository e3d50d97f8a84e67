"""Train PPO of Stable-Baselines3 under the arena's protocol, save it, and let the track score it.

python examples/training/stable_baselines3_ppo.py
ludus run mario-arena/1-1 sb3:build/sb3.zip --trust
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    steps: int = 100_000
    games: int = 16
    level: str = "1-1"
    seed: int = 1
    out: Path = Path("build/sb3.zip")


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
    """Train, print the curve (decisions, mean return, success) and the speed, and save."""
    torch.set_num_threads(1)  # more of them slow a small network down
    envs = make_vec_env(
        "ludus/MarioArena-v0", args.games, args.seed, env_kwargs={"level": args.level}
    )
    model = PPO("MlpPolicy", envs, n_steps=128, batch_size=512, n_epochs=4, learning_rate=1e-3,
                ent_coef=0.01, seed=args.seed, device="cpu")  # fmt: skip
    before = time.perf_counter()
    model.learn(args.steps, callback=Curve())
    print(f"{model.num_timesteps / (time.perf_counter() - before):.0f} steps a second")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    model.save(args.out)


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
