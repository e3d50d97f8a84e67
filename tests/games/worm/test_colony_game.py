"""Several worms as a game and as an environment: played, recorded, replayed and drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from ludus.agents import load
from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.game import find_game
from ludus.games.worm.colony import find_colony_task
from ludus.games.worm.colony.game import ColonyGame, ColonyMatch
from ludus.games.worm.colony.pictures import write_colony_picture
from ludus.games.worm.colony.scenario import ColonyScenario
from ludus.games.worm.environments.parallel_env import WormColonyEnv

SCENARIO = {
    "name": "dish 1",
    "task": "crowd-pursuit-small",
    "companions": ["run-and-tumble", "gradient", "random-walk", "klinokinesis"],
    "seed": 7,
}
GAME = ColonyGame(lambda spec: load(spec, "worm"))


def play() -> ColonyMatch:
    match = GAME.begin(GAME.parse_scenario(SCENARIO))
    agent = load("gradient", "worm")
    while not match.over:
        match.step(agent.act(match.observation))
    return match


def test_a_record_replays_to_the_same_facts_without_companions() -> None:
    match, again = play(), play()
    assert match.record() == again.record()
    game, scenario = find_game("worm-colony"), GAME.parse_scenario(SCENARIO)
    outcome = game.replay_outcome(scenario, match.record())  # type: ignore[attr-defined]
    assert outcome.facts == match.facts()
    assert outcome.over
    assert outcome.steps == len(match.record()) // 5 == match.facts()["steps"]
    assert match.facts()["success"] == match.facts()["rank"] == 1
    with pytest.raises(OptionError, match="the episode was over after"):
        game.replay(scenario, match.record() + bytes(5))
    with pytest.raises(OptionError, match="no record of 5 worms"):
        game.replay(scenario, bytes(3))
    with pytest.raises(ActionError, match="give 0 to 5"):
        game.replay(scenario, bytes([0, 0, 0, 0, 9]))
    with pytest.raises(OptionError, match="companion 'run-and-tumble' cannot be loaded here"):
        game.begin(scenario)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"companions": []}, "0 companions were given"),
        ({"companions": "gradient"}, "not a scenario of several worms"),
        ({"companions": [1, 2, 3, 4]}, "not a scenario of several worms"),
        ({"task": "crowd"}, "no task 'crowd'"),
        ({"seed": -1}, "seed -1 is out of range"),
        ({"seed": None}, "not a scenario"),
    ],
)
def test_wrong_scenarios_are_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        ColonyScenario.from_dict({**SCENARIO, **change})


def test_a_colony_is_drawn(tmp_path: Path) -> None:
    actions = [[k % 3, 0, 1, 2, 0] for k in range(12)]
    write_colony_picture(tmp_path / "a.png", "crowd-foraging-small", 3, actions, side=96)
    write_colony_picture(tmp_path / "b.png", "crowd-foraging-small", 3, actions[:-1], side=96)
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


def test_the_environment_keeps_the_promises_of_pettingzoo() -> None:
    parallel_api_test(WormColonyEnv("crowd-pursuit-small"), num_cycles=40)


def test_worms_leave_the_environment_one_by_one() -> None:
    task = find_colony_task("crowd-foraging-small")
    env = WormColonyEnv(replace(task, dish=replace(task.dish, max_steps=4)))
    with pytest.raises(EpisodeOver):
        env.step({})
    first, _ = env.reset(seed=3)
    state = env.clone_state()
    for _ in range(4):
        _, rewards, terminated, truncated, infos = env.step({"worm_1": 0})
    assert set(rewards) == set(env.possible_agents)
    assert all(truncated.values())
    assert not any(terminated.values())
    assert infos["worm_0"]["reason"] == "max_steps"
    assert env.agents == []
    env.restore_state(state)
    assert env.agents == env.possible_agents
    assert env.colony.steps == 0
    again, _ = WormColonyEnv(env.task).reset(seed=3)
    assert all(np.array_equal(first[agent], again[agent]) for agent in first)
    env.reset()
    assert env.colony.seed == 4
