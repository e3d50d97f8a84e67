"""Measures what the way from an agent to a stored, ranked result costs beside the play itself.

    python -m perf.spine

Play is measured in processor time of all processes, the best of the repeats, so that other work on
the machine counts little. A bare loop, which reads the levels and lets the agent play, is compared
with a run by one worker once it is under way: messages, records, facts, scores, database. Storing
is by the wall clock, the best of the repeats, because a database waits for the disk; reading is in
processor time, the median.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing import active_children
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ludus.agents import find, load
from ludus.benchmarks import Benchmark, benchmarks
from ludus.benchmarks.platformer.sprint import SPRINT
from ludus.execution.episode import Episode
from ludus.execution.stage import Stage
from ludus.games.game import scenario_for_agent
from ludus.games.platformer import Level, World
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.runs import LocalExecutor, Plan, Store, make_plan, run
from ludus.runs.running import score_episode
from ludus.runs.totals import rank_totals

REPEATS = 5
COLUMNS = 900
CLOCK = 15  # seconds of 500 steps in all
STEPS = 500
WARM_UP = 20
QUICKEST = "forward-jumping"
AGENTS = {QUICKEST: 1000, "linear": 300, "rule-based": 100}  # and their episodes
MOST_SHARE = 0.05
MOST_MS = 0.3
STORED = 2_000
MANY = 1_000_000
MOST_MICROSECONDS = 30
PLAYERS = 100
MOST_SECONDS = 2.0


@dataclass(frozen=True)
class Row:
    """One line of a table."""

    work: str
    ours: str
    target: str = "–"
    met: bool | None = None


# ---- play ----------------------------------------------------------------------------------------


def _flat_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    """Return levels without an end to reach in time, so that every episode has as many steps."""
    sky, ground = "-" * COLUMNS, "X" * COLUMNS
    levels = []
    for number in range(10):
        steps = "".join("S" if (k + number) % 17 == 0 else "-" for k in range(COLUMNS - 12))
        rows = [*[sky] * 10, "-" * 10 + steps + "--", sky, "-" * 10 + steps + "--"]
        levels.append(Level.parse("\n".join([*rows, "--M" + "-" * (COLUMNS - 5) + "F-", ground])))
    return [
        Scenario(f"flat {k}", levels[k % 10], time_limit=CLOCK, seed=seed + k).to_dict()
        for k in range(episodes)
    ]


FLAT = Benchmark(
    id="perf/flat",
    version=1,
    title="Episodes of 500 steps",
    game="platformer",
    scenarios=_flat_scenarios,
    episodes=100,
    score=SPRINT.score,
    formula=SPRINT.formula,
    tie_breakers=SPRINT.tie_breakers,
)


def processor_time() -> float:
    """Return the processor time of this process and of the workers that it has now."""
    clocks = [(~child.pid << 3) | 2 for child in active_children() if child.pid]
    return time.process_time() + sum(map(time.clock_gettime, clocks))


def bare_loop(name: str, plan: Plan) -> float:
    """Return the seconds of an episode that is played and then forgotten."""
    agent = load(name)
    before = time.process_time()
    for plain in plan.scenarios:
        scenario = Scenario.from_dict(plain)
        world = World(scenario.level, scenario.mode, scenario.time_limit)
        view, act, step = View(world), agent.act, world.step
        agent.reset(scenario_for_agent(scenario))
        steps = 0
        while world.status == 0:
            step(act(view))
            steps += 1
        if abs(steps - STEPS) > 1:
            raise RuntimeError(f"{name} had {steps} steps, not {STEPS}")
    return (time.process_time() - before) / len(plan.scenarios)


def staged(plan: Plan) -> float:
    """Return the seconds of an episode with its record and facts, in this process."""
    stage = Stage(plan)
    before = time.process_time()
    for task in plan.episodes:
        stage.play(task)
    return (time.process_time() - before) / len(plan.episodes)


class Watched(LocalExecutor):
    """One worker; marks how many episodes have been heard of, and the time it took, after each."""

    def __init__(self) -> None:
        super().__init__(1)
        self.marks: list[tuple[int, float]] = []

    def play(self, *given: Any) -> Iterator[list[Episode]]:
        """Yield the finished episodes; those that come together are marked together."""
        heard = 0
        for finished in super().play(*given):
            heard += len(finished)
            self.marks.append((heard, processor_time()))
            yield finished


def whole_run(name: str, episodes: int, folder: str) -> float:
    """Return the seconds of an episode of a run by one worker into a file, once it is under way."""
    store, worker = Store(f"{folder}/{name}.db"), Watched()
    run(FLAT.id, [name], store=store, episodes=episodes, executor=worker)
    store.close()
    few, early = next(mark for mark in worker.marks if mark[0] >= WARM_UP)
    many, late = worker.marks[-1]
    return (late - early) / (many - few)


def play_rows() -> Iterator[Row]:
    """Yield what an episode of 500 steps costs with and without the spine."""
    benchmarks()[FLAT.id] = FLAT
    for name, episodes in AGENTS.items():
        plan = make_plan(FLAT.id, [name], episodes=episodes)
        bare, stage, whole = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(REPEATS):
                bare.append(bare_loop(name, plan))
                if name == QUICKEST:
                    stage.append(staged(plan))
                whole.append(whole_run(name, episodes, folder))
        loop = min(bare)
        beyond = 1e3 * (min(whole) - loop)
        share = beyond / (1e3 * loop)
        yield Row(f"{name}: bare loop, an episode", f"{1e3 * loop:.2f} ms")
        if stage:
            per_step = 1e6 * (min(stage) - loop) / STEPS
            yield Row("  added by record and facts, a step", f"{per_step:.2f} µs")
        yield Row(
            "  added by all the spine, an episode",
            f"{beyond:.2f} ms",
            f"{MOST_MS} ms",
            beyond <= MOST_MS,
        )
        yield Row(
            "  the same as a share",
            f"{100 * share:.1f} %",
            f"{100 * MOST_SHARE:.0f} %",
            share <= MOST_SHARE,
        )


# ---- an agent in a process of its own ------------------------------------------------------------

FOREIGN = """
class Runner:
    name = "runner"
    def reset(self, scenario): pass
    def act(self, view): return 10 if view.mario.may_jump or not view.mario.on_ground else 2
