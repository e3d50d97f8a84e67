"""Replays every recording of the engine of 2010 and compares every column of every row."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.conformance.figures_2010 import FIGURES
from tests.conformance.recordings import Run, first_difference, load

from ludus.games.platformer import (
    Evaluation2010,
    Level,
    Options2010,
    World,
    evaluate,
    replay,
    trace_row,
)

FILE = "2010.xz"
GROUPS = 12


def begin(run: Run) -> World:
    """Return the world of a recording, in the state of its first row."""
    return World(Level.from_record(run.level), rules="2010", options=run.header["opts"])


def play_rows(run: Run, world: World) -> Iterator[str]:
    """Yield the rows of a replay as text."""
    yield ",".join(trace_row(world).values())
    for action in run.actions[1:]:
        if world.status:
            return
        world.step(action)
        yield ",".join(trace_row(world).values())


def figures(world: World) -> dict[str, str]:
    """Return the figures of a recording's last line."""
    evaluation = Evaluation2010.of(world)
    assert evaluate(world) == evaluation
    return {name: str(getattr(evaluation, field)) for name, field in FIGURES.items()}


def describe_difference(run: Run) -> str | None:
    """Replay a recording and describe the first difference, or return None."""
    world = begin(run)
    difference = first_difference(run, list(play_rows(run, world)))
    if difference:
        return difference
    if figures(world) != run.result:
        return f"{run.name}: expected {run.result}, got {figures(world)}"
    options = run.header["opts"]
    again = replay(world.level, run.actions[1:], rules="2010", options=options)
    if again.hash() != world.hash():
        return f"{run.name}: replay() does not end where step() ends"
    return None


@pytest.mark.parametrize("group", range(GROUPS))
def test_the_engine_does_what_was_recorded(group: int) -> None:
    runs = load(FILE)[0][group::GROUPS]
    differences = [d for d in map(describe_difference, runs) if d]
    assert not differences, "\n".join(differences)


def test_all_recordings_are_there() -> None:
    runs = load(FILE)[0]
    assert len(runs) == 407
    assert sum(len(run.rows) for run in runs) == 87_662
    assert all(list(run.result) == list(FIGURES) for run in runs)
    assert list(trace_row(begin(runs[0]))) == list(runs[0].columns)


def test_options_say_the_same_as_a_text_again() -> None:
    for run in load(FILE)[0]:
        options = Options2010.parse(run.header["opts"])
        assert Options2010.parse(options.to_text()) == options
