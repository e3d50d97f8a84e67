"""An episode of the environment is an episode of the track."""

from __future__ import annotations

import copy
import pickle
import warnings
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.mario_arena.environments import MarioArenaEnv, MarioArenaVectorEnv
from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.arena.game import ArenaMatch
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.levels.campaign import STAGES, campaign_proof
from ludus.games.sticky_actions import StickyActions

ALL_BUTTONS = list(range(32))
RUNNING = (2, 10, 18, 26, 26, 26, 26)
SAME = {
    "world": "world",
    "stage": "stage",
    "max_x_pos": "max_x_pos",
    "steps": "steps",
    "ticks": "ticks",
    "coins": "coins",
    "time_remaining": "time",
    "lives": "life",
    "deaths": "deaths",
    "levels_completed": "levels_completed",
    "completed": "is_success",
}
"""What the track calls a fact, and what the environment does."""


def make(**options: Any) -> MarioArenaEnv:
    env = gymnasium.make("ludus/MarioArena-v0", **options).unwrapped
    assert isinstance(env, MarioArenaEnv)
    return env


def play(env: MarioArenaEnv, seed: int, decisions: list[int]) -> dict[str, Any]:
    """Play decisions until the episode is over, and return the last info."""
    _, info = env.reset(seed=seed)
    for decision in decisions:
        _, _, terminated, truncated, info = env.step(decision)
        if terminated or truncated:
            break
    return info


def compare(env: MarioArenaEnv, info: dict[str, Any], match: ArenaMatch) -> None:
    facts = match.facts()
    assert {name: facts[name] for name in SAME} == {name: info[own] for name, own in SAME.items()}
    assert facts["state"] == f"{env.world.hash():016x}"


@pytest.mark.parametrize("track", ["mario-arena/1-1", "mario-arena/3-2", "mario-arena/full-game"])
def test_recorded_decisions_lead_to_the_episode_of_the_track(track: str) -> None:
    benchmark = find_benchmark(track)
    env = make(level=track.partition("/")[2], actions=ALL_BUTTONS)
    draws = Random(1)
    for description in benchmark.make_scenarios(5, 6):
        scenario = ArenaScenario.from_dict(description)
        match = ArenaMatch(scenario)
        while not match.over:
            match.step(draws.choice(RUNNING))
        info = play(env, scenario.seed, list(match.record()))
        compare(env, info, match)
        assert env.scenario.terms == scenario.terms
        assert env.scenario.stages == scenario.stages
        assert env.scenario.seed == scenario.seed
        assert info["score"] == benchmark.score(match.facts()).total
        with pytest.raises(EpisodeOver):
            env.step(0)


def test_levels_are_played_one_after_the_other() -> None:
    terms = StickyActions(frame_skip=1, sticky=0, no_ops=0, step_cap=9_000, lives=5)
    decisions = list(b"".join(map(campaign_proof, STAGES)))
    match = ArenaMatch(ArenaScenario("full-game", STAGES, 3, terms))
    env = make(level="full-game", actions=ALL_BUTTONS, terms=terms)
    env.reset(seed=3)
    flags = 0
    for decision in decisions:
        match.step(decision)
        _, _, terminated, truncated, info = env.step(decision)
        flags += info["flag_get"]
        if terminated or truncated:
            break
    assert match.over == (terminated or truncated)
    assert info["levels_completed"] == flags > 1
    compare(env, info, match)


def test_the_cap_truncates() -> None:
    env = make(level="1-1", terms=StickyActions(step_cap=7))
    env.reset(seed=1)
    steps = [env.step(0) for _ in range(7)]
    assert [step[2:4] for step in steps] == [(False, False)] * 6 + [(False, True)]


def test_many_environments_play_what_one_plays() -> None:
    seeds = [11, 12, 13]
    envs: Any = gymnasium.make_vec(
        "ludus/MarioArena-v0",
        num_envs=3,
        level=["1-1", "2-1"],
        autoreset_mode=AutoresetMode.DISABLED,
    )
    assert isinstance(envs.unwrapped, MarioArenaVectorEnv)
    ones = [make(level=["1-1", "2-1"]) for _ in seeds]
    first, infos = envs.reset(seed=seeds)
    for k, (one, seed) in enumerate(zip(ones, seeds, strict=True)):
        seen, info = one.reset(seed=seed)
        np.testing.assert_array_equal(seen, first[k])
        assert {name: infos[name][k] for name in info} == info
    draws = Random(4)
    for _ in range(12):
        actions = [draws.randrange(7) for _ in ones]
        seen, rewards, terminated, _, infos = envs.step(np.array(actions))
        for k, one in enumerate(ones):
            own, reward, over, _, info = one.step(actions[k])
            np.testing.assert_array_equal(own, seen[k])
            assert (reward, over) == (rewards[k], terminated[k])
            assert {name: infos[name][k] for name in info} == info
        if terminated.any():
            break


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_episodes_follow_each_other(mode: AutoresetMode) -> None:
    envs = MarioArenaVectorEnv(
        2, "1-1", terms=StickyActions(step_cap=3), autoreset_mode=mode, observation="pixels"
    )
    envs.reset(seed=1)
    steps = []
    for _ in range(9):
        _, _, _, truncated, infos = envs.step(np.zeros(2, int))
        steps.append(int(infos["steps"][0]))
        if mode is AutoresetMode.SAME_STEP and truncated.any():
            last = infos["final_obs"][0]
            assert last.shape == (4, 84, 84)
    again = [1, 2, 3, 0] if mode is AutoresetMode.NEXT_STEP else [1, 2, 3]
    assert steps == (again * 3)[:9]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"level": "full-game", "observation": "pixels", "render_mode": "rgb_array"},
        {"level": {"generator": "ludus", "seeds": 2, "length": 60}, "observation": "planes"},
        {"observation": ["classes", "scaled_state"], "actions": "RIGHT_ONLY"},
        {"observation": "merged", "actions": "buttons", "render_mode": "ansi"},
    ],
)
def test_gymnasium_finds_no_fault_and_warns_of_nothing(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(**options))


