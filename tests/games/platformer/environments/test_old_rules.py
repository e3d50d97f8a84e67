"""Environments, matches and pictures under every rule set."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from ludus.benchmarks import Benchmark, Score
from ludus.errors import OptionError
from ludus.games.platformer import Level, World, replay
from ludus.games.platformer.environments import EnvOptions, PlatformerEnv, PlatformerVectorEnv
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.generators import generate
from ludus.games.platformer.pictures import frame, level_picture
from ludus.games.platformer.scenario import Scenario
from ludus.testing import check_benchmark

RULES = ("framework", "ludus", "2009", "2010")
LEVEL = "\n".join(["-" * 40] * 13 + ["M" + "-" * 37 + "F-", "X" * 40])


def level_for(rules: str) -> Level:
    generators = {"2009": "notch-2009", "2010": "tunable-2010"}
    if rules in generators:
        return generate(generators[rules], seed=3, difficulty=3, width=100)
    return Level.parse(LEVEL, rules=rules)


@pytest.mark.parametrize("rules", RULES)
def test_an_environment_of_any_rules_keeps_the_promises_of_gymnasium(rules: str) -> None:
    env = PlatformerEnv(levels=level_for(rules))
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("rules", RULES)
def test_any_level_can_be_played_by_any_rules(rules: str) -> None:
    env = PlatformerEnv(levels="sprint-01", rules=rules, actions="discrete", observation="merged")
    env.reset(seed=1)
    for _ in range(30):
        env.step(5)  # RIGHT SPEED
    assert env.world.rules == rules
    assert env.world.mario.x > 100


@pytest.mark.parametrize("rules", RULES)
def test_a_batch_plays_as_one_environment_does(rules: str) -> None:
    parts = ("scene", "enemies", "merged", "state")
    options: dict[str, Any] = {"levels": level_for(rules), "mode": 2, "observation": parts}
    envs, env = PlatformerVectorEnv(3, threads=2, **options), PlatformerEnv(**options)
    seen, _ = envs.reset(seed=5)
    alone, _ = env.reset(seed=5)
    actions = np.zeros((3, len(np.asarray(env.action_space.sample()))), np.int8)
    actions[:, 1] = 1
    for tick in range(40):
        actions[:, 3] = tick // 9 % 2
        assert isinstance(seen, dict)
        assert isinstance(alone, dict)
        for part in parts:
            assert np.array_equal(seen[part][0], alone[part])
            assert np.array_equal(seen[part][2], alone[part])
        seen, *_ = envs.step(actions)
        alone, *_ = env.step(actions[0])
    assert envs.world(1).hash() == env.world.hash()


def test_buttons_are_in_the_order_asked_for() -> None:
    level = level_for("2009")
    same = []
    for order, jump, speed in (("framework", 4, 3), ("2009", 3, 4), ("2010", 3, 4)):
        env = PlatformerEnv(levels=level, buttons=order)
        env.reset(seed=1)
        action = np.zeros(len(np.asarray(env.action_space.sample())), np.int8)
        for tick in range(40):
            action[1], action[jump], action[speed] = 1, tick % 20 > 9, 1
            env.step(action)
        same.append(env.world.hash())
    assert same[0] == same[1] == same[2]


def test_sums_of_buttons_are_in_the_order_asked_for() -> None:
    assert EnvOptions(rules="2009", actions=[2 + 8, 2 + 16]).action_table.tolist() == [10, 18]  # type: ignore[union-attr]
    table = EnvOptions(rules="2009", actions=[2 + 8, 2 + 16], buttons="framework").action_table
    assert table is not None
    assert table.tolist() == [2 + 16, 2 + 8]
    assert len(EnvOptions(rules="2010", actions="discrete").action_table) == 15  # type: ignore[arg-type]


def test_an_action_may_count_a_step_later() -> None:
    level = level_for("2009")
    late, prompt = PlatformerEnv(levels=level, latency=1), PlatformerEnv(levels=level)
    for env in (late, prompt):
        env.reset(seed=1)
    right, none = np.array([0, 1, 0, 0, 1], np.int8), np.zeros(5, np.int8)
    prompt.step(none)
    for _ in range(20):
        late.step(right)
        prompt.step(right)
    late.step(none)
    assert late.world.hash() == prompt.world.hash()
    again = copy.deepcopy(late)
    again.restore_state(late.clone_state())
    for env in (late, again):
        env.step(right)
    assert again.world.hash() == late.world.hash()
    late.reset()
    late.step(right)
    assert late.world.mario.vx == 0


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_no_action_reaches_the_next_episode(mode: AutoresetMode) -> None:
    envs = PlatformerVectorEnv(1, levels=LEVEL_OBJECT, latency=1, max_steps=4, autoreset_mode=mode)
    envs.reset(seed=1)
    action = np.array([[0, 1, 0, 0, 0]], np.int8)
    speeds = []
    for _ in range(12):
        _, _, _, truncated, _ = envs.step(action)
        speeds.append((bool(truncated[0]), envs.world(0).mario.vx))
    begins = [k for k, (ended, _) in enumerate(speeds) if ended]
    first_steps = [speeds[k + (2 if mode is AutoresetMode.NEXT_STEP else 1)] for k in begins[:1]]
    assert [vx for _, vx in first_steps] == [0]


LEVEL_OBJECT = Level.parse(LEVEL)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "2011"}, "rules '2011' are unknown"),
        ({"observation": "bitmap"}, "observation 'bitmap' is of the rules '2009'"),
        ({"rules": "2009", "observation": "vector"}, "is of the rules '2010'"),
        ({"rules": "2009", "centre": "screen"}, "look around Mario"),
        ({"rules": "2009", "options": "-ld 3"}, "options are those of the rules '2010'"),
        ({"rules": "2010", "options": "-ld"}, "options come in pairs"),
        ({"layout": "diagonal"}, "layout 'diagonal' is unknown"),
        ({"buttons": "2011"}, "buttons '2011' are unknown"),
        ({"latency": 2}, "latency 2 is out of range"),
        ({"rules": "2009", "actions": [32]}, "button sums from 0 to 31"),
        ({"levels": [LEVEL_OBJECT, Level.parse(LEVEL, rules="2009")]}, "take other actions"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        PlatformerEnv(**options)


@pytest.mark.parametrize("rules", RULES)
def test_a_match_of_any_rules_is_recorded_replayed_and_filmed(rules: str, tmp_path: Path) -> None:
    level = level_for(rules)
    if rules == "2010":
        level = level.with_options("-mgr 0.8")
    game, scenario = PlatformerGame(), Scenario("short", level, 1, 30)
    again = game.parse_scenario(scenario.to_dict())
    assert again == scenario
    assert again.level.options == level.options
    match = game.begin(scenario)
    for tick in range(40):
        match.step(2 + 8 * (tick % 20 > 9))
    record = match.record()
    assert game.replay(again, record) == match.facts()
    assert game.rules([scenario.to_dict()]) == f"{rules}@1"
    game.write_film(scenario, record[:6], tmp_path / "film.gif")
    game.write_film(scenario, record[:6], tmp_path / "path.png")
    assert (tmp_path / "film.gif").stat().st_size > 1000


@pytest.mark.parametrize("rules", RULES)
def test_a_model_plays_ahead_as_the_world_does(rules: str) -> None:
    world = replay(level_for(rules), bytes([2, 10] * 20))
    model = world.forward_model()
    for _ in range(20):
        model.advance(18)
        world.step(18)
    assert model.mario.x == pytest.approx(world.mario.x)
    assert model.tick == world.tick


@pytest.mark.parametrize(("rules", "size"), [("framework", (256, 256)), ("2010", (240, 320))])
def test_a_frame_has_the_size_of_the_rules_screen(rules: str, size: tuple[int, int]) -> None:
    world = World(level_for(rules))
    assert frame(world).shape == (*size, 3)
    space = EnvOptions(levels=level_for(rules), observation="rgb").observation_space()
    assert space.shape == (*size, 3)
    assert level_picture(world).shape[0] == 16 * world.level.height


@pytest.mark.parametrize("rules", ["2009", "2010"])
def test_a_benchmark_of_old_levels_keeps_its_promises(rules: str) -> None:
    def scenarios(seed: int, episodes: int) -> list[dict[str, Any]]:
        level = level_for(rules)
        return [Scenario(f"old {k}", level, 2, 20, seed).to_dict() for k in range(episodes)]

    check_benchmark(
        Benchmark(
            id="mine/old",
            version=1,
            title="How far does a player get on old levels?",
            game="platformer",
            scenarios=scenarios,
            episodes=1,
            score=lambda facts: Score(float(facts["x"] or 0), {"x": float(facts["x"] or 0)}),
            formula="x",
        ),
        agent="random",
    )


def test_a_scenario_does_not_play_a_map_by_other_rules() -> None:
    values = Scenario("old", level_for("2009")).to_dict()
    values["level"]["rules"] = "framework"
    with pytest.raises(OptionError, match="rules 'framework' do not play a map of 2009"):
        Scenario.from_dict(values)
