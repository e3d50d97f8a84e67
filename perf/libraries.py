"""Trains with each library that is installed, by the scripts of examples/training.

    make test-training               # installs them and runs the scripts for some thousand steps
    python -m perf.libraries         # prints the table of docs/training.md
    python -m perf.libraries --steps 20000 torchrl_ppo
    python -m perf.libraries --pictures docs/pictures

A point of a curve is decisions : mean return / success. The rate is by the wall clock, start-up
excluded; another library with more threads or on a busy machine gives other figures. ``ludus
train`` learns beside them, evaluation included.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console
from rich.table import Table

from ludus.distribution import DISTRIBUTION
from ludus.learning import train
from ludus.learning.curve_folder import read_curve
from ludus.reports.learning_curves import draw_curve
from ludus.reports.sheet import write_figure

SCRIPTS = Path("examples/training")
POINTS = 4
OURS = "ludus"
OWN_STEPS = 200_000
OWN_SETTINGS = {"games": 16, "slots": 64}
"""As many games as most scripts play at once."""

Curve: TypeAlias = list[dict[str, Any]]
"""Points in the order of time: decisions so far, the mean return of games, and their success."""


@dataclass(frozen=True)
class Library:
    """A script, what it imports, and how long it trains."""

    script: str
    module: str
    package: str
    steps: int


LIBRARIES = (
    Library("single_file_ppo", "torch", "torch", 200_000),
    Library("stable_baselines3_ppo", "stable_baselines3", "stable-baselines3", 200_000),
    Library("sb3_contrib_recurrent", "sb3_contrib", "sb3-contrib", 100_000),
    Library("torchrl_ppo", "torchrl", "torchrl", 200_000),
    Library("rllib_ppo", "ray.rllib.algorithms.ppo", "ray", 200_000),
    Library("pufferlib_emulation", "pufferlib", "pufferlib", 200_000),
)


def is_installed(module: str) -> bool:
    """Return whether a library, and torch, can be imported."""
    try:
        return find_spec("torch") is not None and find_spec(module) is not None
    except ImportError:  # of a package that lacks something itself
        return False


def run_script(library: Library, steps: int) -> tuple[Curve, float]:
    """Return the curve that a script printed, and its decisions a second."""
    command = [sys.executable, str(SCRIPTS / f"{library.script}.py"), str(steps)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *points, rate = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]
    return [read_point(*point) for point in points], float(rate[0])


def read_point(steps: str, mean: str, success: str) -> dict[str, Any]:
    """Return a line of a script's output."""
    return {"seed": 0, "steps": int(steps), "return": float(mean), "success": float(success)}


def train_ours(steps: int) -> tuple[Curve, float]:
    """Return the curve of our own training, and its rate."""
    with tempfile.TemporaryDirectory() as folder:
        before = time.perf_counter()
        train("mario-arena/1-1", steps=steps, evaluate_every=steps, out=Path(folder) / "ours",
              settings=OWN_SETTINGS)  # fmt: skip
        seconds = time.perf_counter() - before
        curve = [row for row in read_curve(Path(folder) / "ours") if "success" in row]
    return curve, curve[-1]["steps"] / seconds


def describe_curve(curve: Curve) -> str:
    """Return a few points of a curve in one line."""
    chosen = curve[:: max(1, len(curve) // POINTS)]
    chosen += [curve[-1]] * (chosen[-1] != curve[-1])
    return ", ".join(map(describe_point, chosen))


def describe_point(point: dict[str, Any]) -> str:
    """Return decisions, mean return and success of a point."""
    return f"{point['steps']:,}: {point['return']:.1f} / {point['success']:.0%}"


def main() -> None:
    """Train with what is installed, print speeds and curves, and draw them."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m perf.libraries")
    parser.add_argument("scripts", nargs="*", help=f"which, or {OURS}; all if none")
    parser.add_argument("--steps", type=int, help="decisions of each")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="where to draw the curves")
    arguments = parser.parse_args()
    table = Table(title="Training on ludus/MarioArena-v0, level 1-1", show_lines=True)
    for heading in ("script", "version", "steps a second", "decisions: return / success"):
        table.add_column(heading)
    curves = {}
    if OURS in (arguments.scripts or [OURS]):
        curves[OURS], rate = train_ours(arguments.steps or OWN_STEPS)
        table.add_row(OURS, version(DISTRIBUTION), f"{rate:,.0f}", describe_curve(curves[OURS]))
    for library in LIBRARIES:
        if arguments.scripts and library.script not in arguments.scripts:
            continue
        if not is_installed(library.module):
            table.add_row(library.script, "not installed", "–", "–")
            continue
        try:
            curve, rate = run_script(library, arguments.steps or library.steps)
        except subprocess.CalledProcessError as error:
            reason = (error.stderr.strip().splitlines() or ["no message"])[-1]
            table.add_row(library.script, version(library.package), "failed", reason)
            continue
        release = version(library.package)
        table.add_row(library.script, release, f"{rate:,.0f}", describe_curve(curve))
        curves[library.script] = curve
    console = Console(width=110)
    console.print(table)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for style in ("light", "dark") if arguments.pictures else ():
        figure = draw_curve(curves, style=style, title="ludus/MarioArena-v0, level 1-1")
        write_figure(arguments.pictures / f"libraries-{style}.png", figure)


if __name__ == "__main__":
    main()
