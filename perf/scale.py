"""Measures what one machine holds: boards, ledgers, stores, exports and files of great size.

    python -m perf.scale                 # everything at full size: some minutes, 5 GB of disk
    python -m perf.scale --share 0.01    # a hundredth of it, to try it
    python -m perf.scale --only board --only ledger

The data are built first. Every figure is then taken in a process of its own, so that its memory is
its own too: the wall clock and the processor time of the work without the start of Python, and the
most memory that the process ever had. What other processes of a pool need is not in the latter two.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from perf import scale_data
from rich.console import Console
from rich.table import Table

from ludus.boards import board, check_ledger, rebuild
from ludus.boards.columns import all_cells, headings
from ludus.boards.formats import title
from ludus.execution.plan import Plan, make_plan
from ludus.reports.tables import TableView, large_lines
from ludus.runs import Run, Store, export, import_run, verify
from ludus.runs.explain import find_episode
from ludus.runs.totals import rank_totals

BENCHMARK = scale_data.BENCHMARK
MB = 1e6


class Measure(NamedTuple):
    """Something to measure.

    Attributes:
        work: What is done.
        size: How much of it, at full size.
        build: Makes the data in a folder, for a size; the measures of one function share them.
        run: Does the work with the data of a folder.
        seconds: How long it may take at full size; 0 if nothing is asked.
        megabytes: How much memory it may need; 0 if nothing is asked.
    """

    work: str
    size: int
    build: Callable[[Path, int], None] | None
    run: Callable[[Path, int], object]
    seconds: float = 0.0
    megabytes: float = 0.0


class Figures(NamedTuple):
    """What was measured: seconds by the wall clock and of the processor, memory in megabytes."""

    wall: float
    processor: float
    memory: float


# ---- the data ------------------------------------------------------------------------------------


def _build_board(folder: Path, agents: int) -> None:
    scale_data.fill_board(folder / "board.db", agents)


def _build_ledger(folder: Path, lines: int) -> None:
    scale_data.fill_ledger(folder / "ledger.db", lines)


def _build_store(folder: Path, episodes: int) -> None:
    scale_data.fill_store(folder / "store.db", episodes, small_runs=min(1_000, episodes // 100))


def _build_records(folder: Path, episodes: int) -> None:
    scale_data.fill_store(folder / "records.db", episodes, spread=False)


def _build_files(folder: Path, files: int) -> None:
    scale_data.write_files(folder / "files", files)


# ---- the work ------------------------------------------------------------------------------------


def _largest(store: Store) -> Run:
    return max(store.runs(), key=lambda run: run.planned)


def _show_board(folder: Path, _: int) -> None:
    ranking = board(BENCHMARK, Store(str(folder / "board.db")))
    rows = all_cells(ranking)
    list(large_lines(TableView(title(ranking), headings(ranking), rows)))


def _check_ledger(folder: Path, _: int) -> None:
    if check_ledger(Store(str(folder / "ledger.db"))):
        raise RuntimeError("the ledger is broken")


def _list_runs(folder: Path, _: int) -> None:
    for run in Store(str(folder / "store.db")).runs():
        ", ".join(agent.name for agent in run.plan.agents)


def _show_run(folder: Path, _: int) -> None:
    store = Store(str(folder / "store.db"))
    rank_totals(_largest(store), store)


def _find_episode(folder: Path, _: int) -> None:
    store = Store(str(folder / "store.db"))
    run = _largest(store)
    find_episode(run.id, run.planned // 2, store)


def _export(folder: Path, _: int) -> None:
    store = Store(str(folder / "store.db"))
    export(_largest(store).id, store, folder / "export.jsonl")


def _import(folder: Path, _: int) -> None:
    (folder / "imported.db").unlink(missing_ok=True)
    import_run(folder / "export.jsonl", Store(str(folder / "imported.db")))


def _verify(workers: int | None) -> Callable[[Path, int], None]:
    def work(folder: Path, _: int) -> None:
        store = Store(str(folder / "records.db"))
        outcome = verify(_largest(store).id, store=store, workers=workers)
        if not outcome.good:
            raise RuntimeError(str(outcome.differences[0]))

    return work


def _rebuild(folder: Path, _: int) -> None:
    problems = rebuild(sorted((folder / "files").iterdir())).problems
    if problems:
        raise RuntimeError(problems[0])


def _make_plan(_: Path, scenarios: int) -> int:
    plan = make_plan(BENCHMARK, ["idle"], episodes=scenarios)
    text = plan.to_json()
    if Plan.from_json(text).scenarios[scenarios - 1] != plan.scenarios[scenarios - 1]:
        raise RuntimeError("another scenario")
    return len(text)


def _start(_: Path, __: int) -> None:
    command = [str(Path(sys.executable).with_name("ludus")), "runs", "--store", "sqlite://"]
    subprocess.run(command, check=True, capture_output=True)


MILLION = 1_000_000
MEASURES = {
    "start": Measure("Python and Ludus started, nothing listed", 1, None, _start),
    "plan": Measure("a plan of so many scenarios made and opened", 100_000, None, _make_plan),
    "board": Measure("a board of so many agents shown", 10_000, _build_board, _show_board, 2),
    "ledger": Measure("a ledger of so many lines read", 100_000, _build_ledger, _check_ledger, 2),
    "runs": Measure("runs of so many episodes listed", MILLION, _build_store, _list_runs, 0.2, 100),
    "show": Measure("a run of so many episodes shown", MILLION, _build_store, _show_run, 2),
    "episode": Measure("one episode of them found", MILLION, _build_store, _find_episode),
    "export": Measure("so many episodes exported", MILLION, _build_store, _export, 0, 200),
    "import": Measure("so many episodes imported", MILLION, _build_store, _import, 0, 400),
    "verify-alone": Measure("so many episodes verified by one process", 100_000, _build_records,
                            _verify(1)),
    "verify": Measure("so many episodes verified by all cores", 100_000, _build_records,
                      _verify(None)),
    "rebuild": Measure("a board rebuilt from so many files", 5_000, _build_files, _rebuild, 60),
}  # fmt: skip


# ---- measuring -----------------------------------------------------------------------------------


def measure_here(name: str, folder: Path, size: int) -> Figures:
    """Do the work in this process and return what it took."""
    wall, processor = time.perf_counter(), time.process_time()
    MEASURES[name].run(folder, size)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    return Figures(wall, processor, read_peak() / MB)


def read_peak() -> int:
    """Return the most bytes that this process ever had; getrusage counts its parent's too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def measure(name: str, folder: Path, size: int) -> Figures:
    """Do the work in a process of its own and return what it took."""
    command = [sys.executable, "-m", "perf.scale", "--child", name, str(folder), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.strip().splitlines()[-1]}")
    return Figures(*json.loads(done.stdout.splitlines()[-1]))


