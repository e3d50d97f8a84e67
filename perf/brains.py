"""Measures how fast brains learn to forage: processor time, and what they come to.

    python -m perf.brains                       how long 50 trainings of 500 episodes take
    python -m perf.brains --table [BRAIN …]     what every brain comes to in a short training
    python -m perf.brains --published [BRAIN …] figures under the reference's rules beside its own
    python -m perf.brains --inheritance         what evolved brains come to by what they inherit

The first trains 25 brains, one core's share of 50, for a few episodes and reckons from the
processor time after compilation. The second is where the table of docs/brains.md comes from.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from statistics import fmean, pstdev, stdev

from rich.console import Console
from rich.table import Table

from ludus.games.worm.training import Session
from ludus.learning.worm import train
from ludus.learning.worm.catalogue import CATALOGUE
from ludus.learning.worm.learners.evolution import INHERITANCES

TASK = "foraging-small"
BOARD, LANES, CORES = 500, 25, 2
TARGETS = {"mlp-ppo": 60.0, "circuit-ppo": 180.0}


def trained(
    brain: str, trainings: int, episodes: int, **settings: str
) -> tuple[list[Session], float, float]:
    """Train, and return the sessions, processor seconds spent on them and wall-clock seconds."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        done = train(
            TASK, brain, trainings=trainings, episodes=episodes, folder=Path(place) / "t",
            workers=1, settings=settings,
        )  # fmt: skip
        sessions = done.read()
    return sessions, sum(one.cpu_seconds for one in sessions), time.monotonic() - began


