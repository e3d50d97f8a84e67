from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.small import SMALL, register

from ludus.benchmarks import Score
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import make_plan
from ludus.runs.store import ScoredEpisode
from ludus.runs.summary import rank, summarise


def scored(
    agent: int,
    scenario: int,
    total: int,
    ticks: int = 10,
    ending: EpisodeEnding = EpisodeEnding.FINISHED,
) -> ScoredEpisode:
    facts = {"x": total, "coins": 0, "ticks": ticks}
    return ScoredEpisode(Episode(0, agent, scenario, ending, "", b"", facts, 4, 0.5), Score(total))


@pytest.fixture(autouse=True)
def _registered() -> None:
    register()


def test_agents_are_ranked_by_mean_then_tie_breakers_and_equals_share() -> None:
    plan = make_plan(SMALL.id, ["idle", "random", "rule-based", "astar"], episodes=2)
    episodes = [
        *(scored(0, k, 10) for k in range(2)),
        *(scored(1, k, 20, ticks=9) for k in range(2)),
        *(scored(2, k, 20, ticks=8) for k in range(2)),
        *(scored(3, k, 10) for k in range(2)),
    ]
    summaries = summarise(SMALL, plan, episodes)
    assert [s.agent for s in summaries] == ["rule-based", "random", "astar", "idle"]
    assert rank(SMALL, summaries) == [1, 2, 3, 3]


def test_a_summary_adds_up_what_an_agent_did() -> None:
    plan = make_plan(SMALL.id, ["idle"], episodes=3)
    (own,) = summarise(
        SMALL,
        plan,
        [scored(0, 0, 1), scored(0, 1, 2), scored(0, 2, 9, ending=EpisodeEnding.CRASHED)],
    )
    assert own.headline.value == 4
    assert own.scores == {0: 1, 1: 2, 2: 9}
    assert (own.episodes, own.faults, own.steps, own.seconds) == (3, 1, 12, 1.5)


@given(st.permutations(range(8)), st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_the_order_of_episodes_does_not_matter(order: list[int], totals: list[int]) -> None:
    register()
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=4)
    episodes = [scored(k % 2, k // 2, totals[k]) for k in range(8)]
    straight, mixed = (
        summarise(SMALL, plan, episodes),
        summarise(SMALL, plan, [episodes[k] for k in order]),
    )
    assert [(s.agent, s.headline.value, s.ties) for s in straight] == [
        (s.agent, s.headline.value, s.ties) for s in mixed
    ]


def test_a_benchmark_may_rank_by_the_best_episode() -> None:
    best = replace(SMALL, aggregate=lambda facts, totals: max(totals), aggregate_name="best")
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=2)
    played = [scored(0, 1, 0), scored(0, 0, 9), scored(1, 0, 7), scored(1, 1, 7)]
    first, second = summarise(best, plan, played)
    assert (first.agent, first.headline.value, first.headline.method) == ("idle", 9, "best")
    assert math.isnan(first.headline.margin)
    assert second.headline.value == 7


def test_an_aggregate_may_have_an_interval_and_sees_episodes_in_order() -> None:
    seen = []

    def gather(facts, totals):  # type: ignore[no-untyped-def]
        seen.append(([fact["x"] for fact in facts], list(totals)))
        return 5, 4, 7

    plan = make_plan(SMALL.id, ["idle"], episodes=2)
    (own,) = summarise(replace(SMALL, aggregate=gather), plan, [scored(0, 1, 3), scored(0, 0, 8)])
    assert (own.headline.low, own.headline.high, own.headline.n) == (4, 7, 2)
    assert seen == [([8, 3], [8, 3])]
