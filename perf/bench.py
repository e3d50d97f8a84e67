"""Measures how fast Ludus plays and prints it beside the Java framework's recorded figures.

    make bench
    make bench PEER=~/Mario-AI-Framework   # measures that checkout in the same run
    python -m perf.bench --json FILE

Rates are per second of processor time, medians of repeats, so that other work on the machine counts
little; only the gain of a second thread needs the wall clock: it is the median over pairs of runs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Literal

import numpy as np
from perf.peer import measure_peer
from rich.console import Console
from rich.table import Table

from ludus.games.platformer import Level, Physics, World, build_info, pictures
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.competition import competition_level
from ludus.games.platformer.environments import PlatformerEnv, PlatformerVectorEnv
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import bundled_level, bundled_levels

ENGINE = Path("build/perf/engine")
REPEATS = 7
ENVS = 1024
MANY_ENVS = 4096
GRIDS = ("scene", "enemies")
CLONE_COLUMNS = 200

Unit = Literal["per s", "us", "ms", "times"]

NOTES = (
    "Java peer: Mario-AI-Framework 0.8 on OpenJDK 17, one thread, recorded on 2 vCPU Xeon 2.80 GHz "
    "and on its own levels, not measured in this run: on another processor the ratio is rough.\n"
    "Its environment steps are those of its own episode loop, which clones the world for the agent "
    "in each step and fills no grid."
)


@dataclass(frozen=True)
class Row:
    """One line of the table; rates and gains should be high, times low."""

    work: str
    ours: float
    unit: Unit
    peer: float | None = None
    target: float | None = None
    peer_measure: str | None = None  # which of the peer's measures is the same work

    @property
    def is_time(self) -> bool:
        """Whether less is better."""
        return self.unit in ("us", "ms")

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer."""
        if self.peer is None:
            return None
        return self.peer / self.ours if self.is_time else self.ours / self.peer

    @property
    def met(self) -> bool | None:
        """Whether the target is met, None without one."""
        if self.target is None:
            return None
        return self.ours <= self.target if self.is_time else self.ours >= self.target

    def shown(self, value: float | None) -> str:
        """Write a figure in this row's unit."""
        if value is None:
            return "–"
        if self.unit == "per s":
            return f"{value / 1e6:.2f} M/s" if value >= 1e6 else f"{value / 1e3:.0f} k/s"
        if self.unit == "times":
            return f"{value:.2f} ×"
        return f"{value:.3g} {'µs' if self.unit == 'us' else 'ms'}"


def level_mix() -> list[Level]:
    """Return levels of the framework's notch generator, as its measure used, and our bundled."""
    notch = [generate("notch-framework", seed=k, difficulty=k % 6, width=150) for k in range(100)]
    return [*notch, *bundled_levels()]


def clone_level() -> Level:
    """Return a level of 200 x 16 tiles."""
    rows = bundled_level("sprint-09").text.split("\n")
    return Level.parse("\n".join(row[:CLONE_COLUMNS] for row in rows))


def processor_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median processor time of some work, which is done once before."""
    work()
    seconds = []
    for _ in range(repeats):
        before = time.process_time()
        work()
        seconds.append(time.process_time() - before)
    return median(seconds)


def wall_seconds(work: Callable[[], object]) -> float:
    """Return how long some work takes by the wall clock."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


# ---- the engine without Python -------------------------------------------------------------------


def engine_seconds(engine: Path, levels: list[Level]) -> dict[str, float]:
    """Run the C program and return the seconds of each of its measures."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, level in enumerate([clone_level(), *levels]):
            files.append(Path(folder) / f"{number}.txt")
            files[-1].write_text(level.text, encoding="ascii", errors="replace")
        done = subprocess.run(
            [engine.resolve(), *files], capture_output=True, text=True, check=True
        )
    return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}


def map_text(level: Level) -> str:
    """Return a level of map bytes as the C program reads it."""
    reference = level.reference
    assert reference is not None
    creatures = [f"{column} {row} {kind}" for column, row, kind in level.templates]
    size = (reference.width, reference.height, *reference.exit, len(creatures))
    return "\n".join([" ".join(map(str, size)), *creatures, reference.map.hex()])


def map_seconds(engine: Path, rules: str, levels: list[Level]) -> dict[str, float]:
    """Run the C program on levels of map bytes and return the seconds of its measures."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.map" for number in range(len(levels))]
        for file, level in zip(files, levels, strict=True):
            file.write_text(map_text(level), encoding="ascii")
        words = ["map", rules, *map(str, files)]
        done = subprocess.run(
            [engine.resolve(), *words], capture_output=True, text=True, check=True
        )
    return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}


def levels_of_2009() -> list[Level]:
    """Return ten levels of each difficulty of the competition."""
    return [competition_level(seed, hard) for hard in (0, 3, 5, 10) for seed in range(10)]


