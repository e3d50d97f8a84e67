"""Benchmarks that score faults: agents rank by their scores alone, in every table."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import Here
from tests.runs.agents_gone_wrong import __file__ as wrong
from tests.runs.small import SMALL
from tests.runs.test_summary import scored

from ludus.benchmarks import Benchmark, Column, benchmarks
from ludus.boards import accept, board
from ludus.boards.comparing import compare_runs
from ludus.boards.formats import caption
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage
from ludus.limits import Limits
from ludus.reports.run_plots import read_results
from ludus.runs import (
    ScoredEpisode,
    Store,
    explain,
    export,
    rank,
    run,
    score_file,
    summarise,
    verify,
)
from ludus.runs.ranking import find_leader
from ludus.runs.stopping import ClearWinner
from ludus.runs.totals import rank_totals


@pytest.fixture
def zero(monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """The small benchmark, in which a fault scores 0."""
    coins = Column("coins", lambda facts: int(facts["coins"] or 0), reduce=sum)
    ruled = replace(SMALL, fault_score=0, episodes=2, columns=(coins,))
    monkeypatch.setitem(benchmarks(), SMALL.id, ruled)
    return ruled


def failed(one: ScoredEpisode, total: int = 0) -> ScoredEpisode:
    ending = EpisodeEnding.DISQUALIFIED
    return replace(
        one,
        episode=replace(one.episode, ending=ending, reason="too slow"),
        score=replace(one.score, total=total, parts={"disqualified": total}),
    )


def two_agents() -> list[ScoredEpisode]:
    """Return what idle and random scored: (900 + 0) / 2 = 450 with a fault, (30 + 50) / 2 = 40."""
    played = [scored(0, 0, 900), failed(scored(0, 1, 0)), scored(1, 0, 30), scored(1, 1, 50)]
    return [
        replace(one, episode=replace(one.episode, number=2 * one.episode.scenario + agent))
        for one, agent in zip(played, (0, 0, 1, 1), strict=True)
    ]


def test_a_fault_costs_its_score_and_no_rank(store: Store, zero: Benchmark) -> None:
    plan, played = make_plan(SMALL.id, ["idle", "random"]), two_agents()
    summaries = summarise(zero, plan, played)
    assert [(one.agent, one.headline.value) for one in summaries] == [("idle", 450), ("random", 40)]
    assert summaries[0].fault_kinds == {"disqualified": 1}
    assert rank(zero, summaries) == [1, 2]
    assert find_leader(zero, plan, played) == "idle"
    stored = store.add(plan)
    store.add_episodes(stored.id, played)
    assert [(one.rank, one.agent) for one in rank_totals(stored, store)] == [
        (1, "idle"),
        (2, "random"),
    ]
    assert list(read_results([stored.id], store).scores) == ["idle (1 fault)", "random"]
    contest = compare_runs(f"{stored.id}:idle", f"{stored.id}:random", store)[0]
    assert not contest.faults_first


def test_ties_are_broken_without_the_levels_that_failed(store: Store, zero: Benchmark) -> None:
    plan = make_plan(SMALL.id, ["idle", "random"])
    played = [scored(0, 0, 8, 70), scored(0, 1, 0, 90), scored(1, 0, 8, 80), scored(1, 1, 0, 1)]
    played[3] = failed(played[3])
    played = [
        replace(one, episode=replace(one.episode, number=2 * one.episode.scenario + agent))
        for one, agent in zip(played, (0, 0, 1, 1), strict=True)
    ]
    assert [one.ties for one in summarise(zero, plan, played)] == [(80.0,), (80.0,)]
    assert rank(zero, summarise(zero, plan, played)) == [1, 1]
    stored = store.add(plan)
    store.add_episodes(stored.id, played)
    assert [one.rank for one in rank_totals(stored, store)] == [1, 1]


def test_an_agent_that_only_fails_has_zeros(zero: Benchmark) -> None:
    plan = make_plan(SMALL.id, ["idle"])
    (summary,) = summarise(zero, plan, [failed(scored(0, k, 900)) for k in range(2)])
    assert (summary.headline.value, summary.ties, summary.columns) == (0, (0.0,), (0.0,))


def test_a_faulty_agent_can_be_a_clear_winner(zero: Benchmark) -> None:
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=200)
    race = ClearWinner(plan)
    for k in range(200):
        race.add(failed(scored(0, k, 0)) if k == 0 else scored(0, k, 900 + k % 3))
        race.add(scored(1, k, 1))
    assert race.winner == "idle"


def test_bounds_take_in_what_faults_score() -> None:
    assert replace(SMALL, bounds=(10, 20), fault_score=0).score_bounds() == (0, 20)
    assert replace(SMALL, bounds=lambda clock: (10, 20), fault_score=30).score_bounds() == (10, 30)
    assert replace(SMALL, bounds=None, fault_score=0).score_bounds() is None


def test_stores_boards_and_explanations_know_the_score_of_faults(
    store: Store, zero: Benchmark, tmp_path: Path
) -> None:
    played = run(SMALL.id, [f"{wrong}:Raises", "idle"], store=store, executor=Here())
    (first, _) = (one for one in store.episodes(played.id) if one.episode.agent == 0)
    assert (first.score.total, first.score.parts) == (0, {"crashed": 0})
    assert verify(played.id, store=store).good
    explained = explain(played.id, first.episode.number, store)
    assert (explained.parts, explained.total, explained.facts) == ({"crashed": 0}, 0, {})
    assert explained.fault_rule == "An episode that ended by the agent's fault scores 0."
    assert explain(played.id, 1, store).fault_rule == ""
    assert [one.outcome for one in accept(played.id, store, by="me")] == ["new", "new"]
    shown = " ".join(caption(board(SMALL.id, store)))
    assert "An episode that ended by the agent's fault scores 0." in shown
    assert "rank behind" not in shown
    export(played.id, store, tmp_path / "run.jsonl")
    rows = score_file(zero, tmp_path / "run.jsonl").rows
    assert [row.score for row in rows] == [one.score for one in store.episodes(played.id)]


def test_a_forged_score_of_a_fault_is_found(store: Store, zero: Benchmark) -> None:
    plan = make_plan(SMALL.id, [f"{wrong}:Raises"], episodes=1)
    honest = run(SMALL.id, [f"{wrong}:Raises"], store=store, episodes=1, executor=Here())
    (one,) = store.episodes(honest.id)
    forged = store.add(plan)
    store.add_episodes(forged.id, [replace(one, score=SMALL.score(one.episode.facts))])
    fields = {difference.field for difference in verify(forged.id, store=store).differences}
    assert fields == {"score", "score: crashed", "score: distance", "score: coins"}


# ---- the mean time for a decision


class Dawdles:
    """Takes long for every fifth decision."""

    name = "dawdles"

    def __init__(self) -> None:
        self.decisions = 0

    def reset(self, scenario: Any) -> None:
        time.sleep(0.02)  # no decision

    def act(self, view: Any) -> int:
        self.decisions += 1
        time.sleep(0.0 if self.decisions % 5 else 0.03)
        return 2


def dawdle(limits: Limits, *, in_process: bool) -> Episode:
    clock = {"clock": "1"}
    plan = make_plan(SMALL.id, [f"{__file__}:Dawdles"], episodes=1, limits=limits, options=clock)
    stage = Stage(plan, agents={0: Dawdles()} if in_process else None)
    try:
        return stage.play(plan.episodes[0])
    finally:
        stage.close()


@pytest.mark.parametrize("in_process", [True, False])
def test_the_mean_time_for_a_decision_is_looked_at_in_the_end(in_process: bool) -> None:
    limits = Limits(mean_decision_seconds=0.002)
    slow = dawdle(limits, in_process=in_process)
    assert slow.ending is EpisodeEnding.DISQUALIFIED
    assert slow.reason.startswith("took 0.0")
    assert slow.reason.endswith(" seconds for a decision on average, more than 0.002")
    quick = dawdle(Limits(mean_decision_seconds=10), in_process=in_process)
    assert quick.ending is EpisodeEnding.FINISHED
    assert quick.record == slow.record  # it was played to its end


def test_a_level_that_was_slow_on_average_is_verified_whole(store: Store) -> None:
    limits = Limits(mean_decision_seconds=1e-9)
    played = run(SMALL.id, ["idle"], store=store, episodes=1, limits=limits, executor=Here())
    (one,) = store.episodes(played.id)
    assert one.episode.ending is EpisodeEnding.DISQUALIFIED
    assert verify(played.id, store=store).good


def test_the_limit_is_written_down_and_described() -> None:
    limits = Limits(mean_decision_seconds=0.04)
    assert limits.to_dict() == {"seconds": 300.0, "steps": 0, "mean_decision_seconds": 0.04}
    assert Limits.from_dict(limits.to_dict()) == limits
    assert dict(limits.describe())["time"] == "300 s an episode, 0.04 s a decision on average"