"""


def descendants(process: int) -> Iterator[int]:
    """Yield the processes below one."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (thread / "children").read_text().split()):
            yield child
            yield from descendants(child)


def time_of_all() -> float:
    """Return the processor time of this process and of everything below it."""
    clocks = [(~child << 3) | 2 for child in descendants(os.getpid())]
    return time.process_time() + sum(map(time.clock_gettime, clocks))


def decisions(plan: Plan, agents: Mapping[int, Any] | None = None) -> tuple[float, float]:
    """Return processor time and wall clock of one decision, after a first episode."""
    stage = Stage(plan, agents=agents)
    stage.play(plan.episodes[0])
    processor, clock = time_of_all(), time.perf_counter()
    steps = sum(stage.play(planned).steps for planned in plan.episodes)
    spent = time_of_all() - processor, time.perf_counter() - clock
    stage.close()
    return spent[0] / steps, spent[1] / steps


def foreign_rows() -> Iterator[Row]:
    """Yield what it costs that an agent which is not Ludus's own has a process of its own."""
    benchmarks()[FLAT.id] = FLAT
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "runner.py").write_text(FOREIGN)
        spec = f"{folder}/runner.py:Runner"
        plan = make_plan(FLAT.id, [spec], episodes=20)
        here = np.array([decisions(plan, {0: load(spec)}) for _ in range(REPEATS)]).min(0)
        there = np.array([decisions(plan) for _ in range(REPEATS)]).min(0)
        added = 1e6 * (there - here)
        target = f"{MOST_MICROSECONDS} µs"
        yield Row("in the engine's process, a decision", f"{1e6 * here[0]:.1f} µs")
        yield Row(
            "added by its own process, processor time",
            f"{added[0]:.1f} µs",
            target,
            bool(added[0] <= MOST_MICROSECONDS),
        )
        yield Row("the same by the wall clock", f"{added[1]:.1f} µs")
        started = min(seconds_to_start(spec) for _ in range(REPEATS))
        yield Row("its process started and its file loaded", f"{1e3 * started:.0f} ms")


def seconds_to_start(spec: str) -> float:
    """Return how long it takes to look an agent up that is not Ludus's own."""
    before = time.perf_counter()
    find(spec)
    return time.perf_counter() - before


