from __future__ import annotations

from pathlib import Path

import pytest
from tests.boards.making import Here, hero, played

from ludus.benchmarks import find_benchmark
from ludus.runs import Plan, Run, Store, rank, summarise
from ludus.runs import run as play
from ludus.runs.totals import _facts, _tie_facts, rank_totals, read_totals


def as_summaries_rank(run: Run, store: Store) -> list[tuple[int, str, float, float]]:
    benchmark = find_benchmark(run.benchmark)
    summaries = summarise(benchmark, run.plan, store.episodes(run.id))
    return [
        (place, one.agent, one.headline.value, one.headline.low)
        for place, one in zip(rank(benchmark, summaries), summaries, strict=True)
    ]


def test_totals_are_those_of_the_episodes(store: Store) -> None:
    run = played(store, "random", "idle", "forward-jumping")
    found = read_totals(run, store)
    assert sorted(found) == [0, 1, 2]
    for agent, own in found.items():
        assert own.scenarios.tolist() == list(range(6))
        assert own.values.tolist() == [
            one.score.total for one in store.episodes(run.id) if one.episode.agent == agent
        ]


def test_the_order_is_that_of_summaries(store: Store, tmp_path: Path) -> None:
    agents = ["random", "idle", "forward-jumping", hero(tmp_path, "slow"), "idle", "rule-based"]
    run = played(store, *agents)
    ranked = [(s.rank, s.agent, s.headline.value, s.headline.low) for s in rank_totals(run, store)]
    assert ranked == as_summaries_rank(run, store)
    assert [place for place, name, *_ in ranked if name.startswith("idle")] == [5, 5]


def test_facts_break_a_tie(store: Store, tmp_path: Path) -> None:
    run = played(store, "idle", hero(tmp_path, "still", "a statue"), "random")
    with store.transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE episodes SET facts = replace(facts, '\"ticks\": ', '\"ticks\": 1') "
            "WHERE agent = 1"
        )
    assert [(s.rank, s.agent) for s in rank_totals(run, store)] == [
        (1, "random"),
        (2, "idle"),
        (3, "a statue"),
    ]
    assert [(place, name) for place, name, *_ in as_summaries_rank(run, store)] == [
        (s.rank, s.agent) for s in rank_totals(run, store)
    ]


def test_few_facts_are_read_as_all_are(store: Store) -> None:
    run = played(store, "random", "idle")
    for agent in range(2):
        every = _facts(run, store, agent)
        names = list(every[0])
        assert {type(value) for value in every[0].values()} >= {int, float, str}
        assert _facts(run, store, agent, names) == every
        few = [{name: facts[name] for name in ("ticks", "x")} for facts in every]
        assert _facts(run, store, agent, ("ticks", "x")) == few


@pytest.mark.parametrize("name", ["platformer/sprint", "platformer/bundled"])
def test_ties_are_broken_by_the_facts_that_are_named(name: str, store: Store) -> None:
    benchmark = find_benchmark(name)
    run = play(name, ["idle", "idle"], store=store, episodes=2, executor=Here())
    names = _tie_facts(benchmark)
    assert names
    every, few = _facts(run, store, 0), _facts(run, store, 0, names)
    for breaker in benchmark.tie_breakers:
        assert breaker.aggregate(few) == breaker.aggregate(every)
    assert [one.rank for one in rank_totals(run, store)] == [1, 1]


def test_a_run_without_episodes_ranks_nobody(store: Store) -> None:
    plan: Plan = played(store, "idle").plan
    assert rank_totals(store.add(plan), store) == []
