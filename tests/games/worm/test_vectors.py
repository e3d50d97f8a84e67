"""Fields, features, memory, rewards and chemotaxis agree with the reference's numbers."""

from __future__ import annotations

from dataclasses import replace
from math import pi, tanh
from typing import Any

import numpy as np
import pytest
from tests.games.worm.vectors import vectors

from ludus.games.worm import (
    Oxygen,
    Predators,
    Reward,
    Task,
    Temperature,
    World,
    chemotaxis,
)
from ludus.games.worm.native_task import native_task

HEADINGS = {"up": pi / 2, "down": -pi / 2, "left": pi, "right": 0.0}
ZONES = ("comfort", "discomfort", "danger", "lethal")


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-6)


def world_of_fields(case: dict[str, Any], *senses: str) -> World:
    predators = Predators(
        count=max(len(case["predators"]), 1),
        decay=case["predator_decay"],
        strength=case["predator_strength"],
    )
    task = Task(
        name="vector",
        size=case["grid"],
        foods=len(case["foods"]),
        decay=case["food_decay"],
        predators=predators if case["predators"] else None,
        senses=senses,
    )
    world = World(task, 0)
    world.arrange(
        worm=tuple(case["pos"]),
        heading=HEADINGS[case["heading"]],
        foods=case["foods"],
        predators=case["predators"] or None,
    )
    return world


@pytest.mark.parametrize("case", vectors("fields"))
def test_scents(case: dict[str, Any]) -> None:
    world = world_of_fields(case, "food_chemotaxis")
    assert world.features == close(case["features_food"])
    assert world.features[0] == close(case["food_strength"])
    assert world.concentration(*case["pos"]) == close(case["food_concentration"])
    assert world.fear(*case["pos"]) == close(case["predator_concentration"])
    if case["predators"]:
        sensed = world_of_fields(case, "nociception").features
        assert sensed == close(case["features_nociception"])
        assert sensed[0] == close(case["predator_strength_sensed"])


@pytest.mark.parametrize("case", vectors("fields"))
def test_combined_gradient(case: dict[str, Any]) -> None:
    world = world_of_fields({**case, "heading": "right"}, "gradient")
    strength, angle = world.features
    assert strength == close(case["combined_raw_magnitude"])
    assert pi * angle == pytest.approx(case["combined_direction"], abs=2e-6)


@pytest.mark.parametrize("case", vectors("thermal_oxygen"))
def test_temperature_and_oxygen(case: dict[str, Any]) -> None:
    heat, air = case["thermo"], case["oxygen"]
    task = Task(
        name="vector",
        size=case["grid"],
        temperature=Temperature(
            gradient=heat["gradient_strength"],
            direction=heat["gradient_direction"],
            hot_spots=tuple(map(tuple, heat["hot"])),
            cold_spots=tuple(map(tuple, heat["cold"])),
            spot_decay=heat["spot_decay"],
        ),
        oxygen=Oxygen(
            gradient=air["gradient_strength"],
            direction=air["gradient_direction"],
            high_spots=tuple(map(tuple, air["high"])),
            low_spots=tuple(map(tuple, air["low"])),
            spot_decay=air["spot_decay"],
        ),
        senses=("aerotaxis", "thermotaxis"),
    )
    world = World(task, 0)
    world.arrange(worm=tuple(case["pos"]), heading=0.0)
    assert world.temperature(*case["pos"]) == close(case["temperature"])
    assert world.oxygen(*case["pos"]) == close(case["oxygen_percent"])
    for k, sense in ((0, "oxygen_gradient"), (3, "temperature_gradient")):
        size, direction = case[sense]
        assert world.features[k] == close(tanh(size))
        off = abs(pi * float(world.features[k + 1]) - direction)
        assert min(off, 2 * pi - off) < 2e-6
    native = native_task(task)
    assert ZONES[native.temperature_zone(case["temperature"])] in case["temperature_zone"]
    assert ZONES[native.oxygen_zone(case["oxygen_percent"])] in case["oxygen_zone"]


@pytest.mark.parametrize("case", vectors("stam"))
def test_short_term_memory(case: dict[str, Any]) -> None:
    values, moves, actions = zip(*case["records_oldest_first"], strict=True)
    task = Task(
        name="vector",
        sensing="temporal",
        memory=True,
        memory_size=case["buffer"],
        memory_decay=case["decay"],
        predators=Predators(count=1),
        senses=("food_chemotaxis", "nociception"),
    )
    world = World(task, 0)
    world._native.put_memory(np.array(values).ravel(), np.array(moves).ravel(), list(actions))
    assert world.features[2:] == close(case["memory_state"])
    assert world.features[4:6] == close(case["derivative"])


@pytest.mark.parametrize("case", vectors("reward"))
def test_rewards(case: dict[str, Any]) -> None:
    constants, path = case["config"], case["path"]
    task = Task(
        name="vector",
        rules="reference",
        foods=len(case["foods"]),
        predators=Predators(count=len(case["predators"]), detection=case["detection_radius"])
        if case["predators"]
        else None,
        reward=Reward(
            step=constants["step"],
            distance=constants["distance"],
            exploration=constants["explore"],
            dither=constants["dither"],
            stuck=constants["stuck"],
            stuck_after=constants["stuck_threshold"],
            proximity=constants["predator"],
            wall=constants["wall"],
            goal=constants["goal"],
        ),
    )
    world = World(task, 0)
    situation = {
        "worm": tuple(path[-1]),
        "foods": case["foods"],
        "predators": case["predators"] or None,
        "trail": path[:-1],
        "unvisited": path[-1] not in case["visited_before"],
        "steps_still": case["stuck_count"],
    }
    world.arrange(**situation, wall_hit=case["wall_hit_last_move"])
    assert world.reward_now() == pytest.approx(case["reward"], abs=1e-9)
    cheap = World(replace(task, reward=replace(task.reward, wall=0.5)), 0)
    cheap.arrange(**situation, wall_hit=True)
    assert cheap.reward_now() == pytest.approx(
        case["reward"] - 0.5 + constants["wall"] * case["wall_hit_last_move"], abs=1e-9
    )


@pytest.mark.parametrize("case", vectors("chemotaxis"))
def test_chemotaxis(case: dict[str, Any]) -> None:
    found = chemotaxis(case["path"], case["food_history"], case["zone_radius"])
    assert found.index == close(case["ci"])
    assert found.time_in_zone == close(case["time_in_attractant"])
    assert found.approach_frequency == close(case["approach_frequency"])
    assert found.path_efficiency == close(case["path_efficiency"])
    assert found.reliable is case["reliable"]
