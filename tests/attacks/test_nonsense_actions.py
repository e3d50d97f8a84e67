"""What is no action is refused by every game with one line, and nothing is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.games.guest.corridors import __file__ as corridors
from tests.runs.small import scenarios

from ludus.agents.isolation.values import Opaque
from ludus.benchmarks import find_benchmark
from ludus.errors import ActionError
from ludus.games.diplomacy.records import Answer
from ludus.games.diplomacy.scenario import Scenario as DiplomacyScenario
from ludus.games.game import Match, find_game
from ludus.games.guest import GuestGame, guest_scenario
from ludus.games.guest.environment import GuestEnv
from ludus.games.platformer.scenario import Scenario
from ludus.games.sticky_actions import StickyActions

NONSENSE: list[Any] = [
    None,
    1.0,
    float("nan"),
    float("inf"),
    -1,
    70_000,
    2**64,
    10**26,
    "",
    "2",
    "\ud800",
    b"\x02",
    [],
    [2],
    (1, 2, 3),
    [float("nan"), 0.0],
    {},
    {"action": 2},
    np.float64(2),
    np.array([1, 2]),
    np.array([[2]]),
    Opaque("<object>"),
    object(),
]


def match_of(game: str) -> Match:
    if game == "platformer":
        scenario: Any = Scenario.from_dict(scenarios(0, 1, "8")[0])
    elif game == "guest":
        terms = StickyActions(no_ops=0)
        scenario = guest_scenario("guest", f"{corridors}:Modern", 1, terms, stages=["1-1"])
        return GuestGame(GuestEnv).begin(scenario)
    else:
        benchmark = {"arena": "mario-arena/1-1", "worm": "worm/foraging-small"}[game]
        description = find_benchmark(benchmark).make_scenarios(0, 1)[0]
        scenario = find_game(game).parse_scenario(description)
    return find_game(game).begin(scenario)


@pytest.mark.parametrize("game", ["platformer", "arena", "worm", "guest"])
def test_nonsense_is_no_action(game: str) -> None:
    match = match_of(game)
    before = match.facts()
    for action in NONSENSE:
        with pytest.raises(ActionError) as caught:
            match.step(action)
        assert "\n" not in str(caught.value)
    assert match.record() == b""
    assert match.facts() == before


ORDERS: list[Any] = [
    None,
    3,
    float("nan"),
    "A PAR - BUR",
    b"A PAR - BUR",
    [3],
    [None, "A PAR H"],
    [["A PAR H"]],
    [{"recipient": "FRANCE"}],
    Opaque("<object>"),
    Answer(orders=7),  # type: ignore[arg-type]
    Answer(note={"x": float("nan")}),
    Answer(note=[1]),  # type: ignore[arg-type]
    Answer(note={"x": Opaque("<object>")}),
]


def test_nonsense_is_no_list_of_orders() -> None:
    match = find_game("diplomacy").begin(DiplomacyScenario.from_dict({"opponents": "hold"}))
    for action in ORDERS:
        with pytest.raises(ActionError) as caught:
            match.step(action)
        assert "\n" not in str(caught.value)
    assert match.facts()["phases"] == 0
