from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.scenario import Scenario

LEVEL = Level.parse("M---F\nXXXXX")


def test_a_scenario_is_a_small_mario_with_forty_seconds() -> None:
    scenario = Scenario("stroll", LEVEL)
    assert (scenario.mode, scenario.time_limit, scenario.seed) == (0, 40, 0)


def test_scenarios_with_the_same_terms_are_equal() -> None:
    assert Scenario("a", LEVEL) == Scenario("a", Level.parse(LEVEL.text))
    assert Scenario("a", LEVEL) != Scenario("a", LEVEL, seed=1)
    assert len({Scenario("a", LEVEL), Scenario("a", LEVEL)}) == 1


def test_a_scenario_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Scenario("a", LEVEL).seed = 1  # type: ignore[misc]


@pytest.mark.parametrize("mode", [-1, 3])
def test_a_mode_that_does_not_exist_is_refused(mode: int) -> None:
    with pytest.raises(OptionError, match=rf"mode {mode} is not 0 \(small\)"):
        Scenario("a", LEVEL, mode=mode)


def test_a_negative_time_limit_is_refused() -> None:
    with pytest.raises(OptionError, match="time limit -1 is not from 0, which means no limit"):
        Scenario("a", LEVEL, time_limit=-1)
