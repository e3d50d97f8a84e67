"""What a step pays, under the corrected rules and under the reference's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.games.worm.making import BARE, DOWN, FORWARD, LEFT, RIGHT, STAY, UP, paying, world

from ludus.games.worm import Ending, Predators, Task, Temperature, World, find_task


def task(rules: str = "corrected", **reward: Any) -> Task:
    return replace(BARE, rules=rules, reward=paying(**reward))


def test_coming_nearer_pays_at_once() -> None:
    one = world(task(distance=0.5), foods=[[10, 15]])
    assert one.step(FORWARD) == 0.5
    assert one.step(STAY) == 0
    assert one.step(LEFT) == -0.5


def test_the_reference_pays_a_step_late() -> None:
    one = world(task("reference", distance=0.5), foods=[[10, 15]])
    assert one.step(FORWARD) == 0
    assert one.step(STAY) == 0.5
    assert one.step(LEFT) == 0
    assert one.step(LEFT) == -0.5


def test_the_last_cell_to_food_pays_like_any_other() -> None:
    one = world(task(distance=0.5), foods=[[10, 11]])
    assert one.step(FORWARD) == 0.5
    assert one.figures()["foods"] == 1


def test_the_reference_measures_against_the_food_that_has_grown_since() -> None:
    one = world(task("reference", distance=0.5), foods=[[10, 11]])
    assert one.step(FORWARD) == 0
    x, y = one.foods[0]
    gap = abs(10 - x) + abs(10 - y) - abs(10 - x) - abs(11 - y)
    assert one.step(STAY) == 0.5 * gap


def test_the_goal_pays_less_the_later_and_never_less_than_a_tenth() -> None:
    for wait, pay in ((0, 2 * (1 - 1 / 500)), (249, 2 * 0.5), (480, 0.2)):
        one = world(replace(task(goal=2.0), satiety=1000.0), foods=[[10, 11]])
        for _ in range(wait):
            assert one.step(STAY) == 0
        assert one.step(FORWARD) == pytest.approx(pay)


def test_the_reference_never_pays_the_goal() -> None:
    one = world(task("reference", goal=2.0), foods=[[10, 11]])
    assert one.step(FORWARD) + sum(one.step(STAY) for _ in range(5)) == 0


def test_new_cells_pay_once() -> None:
    one = world(task(exploration=0.05))
    assert one.step(FORWARD) == 0.05
    assert [one.step(LEFT) for _ in range(4)] == [0.05, 0.05, 0, 0]


def test_the_reference_pays_for_the_first_cell() -> None:
    one = World(task("reference", exploration=0.05), 0)
    assert one.step(STAY) == 0.05
    assert one.step(STAY) == 0


def test_going_back_and_forth_costs() -> None:
    one = world(task(dither=0.02))
    assert one.step(FORWARD) == 0
    assert one.step(STAY) == 0
    assert one.step(STAY) == -0.02


def test_steps_and_walls_cost() -> None:
    one = world(task(step=0.005, wall=0.02), worm=(0, 19), heading=UP)
    assert one.step(STAY) == pytest.approx(-0.005)
    assert one.step(FORWARD) == pytest.approx(-0.025)


def test_being_stuck_costs_more_and_more() -> None:
    one = world(task(stuck=0.1, stuck_after=3))
    paid = [one.step(STAY) for _ in range(15)]
    expected = [0, 0, 0] + [-0.1 * k for k in range(1, 11)] + [-1, -1]
    assert paid == pytest.approx(expected)
    one.step(FORWARD)
    assert one.step(STAY) == 0


HUNTER = Predators(count=1, kind="stationary", speed=0.0, detection=4.0, damage=5.0)


@pytest.mark.parametrize(
    ("mode", "far", "nearer", "beside"),
    [
        ("approach", 0, -0.2, -0.2),
        ("flat", 0, -0.2, -0.2),
        ("gradient_only", 0, 0, 0),
    ],
)
def test_predators_cost_by_mode(mode: str, far: float, nearer: float, beside: float) -> None:
    hunted = replace(task(proximity=0.2, predator_mode=mode), predators=HUNTER)
    one = world(hunted, predators=[[10, 16]])
    assert one.step(FORWARD) == pytest.approx(far)
    assert one.step(FORWARD) == pytest.approx(nearer)
    one = world(hunted, predators=[[10, 12]])
    assert one.step(FORWARD) == pytest.approx(beside)


def test_leaving_a_predator_pays() -> None:
    hunted = replace(task(proximity=0.2), predators=HUNTER)
    one = world(hunted, predators=[[10, 12]], heading=DOWN)
    assert one.step(FORWARD) == pytest.approx(0.2)


def test_contact_costs_extra() -> None:
    hunted = replace(task(proximity=0.2), predators=HUNTER)
    for rules, beside in (("corrected", 0.0), ("reference", -0.2)):
        one = world(replace(hunted, rules=rules), predators=[[10, 11]])
        assert one.reward_now() == pytest.approx(-0.2), "flat before the first step"
        one.arrange(predators=[[10, 11]], trail=[[10, 10]])
        assert one.reward_now() == pytest.approx(beside), "a cell away"
        one.arrange(predators=[[10, 10]], trail=[[10, 10]])
        assert one.reward_now() == pytest.approx(-0.2), "the same cell"


def test_scent_may_cost_instead() -> None:
    scented = replace(task(proximity=0.2, predator_mode="gradient_proximity"), predators=HUNTER)
    one = world(scented, predators=[[10, 13]])
    smell = float(one.fear(10, 10))
    assert one.step(STAY) == pytest.approx(-0.2 * smell)
    touching = replace(
        scented, reward=replace(scented.reward, predator_mode="distal_chemo_contact_trigger")
    )
    one = world(touching, predators=[[10, 10]])
    assert one.step(STAY) == pytest.approx(-0.2 * float(one.fear(10, 10)) - 0.2)


def test_wounds_healing_and_death() -> None:
    hunted = replace(task(damage=0.5, death=10.0, healing=0.1), predators=HUNTER, food_healing=2.0)
    one = world(hunted, predators=[[10, 10]], foods=[[10, 11]])
    assert one.step(STAY) == -0.5
    assert one.step(FORWARD) == 0.1
    dying = replace(hunted, predators=replace(HUNTER, damage=100.0))
    one = world(dying, predators=[[10, 10]])
    assert one.step(STAY) == -10.5
    unhurt = world(replace(hunted), predators=[[19, 19]], foods=[[10, 11]])
    assert unhurt.step(FORWARD) == 0, "there was nothing to heal"


def test_killers_cost_the_death_alone() -> None:
    killers = replace(task(death=10.0, damage=0.5), predators=replace(HUNTER, kills=True))
    one = world(killers, predators=[[10, 11]])
    assert one.step(FORWARD) == -10
    assert one.ending is Ending.PREDATOR


def test_starving_costs() -> None:
    one = world(replace(task(starvation=10.0), satiety=2.0))
    assert [one.step(STAY), one.step(STAY)] == [0, -10]


def test_warming_up_pays_out_of_comfort_only() -> None:
    heated = replace(
        task(temperature=0.3), temperature=Temperature(gradient=1.5, discomfort_reward=0.0)
    )
    one = world(heated, worm=(4, 10), heading=UP)
    assert one.step(RIGHT) == pytest.approx(0.3 * 1.5)
    one = world(heated, worm=(10, 10), heading=UP)
    assert one.step(RIGHT) == 0


def test_brave_foraging_pays() -> None:
    heat = Temperature(gradient=1.5, discomfort_reward=0.0, brave_reward=0.3)
    heated = replace(task(), temperature=heat)
    for x, pay in ((14, 0.3), (10, 0.0)):
        one = world(heated, worm=(x, 10), foods=[[x, 11]])
        assert one.step(FORWARD) == pytest.approx(pay)


def test_a_wounding_heat_costs_extra() -> None:
    heated = replace(task(damage=0.5), temperature=Temperature(base=60.0, gradient=0.0))
    assert world(heated).step(STAY) == pytest.approx(-0.3 - 0.5)


def test_rewards_add_up() -> None:
    for rules in ("", "+reference"):
        one = World(find_task(f"thermal-pursuit-small{rules}"), 4)
        paid = 0.0
        while not one.ended:
            paid += one.step((one.steps * 7) % 3)
        assert one.figures()["total_reward"] == pytest.approx(paid)
