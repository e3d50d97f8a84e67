from __future__ import annotations

import json
from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.games.diplomacy.scenario import Scenario


def test_what_is_left_out_is_as_usual() -> None:
    scenario = Scenario.from_dict({"name": "one"})
    assert scenario == Scenario(name="one", power="FRANCE", opponents=("dumb",) * 6)
    assert (scenario.first_year, scenario.max_year, scenario.rounds) == (1901, 1925, 0)


def test_one_opponent_is_all_six() -> None:
    for plain in ("easy", ["easy"], ["easy"] * 6):
        assert Scenario.from_dict({"opponents": plain}).opponents == ("easy",) * 6


def test_opponents_sit_in_the_powers_order() -> None:
    six = ["hold", "random", "easy", "dumb", "search", "dumb#aggressive"]
    seats = Scenario.from_dict({"power": "GERMANY", "opponents": six}).seats
    assert list(seats) == ["AUSTRIA", "ENGLAND", "FRANCE", "ITALY", "RUSSIA", "TURKEY"]
    assert seats["ITALY"] == "dumb"


def test_full_press_has_three_rounds_unless_told_otherwise() -> None:
    assert Scenario.from_dict({"press": "full"}).rounds == 3
    assert Scenario.from_dict({"press": "full", "rounds": 1}).rounds == 1


def test_a_scenario_survives_json() -> None:
    position = {"phase": "S1905M", "units": {"FRANCE": ["A PAR"]}}
    for plain in ({}, {"press": "full", "seed": 7}, {"position": position}):
        scenario = Scenario.from_dict(plain)
        assert Scenario.from_dict(json.loads(json.dumps(scenario.to_dict()))) == scenario


def test_another_seat_sees_the_same_game() -> None:
    scenario = Scenario(seed=5)
    assert scenario.for_seat("ITALY").power == "ITALY"
    assert scenario.for_seat("ITALY").seed == 5


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"power": "SPAIN"}, "SPAIN"),
        ({"opponents": ["dumb", "easy"]}, "2 opponents"),
        ({"press": "some"}, "some"),
        ({"rounds": 2}, "2 rounds"),
        ({"press": "full", "rounds": -1}, "-1 rounds"),
        ({"first_year": 1926}, "1926"),
        ({"years": 5}, "years"),
    ],
)
def test_what_cannot_be_is_refused(plain: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Scenario.from_dict(plain)
