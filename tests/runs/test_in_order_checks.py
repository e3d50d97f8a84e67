"""What proves, moves and ranks runs knows levels that are played in order."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.boards.making import Here
from tests.runs.in_order import (
    IN_ORDER,
    Carries,
    Forgetful,
    Misremembers,
    Raises,
    Remembering,
    register,
    spec_of,
)
from tests.runs.small import SMALL
from tests.runs.test_in_order import begin, play_plainly, records

from ludus.boards import accept, board, rebuild
from ludus.boards.entry import check_acceptable
from ludus.boards.formats import board_to_dict
from ludus.boards.rebuild import differences
from ludus.errors import CheckError, OptionError, RunError
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Plan, PlannedEpisode, make_plan, make_season_plan
from ludus.execution.sealing import SeasonTerms
from ludus.runs import Store, explain, export, import_run, run, verify
from ludus.runs.consent import agree
from ludus.runs.rerun import rerun
from ludus.runs.running import resume, score_episode
from ludus.runs.stopping import ClearWinner
from ludus.testing import check_agent, check_benchmark

LEVELS = IN_ORDER.episodes
FIVE_AND_FOUR = [PlannedEpisode(5, 1, 0), PlannedEpisode(6, 1, 1)]


@pytest.fixture(autouse=True)
def _in_order() -> None:
    register()


# ---- plans


def test_episodes_are_numbered_agent_by_agent() -> None:
    plan = make_plan(IN_ORDER.id, ["idle", "random"])
    assert list(plan.episodes)[5:7] == FIVE_AND_FOUR
    assert PlannedEpisode(5, 1, 0) in plan.episodes
    assert PlannedEpisode(5, 0, 5) not in plan.episodes


def test_only_plans_in_order_say_so() -> None:
    plan = make_plan(IN_ORDER.id, ["idle"])
    assert json.loads(plan.to_json())["in_order"] is True
    assert Plan.from_json(plan.to_json()).in_order
    any_order = make_plan(SMALL.id, ["idle"])
    assert "in_order" not in json.loads(any_order.to_json())
    assert replace(plan, in_order=False).identity != plan.identity


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_a_plan_with_another_word_for_it_is_refused(value: object) -> None:
    values = json.loads(make_plan(IN_ORDER.id, ["idle"]).to_json())
    with pytest.raises(RunError, match="in_order is"):
        Plan.from_json(json.dumps({**values, "in_order": value}))


def test_a_sealed_season_keeps_the_order() -> None:
    terms, secret = SeasonTerms("2026-autumn", IN_ORDER.id, 1, 3), bytes(32)
    plan = make_season_plan(terms, secret, ["idle", "random"])
    opened = Plan.from_json(plan.to_json()).open(secret)
    assert opened.in_order
    assert [one.agent for one in opened.episodes] == [0, 0, 0, 1, 1, 1]


def test_no_early_stop_holds_for_levels_in_order() -> None:
    with pytest.raises(OptionError, match="is played in its order"):
        ClearWinner(make_plan(IN_ORDER.id, ["idle", "random"]))


def test_the_first_levels_may_not_depend_on_how_many_there_are() -> None:
    def backwards(seed: int, episodes: int, clock: str) -> Any:
        return list(IN_ORDER.scenarios(seed, episodes, clock))[::-1]

    check_benchmark(IN_ORDER)
    with pytest.raises(CheckError, match="begin with others when fewer are asked for"):
        check_benchmark(replace(IN_ORDER, scenarios=backwards))


# ---- proofs


def test_a_plan_that_denies_its_order_is_found_and_not_ranked(store: Store) -> None:
    """Each level by a fresh agent is another question than the benchmark's."""
    plan = replace(make_plan(IN_ORDER.id, ["idle"]), in_order=False)
    forged = begin(store, plan, range(LEVELS))
    found = verify(forged.id, store=store).differences
    assert [(one.field, one.stored, one.found) for one in found] == [("in_order", False, True)]
    with pytest.raises(RunError, match="in order by one agent"):
        check_acceptable(forged.plan)
    unfinished = begin(store, plan, [0])
    with pytest.raises(RunError, match="is played in order, the run is not"):
        resume(unfinished.id, store=store)


