"""Several worms on one dish: what they share, what they leave, and what stays as for one."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from math import exp, tanh
from typing import Any

import numpy as np
import pytest
from tests.games.worm.making import BARE, FORWARD, LEFT, STAY, paying

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.worm import Ending, Predators, World, find_task
from ludus.games.worm._native import colony_term_names
from ludus.games.worm.colony import (
    Colony,
    ColonyBatch,
    ColonyTask,
    Pheromone,
    colony_tasks,
    find_colony_task,
)
from ludus.games.worm.colony.features import colony_feature_names

REVERSE, OMEGA = 4, 5
FROZEN = {
    "crowd-foraging-small": "8d5222e04742404a",
    "crowd-pursuit-small": "5f4679dbadd1869c",
}
GOLDEN = {
    "crowd-foraging-small": "3c221742f5dc5fe7",
    "crowd-pursuit-small": "408a0e6b00a9793e",
}
QUIET = ColonyTask(
    dish=BARE, worms=2, company_hunger=1.0, senses_scents=False, senses_company=False
)


def play(colony: Colony, steps: int, seed: int = 0) -> list[list[float]]:
    chance = np.random.default_rng(seed)
    rows = []
    for _ in range(steps):
        if colony.ended:
            break
        rows.append(colony.step(chance.integers(0, colony.task.actions, colony.task.worms)))
    return rows


def test_frozen_tasks_never_change() -> None:
    assert {name: find_colony_task(name).digest[:16] for name in colony_tasks()} == FROZEN


@pytest.mark.parametrize("name", colony_tasks())
def test_play_never_changes(name: str) -> None:
    colony = Colony(find_colony_task(name), 2026)
    play(colony, 120)
    assert f"{colony.hash():016x}" == GOLDEN[name]


@pytest.mark.parametrize("name", ["pursuit-small+klinotaxis", "oxygen-thermal-pursuit-large"])
@pytest.mark.parametrize("rules", ["corrected", "reference"])
def test_a_colony_of_one_is_a_worm_alone(name: str, rules: str) -> None:
    dish = find_task(f"{name}+{rules}")
    task = replace(QUIET, dish=dish, worms=1)
    colony, alone = Colony(task, 5), World(dish, 5)
    for action in np.random.default_rng(1).integers(0, 4, 200).tolist():
        if alone.ended:
            break
        assert colony.step([action])[0] == alone.step(action)
        assert np.array_equal(colony.features[0], alone.features)
        assert colony.worm(0).hash() == alone.hash()
    assert colony.ended == alone.ended


@pytest.mark.parametrize("seed", range(3))
def test_food_is_eaten_by_one_worm_only(seed: int) -> None:
    dish = replace(BARE, foods=40, target=99, min_food_distance=0.0, exclusion=0.0, respawn=False)
    colony = Colony(replace(QUIET, dish=dish, worms=10), seed)
    at_start = len(colony.worm(0).foods)
    play(colony, 150, seed)
    worms = colony.worms()
    eaten = sum(int(worm.figures()["foods"]) for worm in worms)
    assert eaten > 3
    assert all(np.array_equal(worm.foods, worms[0].foods) for worm in worms)
    assert eaten + len(worms[0].foods) == at_start


def meet(contest: str, seed: int) -> tuple[int, int]:
    """Let two worms go to the same place over a dish full of food; return what each has eaten."""
    dish = replace(
        BARE, foods=64, target=99, size=8, min_food_distance=1.0, exclusion=0.0, respawn=False
    )
    colony = Colony(replace(QUIET, dish=dish, contest=contest), seed)
    colony.step([2, 1])  # to each other: right, and left
    first, second = colony.worms()
    assert first.worm == second.worm
    return int(first.figures()["foods"]), int(second.figures()["foods"])


def test_the_first_or_a_drawn_worm_gets_contested_food() -> None:
    first = {meet("first", seed) for seed in range(12)}
    drawn = {meet("drawn", seed) for seed in range(12)}
    assert first <= {(1, 0), (0, 0)}
    assert (1, 0) in first
    assert {(1, 0), (0, 1)} <= drawn


def test_seeds_reproduce_and_copies_disturb_nothing() -> None:
    one, two = (Colony("crowd-pursuit-small", 3) for _ in range(2))
    assert play(one, 40) == play(two, 40)
    before, ahead = one.hash(), one.clone()
    play(ahead, 20, seed=9)
    assert one.hash() == before == two.hash()
    assert ahead.hash() != before
    state = one.clone_state()
    play(two, 7, seed=4)
    two.restore_state(state)
    assert two.hash() == before
    assert play(two, 30, seed=5) == play(one, 30, seed=5)
    assert Colony("crowd-pursuit-small", 4).hash() != Colony("crowd-pursuit-small", 3).hash()


def test_a_state_of_another_colony_is_refused() -> None:
    state = bytearray(Colony("crowd-pursuit-small", 3).clone_state())
    with pytest.raises(OptionError, match="no state of this colony"):
        Colony("crowd-foraging-small", 3).restore_state(bytes(state))
    state[200] ^= 1
    with pytest.raises(OptionError, match="checksum"):
        Colony("crowd-pursuit-small", 3).restore_state(bytes(state))


def test_two_more_actions_go_back_and_turn_round() -> None:
    colony = Colony(replace(QUIET, actions=6), 0)
    colony.step([REVERSE, OMEGA])
    back, turned = colony.worms()
    assert (back.worm, turned.worm) == ((10, 9), (12, 9))
    assert back.heading == pytest.approx(np.pi / 2)
    assert turned.heading == pytest.approx(-np.pi / 2)
    with pytest.raises(ActionError, match="give 0 to 3"):
        Colony(QUIET, 0).step([REVERSE, STAY])


def test_pheromones_smell_as_described() -> None:
    dish = replace(BARE, foods=64, target=99, size=8, min_food_distance=0.0, exclusion=0.0)
    found = Pheromone(strength=1.5, decay=3.0, half_life=4.0, sources=2)
    colony = Colony(replace(QUIET, dish=dish, found=found), 1)
    while not len(colony.sources("found")):
        colony.step([FORWARD if colony.steps % 3 else LEFT] * 2)
    sources = colony.sources("found")
    for _ in range(5):
        colony.step([STAY, STAY])
    ages = np.full(len(sources), 5.0)
    expected = sum(
        1.5 * exp(-(abs(x - 2) + abs(y - 6)) / 3) * 2 ** (-age / 4)
        for (x, y, _), age in zip(colony.sources("found"), ages, strict=True)
    )
    assert colony.scent("found", 2, 6) == pytest.approx(tanh(expected), abs=1e-12)
    assert colony.scent("found", -1, 0) == colony.scent("alarm", 2, 6) == 0
    play(colony, 60)
    assert len(colony.sources("found")) == 2  # the oldest gives way


def test_a_wound_by_a_predator_raises_the_alarm() -> None:
    hunters = Predators(count=8, kind="random", speed=1.0, detection=0.0, damage=1.0)
    dish = replace(BARE, size=6, predators=hunters, max_steps=60, reward=paying(damage=1.0))
    colony = Colony(replace(QUIET, dish=dish), 2)
    paid = [row for _ in range(60) if not colony.ended for row in colony.step([STAY, STAY])]
    assert min(paid) == -1
    assert len(colony.sources("alarm")) > 0
    assert colony.worm(0).figures()["damage"] + colony.worm(1).figures()["damage"] > 0


def test_company_saves_food() -> None:
    dish = replace(BARE, satiety=100.0, satiety_decay=1.0)
    near = replace(QUIET, dish=dish, company_hunger=0.7, company_radius=2.0)
    colony = Colony(near, 0)
    colony.step([STAY, STAY])
    assert colony.worm(0).figures()["satiety"] == pytest.approx(99.3)
    apart = Colony(replace(near, company_radius=1.0), 0)
    apart.step([STAY, STAY])
    assert apart.worm(0).figures()["satiety"] == 99


@pytest.mark.parametrize(("leaving", "alive"), [("freeze", 1), ("remove", 1), ("end_all", 0)])
def test_what_becomes_of_others_when_one_is_done(leaving: str, alive: int) -> None:
    dish = replace(BARE, foods=8, target=1, size=8, min_food_distance=1.0, exclusion=1.0)
    task = replace(QUIET, dish=dish, leaving=leaving, senses_company=True, company_radius=99.0)
    colony = Colony(task, 0)  # the second worm does not move, and begins on no food
    for action in [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0]:
        if colony.endings[0] is Ending.RUNNING:
            colony.step([action, STAY])
    assert colony.endings[0] is Ending.COMPLETED_ALL_FOOD
    assert (colony.endings[1] is Ending.RUNNING) == bool(alive)
    assert colony.ended == (alive == 0)
    company = colony.features[1, colony_feature_names(task).index("social_proximity.count")]
    assert company == pytest.approx(0.0 if leaving == "remove" else 0.1)
    if colony.ended:
        with pytest.raises(EpisodeOver):
            colony.step([STAY, STAY])


@pytest.mark.parametrize("sensing", ["oracle", "temporal", "derivative", "klinotaxis"])
def test_every_feature_has_a_name(sensing: str) -> None:
    task = find_colony_task(f"crowd-pursuit-small+{sensing}")
    names = colony_feature_names(task)
    assert Colony(task, 0).features.shape == (5, len(names))
    assert len(set(names)) == len(names)


def test_a_batch_plays_what_its_colonies_would() -> None:
    batch = ColonyBatch("crowd-pursuit-small", 3, autoreset=True)
    batch.begin(7)
    single = [Colony("crowd-pursuit-small", 7 + k) for k in range(3)]
    chance = np.random.default_rng(2)
    for _ in range(60):
        actions = chance.integers(0, 6, (3, 5))
        batch.step(actions)
        for k, colony in enumerate(single):
            if colony.ended:
                continue
            assert batch.rewards[k] == pytest.approx(colony.step(actions[k]), abs=1e-6)
            if not colony.ended:
                assert np.array_equal(batch.features[k], colony.features)
                assert batch.colony(k).hash() == colony.hash()


def test_a_batch_goes_on_from_its_state() -> None:
    batch = ColonyBatch("crowd-pursuit-small", 3, autoreset=True)
    fresh = batch.clone_state()
    batch.begin(7)
    chance = np.random.default_rng(2)
    rows = chance.integers(0, 6, (40, 3, 5))
    for actions in rows[:20]:
        batch.step(actions)
    state, other = batch.clone_state(), ColonyBatch("crowd-pursuit-small", 3, autoreset=True)
    other.restore_state(state)
    twin = copy(batch)
    for actions in rows[20:]:
        for one in (batch, other, twin):
            one.step(actions)
        for one in (other, twin):
            assert np.array_equal(one.features, batch.features)
            assert np.array_equal(one.rewards, batch.rewards)
            assert one.seeds.tolist() == batch.seeds.tolist()
    assert other.clone_state() == batch.clone_state() == twin.clone_state() != state
    other.restore_state(fresh)
    with pytest.raises(EpisodeOver, match="not begun"):
        other.step(rows[0])


def test_a_batch_takes_no_forged_state() -> None:
    batch = ColonyBatch("crowd-pursuit-small", 2)
    batch.begin(1)
    state = batch.clone_state()
    larger = ColonyBatch("crowd-pursuit-small", 3)
    larger.begin(1)
    other = ColonyBatch("crowd-foraging-small", 2)
    other.begin(1)
    middle = len(state) // 2
    forged = state[:middle] + bytes([state[middle] ^ 1]) + state[middle + 1 :]
    bad = [b"", state[:-1], state + b"0", forged, larger.clone_state(), other.clone_state()]
    for one in bad:
        with pytest.raises(OptionError, match="are no state of these colonies"):
            batch.restore_state(one)
    assert batch.clone_state() == state


def test_a_batch_begins_anew_with_the_next_seed() -> None:
    task = replace(find_colony_task("crowd-foraging-small"), worms=2)
    batch = ColonyBatch(replace(task, dish=replace(task.dish, max_steps=3)), 2, autoreset=True)
    batch.begin([5, 9])
    for _ in range(3):
        batch.step(np.zeros((2, 2), np.int32))
    assert batch.seeds.tolist() == [6, 10]
    assert batch.finished.tolist() == [1, 1]
    assert (batch.ended == Ending.MAX_STEPS).all()
    assert batch.last[..., 0].tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"worms": 11}, "number of worms 11"),
        ({"worms": 0}, "number of worms 0"),
        ({"worms": 2.5}, "number of worms 2.5"),
        ({"actions": 5}, "5 actions"),
        ({"contest": "fight"}, "contest 'fight'"),
        ({"leaving": "vanish"}, "leaving 'vanish'"),
        ({"dish": find_task("c3-continuous")}, "is no grid"),
    ],
)
def test_wrong_tasks_are_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        replace(QUIET, **change)


def test_plain_values_make_the_task_again() -> None:
    task = find_colony_task("crowd-pursuit-small+klinotaxis")
    assert ColonyTask.from_dict(task.to_dict()) == task
    assert set(task.native_terms()) == set(colony_term_names())
    with pytest.raises(OptionError, match="not a task for several worms"):
        ColonyTask.from_dict({"worms": 3})
    with pytest.raises(OptionError, match="try crowd-pursuit-small"):
        find_colony_task("crowd-pursuit-smal")


def test_wrong_actions_are_refused_and_nothing_is_played() -> None:
    colony = Colony(QUIET, 0)
    refused: list[Any] = [[0], [0, 1, 2], [0, 9], [0, -1], ["a", 0], [0.5, 0]]
    for wrong in refused:
        with pytest.raises(ActionError):
            colony.step(wrong)
    assert colony.steps == 0
    with pytest.raises(ActionError, match="give integers of shape"):
        ColonyBatch(QUIET, 2).step([0, 0])
    with pytest.raises(EpisodeOver, match="have not begun"):
        ColonyBatch(QUIET, 2).step(np.zeros((2, 2), np.int32))
