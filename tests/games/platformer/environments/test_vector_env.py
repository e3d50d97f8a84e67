from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.environments import PlatformerEnv, PlatformerVectorEnv

SHORT = Level.parse("M-----F\nXXXXXXX")
OTHER = Level.parse("-----------------------F\nM--g---k---SS----y------\nXXXXXXXXXXXXXXXXXXXX-XXX")
ACTIONS = np.random.default_rng(7).integers(0, 12, size=(300, 4))


def make(n: int = 4, **options: Any) -> PlatformerVectorEnv:
    envs = gymnasium.make_vec("ludus/Platformer-v0", num_envs=n, actions="discrete", **options)
    assert isinstance(envs, PlatformerVectorEnv)
    return envs


def same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b))


def test_it_steps_as_single_environments_do() -> None:
    options: dict[str, Any] = {"levels": [SHORT, OTHER], "time_limit": 5}
    singles = [PlatformerEnv(actions="discrete", **options) for _ in range(4)]
    envs = make(**options)
    observations, _ = envs.reset(seed=3)
    for k, env in enumerate(singles):
        own, _ = env.reset(seed=3 + k)
        assert all(same(own[part], observations[part][k]) for part in observations)
    over = [False] * 4
    for actions in ACTIONS:
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for k, env in enumerate(singles):
            if over[k]:
                own, own_info = env.reset()
                reward, ended, cut = 0.0, False, False
            else:
                own, reward, ended, cut, own_info = env.step(actions[k])
            over[k] = ended or cut
            assert (rewards[k], terminated[k], truncated[k]) == (reward, ended, cut)
            assert {name: infos[name][k] for name in own_info} == own_info
            assert all(same(own[part], observations[part][k]) for part in observations)
    assert any(infos["level"] == 1)


def trajectory(**options: Any) -> list[tuple[Any, ...]]:
    envs = make(levels=[SHORT, OTHER], observation="merged", time_limit=4, **options)
    envs.reset(seed=9)
    steps = (envs.step(actions)[:4] for actions in ACTIONS)
    return [tuple(np.array(part) for part in step) for step in steps]


@pytest.mark.parametrize(
    "options", [{"threads": 2}, {"threads": 3}, {"threads": 0}, {"copy": False}]
)
def test_threads_and_copies_change_nothing(options: dict[str, Any]) -> None:
    for a, b in zip(trajectory(), trajectory(**options), strict=True):
        assert all(same(x, y) for x, y in zip(a, b, strict=True))


def test_the_buffers_are_bound_once() -> None:
    envs = make(copy=False, observation="scene")
    first, _ = envs.reset(seed=0)
    assert envs.step(ACTIONS[0])[0] is first
    copies = make(observation="scene")
    first, _ = copies.reset(seed=0)
    assert copies.step(ACTIONS[0])[0] is not first


def test_numbers_of_any_kind_are_actions() -> None:
    plain, others = make(copy=False, observation="merged"), make(observation="merged")
    plain.reset(seed=0)
    others.reset(seed=0)
    for actions in ACTIONS[:30]:
        seen, *_ = plain.step(actions)
        assert same(seen, others.step(actions.astype(np.int8))[0])
        seen, *_ = plain.step(actions)
        assert same(seen, others.step(actions.tolist())[0])


def test_a_copy_of_bound_environments_has_facts_of_its_own() -> None:
    envs = make(copy=False, observation="merged")
    envs.reset(seed=0)
    later = copy.deepcopy(envs)
    for _ in range(10):
        _, _, _, _, infos = later.step(np.full(4, 5))
    assert infos["tick"].tolist() == [later.world(k).tick for k in range(4)]
    assert envs.step(np.full(4, 5))[4]["tick"].tolist() == [2] * 4


def test_same_step_hands_out_the_last_observation_of_the_ended_game() -> None:
    calm = make(levels=SHORT, observation="merged", time_limit=2, autoreset_mode="SameStep")
    assert calm.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    begun, _ = calm.reset(seed=0)
    right = np.full(4, 5)
    final = None
    for _ in range(60):
        observation, _, terminated, _, infos = calm.step(right)
        if terminated.any():
            final = infos
            break
    assert final is not None
    assert same(observation, begun)
    assert final["_final_obs"].all()
    assert final["final_obs"][0].shape == (16, 16)
    assert not same(final["final_obs"][0], begun[0])  # type: ignore[index]
    assert (final["final_info"]["status"] == 1).all()
    assert final["final_info"]["is_success"].all()


def test_disabled_wants_a_reset_of_the_ended_ones() -> None:
    envs = make(2, levels=[[SHORT], [OTHER]], autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    terminated = np.zeros(2, bool)
    while not terminated.any():
        terminated = envs.step(np.array([5, 0]))[2]
    with pytest.raises(EpisodeOver, match="environment 0"):
        envs.step(np.array([5, 0]))
    _, infos = envs.reset(options={"reset_mask": terminated})
    assert infos["tick"].tolist()[0] == 1
    assert infos["tick"].tolist()[1] > 1
    envs.step(np.array([5, 0]))


def test_levels_and_seeds_are_each_environment_s_own() -> None:
    envs = make(2, levels=[[SHORT], [OTHER]])
    assert envs.reset(seed=[4, 5])[1]["level"].tolist() == [0, 1]
    mixed = make(2, levels=[SHORT, OTHER])
    assert mixed.reset(options={"levels": [OTHER, SHORT]})[1]["level"].tolist() == [1, 0]
    again = [mixed.reset(seed=[8, 8])[1]["level"].tolist() for _ in range(5)]
    assert all(a == b for a, b in again)
    assert again.count(again[0]) == 5


def test_gymnasium_s_vector_wrappers_work() -> None:
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(make(levels=SHORT, time_limit=2))
    wrapped.reset(seed=0)
    seen = [wrapped.step(np.full(4, 5))[4] for _ in range(60)]
    assert any("episode" in infos for infos in seen)
    listed = gymnasium.wrappers.vector.DictInfoToList(make(levels=SHORT))
    assert listed.reset(seed=0)[1][0]["tick"] == 1


def test_pictures_come_one_an_environment() -> None:
    envs = make(2, observation="rgb", render_mode="rgb_array")
    pictures, _ = envs.reset(seed=0)
    assert pictures.shape == (2, 256, 256, 3)  # type: ignore[union-attr]
    assert same(envs.render(), pictures)


@pytest.mark.parametrize(
    "options",
    [
        {"num_envs": 0},
        {"threads": -1},
        {"levels": [[SHORT]]},
        {"render_mode": "ansi"},
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        PlatformerVectorEnv(**{"num_envs": 2, **options})


def test_wrong_calls_are_refused_and_change_nothing() -> None:
    envs = make(2, levels=SHORT)
    envs.reset(seed=0)
    before = envs.world(0).hash()
    wrong: Any
    for wrong in (np.array([0]), np.array([0, 12]), np.array([-1, 0]), [0, [1]], [0, 1.5], None):
        with pytest.raises(ActionError):
            envs.step(wrong)
    for options in (
        {"reset_mask": np.zeros(2, bool)},
        {"levels": [SHORT]},
        {"levels": [OTHER] * 2},
        {"levels": 5},
        {"level": SHORT},
    ):
        with pytest.raises(OptionError):
            envs.reset(options=options)
    seed: Any
    for seed in ([1], [1, 2.5], [1, "2"], 1.5, "12"):
        with pytest.raises(OptionError, match="seed"):
            envs.reset(seed=seed)
    with pytest.raises(IndexError):
        envs.world(2)
    assert envs.world(0).hash() == before
