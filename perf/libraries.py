"""Trains with each library that is installed, by the scripts of examples/training.

    make test-training               # installs them and runs the scripts for some thousand steps
    python -m perf.libraries         # prints the table of docs/training.md
    python -m perf.libraries --steps 20000 torchrl_ppo

A point of a curve is decisions : mean return / success. The rate is by the wall clock, start-up
excluded; another library with more threads or on a busy machine gives other figures.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table

SCRIPTS = Path("examples/training")
POINTS = 4


@dataclass(frozen=True)
class Library:
    """A script, what it imports, and how long it trains."""

    script: str
    module: str
    package: str
    steps: int


LIBRARIES = (
    Library("single_file_ppo", "torch", "torch", 200_000),
    Library("stable_baselines3_ppo", "stable_baselines3", "stable-baselines3", 40_000),
    Library("sb3_contrib_recurrent", "sb3_contrib", "sb3-contrib", 10_000),
    Library("torchrl_ppo", "torchrl", "torchrl", 40_000),
    Library("rllib_ppo", "ray.rllib.algorithms.ppo", "ray", 6_000),
    Library("pufferlib_emulation", "pufferlib", "pufferlib", 40_000),
)


def is_installed(module: str) -> bool:
    """Return whether a library, and torch, can be imported."""
    try:
        return find_spec("torch") is not None and find_spec(module) is not None
    except ImportError:  # of a package that lacks something itself
        return False


def train(library: Library, steps: int) -> list[str]:
    """Run a script and return the lines that it printed."""
    command = [sys.executable, str(SCRIPTS / f"{library.script}.py"), str(steps)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if line[:1].isdigit()]


def curve(lines: list[str]) -> str:
    """Return a few points of a curve in one line."""
    points = [line.split() for line in lines]
    chosen = points[:: max(1, len(points) // POINTS)]
    chosen += [points[-1]] * (chosen[-1] != points[-1])
    return ", ".join(f"{int(at):,}: {paid} / {wins}" for at, paid, wins in chosen)


def main() -> None:
    """Train with what is installed, and print speeds and curves."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m perf.libraries")
    parser.add_argument("scripts", nargs="*", help="which, all if none is named")
    parser.add_argument("--steps", type=int, help="decisions of each")
    arguments = parser.parse_args()
    table = Table(title="Training on ludus/MarioArena-v0, level 1-1", show_lines=True)
    for heading in ("script", "version", "steps a second", "decisions: return / success"):
        table.add_column(heading)
    for library in LIBRARIES:
        if arguments.scripts and library.script not in arguments.scripts:
            continue
        if not is_installed(library.module):
            table.add_row(library.script, "not installed", "–", "–")
            continue
        try:
            *points, speed = train(library, arguments.steps or library.steps)
        except subprocess.CalledProcessError as error:
            reason = (error.stderr.strip().splitlines() or ["no message"])[-1]
            table.add_row(library.script, version(library.package), "failed", reason)
            continue
        rate = f"{int(speed.split()[0]):,}"
        table.add_row(library.script, version(library.package), rate, curve(points))
    console = Console(width=110)
    console.print(table)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
