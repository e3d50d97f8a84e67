"""What the worm senses in each mode."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, pi, tanh

import numpy as np
import pytest
from tests.games.worm.making import BARE, DOWN, EAST, FORWARD, LEFT, RIGHT, STAY, UP, WEST, world

from ludus.errors import OptionError
from ludus.games.worm import Oxygen, Predators, Temperature, World, find_task
from ludus.games.worm.observation import Observation


def seen(one: World) -> dict[str, float]:
    return dict(Observation(one.task, one.features))


@pytest.mark.parametrize(("heading", "angle"), [(UP, 0.0), (EAST, 0.5), (WEST, -0.5), (DOWN, 1.0)])
def test_to_the_left_is_positive(heading: float, angle: float) -> None:
    sensed = seen(world(heading=heading, foods=[[10, 15]]))
    assert abs(sensed["food_chemotaxis.angle"]) == pytest.approx(abs(angle), abs=1e-6)
    assert angle in (0.0, 1.0) or sensed["food_chemotaxis.angle"] == pytest.approx(angle)
    assert sensed["food_chemotaxis.strength"] == pytest.approx(tanh(exp(-5 / 8)))


def test_on_food_there_is_no_direction() -> None:
    sensed = seen(world(foods=[[10, 10]]))
    assert sensed == {"food_chemotaxis.strength": 0.0, "food_chemotaxis.angle": 0.0}


def test_predators_are_sensed_towards_them() -> None:
    task = replace(BARE, predators=Predators(count=1), senses=("nociception",))
    assert seen(world(task, predators=[[14, 10]]))["nociception.angle"] == pytest.approx(-0.5)


def test_the_combined_gradient_points_away_from_predators() -> None:
    task = replace(BARE, predators=Predators(count=1, decay=8.0), senses=("gradient",))
    sensed = seen(world(task, predators=[[10, 14]], foods=[[10, 6]]))
    assert abs(sensed["gradient.angle"]) == pytest.approx(1)
    assert sensed["gradient.strength"] == pytest.approx(2 * exp(-4 / 8)), "raw, not tanh"


def test_fick_fades_with_the_square() -> None:
    task = replace(BARE, fick=True)
    assert float(world(task, foods=[[10, 15]]).scent(10, 10)) == pytest.approx(exp(-((5 / 8) ** 2)))


def test_touch() -> None:
    task = replace(
        BARE,
        predators=Predators(count=1, kind="stationary", damage_radius=2.0),
        senses=("mechanosensation",),
    )
    assert world(task, predators=[[0, 19]]).features.tolist() == [0, 0]
    assert world(task, predators=[[11, 11]]).features.tolist() == [0, 1]
    assert world(task, predators=[[0, 19]], worm=(0, 5)).features.tolist() == [1, 0]
    assert world(task, predators=[[0, 19]], worm=(5, 19)).features.tolist() == [1, 0]


def test_movement_and_heading() -> None:
    one = world(replace(BARE, senses=("proprioception",)))
    assert one.features.tolist() == [0, 0.5]
    for action, expected in (
        (RIGHT, [1, 0]),
        (RIGHT, [1, -0.5]),
        (STAY, [0, -0.5]),
        (RIGHT, [1, 1]),
    ):
        one.step(action)
        assert one.features == pytest.approx(expected)


def test_temperature_and_oxygen_levels_are_clipped() -> None:
    task = replace(
        BARE,
        temperature=Temperature(base=23.0, gradient=0.0),
        oxygen=Oxygen(base=21.0, gradient=0.0),
        senses=("thermotaxis", "aerotaxis"),
    )
    sensed = seen(world(task))
    assert sensed["thermotaxis.level"] == pytest.approx(3 / 15)
    assert sensed["aerotaxis.level"] == 1
    assert sensed["thermotaxis.strength"] == sensed["thermotaxis.angle"] == 0


def test_a_gradient_at_the_wall_is_taken_from_clamped_neighbours() -> None:
    task = replace(
        BARE, temperature=Temperature(gradient=0.8, direction=0.0), senses=("thermotaxis",)
    )
    assert world(task).features[0] == pytest.approx(tanh(0.8))
    assert world(task, worm=(0, 10)).features[0] == pytest.approx(tanh(0.4))
    assert world(task, heading=UP).features[1] == pytest.approx(-0.5)


def test_temporal_worms_smell_how_much_and_no_more() -> None:
    task = replace(BARE, sensing="temporal")
    assert world(task, foods=[[10, 13]]).features == pytest.approx([tanh(exp(-3 / 8))])


def test_derivatives_come_from_memory() -> None:
    task = replace(BARE, sensing="derivative")
    one = world(task, foods=[[10, 15]])
    one._native.put_memory(np.zeros(0), np.zeros(0), [])
    one.arrange(foods=[[10, 15]])
    assert seen(one)["food_chemotaxis.derivative"] == 0
    one.step(FORWARD)
    smells = [tanh(exp(-5 / 8)), tanh(exp(-4 / 8))]
    rise = smells[1] - smells[0]
    sensed = seen(one)
    assert sensed["food_chemotaxis.derivative"] == pytest.approx(tanh(50 * rise))
    assert sensed["stam.food.change"] == pytest.approx(rise)
    weighted = (smells[1] + exp(-0.1) * smells[0]) / (1 + exp(-0.1))
    assert sensed["stam.food.mean"] == pytest.approx(weighted)
    assert sensed["stam.move_x"] == 0
    assert sensed["stam.move_y"] == pytest.approx(1 - 1 / (1 + exp(-0.1)))
    assert sensed["stam.entropy"] == 0


def test_entropy_tells_how_mixed_the_actions_were() -> None:
    one = world(replace(BARE, sensing="derivative"))
    for action in (FORWARD, LEFT, RIGHT, STAY):
        one.step(action)
    assert seen(one)["stam.entropy"] == pytest.approx(1)


def test_memory_forgets_the_oldest() -> None:
    one = world(replace(BARE, sensing="derivative", memory_size=3))
    for action in (LEFT, RIGHT, STAY, STAY, STAY):
        one.step(action)
    assert seen(one)["stam.entropy"] == 0


@pytest.mark.parametrize("heading", [UP, EAST])
def test_klinotaxis_compares_the_sides(heading: float) -> None:
    task = replace(BARE, sensing="klinotaxis")
    food = [14, 10] if heading == UP else [10, 6]
    sensed = seen(world(task, heading=heading, foods=[food]))
    right, left = tanh(exp(-3 / 8)), tanh(exp(-5 / 8))
    assert sensed["food_chemotaxis.lateral"] == pytest.approx(tanh(50 * (right - left)))
    ahead = [10, 14] if heading == UP else [14, 10]
    assert seen(world(task, heading=heading, foods=[ahead]))["food_chemotaxis.lateral"] == 0


def test_klinotaxis_of_temperature_and_oxygen_is_scaled() -> None:
    task = replace(
        BARE,
        sensing="klinotaxis",
        temperature=Temperature(gradient=0.05),
        oxygen=Oxygen(gradient=0.05, direction=0.0),
        senses=("thermotaxis", "aerotaxis"),
    )
    sensed = seen(world(task))
    assert sensed["thermotaxis.lateral"] == pytest.approx(tanh(50 * 0.1 / 15))
    assert sensed["aerotaxis.lateral"] == pytest.approx(tanh(50 * 0.1 / 21))


def test_beyond_the_wall_there_is_nothing_more_to_smell() -> None:
    task = replace(BARE, sensing="klinotaxis")
    sensed = seen(world(task, worm=(19, 10), foods=[[15, 10]]))
    inside, wall = tanh(exp(-3 / 8)), tanh(exp(-4 / 8))
    assert sensed["food_chemotaxis.lateral"] == pytest.approx(tanh(50 * (wall - inside)))


@pytest.mark.parametrize("adaptation", ["fold_change", "contrast", "logarithm"])
def test_adaptive_sensors_see_through_saturation(adaptation: str) -> None:
    task = replace(BARE, sensing="klinotaxis", adaptation=adaptation, strength=30.0)
    one = world(task, foods=[[10, 15]])
    one.step(FORWARD)
    before, now = 30 * exp(-5 / 8), 30 * exp(-4 / 8)
    sensed = seen(one)
    level = {
        "fold_change": now / (1 + now),
        "contrast": (now - before) / (now + before + 0.1),
        "logarithm": log(1 + now),
    }[adaptation]
    scale = now + 0.1 if adaptation == "fold_change" else 1.0
    assert sensed["food_chemotaxis.concentration"] == pytest.approx(level, rel=1e-5)
    assert sensed["food_chemotaxis.derivative"] == pytest.approx(tanh(50 * (now - before) / scale))


def test_the_baseline_follows_slowly() -> None:
    task = replace(BARE, sensing="temporal", adaptation="contrast")
    one = world(task, foods=[[10, 15]])
    base, now = exp(-5 / 8), exp(-5 / 8)
    for _ in range(3):
        one.step(FORWARD)
        base += 0.1 * (now - base)
        now = exp(-abs(one.foods[0, 1] - one.worm[1]) / 8)
        expected = (now - base) / (now + base + 0.1)
        assert seen(one)["food_chemotaxis.concentration"] == pytest.approx(expected, rel=1e-5)


def test_observations_name_what_is_sensed() -> None:
    one = World(find_task("pursuit-small"), 1)
    sensed = Observation(one.task, one.features)
    assert list(sensed) == list(sensed.names)
    assert len(sensed) == 4
    assert "nociception.angle" in sensed
    assert sensed["food_chemotaxis.angle"] == float(one.features[1])
    assert sensed.get("smell", 0.5) == 0.5
    assert sensed.get("food_chemotaxis.angle") == float(one.features[1])
    with pytest.raises(OptionError, match=r"'smell' is not sensed in pursuit-small@head: food"):
        sensed["smell"]


def test_the_angle_is_relative_on_a_dish_too() -> None:
    one = World(replace(find_task("c3-continuous"), foods=1), 0)
    one.arrange(worm=(30, 30), heading=0.3, foods=[[40, 30]], predators=[[1, 1], [1, 59]])
    assert seen(one)["food_chemotaxis.angle"] == pytest.approx(-0.3 / pi, abs=1e-6)
