"""What holds in every world, whatever is done in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.games.worm import (
    Dish,
    Ending,
    Hotspots,
    Oxygen,
    Predators,
    Reward,
    Task,
    Temperature,
    World,
    replay,
)
from ludus.games.worm.surroundings import PREDATORS, PROXIMITIES
from ludus.games.worm.task import ADAPTATIONS, MODES

sizes = st.integers(5, 40)
spots = st.lists(st.tuples(st.floats(0, 39), st.floats(0, 39), st.floats(0.1, 30)), max_size=3).map(
    tuple
)


@st.composite
def any_task(draw: st.DrawFn) -> Task:
    predators = draw(
        st.none()
        | st.builds(
            Predators,
            count=st.integers(1, 4),
            kind=st.sampled_from(PREDATORS),
            speed=st.floats(0, 12),
            detection=st.floats(0, 20),
            damage_radius=st.floats(0, 3),
            damage=st.floats(0, 40),
            kills=st.booleans(),
            decay=st.floats(0.5, 20),
            spawn_by_steps=st.booleans(),
        )
    )
    heat = draw(
        st.none()
        | st.builds(
            Temperature,
            gradient=st.floats(-3, 3),
            direction=st.floats(-7, 7),
            hot_spots=spots,
            cold_spots=spots,
        )
    )
    air = draw(st.none() | st.builds(Oxygen, gradient=st.floats(-1, 1), high_spots=spots))
    senses = ["food_chemotaxis", "proprioception", "mechanosensation"]
    senses += ["nociception"] * (predators is not None)
    senses += ["thermotaxis"] * (heat is not None) + ["aerotaxis"] * (air is not None)
    hotspots = draw(st.none() | spots.filter(len).map(lambda places: Hotspots(places=places)))
    return Task(
        name="any",
        sensing=draw(st.sampled_from(MODES)),
        rules=draw(st.sampled_from(["corrected", "reference"])),
        substrate=draw(st.sampled_from(["grid", "continuous"])),
        size=draw(sizes),
        max_steps=draw(st.integers(1, 120)),
        foods=draw(st.integers(1, 12)),
        target=draw(st.integers(1, 6)),
        min_food_distance=draw(st.floats(0, 5)),
        exclusion=draw(st.floats(0, 5)),
        decay=draw(st.floats(0.5, 30)),
        fick=draw(st.booleans()),
        respawn=draw(st.booleans()),
        portion=draw(st.sampled_from([0.0, 0.25, 0.4])),
        hotspots=hotspots,
        satiety=draw(st.floats(1, 300)),
        health=draw(st.none() | st.floats(1, 100)),
        predators=predators,
        temperature=heat,
        oxygen=air,
        senses=tuple(senses),
        adaptation=draw(st.sampled_from(ADAPTATIONS)),
        memory=draw(st.booleans()),
        memory_size=draw(st.integers(1, 40)),
        dish=Dish(capture_radius=draw(st.floats(0.1, 4))),
        reward=Reward(predator_mode=draw(st.sampled_from(PROXIMITIES)), stuck=0.1),
    )


@settings(max_examples=150, deadline=None)
@given(task=any_task(), seed=st.integers(0, 2**64 - 1), actions=st.lists(st.integers(0, 3)))
def test_a_world_keeps_within_its_bounds(task: Task, seed: int, actions: list[int]) -> None:
    world = World(task, seed)
    last = task.size if task.substrate == "continuous" else task.size - 1
    for action in actions * 8:
        if world.ended:
            break
        assert np.isfinite(world.step(action))
        for places in (world.foods, world.predators, np.array([world.worm])):
            assert ((places >= 0) & (places <= last)).all()
        assert np.isfinite(world.features).all()
    figures = world.figures()
    assert np.isfinite(list(figures.values())).all()
    assert 0 <= figures["satiety"] <= task.satiety
    assert 0 <= figures["health"] <= (task.health or 0)
    assert 0 <= figures["in_zone"] <= figures["positions"] <= figures["steps"] + 1
    assert figures["steps"] <= task.max_steps
    assert figures["foods"] <= task.target
    if task.rules == "corrected":
        assert 0 <= figures["efficiency"] <= 1
    assert (figures["foods"] == task.target) == (world.ending is Ending.COMPLETED_ALL_FOOD)


@settings(max_examples=50, deadline=None)
@given(task=any_task(), seed=st.integers(0, 2**32), actions=st.binary(max_size=60))
def test_a_seed_and_the_actions_are_the_whole_story(task: Task, seed: int, actions: bytes) -> None:
    played = bytes(action % 4 for action in actions)
    one, other = replay(task, seed, played), replay(task, seed, list(played))
    assert one.hash() == other.hash()
    assert (one.path == other.path).all()
    copy = one.clone()
    assert copy.hash() == one.hash()
    if not one.ended:
        before = one.hash()
        copy.step(0)
        assert one.hash() == before
        one.step(0)
        assert one.hash() == copy.hash()


@given(task=any_task(), seed=st.integers(0, 2**32 - 2))
@settings(max_examples=30, deadline=None)
def test_every_seed_is_a_world_of_its_own(task: Task, seed: int) -> None:
    assert World(task, seed).hash() != World(task, seed + 1).hash()


@settings(max_examples=60, deadline=None)
@given(task=any_task(), seed=st.integers(0, 2**32))
def test_food_keeps_apart_when_it_grows(task: Task, seed: int) -> None:
    world = World(replace(task, portion=0.0), seed)
    for _ in range(40):
        if world.ended:
            break
        gaps = world.foods[:, None] - world.foods[None]
        distances = np.hypot(gaps[..., 0], gaps[..., 1])
        apart = distances[~np.eye(len(distances), dtype=bool)]
        assert (apart >= task.min_food_distance - 1e-9).all()
        world.step(world.steps % 3)
