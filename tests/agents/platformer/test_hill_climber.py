"""The hill-climber learns a level by heart."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.platformer.tasks.learning.making import flat_scenario

from ludus.agents import load
from ludus.contract import Learns, Remembers
from ludus.games.platformer.tasks.learning.game import LearningGame
from ludus.runs import play_match

GAPS = "-lg on -ld 2 -le off -ll 60 -tl 20 -ltb off -lca off -lhs off -ls 5"


@pytest.mark.parametrize("options", [GAPS])
def test_it_gets_better_and_shows_its_best(options: str) -> None:
    scenario = flat_scenario(60, options)
    match = LearningGame().begin(scenario)
    play_match(load("hill-climber"), scenario, match)
    facts: Any = match.facts()
    assert facts["fitness"] == facts["best_score"] > facts["first_score"]


def test_it_begins_anew_with_every_level() -> None:
    scenario = flat_scenario(5)
    agent: Any = load("hill-climber")
    records = []
    for _ in range(2):
        match = LearningGame().begin(scenario)
        play_match(agent, scenario, match)
        records.append(match.record())
    assert records[0] == records[1]


def test_it_learns_and_remembers_plain_values() -> None:
    agent: Any = load("hill-climber")
    assert [isinstance(agent, protocol) for protocol in (Learns, Remembers)] == [True, True]
    agent.reset(flat_scenario(5).for_agent())
    assert agent.memory() == {"score": -1.0, "best": ""}
