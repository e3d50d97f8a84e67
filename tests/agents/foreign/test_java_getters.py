"""Getters of the Java interfaces say what was recorded of the reference and what Python says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.agents.foreign.astar_twin import AStar
from tests.agents.foreign.java_compiling import compile_java, needs_java
from tests.agents.foreign.observations import GRIDS_SHAPE, describe, hash_grids
from tests.conformance.test_traces import kills_by_kind, run_check
from tests.conformance.traces import Check, Trace, names
from tests.conformance.traces import load as load_trace

from ludus.agents import load
from ludus.agents.foreign.java_files import find_archive
from ludus.games.platformer import Level, Physics, World
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.levels.campaign import campaign_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

pytestmark = [needs_java, pytest.mark.slow]

SOURCES = Path(__file__).parent / "java_agents"
EXAMPLE = Path(__file__).parents[3] / "examples/agents/java/AStar.java"

TRACES = (
    "504_fuzz_f10044_seek-enemy_m2",  # pauses, above the level, death
    "318_fuzz_f10034_osc-12_m2",  # time out
    "328_fuzz_f10051_look-coin_m2",  # nearly all events, victory
    "362_fuzz_f10107_rand-0.9_m1",  # at the left edge
    "182_synthetic_syn-12-tall_look-hurt_m1",  # the camera moves up and down
    "456_fuzz_f10269_look-prog_m1_kill",  # a block that is bumped ends it
    "460_fuzz_f10276_look-coin_m2_kill",  # either power-up ends it
)


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the compiled agents."""
    files = [SOURCES / f"{name}.java" for name in ("Observer", "Getters", "Learner")]
    return compile_java([*files, EXAMPLE], tmp_path_factory.mktemp("classes"))


