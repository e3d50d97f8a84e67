"""Long runs are exported and checked in little memory."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from tests.runs.small import SMALL

from ludus.errors import RunError
from ludus.execution.in_process import InProcessExecutor
from ludus.execution.plan import make_plan
from ludus.runs import Store, export, import_run, run
from ludus.runs.exchange import read_run, run_to_lines
from ludus.runs.explain import find_episode
from ludus.runs.store import Run
from ludus.runs.totals import read_totals

EPISODES = 2_000
RECORD = bytes(10_000)


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Run]:
    """A run of 30 MB."""
    store = Store(str(tmp_path_factory.mktemp("long") / "long.db"))
    played = run(
        "platformer/sprint", ["idle"], store=store, executor=InProcessExecutor(), episodes=1
    )
    (one,) = store.episodes(played.id)
    plan = make_plan("worm/foraging-small", ["random-walk"], episodes=EPISODES)
    stored = store.add(plan)
    for first in range(0, EPISODES, 500):
        numbers = range(first, first + 500)
        episodes = [
            replace(one.episode, number=k, scenario=k, record=RECORD, facts={"k": k})
            for k in numbers
        ]
        store.add_episodes(stored.id, [replace(one, episode=episode) for episode in episodes])
    return store, store.run(stored.id)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_an_export_holds_a_few_episodes_at_a_time(
    long_run: tuple[Store, Run], form: str, tmp_path: Path
) -> None:
    store, stored = long_run
    tracemalloc.start()
    export(stored.id, store, tmp_path / "out", form)  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < EPISODES * len(RECORD) / 2
    lines = (tmp_path / "out").read_text().splitlines()
    assert len(lines) == EPISODES + 1


def test_a_streamed_export_is_the_same(long_run: tuple[Store, Run], tmp_path: Path) -> None:
    store, stored = long_run
    export(stored.id, store, tmp_path / "out")
    written = (tmp_path / "out").read_text().splitlines()
    assert written == list(run_to_lines(stored, store.episodes(stored.id)))
    assert read_run(tmp_path / "out")[1] == store.episodes(stored.id)


def test_one_episode_is_read_alone(
    long_run: tuple[Store, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, stored = long_run
    tracemalloc.start()
    assert find_episode(stored.id, 1_234, store).episode.number == 1_234
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    with pytest.raises(RunError, match=f"has no episode {EPISODES}: it has 0 to {EPISODES - 1}"):
        find_episode(stored.id, EPISODES, store)


def test_totals_are_those_of_the_episodes(long_run: tuple[Store, Run]) -> None:
    store, stored = long_run
    totals = read_totals(stored, store)[0]
    assert totals.scenarios.tolist() == list(range(EPISODES))
    assert totals.values.tolist() == [one.score.total for one in store.episodes(stored.id)]


def test_episodes_that_are_added_meanwhile_are_left_out(store: Store) -> None:
    played = run(SMALL.id, ["idle"], store=store, executor=InProcessExecutor(), episodes=3)
    first, second, third = store.episodes(played.id)
    begun = store.add(played.plan)
    store.add_episodes(begun.id, [first, third])
    stream = store.stream(store.run(begun.id))
    lines = run_to_lines(store.run(begun.id), stream)
    assert json.loads(next(lines))["episodes"] == 2
    store.add_episodes(begun.id, [second])
    assert [json.loads(line)["number"] for line in lines] == [0, 2]
    assert len(list(stream)) == len(stream) == 2


def test_an_import_holds_a_few_episodes_at_a_time(
    long_run: tuple[Store, Run], tmp_path: Path
) -> None:
    store, stored = long_run
    export(stored.id, store, tmp_path / "out")
    other = Store(str(tmp_path / "other.db"))
    tracemalloc.start()
    taken = import_run(tmp_path / "out", other)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < EPISODES * len(RECORD) / 1.5
    assert taken.complete
    assert list(other.stream(taken)) == store.episodes(stored.id)
    assert import_run(tmp_path / "out", other) == taken


def test_a_damaged_last_line_leaves_nothing_behind(
    long_run: tuple[Store, Run], tmp_path: Path
) -> None:
    store, stored = long_run
    export(stored.id, store, tmp_path / "out")
    text = (tmp_path / "out").read_text()
    (tmp_path / "out").write_text(text[:-100])
    other = Store(str(tmp_path / "other.db"))
    with pytest.raises(RunError, match=f"line {EPISODES + 1}"):
        import_run(tmp_path / "out", other)
    assert other.runs() == []
