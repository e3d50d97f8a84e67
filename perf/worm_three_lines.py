"""Scores three lines of arithmetic on NematodeBench's boards, by what the worm senses.

    python -m perf.worm_three_lines [--trainings 50]

The rules are written by hand and never learn. They play the dishes of the board's trainings, seed
0; the figures are the same on every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ludus.benchmarks.nematode.intervals import jackknife_interval
from ludus.benchmarks.nematode.scoring import assess, score_trainings
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.games.worm import Batch, feature_names, find_task
from ludus.games.worm.training import EPISODES, training_seed

TASK = "foraging-small"
FORWARD, LEFT, RIGHT = 0, 1, 2
AHEAD, CLEAR = 0.25, 0.1

Senses = Mapping[str, NDArray[np.float32]]
Actions = NDArray[Any]


def follow_angle(senses: Senses) -> Actions:
    """Ahead if food is ahead; else left if it is to the left, else right."""
    angle = senses["food_chemotaxis.angle"]
    side = np.where(angle > 0, LEFT, RIGHT)
    return np.where(np.abs(angle) <= AHEAD, FORWARD, side)


def follow_side(senses: Senses) -> Actions:
    """Turn to the side that smells more if that is clear; else ahead."""
    lateral = senses["food_chemotaxis.lateral"]
    side = np.where(lateral < 0, LEFT, RIGHT)
    return np.where(np.abs(lateral) > CLEAR, side, FORWARD)


def follow_side_if_fading(senses: Senses) -> Actions:
    """Turn to the side that smells more while the smell fades; else ahead."""
    fading = senses["food_chemotaxis.derivative"] < 0
    side = np.where(senses["food_chemotaxis.lateral"] < 0, LEFT, RIGHT)
    return np.where(fading, side, FORWARD)


def turn_if_fading(senses: Senses) -> Actions:
    """Turn left while the smell fades; else ahead."""
    fading = senses["food_chemotaxis.derivative"] < 0
    return np.where(fading, LEFT, FORWARD)


RULES: tuple[tuple[str, Callable[[Senses], Actions]], ...] = (
    ("oracle", follow_angle),
    ("klinotaxis", follow_side),
    ("klinotaxis", follow_side_if_fading),
    ("derivative", turn_if_fading),
)


def play(sensing: str, rule: Callable[[Senses], Actions], training: int) -> Mapping[str, Any]:
    """Return the figures of every dish of a training."""
    task = find_task(task_spec(TASK, sensing=sensing))
    names, worlds = feature_names(task), Batch(task, EPISODES)
    worlds.begin(0)
    first = training_seed(task.name, 0, training)
    seeds = np.arange(first, first + EPISODES, dtype=np.uint64)
    worlds.restart(np.ones(EPISODES, np.bool_), seeds)
    while not worlds.ended.all():
        senses = {name: worlds.features[:, k] for k, name in enumerate(names)}
        worlds.step(rule(senses).astype(np.int32))
    return worlds.figures()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trainings", type=int, default=50)
    count = parser.parse_args().trainings
    table = Table(title=f"{TASK}: {count} trainings, seed 0", box=box.SIMPLE_HEAD)
    for heading in ("senses", "three lines", "score", "95 % interval", "success", "efficiency"):
        table.add_column(
            heading, justify="left" if heading in ("senses", "three lines") else "right"
        )
    for sensing, rule in track(RULES, "playing", transient=True):
        played = [play(sensing, rule, number) for number in range(count)]
        trainings = [
            assess([bool(x) for x in one["success"]], list(map(float, one["efficiency"])))
            for one in played
        ]
        score = score_trainings(trainings)
        ends = jackknife_interval(
            [fsum(one.parts.values()) for one in trainings],
            [one.final_success for one in trainings],
        )
        table.add_row(
            sensing, str(rule.__doc__), f"{score.total:.3f}",
            f"[{ends[0]:.3f}, {ends[1]:.3f}]" if ends else "",
            f"{score.values['success_rate']:.3f}", f"{score.values['distance_efficiency']:.3f}",
        )  # fmt: skip
    Console().print(table)


if __name__ == "__main__":
    main()
