from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import cast

import numpy as np
import pytest

from ludus.agents import load
from ludus.errors import ActionError
from ludus.games.platformer import Level, Status, replay
from ludus.games.platformer.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.runs import Episode, play, race

RIGHT = 2
STROLL = Scenario("stroll", bundled_level("sprint-01"))
YARD = Scenario("yard", Level.parse("M---F\nXXXXX"), time_limit=5)


class Scripted:
    """Presses what it was told to, over and over."""

    name = "scripted"

    def __init__(self, *actions: object) -> None:
        self.actions = actions
        self.scenarios: list[Scenario] = []
        self.ticks: list[int] = []

    def reset(self, scenario: Scenario) -> None:
        self.scenarios.append(scenario)

    def act(self, observation: View) -> int:
        self.ticks.append(observation.tick)
        return cast("int", self.actions[len(self.ticks) % len(self.actions)])


def test_an_episode_records_what_was_played() -> None:
    episode = play(Scripted(RIGHT), YARD)
    assert episode.scenario is YARD
    assert episode.agent == "scripted"
    assert episode.result.status == Status.WIN
    assert episode.actions == bytes([RIGHT]) * episode.result.ticks
    assert episode.seconds > 0


def test_replaying_the_actions_gives_the_result() -> None:
    for name in ("random", "forward-jumping"):
        episode = play(load(name), STROLL)
        world = replay(STROLL.level, episode.actions, time_limit=STROLL.time_limit)
        assert world.result() == episode.result


def test_the_path_leads_from_the_start_to_the_end() -> None:
    episode = play(load("forward-jumping"), STROLL)
    column, row = STROLL.level.start
    assert episode.path.dtype == np.float32
    assert episode.path.shape == (episode.result.ticks + 1, 2)
    assert episode.path[0].tolist() == [16 * column + 8, 16 * row + 15]
    assert episode.path[-1, 0] == 16 * STROLL.level.exit[0]


def test_the_agent_is_reset_and_then_asked_once_a_tick() -> None:
    agent = Scripted(RIGHT)
    episode = play(agent, YARD)
    assert agent.scenarios == [YARD]
    assert agent.ticks == list(range(1, episode.result.ticks + 1))


def test_the_terms_of_the_scenario_hold() -> None:
    large = Scenario("large", YARD.level, mode=1, time_limit=1)
    episode = play(load("idle"), large)
    assert episode.result.mode == 1
    assert episode.result.status == Status.TIME_OUT
    assert episode.result.ticks == 33


@pytest.mark.parametrize("action", [32, -1])
def test_an_impossible_action_is_refused(action: int) -> None:
    with pytest.raises(ActionError):
        play(Scripted(action), YARD)


def test_equal_plays_are_equal_episodes() -> None:
    assert play(load("random"), STROLL) == play(load("random"), STROLL)
    assert play(load("random"), STROLL) != play(load("idle"), STROLL)


def test_an_episode_cannot_be_changed() -> None:
    episode = play(load("idle"), YARD)
    with pytest.raises(FrozenInstanceError):
        episode.agent = "other"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        episode.path[0] = 0


def test_a_race_goes_scenario_by_scenario() -> None:
    episodes = race([load("idle"), load("random")], [STROLL, YARD])
    assert [(episode.scenario.name, episode.agent) for episode in episodes] == [
        ("stroll", "idle"),
        ("stroll", "random"),
        ("yard", "idle"),
        ("yard", "random"),
    ]


def test_a_race_reports_every_episode_as_it_ends() -> None:
    reported: list[Episode] = []
    episodes = race([load("idle")], [STROLL, YARD], on_episode=reported.append)
    assert tuple(reported) == episodes


def test_a_race_is_the_sum_of_its_plays() -> None:
    assert race([load("random")], [STROLL]) == (play(load("random"), STROLL),)


def test_nobody_racing_is_no_episodes() -> None:
    assert race([], [STROLL]) == ()
    assert race([load("idle")], []) == ()
