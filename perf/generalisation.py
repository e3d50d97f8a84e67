"""Measures how many levels a policy must train on to play levels that it has not seen.

    python -m perf.generalisation                        a table; trainings are kept in runs/
    python -m perf.generalisation --levels 1 10 100      of fewer trainings
    python -m perf.generalisation --steps 4000000        of longer ones
    python -m perf.generalisation --pictures docs/pictures

For each number of training levels of ``mario-arena/unseen`` one policy learns from the same number
of decisions. Its last evaluation is on levels it was trained on and on 192 levels that were held
out. A training that is there already is read, and one that was stopped goes on.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from ludus.learning import resume, train
from ludus.learning.curve_folder import read_curve
from ludus.reports.learning_curves import draw_generalisation
from ludus.reports.sheet import write_figure
from ludus.stats import Estimate, rate_interval

LEVELS = (1, 10, 100, 1_000, 10_000)
STEPS = 1_000_000
HELD_OUT = 192
FOLDER = Path("runs/generalisation")


class Trained(NamedTuple):
    """What a policy comes to: on levels that it was trained on, and on others."""

    levels: int
    trained: Estimate
    unseen: Estimate
    furthest: float


def train_on(levels: int, steps: int) -> Trained:
    """Train on so many levels, unless that was done, and return the last evaluation."""
    folder = FOLDER / f"{steps}-decisions" / str(levels)
    if (folder / "progress/settings.json").is_file():
        resume(folder)
    else:
        train(
            "mario-arena/unseen",
            steps=steps,
            levels=levels,
            evaluate_every=steps // 2,
            evaluation_episodes=HELD_OUT,
            checkpoint_every=500_000,
            out=folder,
        )
    last = [row for row in read_curve(folder) if "evaluation" in row][-1]
    return Trained(
        levels,
        read_share(last["on_training_levels"], HELD_OUT - HELD_OUT % min(levels, HELD_OUT)),
        read_share(last["evaluation"], HELD_OUT),
        last["evaluation"]["furthest"],
    )


def read_share(evaluation: dict[str, Any], games: int) -> Estimate:
    """Return the share of completed games with its interval."""
    return rate_interval(round(evaluation["success"] * games), games)


def show_share(share: Estimate) -> str:
    """Return a share with its interval as a table shows it."""
    return f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"


def print_table(rows: list[Trained]) -> None:
    """Print success on both kinds of levels, and the gap between them."""
    table = Table("training levels", "on them", "on unseen ones", "gap", "mean x, unseen")
    for row in rows:
        gap = f"{100 * (row.trained.value - row.unseen.value):.0f} points"
        shares = show_share(row.trained), show_share(row.unseen)
        table.add_row(f"{row.levels:,}", *shares, gap, f"{row.furthest:,.0f}")
    Console().print(table)


def main() -> None:
    """Train, print and draw."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="where to draw the curve")
    parser.add_argument("--levels", type=int, nargs="+", metavar="N", default=LEVELS)
    parser.add_argument("--steps", type=int, metavar="N", default=STEPS, help="decisions of each")
    options = parser.parse_args()
    rows = [train_on(levels, options.steps) for levels in options.levels]
    print_table(rows)
    pictures = options.pictures
    for style in ("light", "dark") if pictures else ():
        title = f"mario-arena/unseen, {options.steps:,} decisions of each policy"
        levels, trained, unseen, _ = zip(*rows, strict=True)
        figure = draw_generalisation(levels, trained, unseen, style=style, title=title)
        write_figure(pictures / f"generalisation-{style}.png", figure)


if __name__ == "__main__":
    main()
