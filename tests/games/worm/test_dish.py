"""The dish without cells."""

from __future__ import annotations

from dataclasses import replace
from math import cos, exp, pi, sin
from typing import Any

import numpy as np
import pytest
from tests.games.worm.making import BARE, FORWARD, LEFT, RIGHT, STAY, paying

from ludus.errors import ActionError
from ludus.games.worm import Dish, Ending, Predators, Task, World, find_task

DISH = replace(BARE, substrate="continuous", size=30, dish=Dish(capture_radius=1.0))


def dish(task: Task = DISH, seed: int = 0, **situation: Any) -> World:
    made = World(task, seed)
    made.arrange(**{"foods": [[1, 1]], **situation})
    return made


def test_a_worm_begins_in_the_middle_and_looks_up() -> None:
    one = World(replace(DISH, size=25), 0)
    assert one.worm == (12.5, 12.5)
    assert one.heading == pytest.approx(pi / 2)


def test_a_turn_comes_before_the_step() -> None:
    one = dish(heading=0.2)
    one.step((0.5, 1.0))
    assert one.heading == pytest.approx(0.7)
    assert one.worm == pytest.approx((15 + 0.5 * cos(0.7), 15 + 0.5 * sin(0.7)))
    one.step((0.0, -0.5))
    assert one.heading == pytest.approx(0.45)
    assert one.figures()["distance"] == pytest.approx(0.5)


def test_too_much_is_cut_down() -> None:
    one = dish(heading=0.0)
    one.step((7.0, -9.0))
    assert one.heading == pytest.approx(-0.5)
    assert one.figures()["distance"] == pytest.approx(1)


@pytest.mark.parametrize("steering", [(float("nan"), 0.0), (0.5, float("inf")), (1.0,), "go"])
def test_what_is_no_steering_is_refused(steering: Any) -> None:
    one = dish()
    with pytest.raises(ActionError):
        one.step(steering)
    assert one.steps == 0


def test_the_four_actions_stand_for_steering() -> None:
    for action, steering in ((FORWARD, (1, 0)), (LEFT, (1, 1)), (RIGHT, (1, -1)), (STAY, (0, 0))):
        one, other = dish(), dish()
        one.step(action)
        other.step(steering)
        assert one.hash() == other.hash()


def test_a_heading_survives_many_turns() -> None:
    one = dish(replace(DISH, max_steps=10**6, satiety=1e9), heading=0.0)
    for _ in range(20_000):
        one.step((0.0, 0.7))
    assert np.hypot(*one._native.direction) == pytest.approx(1, abs=1e-12)
    turned = (20_000 * 0.35) % (2 * pi)
    assert (one.heading - turned) % (2 * pi) == pytest.approx(0, abs=1e-6) or (
        one.heading - turned
    ) % (2 * pi) == pytest.approx(2 * pi, abs=1e-6)


def test_a_worm_slides_along_the_wall() -> None:
    one = dish(replace(DISH, reward=paying(wall=0.02)), worm=(29.9, 15), heading=pi / 4)
    assert one.step((1.0, 0.0)) == pytest.approx(-0.02)
    assert one.worm == pytest.approx((30, 15 + sin(pi / 4)))
    assert one.heading == pytest.approx(pi / 4)


def test_food_is_caught_within_reach() -> None:
    one = dish(foods=[[15, 17.5]])
    one.step((1.0, 0.0))
    assert one.figures()["foods"] == 0
    one.step((1.0, 0.0))
    assert one.figures()["foods"] == 1
    assert one.figures()["efficiency"] == 1, "capped: food is caught before it is reached"


def test_distances_are_as_the_crow_flies() -> None:
    one = dish(
        replace(DISH, reward=paying(distance=1.0)), worm=(10, 10), heading=0.0, foods=[[13, 14]]
    )
    assert one.step((1.0, 0.0)) == pytest.approx(5 - np.hypot(2, 4))


def test_hunters_steer_at_the_worm() -> None:
    hunted = replace(
        DISH, predators=Predators(count=1, speed=0.4, detection=10.0, damage_radius=0.9)
    )
    one = dish(hunted, predators=[[18, 19]])
    one.step(STAY)
    assert one.predators[0] == pytest.approx((18 - 0.4 * 3 / 5, 19 - 0.4 * 4 / 5))
    for _ in range(9):
        one.step(STAY)
    assert one.figures()["damage"] == 0
    one.step(STAY)
    assert one.figures()["damage"] == 10


def test_a_hunter_does_not_overshoot() -> None:
    hunted = replace(DISH, predators=Predators(count=1, speed=3.0, damage=0.0))
    one = dish(hunted, predators=[[16, 16]])
    one.step(STAY)
    assert one.predators[0].tolist() == [15, 15]


def test_wanderers_turn_by_at_most_an_eighth() -> None:
    hunted = replace(DISH, predators=Predators(count=1, kind="random", speed=1.0, damage=0.0))
    one = dish(replace(hunted, max_steps=10**6), predators=[[15, 15]])
    path = [one.predators[0]]
    for _ in range(150):
        one.step(STAY)
        path.append(one.predators[0])
    way = np.array(path)
    assert (way >= 0).all()
    assert (way <= 30).all()
    steps = np.diff(way, axis=0)
    inside = np.all((way[1:] > 0) & (way[1:] < 30), axis=1)
    assert np.hypot(*steps[inside].T) == pytest.approx(1)
    headings = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    both = np.logical_and(inside[1:], inside[:-1])
    assert (np.abs(np.diff(headings))[both] <= pi / 4 + 1e-9).all()
    assert np.abs(np.diff(headings))[both].max() > pi / 8


def test_the_frozen_dish_can_be_won() -> None:
    task = find_task("c3-continuous")
    assert (task.size, task.max_steps, task.foods) == (60, 2400, 45)
    won = 0
    for seed in range(12):
        one = World(task, seed)
        while not one.ended:
            towards = float(one.features[1])
            one.step((1.0, float(np.clip(4 * towards, -1, 1))))
        won += one.ending is Ending.COMPLETED_ALL_FOOD
    assert won >= 1


def test_the_head_sweeps_for_klinotaxis() -> None:
    task = replace(DISH, sensing="klinotaxis", decay=20.0, strength=0.02)
    one = dish(task, heading=pi / 2, foods=[[20, 15]])
    right, left = 0.02 * exp(-4.5 / 20), 0.02 * exp(-5.5 / 20)
    expected = np.tanh(50 * (np.tanh(right) - np.tanh(left)))
    assert one.features[1] == pytest.approx(expected, rel=1e-5)


def test_new_places_are_told_by_the_millimetre() -> None:
    one = dish(replace(DISH, reward=paying(exploration=0.05)), worm=(10.2, 10.5), heading=0.0)
    assert one.step((0.5, 0.0)) == 0.05, "where it was put had not been visited"
    assert one.step((0.5, 0.0)) == 0.05
    assert one.step((0.5, 0.0)) == 0