def levels_of_2010(options: str) -> list[Level]:
    """Return twenty levels of the benchmark with these options."""
    return [benchmark_scenario(f"{options} -ls {seed}").level for seed in range(20)]


def competition_rows(engine: Path) -> Iterator[Row]:
    """Yield what the engine does by the rules of the competitions."""
    for rules, levels, idle, running in (
        ("2009", levels_of_2009(), 211e3, 112e3),
        ("2010", levels_of_2010("-ld 0 -le g"), 163e3, 109e3),
    ):
        seconds = map_seconds(engine, rules, levels)
        run = 1 / seconds["run_and_jump"]
        yield Row(f"{rules}: ticks, doing nothing", 1 / seconds["idle"], "per s", idle, 3e6)
        yield Row(f"{rules}: ticks, running right and jumping", run, "per s", running, 3e6)
    crowded = levels_of_2010("-ld 3 -le g,gk,rk,s -lde on -lhb on")
    run = 1 / map_seconds(engine, "2010", crowded)["run_and_jump"]
    yield Row("2010: the same among many creatures", run, "per s", 108e3)


def engine_rows(engine: Path, levels: list[Level]) -> Iterator[Row]:
    """Yield what the engine does in C."""
    seconds = engine_seconds(engine, levels)
    run = 1 / seconds["run_and_jump"]
    idle = 1 / seconds["idle"]
    yield Row("ticks, doing nothing", idle, "per s", 315e3, 6e6, "idle")
    yield Row("ticks, running right and jumping", run, "per s", 226e3, 12e6, "run_and_jump")
    yield Row("clone of a 200 × 16 world", 1e6 * seconds["clone"], "us", 12, 0.2, "clone")
    yield Row("copy into a world that is there", 1e6 * seconds["copy"], "us", 12, None, "clone")
    yield Row("clone and 2 ticks", 1e6 * seconds["node"], "us", 20, 0.8, "node")


def with_peer(rows: list[Row], seconds: dict[str, float]) -> list[Row]:
    """Return the rows with what was measured of the peer, and nothing that was recorded of it."""
    return [replace(row, peer=_peer_figure(row, seconds)) for row in rows]


def _peer_figure(row: Row, seconds: dict[str, float]) -> float | None:
    if row.peer_measure not in seconds:
        return None
    each = seconds[row.peer_measure]
    return 1e6 * each if row.is_time else 1 / each


# ---- environments --------------------------------------------------------------------------------


class VectorRun:
    """Random play of many environments with two grids as their observation."""

    steps = 200

    def __init__(self, levels: list[Level], *, threads: int, copy: bool, envs: int = ENVS) -> None:
        self.count = envs
        options: dict[str, Any] = {"levels": levels, "observation": GRIDS, "actions": "discrete"}
        self.envs = PlatformerVectorEnv(envs, threads=threads, copy=copy, **options)
        self.envs.reset(seed=1)
        draws = np.random.default_rng(1)
        count = self.envs.single_action_space.n  # type: ignore[attr-defined]
        self.actions = draws.integers(count, size=(64, envs))

    def __call__(self) -> None:
        """Play some steps."""
        step = self.envs.step
        for k in range(self.steps):
            step(self.actions[k % 64])

    def rate(self, seconds: float) -> float:
        """Return environment steps per second."""
        return self.steps * self.count / seconds


def thread_gain(levels: list[Level], envs: int) -> float:
    """Return how many times faster two threads are: the median of pairs of runs.

    The runs of a pair play the same steps of the same games, one after the other.
    """
    runs = [VectorRun(levels, threads=threads, copy=False, envs=envs) for threads in (1, 2)]
    pairs = [[wall_seconds(run) for run in runs] for _ in range(3 * REPEATS)]
    return median(alone / together for alone, together in pairs)


def single_env_seconds() -> float:
    """Return the seconds of one step of the Gymnasium environment."""
    env = PlatformerEnv(levels=bundled_levels(), observation=GRIDS, actions="discrete")
    actions = np.random.default_rng(1).integers(12, size=5000).tolist()
    env.reset(seed=1)

    def play() -> None:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    return processor_seconds(play) / len(actions)


def environment_rows(levels: list[Level]) -> Iterator[Row]:
    """Yield what environments do."""
    for copy in (True, False):
        run = VectorRun(levels, threads=1, copy=copy)
        name = f"environment steps, two grids, {'copied' if copy else 'bound buffers'}"
        target = 2.5e6 if copy else 4e6
        yield Row(name, run.rate(processor_seconds(run)), "per s", 59e3, target, "step")
    for envs in (ENVS, MANY_ENVS):
        name = f"gain of two threads, {envs:,} environments"
        yield Row(name, thread_gain(levels, envs), "times", None, 1.9)
    alone = 1 / single_env_seconds()
    yield Row("steps of one Gymnasium environment", alone, "per s", 59e3, 4e5, "step")


# ---- worlds from Python --------------------------------------------------------------------------


