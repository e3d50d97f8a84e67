"""Players that were made for the framework, under the rules of the competitions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.agents import load
from ludus.errors import ActionError
from ludus.games.platformer.codes import Button, buttons_of, renumber_buttons
from ludus.games.platformer.generators import generate
from ludus.games.platformer.tasks.environment import Environment
from ludus.games.platformer.tasks.scenario import TaskScenario


@given(st.integers(0, 31), st.sampled_from(["framework", "ludus", "2009", "2010"]))
def test_buttons_keep_their_names_under_other_rules(buttons: int, rules: str) -> None:
    numbered = renumber_buttons(buttons, rules)
    names = {button.name for button in Button if buttons & button}
    assert {button.name for button in buttons_of(rules) if numbered & button} == names


def play(name: str, scenario: TaskScenario) -> Environment:
    environment, player = Environment(scenario), load(name, "platformer")
    player.reset(environment.scenario)
    while not environment.over:
        environment.step(player.act(environment.observation))
    return environment


@pytest.mark.parametrize(("name", "far"), [("random", 100), ("linear", 2000), ("rule-based", 3500)])
@pytest.mark.parametrize("rules", ["2009", "2010"])
def test_players_get_along_under_the_rules_of_competitions(name: str, far: int, rules: str) -> None:
    scenario = (
        TaskScenario("old", generate("notch-2009", seed=1), seed=1)
        if rules == "2009"
        else TaskScenario.from_options("-ld 0 -ls 5 -lg off -le g")
    )
    facts: Any = play(name, scenario).facts
    assert facts["distance"] > far


def test_a_trained_policy_refuses_other_rules_in_one_line() -> None:
    with pytest.raises(ActionError, match="was trained with other buttons and blocks"):
        play("ppo-all", TaskScenario.from_options("-ld 0"))