def test_info_has_the_names_that_people_know() -> None:
    _, info = make(level="2-3").reset(seed=1)
    names = ("x_pos", "y_pos", "world", "stage", "coins", "time", "life", "flag_get", "status")
    assert {*names, "score", "is_success"} <= set(info)
    assert (info["world"], info["stage"], info["life"]) == (2, 3, 1)
    assert (info["status"], info["flag_get"], info["is_success"]) == ("small", False, False)
    assert {type(value) for value in info.values()} == {int, float, bool, str}


def test_a_jump_raises_y() -> None:
    env = make(level="1-1", terms=StickyActions(sticky=0, no_ops=0))
    env.reset(seed=0)
    for _ in range(5):
        before = env.step(0)[4]["y_pos"]
    env.step(5)
    assert env.step(5)[4]["y_pos"] > before


@pytest.mark.parametrize("observation", ["fields", "pixels"])
@pytest.mark.parametrize("copied", ["state", "pickle", "deepcopy"])
def test_a_copy_goes_on_alike(observation: str, copied: str) -> None:
    env = make(level="full-game", observation=observation)
    env.reset(seed=5)
    draws = Random(2)
    for _ in range(30):
        env.step(draws.choice((3, 4)))
    if copied == "state":
        other = make(level="full-game", observation=observation)
        other.restore_state(env.clone_state())
    else:
        other = pickle.loads(pickle.dumps(env)) if copied == "pickle" else copy.deepcopy(env)
    for _ in range(60):
        action = draws.choice((3, 4, 4))
        (seen, *paid), (same, *others) = env.step(action), other.step(action)
        np.testing.assert_array_equal(seen, same)
        assert paid == others
        if paid[1]:
            break
    assert env.scenario == other.scenario


def test_a_wrong_state_changes_nothing() -> None:
    env = make(level="1-1", observation="pixels")
    env.reset(seed=5)
    before, whole = env.world.hash(), make(level="full-game", observation="pixels")
    whole.reset(seed=5)
    plain = make(level="1-1")
    plain.reset(seed=5)
    for state in (b"", env.clone_state()[:-1], whole.clone_state(), plain.clone_state()):
        with pytest.raises(OptionError):
            env.restore_state(state)
    assert env.world.hash() == before


def test_episodes_without_a_seed_are_reproducible_and_differ() -> None:
    def seeds() -> list[int]:
        env = make(level="1-1")
        env.reset(seed=9)
        drawn = [env.scenario.seed]
        for _ in range(3):
            env.reset()
            drawn.append(env.scenario.seed)
        return drawn

    assert seeds() == seeds()
    assert len(set(seeds())) == 4


def test_a_generated_level_is_of_no_track() -> None:
    level = Level.parse("M-----F\nXXXXXXX")
    env = make(level=level, actions=[10], terms=StickyActions(sticky=0, no_ops=0))
    _, info = env.reset(seed=1)
    while not info["is_success"]:
        _, _, terminated, _, info = env.step(0)
    assert terminated
    assert info["flag_get"]
    assert info["score"] > 1_000_000
    with pytest.raises(OptionError, match="of no track"):
        env.scenario  # noqa: B018


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "9-1"}, "no level '9-1'"),
        ({"level": []}, "level is empty"),
        ({"level": None}, "no level None"),
        ({"level": {"1-1", "2-1"}}, "is a set, which has no order: give a list"),
        ({"level": "full_game"}, "the whole campaign is 'full-game'"),
        ({"level": "FullGame"}, "the whole campaign is 'full-game'"),
        ({"terms": 3}, "terms 3 are none"),
        ({"reward": 3}, "reward 3 is none"),
        ({"frame_skip": 2}, "protocol is fixed, has no option 'frame_skip'"),
        ({"actions": "ALL_MOVEMENT"}, "SIMPLE_MOVEMENT"),
        ({"observation": "pixel"}, "observation 'pixel' is unknown"),
        ({"render_mode": "video"}, "render_mode 'video' is unknown"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        MarioArenaEnv(**options)


def test_wrong_actions_and_seeds_are_named() -> None:
    env = make()
    env.reset(seed=2**64 - 1)
    with pytest.raises(ActionError, match="actions are float64, not whole numbers"):
        env.step(float("nan"))
    with pytest.raises(OptionError, match="seed 18446744073709551616 is out of range"):
        env.reset(seed=2**64)