def print_table(names: list[str], folder: Path, share: float) -> None:
    """Build the data, measure and print the table."""
    console = Console(width=max(110, Console().width))
    table = Table(title=f"Scale, at {share:g} of the full size", title_justify="left")
    table.add_column("work", min_width=44)
    for heading in ("size", "wall s", "cpu s", "MB", "at most s", "at most MB"):
        table.add_column(heading, justify="right")
    table.add_column("met", justify="center")
    built: set[Callable[[Path, int], None]] = set()
    for name in names:
        one = MEASURES[name]
        size = max(int(one.size * share), 10) if one.size > 1 else 1
        if one.build and one.build not in built:
            one.build(folder, size)
            built.add(one.build)
        figures = measure(name, folder, size)
        table.add_row(*_cells(one, size, figures, share))
        print(name, *(f"{figure:.2f}" for figure in figures), file=sys.stderr, flush=True)
    console.print(table)
    for line in describe_sizes(folder):
        console.print(line)
    console.print(f"Load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores.", style="dim")


def describe_sizes(folder: Path) -> Iterator[str]:
    """Yield how many bytes the parts of the data have, as far as they were built."""
    tables = {
        "store.db": ("an episode in the store", "episodes"),
        "ledger.db": ("a line of the ledger", "events"),
        "board.db": ("an entry of a board", "events"),
    }
    for name, (words, table) in tables.items():
        if (file := folder / name).exists():
            with sqlite3.connect(file) as connection:
                (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            yield f"{words}: {file.stat().st_size / count:,.0f} bytes"
    if (file := folder / "export.jsonl").exists():
        with file.open("rb") as lines:
            count = sum(1 for _ in lines)
        yield f"an episode in an export: {file.stat().st_size / count:,.0f} bytes"
    plans = {count: make_plan(BENCHMARK, ["idle"], episodes=count) for count in (10, 10_000)}
    for count, plan in plans.items():
        yield f"a plan of {count:,} scenarios: {len(plan.to_json()):,} bytes"


def _cells(one: Measure, size: int, figures: Figures, share: float) -> list[str]:
    met = (not one.seconds or figures.wall <= one.seconds) and (
        not one.megabytes or figures.memory <= one.megabytes
    )
    asked = bool(one.seconds or one.megabytes) and share >= 1
    return [
        one.work,
        f"{size:,}",
        f"{figures.wall:.2f}",
        f"{figures.processor:.2f}",
        f"{figures.memory:.0f}",
        f"{one.seconds:g}" if one.seconds else "–",
        f"{one.megabytes:g}" if one.megabytes else "–",
        ("[green]yes[/]" if met else "[red]no[/]") if asked else "–",
    ]


def main() -> None:
    """Print the table, or the figures of one measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--share", type=float, default=1.0, help="how much of the full size")
    parser.add_argument("--only", action="append", choices=list(MEASURES), help="measure this")
    parser.add_argument("--folder", type=Path, help="where the data go; by default a temporary one")
    parser.add_argument("--child", nargs=3, metavar=("NAME", "FOLDER", "SIZE"), help="for itself")
    arguments = parser.parse_args()
    if arguments.child:
        name, folder, size = arguments.child
        print(json.dumps(measure_here(name, Path(folder), int(size))))
        return
    names = arguments.only or list(MEASURES)
    if "import" in names and "export" not in names:
        names.insert(names.index("import"), "export")
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        print_table(names, arguments.folder, arguments.share)
    else:
        with tempfile.TemporaryDirectory() as folder:
            print_table(names, Path(folder), arguments.share)


if __name__ == "__main__":
    main()
