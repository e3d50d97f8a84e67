"""Observations that learners take as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, World
from ludus.games.platformer._native import sight_fields, sight_picture
from ludus.games.platformer.environments import (
    COMPLEX_MOVEMENT,
    SIMPLE_MOVEMENT,
    PlatformerEnv,
    PlatformerVectorEnv,
)
from ludus.games.platformer.environments.learner_views import CLASSES, LEARNER_PARTS
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.campaign import campaign_level

LEVEL = Level.parse("-------\n-o-?---\n-------\nM--g--F\nXXXXXXX")


def see(part: str, **options: Any) -> Any:
    env = PlatformerEnv(levels=LEVEL, observation=part, actions=[0, 2], **options)
    env.reset(seed=1)
    observation = env.step(1)[0]
    assert env.observation_space.contains(observation)
    return observation


@pytest.mark.parametrize("part", LEARNER_PARTS)
def test_many_environments_see_what_one_sees(part: str) -> None:
    envs = PlatformerVectorEnv(3, levels=LEVEL, observation=(part, "state"), actions=[0, 2])
    envs.reset(seed=1)
    seen = envs.step(np.array([1, 1, 1]))[0]
    assert envs.observation_space.contains(seen)
    for k in range(3):
        np.testing.assert_array_equal(seen[part][k], see(part))


def test_classes_and_planes_say_what_a_cell_is() -> None:
    classes, planes = see("classes", layout="rows"), see("planes", layout="rows")
    names = ["air", *CLASSES]
    shown = {names[number] for number in np.unique(classes)}
    assert {"air", "solid", "coin", "question block", "creature to stomp"} <= shown
    for number, plane in enumerate(planes, 1):
        np.testing.assert_array_equal(plane, classes == number)


def test_the_state_is_scaled_to_one() -> None:
    assert np.abs(see("scaled_state")).max() <= 1
    assert see("scaled_state")[1] == pytest.approx(see("state")[1] / 256)


def test_fields_are_those_of_our_own_training() -> None:
    env = PlatformerEnv(levels=LEVEL, observation="fields", actions=[2])
    env.reset(seed=1)
    observation: Any = env.step(0)[0]
    np.testing.assert_array_equal(observation * 64, sight_fields(env.world))


def test_pixels_are_the_last_four_pictures() -> None:
    env = PlatformerEnv(levels="1-1", observation="pixels", actions=[10], frame_skip=4)
    first: Any = env.reset(seed=1)[0]
    assert all((first[k] == first[0]).all() for k in range(4))
    seen: list[Any] = [env.step(0)[0] for _ in range(5)]
    last = seen.pop()
    seen = [one[3] for one in (first, *seen)]
    np.testing.assert_array_equal(last[:3], seen[-3:])
    assert (last[3] != last[2]).any()


def test_pixels_show_the_screen_as_our_own_pictures_do() -> None:
    env = PlatformerEnv(levels="1-1", observation="pixels", actions=[10], frame_skip=4)
    env.reset(seed=1)
    played: list[Any] = [env.step(0)[0] for _ in range(20)]
    seen = played[-1][3]
    small = sight_picture(env.world)
    edges = (np.arange(64) * 84 // 64 + 84 // 128).clip(0, 83)
    assert (seen[np.ix_(edges, edges)] == small).mean() > 0.9
    assert np.unique(seen).tolist() == np.unique(small).tolist()


def test_learner_views_are_for_our_own_rules() -> None:
    with pytest.raises(OptionError, match="not for the rules '2009'"):
        PlatformerEnv(levels=generate("notch-2009", seed=1), observation="pixels")


# ---- actions


def test_action_sets_have_the_order_of_gym_super_mario_bros() -> None:
    bits = {"NOOP": 0, "left": 1, "right": 2, "down": 4, "up": 0, "A": 16, "B": 8}
    for name, actions in (
        ("SIMPLE_MOVEMENT", SIMPLE_MOVEMENT),
        ("COMPLEX_MOVEMENT", COMPLEX_MOVEMENT),
    ):
        for given in (name, actions):
            env = PlatformerEnv(levels="1-1", actions=given)
            for number, action in enumerate(actions):
                expected = World(campaign_level("1-1"), 0, 200)
                expected.step(sum(bits[button] for button in action))
                env.reset(seed=1)
                env.step(number)
                assert env.world.hash() == expected.hash()


def test_an_unknown_button_is_named() -> None:
    for actions in (["right"], [["right"], 0], [0, ["right"]]):
        with pytest.raises(OptionError, match="give lists of buttons such as"):
            PlatformerEnv(actions=actions)
    with pytest.raises(OptionError, match="no button 'SELECT'"):
        PlatformerEnv(actions=[["select"]])
