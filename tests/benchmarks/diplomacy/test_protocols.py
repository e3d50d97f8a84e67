from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludus.agents import load
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.diplomacy.protocols import (
    BENCHMARKS,
    LEAGUE,
    judge_facts,
    read_position,
    score,
)
from ludus.benchmarks.diplomacy.records import parse_game
from ludus.benchmarks.diplomacy.score_files import score_game
from ludus.benchmarks.diplomacy.scoring import POWERS, RULES
from ludus.errors import AgentError, OptionError
from ludus.execution.match_play import play_match
from ludus.games.diplomacy.game import DiplomacyGame, replay_table
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.scenario import Scenario


def facts(**more: Any) -> dict[str, Any]:
    held = {f"centres_{power}": more.pop(power, 3) for power in POWERS}
    usual = {"power": "FRANCE", "max_year": 1925, "stopped_early": False, "last_year": 1925}
    return {**usual, **held, "centres": held["centres_FRANCE"], **more}


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda one: one.id)
def test_benchmarks_are_registered(benchmark: Any) -> None:
    assert find_benchmark(benchmark.id) is benchmark


@pytest.mark.parametrize(
    ("happened", "total", "parts"),
    [
        (facts(FRANCE=11), 36, {"years": 25, "centres": 11}),
        (
            facts(FRANCE=18, first_18_record=1920),
            48,
            {"years": 25, "early": 5, "solo": 18},
        ),
        (facts(FRANCE=0, emptied_FRANCE=1910), 10, {"years": 10}),
        (facts(FRANCE=12, ITALY=18, first_18_record=1909), 9, {"years": 9}),
        (facts(FRANCE=12, ITALY=18, first_18_record=1909, rule="reference"), 37, None),
    ],
)
def test_scores_of_facts(
    happened: dict[str, Any], total: int, parts: dict[str, int] | None
) -> None:
    found = score(happened)
    assert found.total == total == sum(found.parts.values())
    assert parts is None or found.parts == parts


def test_games_that_an_agent_gave_up_are_not_survived() -> None:
    happened = facts(FRANCE=9, stopped_early=True, last_year=1907)
    assert score(happened).total == 7
    assert score({**happened, "rule": "reference"}).total == 34
    assert score({**happened, "last_year": None}).total == 0
    assert score({**happened, "emptied_FRANCE": 1904}).total == 4


@pytest.mark.parametrize("power", ["FRANCE", "TURKEY"])
def test_facts_and_saved_games_agree(power: str) -> None:
    described = {
        "name": "g",
        "power": power,
        "opponents": ["hold"],
        "max_year": 1908,
        "seed": 5,
        "rule": "document",
    }
    scenario = Scenario.from_dict(described)
    match = DiplomacyMatch(scenario)
    play_match(load("dumb", "diplomacy"), scenario, match)
    happened = match.facts()
    saved = parse_game(replay_table(scenario, match.record()).to_saved_game(), "g")
    for rule in RULES:
        scored = score_game(saved, rule, 1908)
        assert scored.scores[power] == judge_facts(happened, rule)


@pytest.mark.parametrize(
    ("option", "value", "fault"),
    [
        ("seat", "SPAIN", "no power 'SPAIN'"),
        ("against", "dumb,dumb", "names 2 opponents"),
        ("press", "some", "no press 'some'"),
        ("year", "1899", "'1899' is not a whole number from 1901"),
        ("year", "soon", "'soon' is not a whole number"),
        ("rounds", "0", "'0' is not a whole number"),
        ("rule", "summary", "no rule 'summary'"),
    ],
)
def test_options_out_of_range(option: str, value: str, fault: str) -> None:
    with pytest.raises(OptionError, match=fault):
        find_benchmark("diplomacy/france").resolve_options({option: value})


def test_opponents_have_to_be_there() -> None:
    with pytest.raises(AgentError, match="no agent 'clever'"):
        find_benchmark("diplomacy/gunboat").resolve_options({"against": "clever"})


def test_tables_of_one_and_of_six() -> None:
    gunboat = find_benchmark("diplomacy/gunboat")
    (one,) = gunboat.make_scenarios(0, 1, {"seat": "italy", "against": "hold", "year": "1903"})
    assert (one["power"], one["opponents"], one["max_year"]) == ("ITALY", ["hold"], 1903)
    six = "hold, random,dumb,hold,hold,dumb#aggressive"
    (mixed,) = gunboat.make_scenarios(0, 1, {"against": six})
    assert mixed["opponents"][5] == "dumb#aggressive"
    assert len(mixed["opponents"]) == 6
    assert DiplomacyGame().parse_scenario(mixed).seats["TURKEY"] == "dumb#aggressive"


def test_press_is_full_in_france_and_none_in_gunboat() -> None:
    (full,) = find_benchmark("diplomacy/france").make_scenarios(0, 1)
    (none,) = find_benchmark("diplomacy/gunboat").make_scenarios(0, 1)
    assert (full["press"], full["rounds"]) == ("full", 3)
    assert (none["press"], none["rounds"]) == ("none", 0)
    assert full["seed"] == none["seed"]


def test_seeds_differ_from_game_to_game() -> None:
    made = find_benchmark("diplomacy/gunboat").make_scenarios(0, 20)
    again = find_benchmark("diplomacy/gunboat").make_scenarios(1, 20)
    assert len({one["seed"] for one in [*made, *again]}) == 40


def test_a_league_seats_everybody_evenly() -> None:
    made = LEAGUE.make_scenarios(3, 14, {"pool": "hold,random,dumb,easy"})
    assert Counter(one["power"] for one in made) == dict.fromkeys(POWERS, 2)
    opponents = Counter(spec for one in made for spec in one["opponents"])
    assert set(opponents.values()) == {21}
    assert len({tuple(one["opponents"]) for one in made}) > 7
    with pytest.raises(OptionError, match="is no league"):
        LEAGUE.make_scenarios(0, 1, {"pool": "dumb"})


def test_a_position_of_a_saved_game_is_played_on(games: Path) -> None:
    source = f"{games / 's07' / 'lmvsgame.json'}@F1910M"
    critical = find_benchmark("diplomacy/critical")
    options = {"position": source, "against": "hold", "year": "1910"}
    (described,) = critical.make_scenarios(0, 1, options)
    assert described == json.loads(json.dumps(described))
    scenario = Scenario.from_dict(described)
    match = DiplomacyMatch(scenario)
    assert match.table.phase == "F1910M"
    assert len(match.table.centres["ENGLAND"]) == len(read_position(source)["centres"]["ENGLAND"])
    play_match(load("hold", "diplomacy"), scenario, match)
    assert match.facts()["last_year"] == 1910
    assert score(match.facts()).total == 10 + int(match.facts()["centres"] or 0)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("F1905M", "names no position"),
        ("nowhere.json@F1905M", "'nowhere.json' cannot be read"),
        ("{game}@F1850M", "has no phase 'F1850M'"),
        ("{game}@F1902R", "cannot begin in 'F1902R'"),
        ("{game}@COMPLETED", "cannot begin in 'COMPLETED'"),
    ],
)
def test_positions_that_are_none(games: Path, source: str, fault: str) -> None:
    named = source.replace("{game}", str(games / "s07" / "lmvsgame.json"))
    with pytest.raises(OptionError, match=fault):
        find_benchmark("diplomacy/critical").resolve_options({"position": named})