def speed(episodes: int) -> Table:
    """Reckon how long the board's trainings take on two cores."""
    table = Table(title=f"{2 * LANES} trainings of {BOARD} episodes on {CORES} cores, reckoned")
    for heading in ("brain", "environment steps / s", "seconds", "target"):
        table.add_column(heading, justify="left" if heading == "brain" else "right")
    for brain, target in TARGETS.items():
        _, short, wall = trained(brain, LANES, episodes // 2)
        sessions, long, _ = trained(brain, LANES, episodes)
        steps = sum(sum(one.steps) for one in sessions)
        each = (long - short) / (episodes - episodes // 2)  # what does not go into compiling
        seconds = each * BOARD + max(0.0, short - each * (episodes // 2)) + min(wall, 5.0)
        table.add_row(brain, f"{CORES * steps / long:,.0f}", f"{seconds:.0f}", f"{target:.0f}")
    return table


def results(names: list[str], trainings: int, episodes: int) -> Table:
    """Train every brain for a while."""
    title = f"{TASK}: {trainings} trainings of {episodes} episodes each"
    table = Table(title=title)
    for heading in (
        "brain",
        "parameters",
        "all",
        "last 20",
        "best",
        "chance",
        "steps",
        "eff.",
        "s",
    ):
        table.add_column(heading, justify="left" if heading == "brain" else "right")
    for name in names:
        sessions, spent, _ = trained(name, trainings, episodes)
        rates = [fmean(one.successes) for one in sessions]
        margin = 1.96 * stdev(rates) / len(rates) ** 0.5 if len(rates) > 1 else 0.0
        table.add_row(
            name,
            f"{sessions[0].declaration.parameters:,}",
            f"{100 * fmean(rates):.0f} ± {100 * margin:.0f} %",
            f"{100 * fmean(fmean(one.successes[-20:]) for one in sessions):.0f} %",
            f"{100 * fmean(one.evaluation['success_rate'] for one in sessions):.0f} %",
            f"{100 * fmean(one.evaluation['sampled']['success_rate'] for one in sessions):.0f} %",
            f"{fmean(fmean(one.steps[-20:]) for one in sessions):.0f}",
            f"{fmean(fmean(one.efficiencies[-20:]) for one in sessions):.2f}",
            f"{spent / len(sessions):.1f}",
        )
        row = " | ".join(str(list(column.cells)[-1]) for column in table.columns)
        Console(stderr=True, width=200).print(row, highlight=False)
    return table


def inheritance(names: list[str], trainings: int, episodes: int) -> Table:
    """Evolve brains that hand down what they were born with, or what they have learned."""
    table = Table(title=f"{TASK}: {trainings} trainings of {episodes} episodes each")
    for heading in ("brain", "inheritance", "all", "last 20", "foods, last 20", "chance", "s"):
        table.add_column(
            heading, justify="left" if heading in ("brain", "inheritance") else "right"
        )
    for name in names:
        for kind in INHERITANCES:
            sessions, spent, _ = trained(name, trainings, episodes, inheritance=kind)
            rates = [fmean(one.successes) for one in sessions]
            margin = 1.96 * stdev(rates) / len(rates) ** 0.5 if len(rates) > 1 else 0.0
            sampled = fmean(one.evaluation["sampled"]["success_rate"] for one in sessions)
            table.add_row(
                name, kind, f"{100 * fmean(rates):.0f} ± {100 * margin:.0f} %",
                f"{100 * fmean(fmean(one.successes[-20:]) for one in sessions):.0f} %",
                f"{fmean(fmean(one.foods[-20:]) for one in sessions):.1f}",
                f"{100 * sampled:.0f} %", f"{spent / len(sessions):.1f}",
            )  # fmt: skip
            row = " | ".join(str(list(column.cells)[-1]) for column in table.columns)
            Console(stderr=True, width=200).print(row, highlight=False)
    return table


def published(names: list[str], trainings: int) -> Table:
    """Train under the reference's rules and compare with its published sessions."""
    recorded = json.loads(Path(__file__).with_name("published_trainings.json").read_text())
    table = Table(title=f"{trainings} trainings each; ± is the deviation over trainings")
    for heading in ("brain, task", "figure", "ours", "published", "standard errors"):
        table.add_column(heading, justify="left" if "," in heading else "right")
    for name, told in recorded.items():
        brain, task = name.split()
        if names and brain not in names:
            continue
        with tempfile.TemporaryDirectory() as place:
            done = train(
                f"{task}@e25+reference", brain, trainings=trainings, episodes=told["episodes"],
                folder=Path(place) / "t", evaluation=0,
            )  # fmt: skip
            rows = [_figures(one) for one in done.read()]
        for figure in rows[0]:
            ours = [row[figure] for row in rows]
            mean, spread = told[figure]
            error = (stdev(ours) ** 2 / len(ours) + spread**2 / (told["trainings"] - 1)) ** 0.5
            off = (fmean(ours) - mean) / error if error else 0.0
            table.add_row(
                name, figure, f"{fmean(ours):.3f} ± {pstdev(ours):.3f}",
                f"{mean:.3f} ± {spread:.3f}", f"{off:+.1f}",
            )  # fmt: skip
    return table


def _figures(session: Session) -> dict[str, float]:
    """Return a training's figures as the reference reckons them."""
    wins = [int(flag) for flag in session.successes]
    n = len(wins)
    even = next((k for k in range(n - 9) if all(wins[k : k + 10])), None)
    after = slice(n - 10 if even is None else even, None)
    later, straight = wins[after], session.efficiencies[after]
    won = [value for value, win in zip(straight, later, strict=True) if win]
    variance = fmean(later) * (1 - fmean(later))
    smells = session.chemotaxis if even is None else session.chemotaxis[even + 1 :]
    return {
        "success": fmean(wins),
        "distance efficiency": fmean(session.efficiencies),
        "steps": fmean(session.steps),
        "foods": fmean(session.foods),
        "episodes to 8 of 10": next((k for k in range(10, n) if sum(wins[k - 10 : k]) > 7), n),
        "composite": 0.4 * fmean(later)
        + 0.3 * (fmean(won) if won else 0.0)
        + 0.2 * (0.0 if even is None else 1 - even / n)
        + 0.1 * max(0.0, 1 - variance / 0.2),
        "chemotaxis index": fmean(smells),
    }


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--inheritance", action="store_true")
    parser.add_argument("--trainings", type=int, default=10)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("brains", nargs="*")
    asked = parser.parse_args()
    console = Console()
    if asked.inheritance:
        names = asked.brains or ["genetic", "cma-es"]
        console.print(inheritance(names, asked.trainings, asked.episodes))
    elif asked.published:
        console.print(published(asked.brains, asked.trainings))
    elif asked.table:
        console.print(results(asked.brains or list(CATALOGUE), asked.trainings, asked.episodes))
    else:
        console.print(speed(60))


if __name__ == "__main__":
    main()
