from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.platformer import Button, Level, World
from ludus.games.platformer.environments import PlatformerEnv
from ludus.games.platformer.environments.options import Reward

SHORT = Level.parse("M-----F\nXXXXXXX")
OTHER = Level.parse("M-----------F\nXXXXXXXXXXXXX")
COINS = Level.parse("M--ooo--F\nXXXXXXXXX")
RUN = int(Button.RIGHT | Button.SPEED)


def make(**options: Any) -> PlatformerEnv:
    env = gymnasium.make("ludus/Platformer-v0", **options).unwrapped
    assert isinstance(env, PlatformerEnv)
    return env


def finish(env: PlatformerEnv, action: int = 0) -> tuple[float, dict[str, Any]]:
    env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        over = terminated or truncated
    return total, info


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"observation": "merged", "actions": "discrete", "size": (7, 22)},
        {"observation": "rgb", "actions": [0, 2, 10, 26], "render_mode": "rgb_array"},
        {"observation": ["state", "rgb"], "centre": "screen", "render_mode": "ansi"},
        {"levels": [SHORT, OTHER, "sprint-02"], "detail": (2, 2), "frame_skip": 4, "max_steps": 9},
    ],
)
def test_gymnasium_finds_no_fault(options: dict[str, Any]) -> None:
    check_env(make(**options))


@pytest.mark.parametrize(
    ("options", "meanings"),
    [
        ({"actions": "RIGHT_ONLY"}, ["NOOP", "right", "right A", "right B", "right A B"]),
        ({"actions": [["down"], []]}, ["down", "NOOP"]),
        ({"actions": [0, 2, 26]}, ["NOOP", "RIGHT", "RIGHT SPEED JUMP"]),
        ({"actions": [0, 10], "buttons": "2009"}, ["NOOP", "RIGHT JUMP"]),
        ({}, ["LEFT", "RIGHT", "DOWN", "SPEED", "JUMP"]),
        ({"buttons": "2010"}, ["LEFT", "RIGHT", "DOWN", "JUMP", "SPEED", "UP"]),
    ],
)
def test_actions_say_what_they_hold(options: dict[str, Any], meanings: list[str]) -> None:
    assert make(**options).get_action_meanings() == meanings


def test_every_discrete_action_has_a_meaning_of_its_own() -> None:
    meanings = make(actions="discrete").get_action_meanings()
    assert meanings[0] == "NOOP"
    assert len(set(meanings)) == 12


def test_films_are_as_fast_as_the_game() -> None:
    assert make().metadata["render_fps"] == 30
    assert make(frame_skip=4).metadata["render_fps"] == 7.5
    assert PlatformerEnv.metadata["render_fps"] == 30
    envs = gymnasium.make_vec("ludus/MarioArena-v0", num_envs=2)
    assert envs.unwrapped.metadata["render_fps"] == 7.5


def test_progress_pays_the_tiles_that_mario_came_forward() -> None:
    total, info = finish(make(levels=SHORT, actions=[RUN]))
    assert total == pytest.approx((info["x"] - 8) / 16)
    assert info["status"] == 1


def test_each_weight_pays_for_what_it_names() -> None:
    none = {"progress": 0.0}
    assert finish(make(levels=SHORT, actions=[RUN], reward=Reward(**none, win=5)))[0] == 5
    assert (
        finish(make(levels=SHORT, actions=[0], time_limit=2, reward=Reward(**none, loss=-3)))[0]
        == -3
    )
    total, info = finish(make(levels=COINS, actions=[RUN], reward=Reward(**none, coin=2)))
    assert total == 2 * info["coins"] == 6
    total, info = finish(make(levels=SHORT, actions=[RUN], reward=Reward(**none, tick=-1)))
    assert total == 1 - info["tick"]


def test_power_pays_for_growing_and_costs_for_shrinking() -> None:
    goomba = Level.parse("-M--g----F\nXXXXXXXXXX")
    env = make(levels=goomba, mode=2, actions=[2], reward=Reward(progress=0, power=1))
    total, info = finish(env)
    assert total == info["mode"] - 2 == -1


def test_a_kill_pays_once_though_a_pause_logs_its_events_again() -> None:
    # His fireball kills one creature in the tick in which another one hurts him.
    crowd = Level.parse("---------------\n-----gMk-gk---F\nXXXXXXXXXXXXXXX")
    env = make(levels=crowd, mode=2, actions=[0, 8, 16], reward=Reward(progress=0, kill=1))
    env.reset()
    assert env.step(2)[1] == 0
    assert env.step(1)[1] == 1
    paid = [env.step(0) for _ in range(9)]
    assert [step[1] for step in paid] == [0] * 9
    assert paid[-1][4]["kills"] == 10


