import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import ludus  # noqa: F401 - registers the environments
from ludus.errors import OptionError
from ludus.games.platformer.environments import PlatformerEnv, PlatformerVectorEnv, Reward

ARENA, PLATFORMER = "ludus/MarioArena-v0", "ludus/Platformer-v0"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "a"}, "size 'a' is no whole number: give size=1"),
        ({"size": 1.5}, "size 1.5 is no whole number"),
        ({"size": (3, 3, 3)}, "is no pair of numbers: give size=(1, 1)"),
        ({"detail": 1}, "detail 1 is no pair"),
        ({"observation": 3}, "observation 3 is unknown: try one of scene"),
        ({"observation": None}, "observation None is unknown"),
        ({"actions": None}, "actions None is no whole number"),
        ({"actions": [1.5]}, "actions 1.5 is no whole number"),
        ({"actions": [[3]]}, "there is no button '3'"),
        ({"frame_skip": "a"}, "frame_skip 'a' is no whole number"),
        ({"frame_skip": 10**12}, "is out of range: give 2147483647 or less"),
        ({"max_steps": 1.5}, "max_steps 1.5 is no whole number"),
        ({"levels": 3}, "no level 3: give 1-1"),
        ({"levels": {"sprint-01"}}, "{'sprint-01'} is a set, which has no order: give a list"),
        ({"levels": "x" * 5000}, "no level 'xxx"),
        ({"rules": 3}, "rules 3 are no text"),
        ({"level": "1-1"}, "the environment has no option 'level'; did you mean 'levels'?"),
        ({"frameskip": 4}, "did you mean 'frame_skip'?"),
    ],
)
def test_an_option_of_another_kind_is_one_line(options: dict[str, Any], message: str) -> None:
    for make in (PlatformerEnv, PlatformerVectorEnv):
        with pytest.raises(OptionError, match=re.escape(message)) as caught:
            make(**options)
        assert len(str(caught.value)) < 500


def test_an_option_that_the_arena_has_not_is_named_with_the_likeliest() -> None:
    with pytest.raises(OptionError, match="did you mean 'level'"):
        gymnasium.make(ARENA, levl="1-1")


def test_numbers_and_lists_may_be_numpy_s() -> None:
    env = PlatformerEnv(size=np.int64(8), actions=np.array([0, 2]), frame_skip=np.int32(2))
    observation, _ = env.reset(seed=1)
    assert isinstance(observation, dict)
    assert observation["scene"].shape == (8, 8)
    assert env.action_space == gymnasium.spaces.Discrete(2)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), "1", None])
def test_a_reward_has_finite_weights(weight: Any) -> None:
    with pytest.raises(OptionError, match=r"the reward's coin .* is no finite number"):
        Reward(coin=weight)
    assert Reward(coin=np.float32(2)).coin == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 10**9}, "num_envs 1000000000 is too large"),
        ({"num_envs": "a"}, "num_envs 'a' is no whole number"),
        ({"num_envs": 1, "autoreset_mode": "x"}, "autoreset_mode 'x' is unknown: try 'NextStep'"),
    ],
)
def test_vector_environments_refuse_what_they_cannot_do(
    options: dict[str, Any], message: str
) -> None:
    for name in (ARENA, PLATFORMER):
        with pytest.raises(OptionError, match=message):
            gymnasium.make_vec(name, **options)


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_a_state_may_be_any_bytes(form: Callable[[bytes], Any]) -> None:
    env = PlatformerEnv()
    env.reset(seed=1)
    env.restore_state(form(env.clone_state()))


@pytest.mark.parametrize("state", [None, 3, "state"])
def test_what_is_no_bytes_is_no_state(state: Any) -> None:
    env = PlatformerEnv()
    env.reset(seed=1)
    with pytest.raises(OptionError, match="is no state: give what clone_state"):
        env.restore_state(state)
