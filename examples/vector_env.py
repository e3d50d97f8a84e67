"""Step hundreds of games at once, over arrays that the engine writes to.

python examples/vector_env.py
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import gymnasium
import numpy as np

import ludus  # noqa: F401  registers the environments


@dataclass
class Args:
    """What the script does."""

    games: int = 256
    steps: int = 200
    threads: int = 2
    seed: int = 1


def main(args: Args) -> None:
    """Step all games with random actions and print how fast that was."""
    envs = gymnasium.make_vec(
        "ludus/Platformer-v0",
        num_envs=args.games,
        observation=("scene", "enemies"),
        actions="discrete",
        threads=args.threads,
    )
    observations, _ = envs.reset(seed=args.seed)
    generator = np.random.default_rng(args.seed)
    finished, start = 0, time.perf_counter()
    for _ in range(args.steps):
        actions = generator.integers(envs.single_action_space.n, size=args.games)
        observations, _, terminated, truncated, _ = envs.step(actions)
        finished += int((terminated | truncated).sum())
    rate = args.games * args.steps / (time.perf_counter() - start)
    shapes = {name: grid.shape for name, grid in observations.items()}
    print(f"{rate:,.0f} steps a second, {finished} games ended, observations {shapes}")
    envs.close()


if __name__ == "__main__":
    main(Args())
