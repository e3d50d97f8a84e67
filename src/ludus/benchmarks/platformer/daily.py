"""``platformer/daily``: who is fastest through the level of the day, people or programs?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from ludus.benchmarks.building import ScenarioMaker, derive_seed
from ludus.benchmarks.platformer.sprint import CLOCK, COLUMNS, SPRINT
from ludus.errors import OptionError
from ludus.games.platformer.generators import generate
from ludus.games.platformer.scenario import Scenario

__all__ = ["DAILY", "day_of_seed", "seed_of_day"]

DIFFICULTIES = 7


def seed_of_day(day: date) -> int:
    """Return the seed of a day's level.

    Example:
        >>> seed_of_day(date(2026, 11, 17))
        20261117
    """
    return day.year * 10_000 + day.month * 100 + day.day


def day_of_seed(seed: int) -> date:
    """Return the day whose level a seed makes.

    Raises:
        OptionError: It is no day's.

    Example:
        >>> day_of_seed(20261117).isoformat()
        '2026-11-17'
    """
    try:
        return date(seed // 10_000, seed // 100 % 100, seed % 100)
    except ValueError:
        raise OptionError(f"seed {seed} is no day: give it as 20261117") from None


def _make_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    return ScenarioMaker(episodes, lambda number: _make_scenario(seed, number))


def _make_scenario(day: int, number: int) -> Mapping[str, Any]:
    seed = derive_seed("platformer/daily@1", day, number)
    level = generate("ludus", seed=seed, difficulty=seed % DIFFICULTIES, length=COLUMNS)
    return Scenario(f"day {day}", level, time_limit=CLOCK, seed=seed).to_dict()


DAILY = replace(
    SPRINT,
    id="platformer/daily",
    title="Who is fastest through the level of the day, people or programs?",
    scenarios=_make_scenarios,
    episodes=1,
)
