"""Train PPO of RLlib under the arena's protocol.

python examples/training/rllib_ppo.py
"""

from __future__ import annotations

import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import gymnasium
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.tune.registry import register_env


@dataclass
class Args:
    """What the script does."""

    steps: int = 50_000
    games: int = 16
    level: str = "1-1"
    seed: int = 1


class Success(RLlibCallback):
    """Logs how many of the last episodes were successes, which RLlib does not do by itself."""

    def __init__(self):
        self.last = deque(maxlen=100)

    def on_episode_end(self, *, episode, metrics_logger, **_):
        """Count the episode if it was one."""
        self.last.append(episode.get_infos(-1)["is_success"])
        metrics_logger.log_value("success", sum(self.last) / len(self.last), window=1)


def make_env(options: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """Return one environment; workers of Ray call this, too."""
    import ludus  # noqa: F401  registers the environments

    return gymnasium.make("ludus/MarioArena-v0", **options)


def main(args: Args) -> None:
    """Train and print the curve (decisions, mean return, success) and the speed."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    register_env("mario-arena", make_env)
    config = (
        PPOConfig()
        .environment("mario-arena", env_config={"level": args.level})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=args.games)
        .training(lr=1e-3, train_batch_size_per_learner=2048, minibatch_size=512, num_epochs=4,
                  entropy_coeff=0.01)
        .callbacks(Success)
        .debugging(seed=args.seed, log_level="ERROR")
    )  # fmt: skip
    algorithm = config.build_algo()
    played, before = 0, time.perf_counter()
    while played < args.steps:
        runners = algorithm.train()["env_runners"]
        played = int(runners["num_env_steps_sampled_lifetime"])
        if "success" in runners:
            print(f"{played} {runners['episode_return_mean']:.3f} {runners['success']:.3f}")
    print(f"{played / (time.perf_counter() - before):.0f} steps a second")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
