from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.runs.small import SMALL, register
from tests.runs.test_summary import scored

from ludus.benchmarks import benchmarks
from ludus.errors import OptionError
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Plan, make_plan
from ludus.runs.running import continue_run, resume
from ludus.runs.stopping import ClearWinner
from ludus.runs.store import Store
from ludus.stats import BettingTest


@pytest.fixture
def plan() -> Plan:
    register()
    return make_plan(SMALL.id, ["idle", "random", "rule-based"], episodes=100)


def feed(watch: ClearWinner, means: list[float], rng: np.random.Generator) -> bool:
    for scenario in range(100):
        level = rng.normal(0, 50)
        for agent, mean in enumerate(means):
            if watch.add(scored(agent, scenario, int(400 + level + mean + rng.normal(0, 10)))):
                return True
    return False


def test_a_clear_winner_ends_the_race_early(plan: Plan) -> None:
    watch = ClearWinner(plan)
    assert feed(watch, [0, 0, 200], np.random.default_rng(1))
    assert watch.winner == "rule-based"
    assert watch.scenarios < 40
    assert watch.saved == 3 * (100 - watch.scenarios)


def test_equals_are_rarely_told_apart_however_often_one_looks(plan: Plan) -> None:
    wrong = sum(feed(ClearWinner(plan), [0, 0, 0], np.random.default_rng(k)) for k in range(60))
    assert wrong <= 6


def test_scenarios_count_in_the_drawn_order_once_all_have_played_them(plan: Plan) -> None:
    watch = ClearWinner(plan)
    order = [planned.scenario for planned in watch.sort(plan.episodes)][:: len(plan.agents)]
    assert order != sorted(order)
    assert sorted(order) == list(range(100))
    for agent in (2, 0):
        watch.add(scored(agent, order[0], 5))
    assert watch.scenarios == 0
    for agent in range(3):  # finished first, but not its turn
        watch.add(scored(agent, order[1], 5))
    assert watch.scenarios == 0
    watch.add(scored(1, order[0], 5))
    assert watch.scenarios == 2


def test_the_order_hangs_on_the_seed_alone(plan: Plan) -> None:
    other = make_plan(SMALL.id, ["random", "idle"], episodes=100)
    another = make_plan(SMALL.id, ["random", "idle"], episodes=100, seed=1)
    first, same, different = (
        [planned.scenario for planned in ClearWinner(one).sort(one.episodes)][:: len(one.agents)]
        for one in (plan, other, another)
    )
    assert first == same != different


def test_what_was_finished_besides_is_left_out(plan: Plan) -> None:
    watch = ClearWinner(plan)
    order = [planned.scenario for planned in watch.sort(plan.episodes)][::3]
    played = [scored(agent, order[number], 5) for number in (0, 1, 50) for agent in range(3)]
    for one in played:
        watch.add(one)
    assert watch.select(played) == played[:6]


def test_one_agent_cannot_race() -> None:
    register()
    with pytest.raises(OptionError, match="nobody"):
        ClearWinner(make_plan(SMALL.id, ["idle"]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bounds": None}, "states no bounds of its scores"),
        ({"statistic": "best", "aggregate_name": "best of 6"}, "ranks by the best of 6"),
        ({"aggregate": lambda facts, totals: 1, "aggregate_name": "sum"}, "ranks by the sum"),
    ],
)
def test_races_that_nobody_can_stop_early_are_refused(
    change: dict[str, Any], words: str, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, **change))
    with pytest.raises(OptionError, match=f"{words}.*leave --stop-when-clear out"):
        ClearWinner(plan)


def test_a_score_beyond_the_bounds_is_refused(plan: Plan) -> None:
    with pytest.raises(OptionError, match="score 1001 is beyond the bounds 0 and 1000"):
        ClearWinner(plan).add(scored(0, 0, 1001))


def test_a_race_that_was_stopped_can_be_played_to_its_end(store: Store, plan: Plan) -> None:
    begun = store.add(plan)
    watch = ClearWinner(plan)
    stopped = continue_run(begun, store, executor=LocalExecutor(2), stop=watch)
    assert watch.winner == "rule-based"
    assert 0 < stopped.played < stopped.planned
    assert resume(begun.id, store=store, executor=LocalExecutor(2)).complete


def lead_by(leads: list[int], chance: float) -> int:
    """Return after how many scenarios a bet on such leads is won, at the chance of an error."""
    bet = BettingTest(1)
    for count, lead in enumerate(leads, start=1):
        bet.add(np.array([lead / 1000]))
        if bet.evidence[0] >= np.log(1 / chance):
            return count
    raise AssertionError("never")


LEADS = [100 * (1 + scenario % 7) for scenario in range(100)]


@pytest.mark.parametrize(("agents", "level"), [(2, 0.95), (3, 0.95), (2, 0.9)])
def test_the_error_is_shared_out_among_the_agents(agents: int, level: float) -> None:
    register()
    names = ["idle", "random", "rule-based"][:agents]
    plan = make_plan(SMALL.id, names, episodes=100)
    watch = ClearWinner(plan, level)
    order = [planned.scenario for planned in watch.sort(plan.episodes)][::agents]
    for scenario, lead in zip(order, LEADS, strict=True):
        totals = [0] * (agents - 1) + [lead]
        decided = [watch.add(scored(k, scenario, total)) for k, total in enumerate(totals)]
        if any(decided):
            break
    assert (watch.winner, watch.scenarios) == (names[-1], lead_by(LEADS, (1 - level) / agents))
