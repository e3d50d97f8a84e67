"""Summaries, totals and the live leader go by one rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.small import SMALL, register
from tests.runs.test_summary import scored

from ludus.benchmarks import Benchmark, TieBreaker, benchmarks
from ludus.execution.plan import Plan, make_plan
from ludus.runs import ScoredEpisode, Store, rank, summarise
from ludus.runs.ranking import find_leader, merit, ranks
from ludus.runs.schema import episodes
from ludus.runs.totals import rank_totals

AGENTS = ["idle", "random", "rule-based"]


def ranked(benchmark: Benchmark, plan: Plan, played: list[ScoredEpisode]) -> list[tuple[int, str]]:
    summaries = summarise(benchmark, plan, played)
    return [(r, s.agent) for r, s in zip(rank(benchmark, summaries), summaries, strict=True)]


def plan_of(agents: list[str], count: int) -> Plan:
    register()
    return make_plan(SMALL.id, agents, episodes=count)


@pytest.mark.parametrize(
    ("gap", "ticks", "order"),
    [
        (4e-10, 9, [(1, "random"), (2, "idle")]),  # too little to tell: the tie-breaker decides
        (4e-10, 10, [(1, "idle"), (1, "random")]),
        (2e-9, 9, [(1, "idle"), (2, "random")]),
    ],
)
def test_headlines_are_told_apart_at_nine_digits(
    gap: float, ticks: int, order: list[tuple[int, str]], store: Store
) -> None:
    plan = plan_of(["idle", "random"], 1)
    played = [scored(0, 0, 5), scored(1, 0, 5, ticks=ticks)]
    played[0] = replace(played[0], score=replace(played[0].score, total=5 + gap))
    played[1] = replace(played[1], episode=replace(played[1].episode, number=1))
    assert ranked(SMALL, plan, played) == order
    run = store.add(plan)
    store.add_episodes(run.id, played)
    assert [(one.rank, one.agent) for one in rank_totals(run, store)] == order
    assert find_leader(SMALL, plan, played) == order[0][1]


@pytest.mark.parametrize(("gap", "best"), [(4e-10, [1, 1]), (2e-9, [2, 1])])
def test_tie_breakers_are_told_apart_at_nine_digits(gap: float, best: list[int]) -> None:
    benchmark = replace(SMALL, tie_breakers=(TieBreaker("x", lambda _: 0, "less"),))
    assert ranks([merit(benchmark, 5, [1 + gap]), merit(benchmark, 5, [1])]) == best


@pytest.fixture
def any_rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Benchmark]]:
    """The small benchmark under rules that rank quite differently."""

    def ticks(facts: object) -> int:
        return int(facts["ticks"])  # type: ignore[index]

    breakers = [(TieBreaker("ticks", ticks, "less"),), (TieBreaker("ticks", ticks, "more"),), ()]
    rules = [replace(SMALL, tie_breakers=one) for one in breakers]
    rules += [
        replace(one, aggregate=make, aggregate_name=name)
        for one in rules
        for name, make in {
            "best": lambda facts, totals: max(totals),
            "worst": lambda facts, totals: -max(totals),
            "first": lambda facts, totals: totals[0],
            "facts": lambda facts, totals: (sum(map(ticks, facts)), 0, 99),
        }.items()
    ]
    yield rules
    register()


def test_the_live_leader_and_totals_are_the_first_of_the_summaries(
    any_rule: list[Benchmark], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(AGENTS, 4)
    figures = [(0, 3, 9), (1, 5, 5), (2, 5, 6), (0, 9, 2), (1, 3, 5), (2, 5, 5), (0, 3, 1)]
    run = store.add(plan)
    played: list[ScoredEpisode] = []
    for number, (agent, total, ticks) in enumerate(figures):
        one = scored(agent, 3 - number // 3, total, ticks)
        played.append(replace(one, episode=replace(one.episode, number=number)))
        store.add_episodes(run.id, played[-1:])
        for benchmark in any_rule:
            monkeypatch.setitem(benchmarks(), SMALL.id, benchmark)
            expected = ranked(benchmark, plan, played)
            assert find_leader(benchmark, plan, played) == expected[0][1]
            standings = rank_totals(run, store)
            assert [(one.rank, one.agent) for one in standings] == expected


def test_more_is_better_in_the_live_leader() -> None:
    plan = plan_of(["idle", "random"], 1)
    assert find_leader(SMALL, plan, []) is None
    assert find_leader(SMALL, plan, [scored(0, 0, 7), scored(1, 0, 8)]) == "random"
    assert find_leader(SMALL, plan, [scored(0, 0, 9), scored(1, 0, 8)]) == "idle"


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), max_size=8))
def test_ranks_count_the_better_ones(values: list[list[int]]) -> None:
    merits = [tuple(map(float, pair)) for pair in values]
    assert ranks(merits) == [1 + sum(other < one for other in merits) for one in merits]


def test_facts_are_read_only_where_headlines_tie(store: Store) -> None:
    plan = plan_of(AGENTS, 1)
    run = store.add(plan)
    played = [scored(0, 0, 5), scored(1, 0, 6), scored(2, 0, 7)]
    store.add_episodes(
        run.id,
        [replace(one, episode=replace(one.episode, number=k)) for k, one in enumerate(played)],
    )
    with store.transaction() as connection:
        connection.execute(sa.update(episodes).values(facts="no JSON"))
    assert [one.agent for one in rank_totals(run, store)] == ["rule-based", "random", "idle"]


@pytest.mark.parametrize(("better", "places"), [("more", [1, 2]), ("less", [2, 1])])
def test_a_tie_breaker_has_a_direction(better: Literal["more", "less"], places: list[int]) -> None:
    benchmark = replace(SMALL, tie_breakers=(TieBreaker("x", lambda _: 0, better),))
    assert ranks([merit(benchmark, 5, [2]), merit(benchmark, 5, [1])]) == places
