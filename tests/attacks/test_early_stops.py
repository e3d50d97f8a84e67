"""A race of equals must not be stopped for a winner, however its scores are made up."""

from __future__ import annotations

import numpy as np
import pytest
from tests.runs.small import SMALL, register
from tests.runs.test_summary import scored

from ludus.errors import OptionError
from ludus.execution.plan import Plan, make_plan
from ludus.runs.stopping import ClearWinner

SCENARIOS = 300
RACES = 20


@pytest.fixture
def plan() -> Plan:
    register()
    return make_plan(SMALL.id, ["idle", "random"], episodes=SCENARIOS)


def is_stopped(plan: Plan, totals: np.ndarray) -> bool:
    """Return whether a race with these totals (scenarios × agents) names a winner."""
    watch = ClearWinner(plan)
    return any(
        [watch.add(scored(k, number, int(total))) for k, total in enumerate(row)][-1]
        for number, row in enumerate(totals)
    )


def test_a_rare_great_score_does_not_make_a_steady_rival_the_winner(plan: Plan) -> None:
    """One scores 10 always, the other 1000 once in a hundred times: their means are equal."""
    generator = np.random.default_rng(1)
    wrong = 0
    for _ in range(RACES):
        lucky = np.where(generator.random(SCENARIOS) < 0.01, 1000, 0)
        wrong += is_stopped(plan, np.column_stack([np.full(SCENARIOS, 10), lucky]))
    assert wrong <= RACES * 0.05


def test_levels_that_begin_easy_for_one_agent_do_not_decide(plan: Plan) -> None:
    """The first half of the levels suits one agent, the second half the other, by as much."""
    first = np.where(np.arange(SCENARIOS) < SCENARIOS // 2, 600, 400)
    generator = np.random.default_rng(2)
    noise = generator.integers(-100, 100, (SCENARIOS, 2))
    assert not is_stopped(plan, np.column_stack([first, 1000 - first]) + noise)


@pytest.mark.parametrize("name", ["mario-arena/1-1", "nematode/foraging-small"])
def test_a_ranking_that_is_no_mean_cannot_be_stopped(name: str) -> None:
    agents = {"mario-arena": ["idle", "random"], "nematode": ["gradient", "random-walk"]}
    plan = make_plan(name, agents[name.partition("/")[0]], episodes=2)
    with pytest.raises(OptionError, match="only means can be clear early"):
        ClearWinner(plan)
