from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ludus.errors import OptionError
from ludus.games.platformer.environments import PlatformerVectorEnv
from ludus.games.vector_env import NativeVectorEnv, expand_seeds, reset_mask
from ludus.games.worm.environments import WormVectorEnv

BOTH = pytest.mark.parametrize("kind", [PlatformerVectorEnv, WormVectorEnv])


@BOTH
@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"num_envs": 0}, "num_envs 0"),
        ({"threads": -1}, "threads -1"),
        ({"render_mode": "human"}, "render_mode 'human'"),
    ],
)
def test_wrong_options_are_refused(
    kind: Callable[..., Any], options: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(OptionError, match=wrong):
        kind(**options)


@BOTH
def test_both_show_their_mode_their_spaces_and_pictures(kind: Callable[..., Any]) -> None:
    envs: Any = kind(2, autoreset_mode=AutoresetMode.SAME_STEP, render_mode="rgb_array")
    envs.reset(seed=3)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert NativeVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.action_space.shape[0] == 2
    assert [picture.ndim for picture in envs.render()] == [3, 3]


@BOTH
def test_copies_stay_and_buffers_change(kind: Callable[..., Any]) -> None:
    for copy in (True, False):
        envs: Any = kind(2, copy=copy)
        envs.reset(seed=1)
        envs.action_space.seed(1)
        first = envs.step(envs.action_space.sample())[0]
        before = {name: array.copy() for name, array in _arrays(first).items()}
        for _ in range(9):
            envs.step(envs.action_space.sample())
        same = [np.array_equal(before[name], array) for name, array in _arrays(first).items()]
        assert all(same) == copy


@BOTH
def test_what_is_still_used_is_never_filled_again(kind: Callable[..., Any]) -> None:
    envs: Any = kind(2)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    rewards = [envs.step(envs.action_space.sample())[1] for _ in range(9)]
    assert len({array.ctypes.data for array in rewards}) == 9
    del rewards[:]
    unused = {envs.step(envs.action_space.sample())[1].ctypes.data for _ in range(9)}
    assert len(unused) < 5


def _arrays(observation: Any) -> dict[str, Any]:
    return observation if isinstance(observation, dict) else {"all": observation}


def test_seeds_are_counted_up_or_taken_one_by_one() -> None:
    assert expand_seeds(5, 3) == [5, 6, 7]
    assert expand_seeds([4, None], 2) == [4, None]
    with pytest.raises(OptionError, match="2 seeds were given: give one, or 3"):
        expand_seeds([1, 2], 3)


@pytest.mark.parametrize("mask", [[True], [1, 0], np.zeros(2, np.bool_)])
def test_masks_that_make_no_sense_are_refused(mask: Any) -> None:
    with pytest.raises(OptionError, match="give 2 booleans"):
        reset_mask({"reset_mask": mask}, 2)
