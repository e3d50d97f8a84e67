"""One run of every family of benchmarks, from the first episode to the board, in both databases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.boards.making import Here
from tests.runs.test_store import any_store

from ludus.benchmarks import benchmarks
from ludus.boards import accept, board, verify_entry
from ludus.runs import Store, export, import_run, make_plan, rank, run, summarise
from ludus.runs.totals import rank_totals

__all__ = ["any_store"]

RUNS = {
    "platformer/sprint": "idle",
    "platformer/bundled": "forward-jumping",
    "mario-ai/gameplay-2009-ice": "forward-jumping",
    "mario-ai/learning-2010": "forward-jumping",
    "mario-arena/1-1": "forward-jumping",
    "mario-arena/full-game": "idle",
    "worm/foraging-small": "gradient",
    "worm/thermal-foraging-small": "random-walk",
    "nematode/foraging-small": "gradient",
    "diplomacy/gunboat": "hold",
}
AGENTS = {name.partition("/")[0]: agent for name, agent in RUNS.items()}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_kept_verified_and_put_on_the_board(
    name: str, any_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(benchmarks(), name, replace(benchmarks()[name], episodes=1))
    played = run(name, [RUNS[name]], store=any_store, episodes=1, executor=Here())
    assert played.complete
    assert len(played.plan.rules) <= 64
    (decision,) = accept(played.id, any_store, by="me")
    assert decision.outcome == "new"
    outcome = verify_entry(played.id, any_store, by="me")
    assert (outcome.good, outcome.notes) == (True, ())
    assert [row.entry.rules for row in board(name, any_store).rows] == [played.plan.rules]
    scored = any_store.episodes(played.id)
    summaries = summarise(benchmarks()[name], played.plan, scored)
    assert rank(benchmarks()[name], summaries) == [rank_totals(played, any_store)[0].rank]
    export(played.id, any_store, tmp_path / "run.jsonl")
    assert import_run(tmp_path / "run.jsonl", any_store).id == played.id
    any_store.close()


def test_the_plan_of_every_benchmark_is_kept(any_store: Store) -> None:
    for name in benchmarks():
        family = name.partition("/")[0]
        if family == "test" or name == "diplomacy/critical":  # which needs a saved game
            continue
        plan = make_plan(name, [AGENTS[family]], episodes=1)
        assert any_store.add(plan).plan == plan
    any_store.close()
