"""The worm as a game of the spine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.errors import ActionError, OptionError
from ludus.games.game import Filmable, find_game
from ludus.games.worm import engine_hash, find_task
from ludus.games.worm.game import WormGame
from ludus.games.worm.observation import Observation
from ludus.games.worm.scenario import Scenario

GAME = WormGame()


def played(scenario: Scenario, steps: int = 60) -> tuple[bytes, Any]:
    match = GAME.begin(scenario)
    chance = np.random.default_rng(scenario.seed)
    for _ in range(steps):
        if match.over:
            break
        assert isinstance(match.observation, Observation)
        match.step(int(chance.integers(4)))
    return match.record(), match.facts()


def test_the_spine_finds_the_worm() -> None:
    game = find_game("worm")
    assert (game.name, game.agent_family, game.rules([])) == ("worm", "worm", "worm@1")
    assert game.provenance["source_hash"] == engine_hash()
    assert isinstance(game, Filmable)


@pytest.mark.parametrize("name", ["foraging-small@e25", "pursuit-small", "c3-continuous"])
def test_a_record_is_enough_to_play_again(name: str) -> None:
    for seed in range(4):
        scenario = Scenario("dish", find_task(name), seed)
        record, facts = played(scenario)
        assert GAME.replay(scenario, record) == facts
        assert GAME.replay(replace(scenario, seed=seed + 9), record) != facts


def test_facts_tell_how_it_ended() -> None:
    scenario = Scenario("dish", replace(find_task("foraging-small"), satiety=5.0), 1)
    _, facts = played(scenario)
    assert facts["reason"] == "starved"
    assert facts["steps"] == 5
    assert facts["success"] == 0
    assert -1 <= facts["chemotaxis_index"] <= 1
    assert all(isinstance(value, int | float | str) for value in facts.values())


def test_scenarios_come_back_from_plain_values() -> None:
    frozen = Scenario("a", find_task("predator-small@e25+reference"), 3)
    assert frozen.to_dict() == {"name": "a", "seed": 3, "task": "predator-small@e25+reference"}
    own = Scenario("b", replace(find_task("foraging-small"), name="mine", max_steps=9), 2**63)
    renamed = Scenario("c", replace(find_task("foraging-small"), max_steps=9), 4)
    for scenario in (frozen, own, renamed):
        assert GAME.parse_scenario(scenario.to_dict()) == scenario


@pytest.mark.parametrize(
    "values", [{}, {"name": "a", "seed": 1, "task": None}, {"name": "a", "task": "foraging-small"}]
)
def test_other_values_are_no_scenario(values: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="not a"):
        GAME.parse_scenario(values)


def test_seeds_are_not_negative() -> None:
    with pytest.raises(OptionError, match="seed -1 is out of range"):
        Scenario("a", find_task("foraging-small"), -1)


@pytest.mark.parametrize("action", [4, -1, True, None, 0.5, "left", (1.0, 0.0)])
def test_other_actions_are_refused(action: Any) -> None:
    match = GAME.begin(Scenario("dish", find_task("foraging-small"), 1))
    with pytest.raises(ActionError, match="0 forward"):
        match.step(action)
    assert match.record() == b""
    assert match.facts()["steps"] == 0


@pytest.mark.parametrize("action", [4, True, None, 0.5, "go", (2.0, 0.0), (0.5, -3.0), (0.5,)])
def test_other_steering_is_refused(action: Any) -> None:
    match = GAME.begin(Scenario("dish", find_task("c3-continuous"), 1))
    with pytest.raises(ActionError, match="give"):
        match.step(action)
    assert match.record() == b""


def test_steering_is_played_as_it_is_recorded() -> None:
    scenario = Scenario("dish", find_task("c3-continuous"), 1)
    match = GAME.begin(scenario)
    for k in range(30):
        match.step(((k % 7) / 7, 0.1 * (k % 3)))
    match.step(2)
    assert len(match.record()) == 31 * 8
    assert GAME.replay(scenario, match.record()) == match.facts()
    with pytest.raises(OptionError, match="243 bytes are no record"):
        GAME.replay(scenario, match.record()[:243])


def test_a_broken_record_is_refused() -> None:
    with pytest.raises(ActionError, match="action 9 is out of range"):
        GAME.replay(Scenario("dish", find_task("foraging-small"), 1), b"\x00\x09")


@pytest.mark.parametrize("suffix", [".png", ".gif", ".mp4"])
def test_a_record_can_be_filmed(suffix: str, tmp_path: Path) -> None:
    scenario = Scenario("dish", find_task("pursuit-small"), 1)
    record, _ = played(scenario, 5)
    GAME.write_film(scenario, record, tmp_path / f"film{suffix}")
    start = {".png": b"\x89PNG", ".gif": b"GIF89a", ".mp4": b"\x00\x00\x00"}[suffix]
    assert (tmp_path / f"film{suffix}").read_bytes().startswith(start)


def test_other_films_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"ends in none of \.png, \.gif and \.mp4"):
        GAME.write_film(Scenario("dish", find_task("pursuit-small"), 1), b"", tmp_path / "film.avi")
