from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ludus.errors import OptionError
from ludus.games.worm import Ending, World, find_task
from ludus.games.worm.environments import WormVectorEnv

SHORT = replace(find_task("pursuit-small"), max_steps=4)


def test_gymnasium_makes_it() -> None:
    envs = gymnasium.make_vec("ludus/Worm-v0", num_envs=3, task="foraging-medium")
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (3, 2)
    observations, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
    assert observations in envs.observation_space
    assert rewards.shape == terminated.shape == truncated.shape == (3,)


def test_environments_are_seeded_one_by_one() -> None:
    envs = WormVectorEnv(3)
    first, _ = envs.reset(seed=5)
    same, _ = envs.reset(seed=[5, 6, 7])
    assert (first == same).all()
    for k in range(3):
        assert (first[k] == World("foraging-small", 5 + k).features).all()
    following, _ = envs.reset()
    assert (following[0] == World("foraging-small", 6).features).all()
    mixed, _ = envs.reset(seed=[5, None, 7])
    assert (mixed[0] == first[0]).all()
    assert (mixed[2] == first[2]).all()


def run_to_the_end(envs: WormVectorEnv) -> tuple[Any, ...]:
    envs.reset(seed=[1, 2])
    for _ in range(3):
        envs.step([3, 3])
    return envs.step([3, 3])


def test_next_step() -> None:
    envs = WormVectorEnv(2, SHORT)
    end, _, terminated, truncated, infos = run_to_the_end(envs)
    assert truncated.all()
    assert not terminated.any()
    assert infos["steps"].tolist() == [4, 4]
    assert infos["_steps"].all()
    fresh, rewards, terminated, truncated, infos = envs.step([0, 0])
    assert (fresh[0] == World(SHORT, 2).features).all()
    assert (fresh != end).any()
    assert not np.concatenate([rewards, terminated, truncated]).any()
    assert not infos


def test_same_step() -> None:
    envs = WormVectorEnv(2, SHORT, autoreset_mode=AutoresetMode.SAME_STEP)
    fresh, _, _, truncated, infos = run_to_the_end(envs)
    assert truncated.all()
    assert (fresh[0] == World(SHORT, 2).features).all()
    assert infos["_final_obs"].all()
    alone = World(SHORT, 1)
    while not alone.ended:
        alone.step(3)
    assert (infos["final_obs"][0] == alone.features).all()
    assert infos["final_info"]["ending"].tolist() == [Ending.MAX_STEPS] * 2


def test_disabled() -> None:
    envs = WormVectorEnv(2, SHORT, autoreset_mode=AutoresetMode.DISABLED)
    end, *_ = run_to_the_end(envs)
    seen, _ = envs.reset(options={"reset_mask": np.array([False, True])})
    assert (seen[0] == end[0]).all()
    assert (seen[1] == World(SHORT, 3).features).all()


def test_copies_are_kept_and_buffers_are_not() -> None:
    for copy in (True, False):
        envs = WormVectorEnv(2, copy=copy)
        first, _ = envs.reset(seed=1)
        before = first.copy()
        envs.step([0, 0])
        assert (first == before).all() == copy


def test_pictures() -> None:
    envs = WormVectorEnv(2, render_mode="rgb_array")
    envs.reset(seed=1)
    pictures = envs.render()
    assert pictures is not None
    assert len(pictures) == 2
    assert (pictures[0] != pictures[1]).any()
    assert WormVectorEnv(1).render() is None
    assert envs.world(1).seed == 2


def test_a_dish_is_steered() -> None:
    envs = WormVectorEnv(2, "c3-continuous+klinotaxis")
    envs.reset(seed=1)
    observations, *_ = envs.step(envs.action_space.sample())
    assert observations in envs.observation_space


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="num_envs 0"):
        WormVectorEnv(0)
    with pytest.raises(OptionError, match="render_mode 'human'"):
        WormVectorEnv(1, render_mode="human")
    with pytest.raises(OptionError, match="1 seeds were given"):
        WormVectorEnv(2).reset(seed=[1])
    for mask in (np.zeros(2, np.bool_), np.ones(3, np.bool_), np.ones(2)):
        with pytest.raises(OptionError, match="reset_mask"):
            WormVectorEnv(2).reset(options={"reset_mask": mask})
