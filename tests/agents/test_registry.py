from __future__ import annotations

import pytest

from ludus.agents import load, names
from ludus.errors import AgentError, LudusError

PLAYERS = ["idle", "random", "forward-jumping", "rule-based", "astar"]


def test_the_baseline_players_are_registered() -> None:
    assert list(names()) == PLAYERS


def test_every_player_says_in_one_line_what_it_does() -> None:
    for summary in names().values():
        assert summary
        assert "\n" not in summary


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_answers_to_the_name_it_is_loaded_by(name: str) -> None:
    assert load(name).name == name


def test_every_load_is_a_new_player() -> None:
    assert load("random") is not load("random")


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(AgentError, match=r"^no agent 'zzz'; there are idle, random, .*astar$"):
        load("zzz")


def test_a_near_miss_is_told_what_it_missed() -> None:
    with pytest.raises(AgentError, match="did you mean 'forward-jumping'\\?"):
        load("forward-jumper")


def test_an_unknown_agent_is_a_wrong_value() -> None:
    assert issubclass(AgentError, LudusError)
    assert issubclass(AgentError, ValueError)
