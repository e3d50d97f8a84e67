"""Let worms climb a smell, and measure whether they do: the chemotaxis index.

    python examples/worm_chemotaxis.py

The worm compares the smell now with the smell a step ago. While it grows, the worm goes straight;
when it fades, the worm turns, as real worms do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludus.games.worm import World, feature_names, find_task

FORWARD, LEFT, RIGHT = 0, 1, 2


@dataclass
class Args:
    """What the script does."""

    task: str = "foraging-small+derivative"
    worms: int = 20
    seed: int = 1


def crawl(task: str, seed: int, turn_when_fading: bool) -> tuple[float, int]:
    """Return the share of steps within five cells of food, and the food eaten."""
    world = World(find_task(task), seed=seed)
    smell = feature_names(world.task).index("food_chemotaxis.concentration")
    generator = np.random.default_rng(seed)
    before, near, steps = 0.0, 0, 0
    while not world.ended:
        now = float(world.features[smell])
        chance = (0.7 if now < before else 0.05) if turn_when_fading else 0.3
        turn = generator.random() < chance
        world.step(int(generator.choice([LEFT, RIGHT])) if turn else FORWARD)
        before, steps = now, steps + 1
        near += min_distance(world) <= 5
    return near / steps, int(world.figures()["foods"])


def min_distance(world: World) -> float:
    """Return the distance from the worm to the nearest food."""
    x, y = world.worm[:2]
    return float(np.hypot(world.foods[:, 0] - x, world.foods[:, 1] - y).min())


def main(args: Args) -> None:
    """Print the index and the food of worms that smell and of worms that do not."""
    for name, smells in (("climbs the smell", True), ("turns at random", False)):
        runs = [crawl(args.task, args.seed + k, smells) for k in range(args.worms)]
        share, foods = np.mean(runs, axis=0)
        print(f"{name:17} index {2 * share - 1:+.2f}, {foods:.1f} of 10 foods")


if __name__ == "__main__":
    main(Args())
