from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludus.agents.platformer.planning.sticky_plans import (
    BUDGET,
    PATIENCE,
    StickyPlans,
    choose_caution,
)
from ludus.errors import OptionError
from ludus.games.platformer import ForwardModel, Level, World
from ludus.games.platformer._native import StickyPlanner
from ludus.games.platformer.arena.levels import arena_level
from ludus.games.platformer.view import View
from ludus.games.sticky_actions import StickyActions

NONE, RESTS, ARRIVES = 0, 2, 3
SKIP, RUNNING, WIN = 4, 0, 1
RIGHT = 2
TERMS: dict[str, Any] = {
    "skip": SKIP,
    "nodes": 1000,
    "budget": 10_000,
    "rest": 5,
    "faults": 3,
    "late": 3,
    "follow": 3,
    "fault": 0.06,
    "sticky": 0.25,
    "horizon": 20.0,
    "greed": 1.1,
    "wound": 200.0,
    "stall": 0.0,
    "wait": 30.0,
    "death": 3000.0,
}


DEAD_END = [
    *["-" * 24] * 5,
    "-" * 5 + "X" * 10 + "-" * 9,
    "-" * 14 + "X" + "-" * 9,
    "--M" + "-" * 11 + "X" + "-" * 8 + "F",
    "X" * 24,
]


def begin_world(rows: list[str], ticks: int = 8) -> World:
    w = World(Level.parse("\n".join(rows)))
    for _ in range(ticks):
        w.step(0)
    return w


def follow(model: ForwardModel, decisions: bytes, late: int) -> ForwardModel:
    """Play decisions, of which the first comes late."""
    played = model.clone()
    for number, buttons in enumerate(decisions):
        for tick in range(SKIP):
            if played.status == RUNNING:
                played.advance(0 if number == 0 and tick < late else buttons)
    return played


@pytest.mark.parametrize("stage", ["1-1", "4-2", "8-1"])
def test_a_plan_gets_on_and_nobody_dies_of_a_first_decision_that_is_late(stage: str) -> None:
    w = World(arena_level(stage))
    for _ in range(20):
        w.step(0)
    model = w.forward_model()
    planner = StickyPlanner(model)
    verdict, decisions, cost, played = planner.plan(model, 0, **TERMS)
    to_go = planner.ticks_to_go(model)
    assert verdict == ARRIVES
    assert 0 < played <= TERMS["budget"]
    assert to_go - 10 < cost < to_go + 100
    after = follow(model, decisions, 0)
    assert after.status == RUNNING
    assert planner.ticks_to_go(after) <= to_go - TERMS["horizon"]
    for late in range(1, SKIP + 1):
        assert follow(model, decisions[:1], late).status == RUNNING


def test_the_way_leads_out_of_a_dead_end() -> None:
    w = begin_world(DEAD_END)
    model = w.forward_model()
    planner = StickyPlanner(model)
    at_start = planner.ticks_to_go(model)
    while w.mario.x < 12 * 16:
        w.step(RIGHT)
    assert planner.ticks_to_go(w.forward_model()) > at_start


def test_who_cannot_get_on_rests_and_who_falls_has_no_plan() -> None:
    w = begin_world([*["-" * 40] * 6, "--M" + "-" * 36 + "F", "XXXXX" + "-" * 34 + "X"])
    planner = StickyPlanner(w.forward_model())
    verdict, decisions, _, _ = planner.plan(w.forward_model(), 0, **TERMS)
    assert verdict == RESTS
    assert follow(w.forward_model(), decisions, 3).mario.on_ground
    while w.mario.y < 8 * 16:  # until he has walked over the edge
        w.step(RIGHT)
    verdict, decisions, cost, _ = planner.plan(w.forward_model(), RIGHT, **TERMS)
    assert verdict == NONE
    assert len(decisions) == 1  # something has to be decided
    assert cost > TERMS["death"]


def test_a_leap_that_is_fatal_if_late_is_dearer_than_a_safe_one() -> None:
    """A Mario at the edge of a gap leaps at once, but one who runs toward it has to be in time."""
    w = begin_world([*["-" * 40] * 6, "--M" + "-" * 36 + "F", "X" * 12 + "--" + "X" * 26])
    planner = StickyPlanner(w.forward_model())
    safe = planner.plan(w.forward_model(), 0, **TERMS)[2]
    while w.mario.x < 11 * 16:
        w.step(RIGHT | 8)
    late = planner.plan(w.forward_model(), RIGHT | 8, **TERMS)[2]
    assert late > safe
    assert planner.plan(w.forward_model(), RIGHT | 8, **{**TERMS, "sticky": 0.0})[2] < late


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"faults": 8}, "8 faults 3 ticks late are out of range"),
        ({"late": 5}, "3 faults 5 ticks late are out of range"),
        ({"skip": 0}, "skip 0 and nodes 1000 are out of range"),
        ({"nodes": 10**6}, "nodes 1000000 are out of range"),
        ({"sticky": 1.0}, "sticky 1 or fault 0.06 is no probability"),
        ({"death": float("nan")}, "ticks or greed are out of range"),
        ({"pressed": 99}, "99"),
    ],
)
def test_wrong_terms_are_refused(changed: dict[str, Any], told: str) -> None:
    model = World(arena_level("1-1")).forward_model()
    planner, terms = StickyPlanner(model), {"pressed": 0, **TERMS, **changed}
    with pytest.raises(Exception, match=told) as caught:
        planner.plan(model, **terms)
    assert isinstance(caught.value, OptionError | ValueError)


def test_a_planner_plans_for_its_own_level() -> None:
    planner = StickyPlanner(World(arena_level("1-1")).forward_model())
    other = World(arena_level("1-2")).forward_model()
    assert planner.ticks_to_go(other) == -1
    with pytest.raises(OptionError, match="the planner is of another level"):
        planner.plan(other, 0, **TERMS)


def test_who_waits_long_dares_more_and_never_spends_more() -> None:
    cautions = [choose_caution(waited) for waited in range(100)]
    assert cautions[PATIENCE].death == cautions[0].death > cautions[PATIENCE + 1].death
    assert cautions[99].faults < cautions[0].faults
    assert {caution.budget for caution in cautions} == {BUDGET}


def test_a_new_life_begins_with_a_new_plan() -> None:
    plans = StickyPlans(StickyActions())
    first = plans.act(View(World(arena_level("4-1"))))
    plans.act(View(World(arena_level("1-2"))))
    assert plans.act(View(World(arena_level("4-1")))) == first


def test_it_gets_out_of_a_dead_end() -> None:
    w = begin_world(DEAD_END)
    while w.mario.x < 12 * 16:
        w.step(RIGHT)
    plans, view = StickyPlans(StickyActions()), View(w)
    for _ in range(120):
        if w.status == RUNNING:
            w.run(np.full(SKIP, plans.act(view), np.uint8))
    assert w.status == WIN
