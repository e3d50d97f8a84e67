"""Faulty play is never worth more than honest play, in any table."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from tests.boards.making import Here
from tests.cli.conftest import Ludus
from tests.runs.agents_gone_wrong import __file__ as wrong
from tests.runs.small import SMALL
from tests.runs.test_summary import scored

from ludus import api
from ludus.benchmarks import benchmarks
from ludus.boards import accept, board
from ludus.boards.comparing import compare_runs
from ludus.boards.formats import board_to_dict, caption, to_csv, to_html, to_latex, to_markdown
from ludus.execution.episode import EpisodeEnding
from ludus.execution.plan import make_plan
from ludus.reports.run_plots import read_results
from ludus.runs import Run, ScoredEpisode, Store, rank, run, summarise
from ludus.runs.ranking import find_leader
from ludus.runs.stopping import ClearWinner
from ludus.runs.totals import rank_totals

FAULTY = [f"{wrong}:{name}" for name in ("Raises", "Nonsense", "TooMuch")]
FAULT_RULE = "A level that ends by a fault counts with what was reached before it."


def played_badly(store: Store, *agents: str, benchmark: str = SMALL.id) -> Run:
    return run(benchmark, agents, store=store, episodes=2, executor=Here())


def failed(one: ScoredEpisode, ending: EpisodeEnding = EpisodeEnding.CRASHED) -> ScoredEpisode:
    return replace(one, episode=replace(one.episode, ending=ending, reason="cannot share"))


@pytest.fixture
def faults_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small benchmark says how a board counts faults."""
    ruled = replace(SMALL, fault_rule=FAULT_RULE, episodes=2)
    monkeypatch.setitem(benchmarks(), SMALL.id, ruled)


def test_agents_that_fail_in_the_arena_rank_behind_one_that_stands_still(store: Store) -> None:
    failing = played_badly(store, *FAULTY, "idle", benchmark="mario-arena/1-1")
    benchmark = benchmarks()["mario-arena/1-1"]
    summaries = summarise(benchmark, failing.plan, store.episodes(failing.id))
    assert summaries[0].agent == "idle"
    assert rank(benchmark, summaries) == [1, 2, 2, 2]
    assert [one.fault_kinds for one in summaries[1:]] == [
        {"disqualified": 2},
        {"crashed": 2},
        {"disqualified": 2},
    ]


def test_the_better_score_of_a_faulty_agent_does_not_help_it_anywhere(store: Store) -> None:
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=2)
    played = [failed(scored(0, 0, 900)), scored(0, 1, 900), scored(1, 0, 1), scored(1, 1, 1)]
    played = [
        replace(one, episode=replace(one.episode, number=2 * one.episode.scenario + agent))
        for one, agent in zip(played, (0, 0, 1, 1), strict=True)
    ]
    summaries = summarise(SMALL, plan, played)
    assert [(one.agent, one.faults) for one in summaries] == [("random", 0), ("idle", 1)]
    assert find_leader(SMALL, plan, played) == "random"
    stored = store.add(plan)
    store.add_episodes(stored.id, played)
    standings = rank_totals(stored, store)
    assert [(one.rank, one.agent) for one in standings] == [(1, "random"), (2, "idle")]
    assert standings[1].fault_kinds == {"crashed": 1}
    assert list(read_results([stored.id], store).scores) == ["random", "idle (1 fault)"]
    contest = compare_runs(f"{stored.id}:idle", f"{stored.id}:random", store)[0]
    assert contest.verdict == "random"
    assert contest.first_faults == {"crashed": 1}


def test_fewer_faults_rank_before_more_whatever_the_score() -> None:
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=2)
    ends = EpisodeEnding.DISQUALIFIED
    played = [
        failed(scored(0, 0, 9)),
        failed(scored(0, 1, 9), ends),
        failed(scored(1, 0, 1)),
        scored(1, 1, 1),
    ]
    summaries = summarise(SMALL, plan, played)
    assert [one.agent for one in summaries] == ["random", "idle"]
    assert summaries[1].fault_kinds == {"crashed": 1, "disqualified": 1}


def test_a_faulty_agent_is_no_clear_winner() -> None:
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=200)
    honest, faulty = ClearWinner(plan), ClearWinner(plan)
    for k in range(200):
        pair = scored(0, k, 900 + k % 3), scored(1, k, 1)
        for one in pair:
            honest.add(one)
            faulty.add(failed(one) if k == 0 and one.episode.agent == 0 else one)
    assert honest.winner == "idle"
    assert faulty.winner is None


