"""Step the arena through PufferLib's emulation: one flat observation, and its own vectorisation.

python examples/training/pufferlib_emulation.py
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pufferlib.emulation
import pufferlib.vector

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    steps: int = 50_000
    games: int = 16
    level: str = "1-1"
    seed: int = 1


def make_env(level: str = "1-1", **options: Any) -> pufferlib.emulation.GymnasiumPufferEnv:
    """Return one environment as PufferLib takes it; it brings buffers of its own."""
    env = gymnasium.make("ludus/MarioArena-v0", level=level)
    return pufferlib.emulation.GymnasiumPufferEnv(env=env, **options)


def main(args: Args) -> None:
    """Play at random and print the curve (decisions, mean return, success) and the speed."""
    draws = np.random.default_rng(args.seed)
    envs = pufferlib.vector.make(
        make_env, num_envs=args.games, backend=pufferlib.vector.Serial,
        env_kwargs={"level": args.level},
    )  # fmt: skip
    envs.reset(args.seed)
    actions = envs.single_action_space.n
    returns, done, played, before = np.zeros(args.games), [], 0, time.perf_counter()
    while played < args.steps:
        _, rewards, terminated, truncated, _ = envs.step(draws.integers(actions, size=args.games))
        over = terminated | truncated
        returns += rewards
        done += returns[over].tolist()
        returns[over] = 0
        played += args.games
        if done and played % (128 * args.games) == 0:
            print(f"{played} {np.mean(done[-400:]):.3f} -")
    print(f"{played / (time.perf_counter() - before):.0f} steps a second")
    envs.close()


if __name__ == "__main__":
    main(Args(steps=int(sys.argv[1])) if len(sys.argv) > 1 else Args())
