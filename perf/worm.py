"""Measures how fast worms are stepped and prints it beside the reference's figure.

    make bench
    python -m perf.worm

Rates are world steps per second of processor time on one core, the best of the repeats, so that
other work on the machine counts little. Actions are drawn beforehand; episodes that end begin anew,
which is part of the work.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from ludus.games.worm import Batch, World, find_task
from ludus.games.worm.environments import WormVectorEnv

WORLDS = 1024
STEPS = 100
REPEATS = 15
REFERENCE = (517, 695)
"""Steps a second of the reference's own loop, as recorded; not measured in this run."""

TASKS = (
    "foraging-small",
    "foraging-medium",
    "foraging-large",
    "predator-small@e25",
    "pursuit-small",
    "thermal-pursuit-large",
    "oxygen-thermal-stationary-large",
    "foraging-small+temporal",
    "foraging-small+klinotaxis",
    "c3-grid+klinotaxis",
    "c3-continuous+klinotaxis",
)


def rate(work: Callable[[], int]) -> float:
    """Steps per second of processor time."""
    work()
    rates = []
    for _ in range(REPEATS):
        start = time.process_time()
        steps = work()
        rates.append(steps / (time.process_time() - start))
    return max(rates)


def drawn(n: int) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
    """Actions for every step."""
    chance = np.random.default_rng(0)
    return [chance.integers(0, 4, n).astype(np.int32) for _ in range(STEPS)]


def batch(task: str) -> Callable[[], int]:
    """Step a batch, all its worlds by one call."""
    worlds = Batch(task, WORLDS, autoreset="same_step")
    worlds.begin(0)
    actions = drawn(WORLDS)

    def work() -> int:
        for row in actions:
            worlds.step(row)
        return STEPS * WORLDS

    return work


def vector(task: str) -> Callable[[], int]:
    """Step a vector environment of Gymnasium."""
    envs = WormVectorEnv(WORLDS, task)
    envs.reset(seed=0)
    actions = drawn(WORLDS)

    def work() -> int:
        for row in actions:
            envs.step(row)
        return STEPS * WORLDS

    return work


def single(task: str) -> Callable[[], int]:
    """Step one world from Python, reading its senses."""
    found = find_task(task)
    actions = [int(row[0]) for row in drawn(1)] * 20

    def work() -> int:
        world, steps = World(found, 0), 0
        for action in actions:
            world.step(action)
            _ = world.features
            steps += 1
            if world.ended:
                world = World(found, steps)
        return steps

    return work


def main() -> None:
    """Measure and print the table."""
    low, high = REFERENCE
    table = Table(
        title=f"Worm steps per second, one core; batches of {WORLDS}",
        caption=f"The reference's own loop makes {low} to {high}, as recorded on another machine.",
    )
    table.add_column("what", no_wrap=True)
    table.add_column("steps/s", justify="right", no_wrap=True)
    table.add_column("times the reference", justify="right", no_wrap=True)
    rows = [(task, batch(task)) for task in TASKS]
    rows += [
        ("foraging-small, VectorEnv", vector("foraging-small")),
        ("foraging-small, one World from Python", single("foraging-small")),
    ]
    for what, work in rows:
        ours = rate(work)
        table.add_row(what, f"{ours:,.0f}", f"{ours / high:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