def step_overhead() -> float:
    """Return the seconds that ``World.step`` takes beyond the tick and the loop around it."""
    start = World(bundled_level("sprint-01"), physics=Physics(invulnerable=True))
    actions = [0, 2, 0, 1] * 5000
    buttons = np.array(actions, np.uint8)

    def step() -> None:
        step = start.clone().step
        for action in actions:
            step(action)

    def loop() -> None:
        for _action in actions:
            pass

    def run() -> None:
        if start.clone().run(buttons) != len(actions):
            raise RuntimeError("the game ended before its actions did")

    calls, loops, ticks = (processor_seconds(work, 15) for work in (step, loop, run))
    return (calls - loops - ticks) / len(actions)


def begun_game() -> World:
    """Return a game that has been going on for a while, as the C program clones it."""
    world = World(clone_level(), time_limit=20)
    for _ in range(60):
        mario = world.mario
        if world.step(10 | (16 if mario.may_jump or not mario.on_ground else 0)):
            raise RuntimeError("the game ended before it was cloned")
    return world


def clone_seconds() -> float:
    """Return the seconds of a clone made from Python."""
    clone = begun_game().clone

    def work() -> None:
        for _ in range(20_000):
            clone()

    return processor_seconds(work) / 20_000


def node_seconds() -> float:
    """Return the seconds of a search node: a forward model cloned and advanced twice."""
    clone = begun_game().forward_model().clone

    def work() -> None:
        for _ in range(20_000):
            model = clone()
            model.advance(10)
            model.advance(10)

    return processor_seconds(work) / 20_000


def frame_seconds() -> float:
    """Return the seconds of a picture of 256 x 256 pixels."""
    world = World(bundled_level("sprint-03"))

    def work() -> None:
        for _ in range(500):
            pictures.frame(world)

    return processor_seconds(work) / 500


def import_seconds(module: str) -> float:
    """Return the processor time of the import in a fresh interpreter."""
    program = (
        f"import time; before = time.process_time(); import {module}; "
        "print(time.process_time() - before)"
    )
    command = [sys.executable, "-c", program]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(9)]
    return median(float(done.stdout) for done in runs)


def python_rows() -> Iterator[Row]:
    """Yield what worlds do when Python asks."""
    yield Row("World.step beyond its tick", 1e6 * step_overhead(), "us")
    yield Row("World.clone", 1e6 * clone_seconds(), "us", 12)
    yield Row("ForwardModel: clone and 2 advance", 1e6 * node_seconds(), "us", 20)
    yield Row("picture of 256 × 256 pixels", 1e6 * frame_seconds(), "us")
    yield Row("import ludus", 1e3 * import_seconds("ludus"), "ms", None, 150)
    platformer = "ludus.games.platformer"
    yield Row(f"import {platformer}", 1e3 * import_seconds(platformer), "ms")


# ---- the table -----------------------------------------------------------------------------------


def table_of(rows: list[Row]) -> Table:
    """Return the rows as a table for the terminal."""
    table = Table(title="Ludus platformer, one core")
    table.add_column("work")
    for name in ("ours", "Java peer", "ratio", "target"):
        table.add_column(name, justify="right")
    table.add_column("met", justify="center")
    for row in rows:
        ratio = "–" if row.ratio is None else f"{row.ratio:.0f} ×"
        met = {None: "–", True: "[green]yes[/]", False: "[red]no[/]"}[row.met]
        table.add_row(
            row.work, row.shown(row.ours), row.shown(row.peer), ratio, row.shown(row.target), met
        )
    return table


def as_json(rows: list[Row], notes: str) -> str:
    """Return the rows and the machine they were measured on as JSON."""
    figures = [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows]
    machine = {"processor": processor_name(), "python": platform.python_version(), **build_info()}
    return json.dumps({"machine": machine, "rows": figures, "notes": notes}, indent=1)


def processor_name() -> str:
    """Return what the machine calls its processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else platform.processor()


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m perf.bench")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--peer", type=Path, metavar="FOLDER", help="a Mario-AI-Framework checkout")
    parser.add_argument("--engine", type=Path, default=ENGINE, help="what engine.c was built to")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    levels = level_mix()
    peer = measure_peer(arguments.peer.expanduser(), levels) if arguments.peer else None
    rows = [
        *engine_rows(arguments.engine, levels),
        *competition_rows(arguments.engine),
        *environment_rows(levels),
        *python_rows(),
    ]
    rows = rows if peer is None else with_peer(rows, peer)
    notes = NOTES if peer is None else f"Java peer: {arguments.peer}, measured in this run."
    console = Console(width=max(100, Console().width))
    console.print(table_of(rows))
    here = f"Here: {processor_name()}, load {load:.1f} before; 100 levels of notch, 10 bundled."
    console.print(here, style="dim")
    console.print(notes, style="dim")
    if arguments.json:
        arguments.json.write_text(as_json(rows, notes) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
