"""What happens in a step, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from typing import Any

import numpy as np
import pytest
from tests.games.worm.making import (
    BARE,
    DOWN,
    EAST,
    FORWARD,
    LEFT,
    RIGHT,
    STAY,
    UP,
    WEST,
    paying,
    world,
)

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.worm import (
    Ending,
    Hotspots,
    Oxygen,
    Predators,
    Task,
    Temperature,
    World,
    find_task,
)
from ludus.games.worm.frozen_tasks import find_recorded_task

# ---- moving --------------------------------------------------------------------------------------


def test_a_worm_begins_in_the_middle_and_looks_up() -> None:
    for size in (5, 20, 51):
        fresh = World(replace(BARE, size=size), 1)
        assert fresh.worm == (size // 2, size // 2)
        assert fresh.heading == pytest.approx(UP)
        assert (fresh.steps, fresh.ending) == (0, Ending.RUNNING)


@pytest.mark.parametrize(
    ("heading", "action", "place", "after"),
    [
        (UP, FORWARD, (10, 11), UP),
        (UP, LEFT, (9, 10), WEST),
        (UP, RIGHT, (11, 10), EAST),
        (EAST, LEFT, (10, 11), UP),
        (WEST, LEFT, (10, 9), DOWN),
        (DOWN, RIGHT, (9, 10), WEST),
        (DOWN, FORWARD, (10, 9), DOWN),
        (EAST, STAY, (10, 10), EAST),
    ],
)
def test_turns_move_in_the_same_step(
    heading: float, action: int, place: tuple[int, int], after: float
) -> None:
    one = world(heading=heading)
    one.step(action)
    assert one.worm == place
    assert one.heading == pytest.approx(after)


@pytest.mark.parametrize(("action", "heading"), [(FORWARD, UP), (LEFT, EAST), (RIGHT, WEST)])
def test_a_wall_refuses_the_move_and_the_turn(action: int, heading: float) -> None:
    one = world(worm=(7, 19), heading=heading)
    one.step(action)
    assert one.worm == (7, 19)
    assert one.heading == pytest.approx(heading)
    assert one.figures()["wall_hits"] == 1
    assert one.figures()["distance"] == 0


@pytest.mark.parametrize("action", [-1, 4, 1.5, "left", None])
def test_other_actions_are_refused(action: Any) -> None:
    one = world()
    with pytest.raises(ActionError, match="0 forward, 1 left, 2 right, 3 stay"):
        one.step(action)
    assert one.steps == 0


def test_a_grid_is_not_steered() -> None:
    with pytest.raises(ActionError, match="not steered"):
        world().step((1.0, 0.0))


def test_nothing_happens_after_the_end() -> None:
    one = world(replace(BARE, max_steps=1))
    one.step(STAY)
    assert one.ended
    with pytest.raises(EpisodeOver, match="ended at step 1"):
        one.step(STAY)


# ---- food ----------------------------------------------------------------------------------------


def test_food_keeps_its_distances() -> None:
    for seed in range(30):
        for name in ("foraging-small", "foraging-medium", "foraging-large"):
            one = World(find_task(name), seed)
            foods, worm = one.foods, np.array(one.worm)
            assert (np.hypot(*(foods - worm).T) >= one.task.exclusion).all()
            gaps = np.hypot(*(foods[:, None] - foods[None]).transpose(2, 0, 1))
            assert gaps[~np.eye(len(foods), dtype=bool)].min() >= one.task.min_food_distance


def test_there_may_be_less_food_than_asked_for_where_there_is_no_room() -> None:
    crowded = replace(BARE, size=5, foods=64, min_food_distance=2.0)
    assert 1 <= len(World(crowded, 3).foods) < 25


def test_eaten_food_is_replaced_at_once() -> None:
    one = world(foods=[[10, 11]])
    one.step(FORWARD)
    assert one.figures()["foods"] == 1
    assert len(one.foods) == 1
    assert one.foods[0].tolist() != [10.0, 11.0]


def test_without_respawn_eaten_food_is_gone() -> None:
    one = world(replace(BARE, respawn=False), foods=[[10, 11]])
    one.step(FORWARD)
    assert len(one.foods) == 0
    one.step(FORWARD)
    assert np.isfinite(one.features).all()


def test_a_sated_worm_does_not_eat() -> None:
    picky = replace(BARE, eats_below=0.8, satiety=100.0, satiety_decay=10.0)
    one = world(picky, foods=[[10, 11]])
    one.step(FORWARD)
    assert one.figures()["foods"] == 0
    one.step(STAY)
    assert one.figures()["foods"] == 0
    one.step(STAY)
    assert one.figures()["foods"] == 1


def test_food_may_be_eaten_in_portions() -> None:
    task = replace(BARE, portion=0.25, respawn=False, target=10)
    one = world(task, foods=[[10, 11]])
    before = float(one.scent(10, 10))
    one.step(FORWARD)
    assert float(one.scent(10, 10)) == pytest.approx(0.75 * before)
    assert len(one.foods) == 1
    for _ in range(3):
        one.step(STAY)
    assert len(one.foods) == 0
    assert one.figures()["foods"] == 4


def test_food_grows_near_hotspots() -> None:
    near = Hotspots(places=((3.0, 4.0, 1.0),), bias=1.0, decay=2.0)
    task = replace(BARE, foods=6, min_food_distance=1.0, hotspots=near, size=40)
    distances = [np.hypot(*(World(task, seed).foods - (3, 4)).T).mean() for seed in range(40)]
    anywhere = replace(task, hotspots=replace(near, bias=0.0))
    others = [np.hypot(*(World(anywhere, seed).foods - (3, 4)).T).mean() for seed in range(40)]
    assert 1.0 < np.mean(distances) < 4.0
    assert np.mean(others) > 15


def test_hotspots_are_chosen_by_weight() -> None:
    two = Hotspots(places=((5.0, 5.0, 3.0), (35.0, 35.0, 1.0)), bias=1.0, decay=1.0)
    task = replace(BARE, foods=8, min_food_distance=0.0, hotspots=two, size=40)
    foods = np.concatenate([World(task, seed).foods for seed in range(100)])
    assert 0.7 < (foods[:, 0] < 20).mean() < 0.8


def test_food_may_shun_predators_and_heat() -> None:
    hunted = replace(
        BARE, foods=5, predators=Predators(count=3, detection=1.0), food_predator_distance=6.0
    )
    for seed in range(20):
        one = World(hunted, seed)
        gaps = np.hypot(*(one.foods[:, None] - one.predators[None]).transpose(2, 0, 1))
        assert gaps.min() >= 6
    heated = replace(BARE, foods=8, min_food_distance=0.0, temperature=Temperature(gradient=2.0))
    for bias, kept in ((1.0, True), (0.0, False)):
        task = replace(heated, safe_zone_bias=bias)
        ones = [World(task, seed) for seed in range(20)]
        off = np.concatenate([one.temperature(*one.foods.T) for one in ones]) - 20
        assert (np.abs(off) <= 5).all() == kept


# ---- satiety, health and the end -----------------------------------------------------------------


def test_a_worm_starves_when_its_satiety_is_spent() -> None:
    one = world(replace(BARE, satiety=5.0, satiety_decay=2.0))
    for _ in range(2):
        one.step(STAY)
    assert not one.ended
    one.step(STAY)
    assert one.ending is Ending.STARVED
    assert one.ending.reason == "starved"
    assert one.figures()["satiety"] == 0


def test_the_last_meal_saves() -> None:
    for food, saved in ((12, True), (0, False)):
        one = world(replace(BARE, satiety=100.0, satiety_decay=50.0), foods=[[10, food]])
        one.step(FORWARD)
        one.step(FORWARD)
        assert one.ended != saved
        assert one.figures()["satiety"] == pytest.approx(20 if saved else 0)


def test_satiety_is_capped() -> None:
    one = world(replace(BARE, satiety_gain=20.0), foods=[[10, 11]])
    one.step(FORWARD)
    assert one.figures()["satiety"] == BARE.satiety - BARE.satiety_decay


def test_an_episode_is_won_with_the_last_food() -> None:
    one = world(replace(BARE, target=1), foods=[[10, 11]])
    one.step(FORWARD)
    assert one.ending is Ending.COMPLETED_ALL_FOOD
    assert one.figures()["success"] == 1
    assert one.figures()["satiety"] == BARE.satiety, "the step ends with the meal"


def test_an_episode_ends_with_its_steps() -> None:
    one = world(replace(BARE, max_steps=7))
    for _ in range(7):
        assert not one.ended
        one.step(STAY)
    assert one.ending is Ending.MAX_STEPS
    assert one.figures()["success"] == 0


# ---- predators -----------------------------------------------------------------------------------

HUNTER = Predators(count=1, speed=1.0, detection=6.0, damage=10.0)


def hunted(**change: Any) -> Task:
    return replace(BARE, predators=replace(HUNTER, **change))


def test_a_hunter_closes_the_larger_gap_and_prefers_the_row() -> None:
    one = world(hunted(), predators=[[12, 9]])
    one.step(STAY)
    assert one.predators.tolist() == [[11, 9]]
    one.step(STAY)
    assert one.predators.tolist() == [[10, 9]]
    one.step(STAY)
    assert one.predators.tolist() == [[10, 10]]


def test_half_speed_moves_every_other_step() -> None:
    one = world(hunted(speed=0.5), predators=[[14, 10]])
    places = []
    for _ in range(4):
        one.step(STAY)
        places.append(one.predators[0, 0])
    assert places == [14, 13, 13, 12]


def test_speed_above_one_moves_several_cells() -> None:
    one = world(hunted(speed=2.5), predators=[[16, 10]])
    one.step(STAY)
    assert one.predators[0, 0] == 14
    one.step(STAY)
    assert one.predators[0, 0] == 11


def test_out_of_sight_a_hunter_walks_at_random() -> None:
    moves = set()
    for seed in range(40):
        one = world(hunted(detection=3.0), seed, predators=[[2, 17]])
        one.step(STAY)
        moves.add(tuple((one.predators[0] - (2, 17)).tolist()))
    assert moves == {(1, 0), (-1, 0), (0, 1), (0, -1)}


def test_random_walkers_never_hunt_and_keep_to_the_dish() -> None:
    one = world(hunted(kind="random"), predators=[[10, 11]])
    for _ in range(150):
        before = one.predators.copy()
        one.step(STAY)
        assert np.abs(one.predators - before).sum() <= 1
        assert (one.predators >= 0).all()
        assert (one.predators <= 19).all()


def test_toxic_discs_stay_where_they_are() -> None:
    one = world(hunted(kind="stationary", damage_radius=2.0), predators=[[10, 13]])
    one.step(STAY)
    assert one.figures()["damage"] == 0
    one.step(FORWARD)
    assert one.predators.tolist() == [[10, 13]]
    assert one.figures()["damage"] == 10
    assert one.figures()["health"] == 90


def test_a_contact_hurts_once_a_step_and_twice_under_the_reference() -> None:
    for rules, hits in (("corrected", 1), ("reference", 2)):
        one = world(replace(hunted(), rules=rules), predators=[[10, 11]])
        one.step(FORWARD)
        assert one.figures()["damage"] == 10 * hits
        one = world(replace(hunted(), rules=rules), predators=[[10, 11]])
        one.step(STAY)
        assert one.figures()["damage"] == 10, "it came after the first check"


def test_a_worm_dies_of_its_wounds() -> None:
    one = world(replace(hunted(damage=50.0)), predators=[[10, 10]])
    one.step(STAY)
    assert not one.ended
    one.step(STAY)
    assert one.ending is Ending.HEALTH_DEPLETED
    assert one.figures()["health"] == 0


def test_food_heals_up_to_the_most() -> None:
    task = replace(hunted(damage=3.0), food_healing=5.0)
    one = world(task, predators=[[10, 10]], foods=[[10, 12]])
    one.step(FORWARD)
    assert one.figures()["health"] == 97
    one.step(FORWARD)
    assert one.figures()["health"] == 97, "healed to 100, then caught again"


def test_killers_kill_at_once() -> None:
    killer = replace(hunted(kind="random", kills=True), health=None)
    one = world(killer, predators=[[10, 11]])
    one.step(FORWARD)
    assert one.ending is Ending.PREDATOR
    assert one.figures()["health"] == 0


def test_predators_begin_out_of_reach() -> None:
    for seed in range(60):
        near = World(find_task("pursuit-small"), seed)
        assert (np.hypot(*(near.predators - near.worm).T) > 6).all()
        old = World(find_task("predator-small@e25"), seed)
        assert (np.abs(old.predators - old.worm).sum(axis=1) > 8).all()


def test_danger_is_counted_when_it_begins_and_ends() -> None:
    task = hunted(kind="stationary", detection=3.0, damage=0.0)
    one = world(task, predators=[[10, 14]])
    for _ in range(2):
        one.step(FORWARD)
    assert (one.figures()["encounters"], one.figures()["evasions"]) == (1, 0)
    one.step(LEFT)
    one.step(LEFT)
    one.step(FORWARD)
    assert (one.figures()["encounters"], one.figures()["evasions"]) == (1, 1)


# ---- temperature and oxygen ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "pay", "damage"), [(10, 0.05, 0), (13, -0.1, 0), (16, -0.3, 2), (18, -0.3, 10)]
)
def test_temperature_pays_and_hurts_by_zone(x: int, pay: float, damage: float) -> None:
    heat = Temperature(gradient=2.0, comfort_reward=0.05)
    one = world(replace(BARE, temperature=heat), worm=(x, 10))
    assert one.step(STAY) == pytest.approx(pay)
    assert one.figures()["damage"] == damage
    assert one.figures()["comfort"] == (x == 10)


@pytest.mark.parametrize(
    ("oxygen", "pay", "damage"),
    [
        (1.0, -0.5, 6),
        (4.0, -0.5, 0.5),
        (5.0, 0.1, 0),
        (12.0, 0.1, 0),
        (17.0, -0.5, 0.5),
        (18, -0.5, 6),
    ],
)
def test_oxygen_pays_and_hurts_by_zone(oxygen: float, pay: float, damage: float) -> None:
    air = Oxygen(base=oxygen, gradient=0.0, comfort_reward=0.1)
    one = world(replace(BARE, oxygen=air))
    assert one.step(STAY) == pytest.approx(pay)
    assert one.figures()["damage"] == damage
    assert one.figures()["oxygen_comfort"] == (damage == 0)


@pytest.mark.parametrize("rules", ["corrected", "reference"])
@pytest.mark.parametrize(("oxygen", "cost"), [(8.0, 0.0), (3.0, 0.3), (1.0, 0.3)])
def test_wounds_by_bad_air_are_charged_where_the_task_says_so(
    rules: str, oxygen: float, cost: float
) -> None:
    def pay(charged: bool) -> float:
        air = Oxygen(base=oxygen, gradient=0.0, danger_reward=0.0, charged=charged)
        return world(replace(BARE, rules=rules, oxygen=air, reward=paying(damage=0.3))).step(STAY)

    assert pay(charged=True) == pytest.approx(-cost)
    assert pay(charged=False) == 0


def test_head2_charges_what_head_did_not_and_changes_nothing_else() -> None:
    name = "oxygen-thermal-pursuit-large"
    old, new = find_task(f"{name}@head"), find_task(name)
    assert (new.version, find_recorded_task(name).version) == ("head2", "head")
    assert new.oxygen
    assert replace(new, version="head", oxygen=old.oxygen) == old
    assert find_task("oxygen-foraging-medium").version == "head"  # a wound costs nothing there


def test_oxygen_is_a_percentage() -> None:
    air = Oxygen(base=10.0, gradient=5.0, direction=0.0)
    one = world(replace(BARE, oxygen=air))
    assert float(one.oxygen(0, 10)) == 0
    assert float(one.oxygen(19, 10)) == 21


def test_heat_kills() -> None:
    hot = replace(BARE, temperature=Temperature(base=60.0, gradient=0.0))
    one = world(hot)
    for _ in range(10):
        one.step(STAY)
    assert one.ending is Ending.HEALTH_DEPLETED
    assert one.steps == 10


def test_heat_without_health_only_costs() -> None:
    hot = replace(BARE, health=None, temperature=Temperature(base=60.0, gradient=0.0))
    one = world(hot)
    for _ in range(20):
        one.step(STAY)
    assert not one.ended


# ---- figures -------------------------------------------------------------------------------------


def test_efficiency_is_the_straight_way_over_the_way_made() -> None:
    one = world(foods=[[10, 13]])
    for _ in range(3):
        one.step(FORWARD)
    assert one.figures()["efficiency"] == 1
    one = world(foods=[[10, 13]])
    for action in (STAY, STAY, FORWARD, FORWARD, STAY, FORWARD):
        one.step(action)
    assert one.figures()["efficiency"] == pytest.approx(3 / 6)


def test_the_reference_counts_a_move_less_for_the_first_food() -> None:
    task = replace(BARE, rules="reference", respawn=False, foods=2)
    one = world(task, foods=[[10, 13], [10, 16]])
    for _ in range(3):
        one.step(FORWARD)
    assert one.figures()["efficiency"] == pytest.approx(3 / 2)
    for _ in range(3):
        one.step(FORWARD)
    assert one.figures()["efficiency"] == pytest.approx((3 / 2 + 1) / 2)


def test_without_food_efficiency_is_nothing() -> None:
    one = world()
    one.step(FORWARD)
    assert one.figures()["efficiency"] == 0


def test_positions_near_food_are_counted() -> None:
    for rules, extra in (("corrected", 1), ("reference", 0)):
        task = replace(BARE, target=1, rules=rules)
        one = World(task, 0)
        one.arrange(foods=[[10, 17]])
        start = one.figures()
        for _ in range(7):
            one.step(FORWARD)
        assert one.ended
        figures = one.figures()
        assert figures["positions"] - start["positions"] == 6 + extra
        near = figures["in_zone"] - start["in_zone"]
        assert near in ((5, 6) if extra else (5,)), "12 to 16, and perhaps near the next food"


def test_the_way_is_measured_and_kept() -> None:
    one = world()
    for action in (FORWARD, LEFT, STAY, RIGHT):
        one.step(action)
    assert one.path[1:].tolist() == [[10, 11], [9, 11], [9, 11], [9, 12]]
    assert one.figures()["distance"] == 3
    assert one.figures()["steps"] == 4


# ---- situations ----------------------------------------------------------------------------------


def test_a_situation_must_fit_the_task() -> None:
    one = world()
    with pytest.raises(OptionError, match="2 foods are more than the task's 1"):
        one.arrange(foods=[[1, 1], [2, 2]])
    with pytest.raises(OptionError, match="1 predators were given: the task has 0"):
        one.arrange(predators=[[1, 1]])
    for place in ([20, 1], [-1, 1], [1.5, 1], [float("nan"), 1]):
        with pytest.raises(OptionError, match="is no place in the dish: give 0 to 19"):
            one.arrange(foods=[place])


def test_a_worm_is_put_on_a_cell_of_the_dish() -> None:
    one = world(worm=(99, -5), heading=pi / 2 + 0.1)
    assert one.worm == (19, 0)
    assert one.heading == pytest.approx(UP)


def test_paying_nothing_pays_nothing() -> None:
    one = world(replace(BARE, reward=paying()), foods=[[10, 12]])
    assert [one.step(FORWARD) for _ in range(4)] == [0, 0, 0, 0]
