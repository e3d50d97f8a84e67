from __future__ import annotations

import numpy as np
import pytest
from tests.runs.small import SMALL, register
from tests.runs.test_summary import scored

from ludus.errors import OptionError
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Plan, make_plan
from ludus.runs.running import continue_run, resume
from ludus.runs.stopping import ClearWinner
from ludus.runs.store import Store
from ludus.stats import StopWhenClear


@pytest.fixture
def plan() -> Plan:
    register()
    return make_plan(SMALL.id, ["idle", "random", "rule-based"], episodes=100)


def feed(watch: ClearWinner, means: list[float], rng: np.random.Generator) -> bool:
    for scenario in range(100):
        level = rng.normal(0, 50)
        for agent, mean in enumerate(means):
            if watch.add(scored(agent, scenario, int(1000 + level + mean + rng.normal(0, 10)))):
                return True
    return False


def test_a_clear_winner_ends_the_race_early(plan: Plan) -> None:
    watch = ClearWinner(plan)
    assert feed(watch, [0, 0, 40], np.random.default_rng(1))
    assert watch.winner == "rule-based"
    assert watch.scenarios < 30
    assert watch.saved == 3 * (100 - watch.scenarios)


def test_equals_are_rarely_told_apart_however_often_one_looks(plan: Plan) -> None:
    wrong = sum(feed(ClearWinner(plan), [0, 0, 0], np.random.default_rng(k)) for k in range(60))
    assert wrong <= 6


def test_scenarios_count_once_all_have_played_them_in_whatever_order(plan: Plan) -> None:
    watch = ClearWinner(plan)
    for agent in (2, 0):
        watch.add(scored(agent, 0, 5))
    assert watch.scenarios == 0
    watch.add(scored(1, 1, 5))
    watch.add(scored(1, 0, 5))
    assert watch.scenarios == 1


def test_one_agent_cannot_race() -> None:
    register()
    with pytest.raises(OptionError, match="nobody"):
        ClearWinner(make_plan(SMALL.id, ["idle"]))


def test_a_race_that_was_stopped_can_be_played_to_its_end(store: Store, plan: Plan) -> None:
    begun = store.add(plan)
    watch = ClearWinner(plan)
    stopped = continue_run(begun, store, executor=LocalExecutor(2), until=watch.add)
    assert watch.winner == "rule-based"
    assert 0 < stopped.played < stopped.planned
    assert resume(begun.id, store=store, executor=LocalExecutor(2)).complete


def lead_by(totals: list[float], level: float) -> int:
    """Return after how many pairs such differences are clear at a level."""
    race = StopWhenClear(len(totals), level)
    return next(count for count, one in enumerate(totals, start=1) if race.add(one))


def test_the_error_is_shared_out_among_all_pairs(plan: Plan) -> None:
    leads = [10.0 * (1 + scenario % 7) for scenario in range(100)]
    alone, shared = lead_by(leads, 0.95), lead_by(leads, 1 - 0.05 / 3)
    assert alone < shared < 100
    watch = ClearWinner(plan)
    for scenario, lead in enumerate(leads):
        for agent, total in enumerate((0.0, 0.0, lead)):
            watch.add(scored(agent, scenario, total))  # type: ignore[arg-type]
        if watch.winner:
            break
    assert (watch.winner, watch.scenarios) == ("rule-based", shared)


def test_two_agents_have_all_of_the_error() -> None:
    register()
    leads = [10.0 * (1 + scenario % 7) for scenario in range(100)]
    watch = ClearWinner(make_plan(SMALL.id, ["idle", "random"], episodes=100), level=0.9)
    for scenario, lead in enumerate(leads):
        if watch.add(scored(0, scenario, 0)) or watch.add(scored(1, scenario, lead)):  # type: ignore[arg-type]
            break
    assert (watch.winner, watch.scenarios) == ("random", lead_by(leads, 0.9))
