"""Environments that are saved, restored, pickled or copied go on as they would have."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import ludus
from ludus.errors import OptionError
from ludus.games.platformer import Level, Physics, generators
from ludus.games.platformer.environments import PlatformerEnv, PlatformerVectorEnv
from ludus.games.worm import World
from ludus.games.worm.batch import Batch
from ludus.games.worm.environments import WormEnv, WormVectorEnv

LEVELS = [generators.generate("notch-framework", seed=seed) for seed in (1, 2)]
ELEMENTS = Level.parse("--v-----------\nM-=S-g-Tnk-NoF\nXXXXXXXXXXXXXX", rules="ludus")
STEPS = 60

SINGLE: dict[str, Callable[[], Any]] = {
    "platformer": lambda: PlatformerEnv(levels=LEVELS, actions="discrete", max_steps=40),
    "elements": lambda: PlatformerEnv(
        levels=ELEMENTS, physics=Physics(gravity=0.5), kill_events=[(9, 0)], observation="merged"
    ),
    "pixels": lambda: PlatformerEnv(observation="rgb", actions=[0, 10, 26]),
    "worm": lambda: WormEnv("pursuit-small"),
    "dish": lambda: WormEnv("c3-continuous"),
}


def platformers(mode: str) -> PlatformerVectorEnv:
    return PlatformerVectorEnv(
        5, threads=2, autoreset_mode=mode, levels=LEVELS, actions="discrete", max_steps=20
    )


def worms(mode: str) -> WormVectorEnv:
    return WormVectorEnv(5, "pursuit-small", threads=2, autoreset_mode=mode)


MANY: dict[str, Callable[[], Any]] = {
    f"{name} {mode}": partial(make, mode)
    for mode in ("NextStep", "SameStep")
    for name, make in (("platformer", platformers), ("worm", worms))
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def flatten(value: Any) -> list[Any]:
    """Return all that a step returned as plain values, to be compared."""
    if isinstance(value, dict):
        return [(name, flatten(value[name])) for name in sorted(value)]
    if isinstance(value, tuple | list):
        return [flatten(item) for item in value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [flatten(item) for item in value]
    if isinstance(value, np.ndarray):
        return [value.dtype.str, value.shape, value.tobytes()]
    return [value]


def play(env: Any, seed: int, steps: int = STEPS) -> list[Any]:
    """Play at random; an episode that ends is followed by one whose seed the environment draws."""
    env.action_space.seed(seed)
    seen = []
    for _ in range(steps):
        result = env.step(env.action_space.sample())
        seen.append(flatten(result))
        if isinstance(env, gymnasium.Env) and (result[2] or result[3]):
            seen.append(flatten(env.reset()))
    return seen


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", [*SINGLE, *MANY])
def test_a_copy_goes_on_alike_and_alone(name: str, copied: str) -> None:
    env = {**SINGLE, **MANY}[name]()
    env.reset(seed=3)
    play(env, 1)
    other = COPIES[copied](env)
    expected = play(env, 2)
    assert play(other, 2) == expected


@pytest.mark.parametrize("name", [*SINGLE, *MANY])
def test_a_state_leads_back_and_into_another_environment(name: str) -> None:
    make = {**SINGLE, **MANY}[name]
    env, other = make(), make()
    env.reset(seed=3)
    play(env, 1)
    state = env.clone_state()
    expected = play(env, 2)
    env.restore_state(state)
    other.restore_state(state)
    assert env.clone_state() == state
    assert play(env, 2) == expected
    assert play(other, 2) == expected


@pytest.mark.parametrize("name", SINGLE)
def test_chance_that_was_never_seeded_goes_on_alike(name: str) -> None:
    env = SINGLE[name]()
    env.reset()
    other = pickle.loads(pickle.dumps(env))
    assert float(env.np_random.random()) == float(other.np_random.random())
    assert flatten(env.reset()) == flatten(other.reset())


def test_an_environment_that_has_not_begun_can_be_copied() -> None:
    for make in (*SINGLE.values(), *MANY.values()):
        env = make()
        assert flatten(copy.copy(env).reset(seed=5)) == flatten(env.reset(seed=5))


def test_environments_of_gymnasium_make_are_pickled() -> None:
    assert ludus.__version__
    env = gymnasium.make("ludus/Platformer-v0", actions="discrete")
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env))
    assert flatten(other.step(3)) == flatten(env.step(3))


STATE = SINGLE["worm"]()
STATE.reset(seed=1)
STATE = STATE.clone_state()


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (b"", "these 0 bytes are no state of a WormEnv: they are too few"),
        (b"x" * 500, "they begin otherwise"),
        (STATE[:-1], "damaged or cut off"),
        (STATE + b"x", "damaged or cut off"),
        (STATE[:4] + b"\xff" + STATE[5:], "another version"),
        (STATE[:80] + b"\xff" + STATE[81:], "damaged or cut off"),
    ],
)
def test_a_wrong_state_is_refused_and_nothing_changes(state: bytes, reason: str) -> None:
    env = SINGLE["worm"]()
    env.reset(seed=4)
    before = env.clone_state()
    with pytest.raises(OptionError, match=reason):
        env.restore_state(state)
    assert env.clone_state() == before


@pytest.mark.parametrize(
    ("of", "into"),
    [
        ("worm", "platformer"),
        ("worm", "dish"),
        ("platformer", "elements"),
        ("platformer NextStep", "worm NextStep"),
    ],
)
def test_a_state_of_another_environment_is_refused(of: str, into: str) -> None:
    env, other = ({**SINGLE, **MANY}[name]() for name in (of, into))
    env.reset(seed=1)
    with pytest.raises(OptionError, match="no state of"):
        other.restore_state(env.clone_state())


def test_a_state_of_fewer_environments_is_refused() -> None:
    few, many = Batch("foraging-small", 2), Batch("foraging-small", 3)
    few.begin(1)
    many.begin(1)
    with pytest.raises(OptionError, match="a batch of 3 worlds of the same task"):
        many.restore_state(few.clone_state())


@pytest.mark.parametrize("copied", COPIES)
def test_a_batch_of_worms_is_copied_with_what_it_has_counted(copied: str) -> None:
    batch = Batch("foraging-small", 3, autoreset="same_step")
    batch.begin(1)
    actions = np.random.default_rng(1).integers(4, size=(400, 3))
    for row in actions:
        batch.step(row)
    other = COPIES[copied](batch)
    for each in (batch, other):
        each.step([0, 1, 2])
    assert batch.finished.sum() > 0
    for name in ("finished", "last", "seeds", "features", "rewards", "ended", "final_features"):
        np.testing.assert_array_equal(getattr(other, name), getattr(batch, name))


@pytest.mark.parametrize("copied", COPIES)
def test_a_worm_is_copied_with_its_path(copied: str) -> None:
    world = World("pursuit-small", seed=7)
    for action in (0, 1, 0, 0):
        world.step(action)
    other = COPIES[copied](world)
    assert other.hash() == world.hash()
    np.testing.assert_array_equal(other.path, world.path)
    assert other.step(0) == world.step(0)
    assert other.hash() == world.hash()


def test_a_worm_goes_back_to_a_state() -> None:
    world = World("pursuit-small", seed=7)
    state, before = world.clone_state(), world.hash()
    world.step(0)
    world.restore_state(state)
    assert world.hash() == before
    assert world.path.shape == (1, 2)
    with pytest.raises(OptionError, match="another level or task"):
        World("foraging-small", seed=7).restore_state(state)