# ---- storing -------------------------------------------------------------------------------------


def stored_per_second(batch: int) -> float:
    """Return how many episodes a store keeps in a second of the wall clock."""
    plan = make_plan(FLAT.id, [QUICKEST], episodes=1)
    episode = Stage(plan).play(plan.episodes[0])
    many = [score_episode(FLAT, replace(episode, number=number)) for number in range(STORED)]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"{folder}/keep.db")
        id_ = store.add(plan).id
        before = time.perf_counter()
        for start in range(0, STORED, batch):
            store.add_episodes(id_, many[start : start + batch])
        seconds = time.perf_counter() - before
        store.close()
    return STORED / seconds


def storing_rows() -> Iterator[Row]:
    """Yield how fast episodes are kept."""
    for batch in (1, 50):
        rate = max(stored_per_second(batch) for _ in range(REPEATS))
        yield Row(f"episodes kept in a second, {batch} at a time", f"{rate:,.0f}")


# ---- a million episodes --------------------------------------------------------------------------


def fill(folder: str) -> Store:
    """Return a store with one run of a million episodes of 500 steps."""
    store = Store(f"{folder}/many.db")
    plan = make_plan(SPRINT.id, ["idle"] * PLAYERS, episodes=MANY // PLAYERS)
    run_id = store.add(plan).id
    facts = json.dumps(Stage(plan).play(plan.episodes[0]).facts)
    record = os.urandom(STEPS)

    def rows() -> Iterator[tuple[Any, ...]]:
        for task in plan.episodes:
            total = float((task.number * 7919 + 31 * task.agent) % 1001)
            parts = json.dumps({"progress": total})
            yield (
                *(run_id, task.number, task.agent, task.scenario, "finished", ""),
                *(record, facts, total, parts, STEPS, 0.01),
            )

    names = (
        "run, number, agent, scenario, ending, reason, record, facts, total, parts, steps, seconds"
    )
    with sqlite3.connect(f"{folder}/many.db") as connection:
        marks = ", ".join("?" * 12)
        connection.executemany(f"INSERT INTO episodes ({names}) VALUES ({marks})", rows())
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return store


def seconds_of(work: Callable[[], object]) -> float:
    """Return the processor time of some work, the median of three times after a first."""
    work()
    spent = []
    for _ in range(3):
        before = time.process_time()
        work()
        spent.append(time.process_time() - before)
    return median(spent)


def many_rows() -> Iterator[Row]:
    """Yield how long it takes to list and rank a million episodes."""
    target = f"{MOST_SECONDS:.0f} s"
    with tempfile.TemporaryDirectory() as folder:
        store = fill(folder)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        yield Row("size of the file", f"{size / 1e9:.2f} GB")
        listed = seconds_of(store.runs)
        yield Row("the run listed, Store.runs()", f"{listed:.2f} s", target, listed <= MOST_SECONDS)
        (found,) = store.runs()
        ranked = seconds_of(lambda: rank_totals(found, store))
        yield Row(
            f"its {PLAYERS} agents ranked, rank_totals()",
            f"{ranked:.2f} s",
            target,
            ranked <= MOST_SECONDS,
        )
        store.close()


# ---- the tables ----------------------------------------------------------------------------------


def main() -> None:
    """Print the tables."""
    console = Console(width=max(90, Console().width))
    load_before = os.getloadavg()[0]
    for title, rows in (
        (f"Episodes of {STEPS} steps, processor time of all processes", play_rows),
        ("A file agent in a process of its own, best", foreign_rows),
        ("Keeping episodes in a file of SQLite, wall clock, best", storing_rows),
        (f"{MANY:,} episodes in a file of SQLite, processor time", many_rows),
    ):
        table = Table(title=title, title_justify="left")
        table.add_column("work", min_width=46)
        for heading in ("ours", "target"):
            table.add_column(heading, justify="right")
        table.add_column("met", justify="center")
        for row in rows():
            met = {None: "–", True: "[green]yes[/]", False: "[red]no[/]"}[row.met]
            table.add_row(row.work, row.ours, row.target, met)
        console.print(table)
    console.print(f"Load {load_before:.1f} before, {os.cpu_count()} cores.", style="dim")


if __name__ == "__main__":
    main()