class Observed:
    """The agent that writes down every getter, and where it does."""

    def __init__(self, classes: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._script, self._lines = folder / "script", folder / "observed"
        monkeypatch.setenv("SCRIPT", str(self._script))
        monkeypatch.setenv("OBSERVED", str(self._lines))
        self.agent: Any = load(f"{classes}:tests.Observer", "platformer")

    def play(self, world: World, script: list[str]) -> list[tuple[str, dict[str, int]]]:
        """Play a script and return the title and the getters of each line."""
        self._script.write_text("\n".join(script))
        self._lines.write_text("")
        self.agent.reset(Scenario("level", world.level))
        for line in script:
            action = self.agent.act(View(world))
            assert action == int(line.split()[0])
            world.step(action)
        return [_read_line(line) for line in self._lines.read_text().splitlines()]


def _read_line(line: str) -> tuple[str, dict[str, int]]:
    title, *pairs = line.split()
    return title, {name: int(value) for name, value in (pair.split("=") for pair in pairs)}


@pytest.fixture(scope="module")
def observed(classes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    """Return an observer whose virtual machine plays all games of this module."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        one = Observed(classes, tmp_path_factory.mktemp("observed"), monkeypatch)
        yield one
        one.agent.close()


def _find_trace(name: str) -> Trace:
    return load_trace(names().index(name))


def _write_script(actions: list[int], checks: dict[int, Check]) -> list[str]:
    """Return the lines of Observer.java; a check is made in the state before its tick."""
    lines = [str(action) for action in actions]
    for row, check in checks.items():
        if row < len(lines):
            ahead = ".".join(map(str, check.actions))
            lines[row] += f" {check.preclones} {check.reclone} {ahead}"
    return lines


def _expect(world: World, actions: list[int], checks: dict[int, Check]) -> list[dict[str, int]]:
    """Return the getters of every line but the first, as Python has them."""
    models, grids = [], []
    for row, action in enumerate(actions):
        due = [checks[row]] if row in checks else []
        again = [Check(row, 0, -1, (), {})]
        for check in [*again, *due, *(again if due and due[0].preclones else [])]:
            grids.append(np.zeros(GRIDS_SHAPE, np.int32))
            models.append(describe(run_check(world, check), grids[-1]))
        world.step(action)
    for found, hashes in zip(models, hash_grids(np.array(grids)).tolist(), strict=True):
        found["obsM"], found["obsS"] = hashes
    return models


@pytest.mark.parametrize("name", TRACES)
def test_every_getter_says_what_was_recorded(name: str, observed: Observed) -> None:
    trace = _find_trace(name)
    actions = trace.columns["act"].tolist()[1:]
    checks = {check.it: check for check in trace.checks}
    level = Level.parse(trace.level)
    lines = observed.play(
        World(level, trace.mode, trace.timer, trace.kill), _write_script(actions, checks)
    )
    assert lines[0][1].pop("games") == 1  # each game has newly loaded classes
    rows = [found for title, found in lines if title == "now"]
    for column in ("obsM", "obsS", "status", "timer", "mode", "onG", "mayJ", "coins", "lives"):
        assert [row[column] for row in rows] == trace.columns[column].tolist()[:-1], column
    ahead = [found for title, found in lines if title == "ahead"]
    recorded = [check.expected for row, check in sorted(checks.items()) if row < len(actions)]
    for found, expected in zip(ahead, recorded, strict=True):
        assert {name: found[name] for name in expected} == expected
    assert [found for _, found in lines[1:]] == _expect(
        World(level, trace.mode, trace.timer, trace.kill), actions, checks
    )


CROWD = "\n".join(
    ["-" * 18 + "gkyr" * 5 + "-" * 20] * 13 + ["--------M" + "-" * 49] + ["X" * 58] * 2
)
"""Creatures that come all at once, so that images of worlds outgrow their arrays."""

LEVELS: dict[str, tuple[Callable[[], Level], int]] = {
    "campaign": (lambda: campaign_level("1-2"), 2),
    "ludus": (lambda: generate("ludus", seed=3, difficulty=5), 2),
    "crowd": (lambda: Level.parse(CROWD), 2),
    "physics": (
        lambda: Level.parse(bundled_level("sprint-01").text, physics=Physics(gravity=0.5)),
        0,
    ),
}


@pytest.mark.parametrize("name", LEVELS)
def test_every_getter_says_what_python_says(name: str, observed: Observed) -> None:
    make, mode = LEVELS[name]
    level, random = make(), Random(7)
    world = World(level, mode, 60)
    actions: list[int] = []
    while world.status == 0 and len(actions) < 60:
        actions.append(random.randrange(32) | 2)
        world.step(actions[-1])
    ahead = tuple(0b01010 | (0b10000 if tick < 5 else 0) for tick in range(8))
    checks = {row: Check(row, 1, 4, ahead, {}) for row in range(len(actions))}
    lines = observed.play(World(level, mode, 60), _write_script(actions, checks))
    assert [found for _, found in lines[1:]] == _expect(World(level, mode, 60), actions, checks)


@pytest.mark.parametrize(("name", "mode"), [("sprint-01", 0), ("sprint-05", 2)])
def test_a_search_plays_what_its_twin_in_python_plays(name: str, mode: int, searcher: Any) -> None:
    level = bundled_level(name)
    twin, world, twin_world = AStar(), World(level, mode, 60), World(level, mode, 60)
    searcher.reset(Scenario("level", level, mode, 60))
    twin.reset(None)
    while world.status == 0:
        action = searcher.act(View(world))
        assert action == twin.act(View(twin_world)), world.tick
        world.step(action)
        twin_world.step(action)
    assert world.status == 1
    assert world.hash() == twin_world.hash()


@pytest.fixture(scope="module")
def searcher(classes: Path) -> Iterator[Any]:
    """Return the example that searches."""
    agent: Any = load(f"{classes}:AStar", "platformer")
    yield agent
    agent.close()


def test_a_learner_in_java_reads_the_recorded_results(classes: Path, tmp_path: Path) -> None:
    traces = [_find_trace(name) for name in TRACES]
    files = []
    for trace in traces:
        actions = " ".join(map(str, trace.columns["act"].tolist()[1:]))
        files.append(tmp_path / trace.name)
        kills = " ".join(f"{kind} {param}" for kind, param in trace.kill)
        start = f"{trace.mode} {trace.timer} {kills}".strip()
        files[-1].write_text(f"{start}\n{actions}\n{trace.level}")
    command = ["java", "-cp", f"{find_archive()}:{classes}", "tests.Learner", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [line for trace in traces for line in _tell(trace)]


def _tell(trace: Trace) -> Iterator[str]:
    """Return the lines that Learner.java prints of a recorded game."""
    result = {name: value for name, value in trace.result.items() if name != "totalCoins"}
    yield "result " + " ".join(f"{name}={value}" for name, value in result.items())
    kills = kills_by_kind(trace)
    yield "kills " + " ".join(str(kills.get(kind, 0)) for kind in range(17))
    for event in trace.events[trace.event_counts[0] :].tolist():
        yield "event " + " ".join(map(str, event))
    columns = [trace.columns[name][1:] for name in ("act", "mx", "my", "mode", "onG", "tick")]
    for row in np.stack(columns, axis=1).tolist():
        yield "agent " + " ".join(map(str, row))
