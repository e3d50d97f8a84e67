"""Improve an agent of six weights by random search, save the weights, and play the file.

    python examples/random_search.py

The agent weighs six numbers that it sees and jumps if their sum is positive. Random search changes
the weights a little and keeps what scores at least as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer import Button, Level, Status, World
from ludus.games.platformer.generators import generate

RUN = int(Button.RIGHT | Button.SPEED)


@dataclass
class Args:
    """What the script does."""

    tries: int = 30
    levels: int = 4
    ticks: int = 600
    step: float = 0.5
    seed: int = 1


def features(world: World) -> NDArray[np.float64]:
    """Return what the agent weighs: creatures, walls and gaps ahead, and a constant."""
    scene = world.observe("scene", 2)
    enemies = world.observe("enemies", 2)
    near, far = slice(9, 11), slice(11, 14)
    return np.array(
        [
            enemies[near, 6:10].any(),
            enemies[far, 6:10].any(),
            scene[near, 7:9].any(),
            scene[far, 7:9].any(),
            not scene[near, 9:].any(axis=1).all(),
            1.0,
        ],
        dtype=np.float64,
    )


def play(weights: NDArray[np.float64], level: Level, ticks: int) -> float:
    """Return the share of a level that lies behind Mario when he jumps by these weights."""
    world, held = World(level, time_limit=60), 0
    while world.status == Status.RUNNING and world.tick < ticks:
        wants = held or (world.mario.may_jump and features(world) @ weights > 0)
        held = (held + 1) % 8 if wants else 0
        world.step(RUN | (int(Button.JUMP) if wants else 0))
    return float(world.completion)


def search(args: Args) -> tuple[NDArray[np.float64], float, float]:
    """Return the best weights, their score, and the score of the first weights."""
    levels = [generate("ludus", seed=k, difficulty=1, length=80) for k in range(args.levels)]
    generator = np.random.default_rng(args.seed)
    best = np.zeros(6)
    first = value = float(np.mean([play(best, level, args.ticks) for level in levels]))
    for _ in range(args.tries):
        candidate = best + args.step * generator.normal(size=6)
        score = float(np.mean([play(candidate, level, args.ticks) for level in levels]))
        if score >= value:
            best, value = candidate, score
    return best, value, first


def main(args: Args) -> None:
    """Search, save, load, and play what was saved on a level that the search never saw."""
    weights, value, first = search(args)
    print(f"before {first:.2f}, after {args.tries} tries {value:.2f} of the way")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "weights.npy"
        np.save(path, weights, allow_pickle=False)
        unseen = generate("ludus", seed=99, difficulty=1, length=80)
        print(f"on an unseen level {play(np.load(path), unseen, args.ticks):.2f}")


if __name__ == "__main__":
    main(Args())
