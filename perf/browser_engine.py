"""Measures the engines of the pages in Chromium and in node: how fast, and how large they are.

    python -m perf.browser_engine

Real time is what a person who plays sees: 30 ticks a second under the rules ``framework`` and
``ludus``, 24 under those of 2009 and 2010. A play is a recording of the
conformance tests, or a random one of ``ludus``, that is played again and again, the beginning of
its world included.
"""

from __future__ import annotations

import gzip
import statistics
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table
from tests.web.browser.chromium import EngineTab, open_chromium
from tests.web.engine.node import ENGINE, Engines, Node
from tests.web.engine.plays import Play, all_plays

STEP = 50
SECONDS = 0.1
TICKS_A_SECOND = {"framework": 30, "ludus": 30, "2009": 24, "2010": 24}
LEAST_TIMES = 1000
LARGEST = 300_000


def main() -> None:
    """Print all tables; a figure that misses its target is marked."""
    console = Console()
    plays = [play for play in all_plays(STEP) if len(play.actions) > 20]
    with open_chromium() as browser:
        tab = EngineTab(browser)
        console.print(measure_all("Chromium", tab, plays))
        loading = tab.ask("time", **plays[0].question, seconds=SECONDS)["load"]
    node = Node()
    console.print(measure_all("node", node, plays))
    node.close()
    console.print(f"Chromium compiles the module in {loading:.1f} ms.")
    console.print(sizes())


def measure_all(name: str, engines: Engines, plays: list[Play]) -> Table:
    """Return how fast each rule set is there."""
    speeds = [measure(engines, play) for play in track(plays, name, transient=True)]
    table = Table("rules", "ticks/s", "times real time", "pictures/s", title=f"Engines in {name}")
    for rules, real in TICKS_A_SECOND.items():
        own = [
            speed for play, speed in zip(plays, speeds, strict=True) if play.level.rules == rules
        ]
        rate, pictures = (statistics.median(values) for values in zip(*own, strict=True))
        mark = "" if rate / real >= LEAST_TIMES else " !"
        table.add_row(rules, f"{rate:,.0f}", f"{rate / real:,.0f}{mark}", f"{pictures:,.0f}")
    return table


def measure(engines: Engines, play: Play) -> tuple[float, float]:
    """Return ticks and pictures a second of one play."""
    rate = engines.ask("time", **play.question, seconds=SECONDS)["rate"]
    return rate, engines.ask("drawing", **play.question, seconds=SECONDS)["rate"]


def sizes() -> Table:
    """Return how large everything is that a page loads of the engines."""
    table = Table("file", "bytes", "gzip", title=f"Sizes: modules at most {LARGEST:,} bytes")
    groups = {"ludus.wasm": ["*.wasm"], "art.json": ["art.json"], "scripts": ["*.js"]}
    for name, patterns in groups.items():
        files = [file for pattern in patterns for file in ENGINE.glob(pattern)]
        table.add_row(name, f"{_total(files):,}", f"{_total(files, zipped=True):,}")
    return table


def _total(files: list[Path], *, zipped: bool = False) -> int:
    contents = [file.read_bytes() for file in files]
    return sum(len(gzip.compress(content) if zipped else content) for content in contents)


if __name__ == "__main__":
    main()