def test_info_is_plain_numbers() -> None:
    _, info = make().reset(seed=3)
    assert {type(value) for value in info.values()} == {int, float, bool}
    assert set(info) == {
        "x",
        "y",
        "status",
        "tick",
        "timer",
        "mode",
        "coins",
        "lives",
        "kills",
        "level",
        "is_success",
    }


def test_the_seed_decides_the_levels() -> None:
    env = make(levels=[SHORT, OTHER, COINS])

    def drawn(seed: int) -> list[int]:
        first = env.reset(seed=seed)[1]["level"]
        return [first, *(env.reset()[1]["level"] for _ in range(20))]

    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)
    assert set(drawn(5)) == {0, 1, 2}


def test_a_level_can_be_asked_for() -> None:
    env = make(levels=[SHORT, OTHER])
    assert env.reset(options={"level": OTHER})[1]["level"] == 1
    with pytest.raises(OptionError, match="none of the environment's levels"):
        env.reset(options={"level": COINS})


def test_the_world_handed_out_is_a_copy() -> None:
    env = make(levels=SHORT, actions=[RUN])
    env.reset()
    env.world.step(RUN)
    assert env.world.tick == 1
    env.step(0)
    expected = World(SHORT, 0, 200)
    expected.step(RUN)
    assert env.world.hash() == expected.hash()


def test_buttons_mean_what_their_places_say() -> None:
    env = make(levels=OTHER)
    for k, button in enumerate((Button.LEFT, Button.RIGHT, Button.DOWN, Button.SPEED, Button.JUMP)):
        env.reset()
        env.step(np.eye(5, dtype=np.int8)[k])
        expected = World(OTHER, 0, 200)
        expected.step(int(button))
        assert env.world.hash() == expected.hash()


def test_frame_skip_holds_the_action_and_stops_at_the_end() -> None:
    env = make(levels=SHORT, actions=[RUN], frame_skip=7)
    env.reset()
    assert env.step(0)[4]["tick"] == 8
    _, info = finish(env)
    assert info["tick"] == World(SHORT).tick + World(SHORT).run(np.full(99, RUN, np.uint8))


def test_max_steps_truncates() -> None:
    env = make(levels=SHORT, max_steps=3, actions=[0])
    env.reset()
    assert [env.step(0)[2:4] for _ in range(3)] == [(False, False), (False, False), (False, True)]
    with pytest.raises(EpisodeOver, match=r"reset\(\)"):
        env.step(0)


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(EpisodeOver, match="reset"):
        make(actions=[0]).step(0)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"observation": "smell"}, "smell"),
        ({"observation": ()}, "empty"),
        ({"actions": "keys"}, "keys"),
        ({"actions": [40]}, "40"),
        ({"size": 0}, "0"),
        ({"detail": (3, 0)}, "3"),
        ({"centre": "moon"}, "moon"),
        ({"frame_skip": 0}, "frame_skip"),
        ({"max_steps": -1}, "max_steps"),
        ({"levels": []}, "empty"),
        ({"levels": "sprint-99"}, "sprint-99"),
        ({"mode": 7}, "7"),
        ({"time_limit": -1}, "-1"),
        ({"render_mode": "hologram"}, "hologram"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], word: str) -> None:
    with pytest.raises(OptionError, match=word):
        PlatformerEnv(**options)


@pytest.mark.parametrize("action", [-1, 12, 99])
def test_wrong_actions_are_named_and_change_nothing(action: int) -> None:
    env = make(levels=SHORT, actions="discrete")
    env.reset()
    before = env.world.hash()
    with pytest.raises(ActionError, match=str(action)):
        env.step(action)
    assert env.world.hash() == before


def test_wrong_buttons_are_refused() -> None:
    env = make(levels=SHORT)
    env.reset()
    with pytest.raises(ActionError, match="2 is out of range"):
        env.step(np.array([0, 0, 2, 0, 0]))
    wrong: dict[str, Any] = {
        r"shape \(2,\): give \(5,\)": np.array([0, 0]),
        r"shape \(1, 5\): give \(5,\)": np.zeros((1, 5)),
        "have no shape": [[0, 1], [0]],
        "0.5 is out of range": [0, 0.5, 0, 0, 0],
        "nan is out of range": [0, float("nan"), 0, 0, 0],
        "not whole numbers": list("right"),
    }
    before = env.world.hash()
    for message, action in wrong.items():
        with pytest.raises(ActionError, match=message):
            env.step(action)
    assert env.world.hash() == before
    env.step([0, 1.0, 0, 0, 0])


def test_an_action_that_is_no_number_is_named() -> None:
    env = make(levels=SHORT, actions="discrete")
    env.reset()
    with pytest.raises(ActionError, match=r"shape \(1,\): give one number"):
        env.step([1])
    with pytest.raises(ActionError, match="not whole numbers"):
        env.step(None)
