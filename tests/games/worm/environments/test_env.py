from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.worm import World, find_task
from ludus.games.worm.environments import WormEnv


def make(**options: Any) -> WormEnv:
    env = gymnasium.make("ludus/Worm-v0", **options).unwrapped
    assert isinstance(env, WormEnv)
    return env


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"task": "predator-small@e25", "render_mode": "ansi"},
        {"task": "thermal-pursuit-medium+klinotaxis", "render_mode": "rgb_array"},
        {"task": "oxygen-thermal-stationary-large+derivative"},
        {"task": "c3-continuous+klinotaxis"},
        {"task": "c3-continuous", "actions": "discrete"},
    ],
)
def test_gymnasium_finds_no_fault(options: dict[str, Any]) -> None:
    check_env(make(**options))


def test_an_episode_is_that_of_its_seed() -> None:
    env, world = make(task="pursuit-small"), World("pursuit-small", 7)
    observation, info = env.reset(seed=7)
    assert (observation == world.features).all()
    assert info["reason"] == ""
    over = False
    for k in range(500):
        observation, reward, terminated, truncated, info = env.step(k % 3)
        assert reward == np.float32(world.step(k % 3))
        assert (observation == world.features).all()
        over = terminated or truncated
        assert over == world.ended
        assert (info["x"], info["y"]) == world.worm
        if over:
            break
    assert over
    assert info["reason"] == world.ending.reason
    assert info["total_reward"] == world.figures()["total_reward"]


def test_seeds_count_up_from_reset_to_reset() -> None:
    env = make()
    env.reset(seed=41)
    assert (env.reset()[0] == World("foraging-small", 42).features).all()
    assert (env.reset()[0] == World("foraging-small", 43).features).all()
    assert (env.reset(seed=41)[0] == World("foraging-small", 41).features).all()


def test_without_a_seed_episodes_differ() -> None:
    assert (make().reset()[0] != make().reset()[0]).any()


def test_running_out_of_steps_is_truncation_and_dying_is_not() -> None:
    env = make(task=replace(find_task("foraging-small"), max_steps=3))
    env.reset(seed=1)
    ends = [env.step(3)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    with pytest.raises(EpisodeOver, match="call reset"):
        env.step(3)
    env = make(task=replace(find_task("foraging-small"), satiety=2.0))
    env.reset(seed=1)
    assert [env.step(3)[2:4] for _ in range(2)] == [(False, False), (True, False)]


def test_looking_ahead_changes_nothing() -> None:
    env = make()
    env.reset(seed=3)
    env.world.step(0)
    assert env.world.steps == 0


def test_pictures() -> None:
    env = make(render_mode="rgb_array")
    env.reset(seed=3)
    before = env.render()
    env.step(0)
    after = env.render()
    assert before.shape == after.shape
    assert before.dtype == np.uint8
    assert (before != after).any()
    text = make(render_mode="ansi")
    text.reset(seed=3)
    assert text.render().count("▲") == 1
    silent = make()
    silent.reset(seed=3)
    assert silent.render() is None


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="render_mode 'human'"):
        WormEnv(render_mode="human")
    with pytest.raises(OptionError, match="actions 'wheel' are unknown"):
        WormEnv(actions="wheel")
    with pytest.raises(OptionError, match="whose worm is not steered"):
        WormEnv(actions="steering")
    with pytest.raises(OptionError, match="no task 'zebra'"):
        WormEnv("zebra")
    env = WormEnv()
    with pytest.raises(EpisodeOver, match="call begin"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(ActionError, match="out of range"):
        env.step(4)