def test_an_agent_that_plays_again_is_compared_level_by_level(store: Store) -> None:
    honest = begin(store, make_plan(IN_ORDER.id, [spec_of(Raises), "scared"]), range(10))
    assert verify(honest.id, store=store).good
    again = rerun(honest.id, store=store, executor=Here())
    assert (again.differences, again.episodes) == ((), {"raises": 5, "scared": 5})
    sampled = rerun(honest.id, store=store, episodes=1, executor=Here())
    assert not sampled.differences
    assert 1 <= sampled.episodes["scared"] <= LEVELS


def test_a_level_that_a_fresh_agent_played_is_found(store: Store) -> None:
    plan = make_plan(IN_ORDER.id, [spec_of(Carries)])
    fresh = play_plainly(replace(plan, scenarios=[plan.scenarios[3]]))[0]
    played = play_plainly(plan)
    played[3] = replace(fresh, number=3, scenario=3)
    started = store.add(plan)
    store.add_episodes(started.id, [score_episode(IN_ORDER, one) for one in played])
    assert verify(started.id, store=store).good  # what the records give is so
    (difference,) = rerun(started.id, store=store, executor=Here()).differences
    assert (difference.episode, difference.field[:14]) == (3, "action of step")


def test_an_agent_that_never_plays_alike_cannot_be_asked_again(store: Store) -> None:
    played = begin(store, make_plan(IN_ORDER.id, [spec_of(Forgetful)], episodes=2), [0, 1])
    notes = rerun(played.id, store=store, executor=Here()).notes
    assert notes == ("forgetful does not play the same twice: it cannot be re-run",)


def test_an_explanation_finds_the_level(store: Store) -> None:
    played = begin(store, make_plan(IN_ORDER.id, ["idle", "scared"]), range(10))
    found = explain(played.id, 7, store)
    assert (found.agent, found.scenario) == ("scared", "small 2")


def test_an_agent_may_carry_something_over_when_it_is_checked() -> None:
    check_agent(spec_of(Carries), benchmark=IN_ORDER.id)
    with pytest.raises(CheckError, match="small 2 otherwise when it takes up its levels again"):
        check_agent(spec_of(Misremembers), benchmark=IN_ORDER.id)


# ---- other machines


def test_an_imported_run_goes_on_where_it_was(store: Store, tmp_path: Path) -> None:
    plan = make_plan(IN_ORDER.id, [spec_of(Carries), "scared"])
    expected = [one.record for one in play_plainly(plan)]
    started = begin(store, plan, [0, 1, 5])
    export(started.id, store, tmp_path / "run.jsonl")
    elsewhere = Store(str(tmp_path / "elsewhere.db"))
    brought = import_run(tmp_path / "run.jsonl", elsewhere)
    agree(brought.id, elsewhere, lambda *_: True)
    assert resume(brought.id, store=elsewhere, executor=LocalExecutor(1)).complete
    assert records(elsewhere, brought.id) == expected
    elsewhere.close()


def test_a_board_is_made_again_from_files(store: Store, tmp_path: Path) -> None:
    played = run(IN_ORDER.id, ["scared", "idle"], store=store, executor=Here())
    accept(played.id, store, by="me")
    export(played.id, store, tmp_path / "run.jsonl")
    rebuilt = rebuild([tmp_path / "run.jsonl"])
    assert rebuilt.problems == []
    (made,) = rebuilt.boards
    stands = json.loads(json.dumps(board_to_dict(board(IN_ORDER.id, store))))
    assert differences(made, stands) == []


def test_a_memory_of_another_level_is_not_recalled(store: Store, tmp_path: Path) -> None:
    """A kill may leave the memory of a level that was never stored."""
    log = tmp_path / "levels"
    plan = make_plan(IN_ORDER.id, [f"{spec_of(Remembering)}#{log}"])
    expected = [one.record for one in play_plainly(plan)]
    started = begin(store, plan, [0, 1])
    store.inflight(started.id).write_memory(0, 2, {"decisions": 10_000})
    resume(started.id, store=store, executor=LocalExecutor(1))
    assert records(store, started.id) == expected