def test_a_board_takes_no_entry_with_faults_unless_the_benchmark_says_how_they_count(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, episodes=2))
    failing = played_badly(store, FAULTY[0], "idle")
    decisions = {decision.agent: decision for decision in accept(failing.id, store, by="me")}
    assert decisions["idle"].outcome == "new"
    assert decisions["raises"].outcome == "refused"
    assert "2 of its 2 episodes did not end (2 crashed)" in decisions["raises"].reason
    assert [row.entry.agent for row in board(SMALL.id, store).rows] == ["idle"]


@pytest.mark.usefixtures("faults_count")
def test_faults_are_in_every_format_of_a_board(store: Store) -> None:
    failing = played_badly(store, FAULTY[0], "idle")
    accept(failing.id, store, by="me")
    ranking = board(SMALL.id, store)
    assert [(row.rank, row.entry.agent) for row in ranking.rows] == [(1, "idle"), (2, "raises")]
    assert [row.group for row in ranking.rows] == ["a", ""]
    values = {row["agent"]: row for row in board_to_dict(ranking)["rows"]}
    assert values["raises"]["faults"] == 2
    assert values["raises"]["fault_kinds"] == {"crashed": 2}
    lines = {row["agent"]: row for row in csv.DictReader(io.StringIO(to_csv(ranking)))}
    assert (lines["raises"]["faults"], lines["raises"]["fault_kinds"]) == ("2", "2 crashed")
    assert "2 crashed" in to_latex(ranking)
    for text in (to_markdown(ranking), to_html(ranking)):
        assert "2 crashed" in text
        assert FAULT_RULE in text
    assert any(FAULT_RULE in sentence for sentence in caption(ranking))
    assert "2 crashed" in str(api.board(SMALL.id, store=store))


def test_faults_are_in_every_table_of_a_run(store: Store) -> None:
    failing = played_badly(store, *FAULTY, "idle")
    result = api.RunResult(failing, SMALL, tuple(store.episodes(failing.id)))
    text = str(result)
    assert "2 crashed" in text
    assert "2 disqualified" in text
    for line in ("ZeroDivisionError", "'jump!' is not a number", "action 99 is out of range"):
        assert line in text  # all faults, each with its reason
    by_agent = {row["agent"]: row for row in result.to_dicts()}
    assert by_agent["raises"]["fault_kinds"] == {"crashed": 2}
    assert by_agent["idle"]["group"] != ""
    assert by_agent["raises"]["group"] == ""
    assert "fault_kinds.crashed" in result.to_csv()


def test_all_faults_are_listed_however_many_there_are(store: Store) -> None:
    plan = make_plan(SMALL.id, ["idle"], episodes=30)
    stored = store.add(plan)
    played = [failed(scored(0, k, 0)) for k in range(30)]
    played = [
        replace(one, episode=replace(one.episode, number=k, reason=f"reason {k}"))
        for k, one in enumerate(played)
    ]
    store.add_episodes(stored.id, played)
    notes = api.RunResult(store.run(stored.id), SMALL, tuple(played)).view.notes
    assert len(notes) == 30
    assert "idle: crashed in episode 29: reason 29" in notes


@pytest.mark.parametrize(("agents", "code"), [(FAULTY[:2], 1), ([FAULTY[0], "idle"], 0)])
def test_a_race_in_which_everybody_failed_exits_with_an_error(
    agents: list[str], code: int, ludus: Ludus
) -> None:
    outcome = ludus("race", "platformer/bundled", *agents, "--episodes", "1", "--json", code=code)
    assert ("came to its end" in outcome.err) == bool(code)
    assert json.loads(outcome.out)["standings"][-1]["faults"] == 1


def test_explain_tells_of_all_faults_of_the_agent(ludus: Ludus) -> None:
    shown = ludus("run", SMALL.id, FAULTY[0], "idle", "--episodes", "2", "--json").json
    text = ludus("explain", shown["run"], "0").out
    assert "crashed after 4 steps: ZeroDivisionError" in text
    assert "raises did not finish episodes 0, 2 of this run." in text
    assert ludus("explain", shown["run"], "2", "--json").json["faults"] == [0, 2]
    assert "failed" not in ludus("explain", shown["run"], "1").out
