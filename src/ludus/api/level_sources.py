"""Levels that a page can ask for by a short text: a day's, a named one, a generated one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qsl, urlencode

from ludus.benchmarks.platformer.daily import DAILY, seed_of_day
from ludus.errors import OptionError, one_line
from ludus.games.platformer.generators import load
from ludus.games.platformer.level_names import shipped_level
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.scenario import GENERATORS

__all__ = ["LevelSource", "day_source", "find_level_source", "name_level_source"]

LONGEST = 1_000
MOST_OPTIONS = 40
WIDEST = 1_000
"""A page generates no wider level than this, in columns."""

CLOCK = 60


@dataclass(frozen=True, slots=True)
class LevelSource:
    """A level and how it is asked for again.

    Attributes:
        text: The query that names it, such as ``level=1-1``.
        scenario: The level, Mario's start and the clock.
        day: The day whose level it is, or None.
    """

    text: str
    scenario: Scenario
    day: date | None = None


def find_level_source(text: str) -> LevelSource:
    """Return the level that a query names.

    No file is read and no code of others is run, whatever the text says.

    Args:
        text: ``day=2026-11-17``, ``level=1-1``, or ``generator=ludus&seed=7&difficulty=3``.

    Raises:
        OptionError: It names none.

    Example:
        >>> find_level_source("generator=ludus&seed=3&length=60").scenario.level.width
        60
    """
    values = _read_query(text)
    if "day" in values:
        return day_source(_read_day(values))
    if "level" in values:
        return _named_source(values)
    if "generator" in values:
        return _generated_source(values)
    raise OptionError(f"{text[:60]!r} names no level: try level=1-1, day=2026-11-17 or generator=…")


def name_level_source(name: str, options: Mapping[str, str]) -> LevelSource:
    """Return a level by its own name, or by the name and the options of its generator.

    Raises:
        OptionError: There is none.

    Example:
        >>> name_level_source("notch-2009", {"seed": "7"}).text
        'generator=notch-2009&seed=7'
    """
    kind = "generator" if name in GENERATORS else "level"
    return find_level_source(urlencode({kind: name, **options}))


def day_source(day: date) -> LevelSource:
    """Return the level of a day, as ``platformer/daily`` plays it.

    Example:
        >>> day_source(date(2026, 11, 17)).text
        'day=2026-11-17'
    """
    scenario = Scenario.from_dict(DAILY.make_scenarios(seed_of_day(day), 1)[0])
    return LevelSource(f"day={day.isoformat()}", scenario, day)


def _read_query(text: str) -> dict[str, str]:
    if len(text) > LONGEST:
        raise OptionError(f"a query of {len(text)} letters names no level: {LONGEST} are the most")
    try:
        pairs = parse_qsl(text, strict_parsing=True, max_num_fields=MOST_OPTIONS)
    except ValueError as error:
        raise OptionError(f"{text[:60]!r} names no level: {one_line(error)}") from None
    values = dict(pairs)
    if len(values) < len(pairs):
        raise OptionError(f"{text[:60]!r} says something twice: leave one out")
    return values


def _read_day(values: dict[str, str]) -> date:
    text = values.pop("day")
    _refuse_rest(values)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise OptionError(f"{text[:20]!r} is no day: give it as 2026-11-17") from None


def _named_source(values: dict[str, str]) -> LevelSource:
    name = values.pop("level")
    _refuse_rest(values)
    level = shipped_level(name)
    clock = level.time_limit or CLOCK
    return LevelSource(urlencode({"level": name}), Scenario(name, level, time_limit=clock))


def _refuse_rest(values: dict[str, str]) -> None:
    for name in values:
        raise OptionError(f"a level that has a name has no option {name[:40]!r}: leave it out")


def _generated_source(values: dict[str, str]) -> LevelSource:
    text = urlencode(values)
    name = values.pop("generator")
    if name not in GENERATORS:
        raise OptionError(f"no generator {name[:40]!r}: there are {', '.join(GENERATORS)}")
    level = _generate(name, values)
    if level.width > WIDEST:
        raise OptionError(f"a level of {level.width} columns is too wide: {WIDEST} are the most")
    clock = level.time_limit or CLOCK
    return LevelSource(text, Scenario(name, level, time_limit=clock))


def _generate(name: str, values: dict[str, str]) -> Level:
    generator = load(name)
    options = generator.validate_texts(values)
    length = getattr(options, "length", 0)
    if length > WIDEST:
        raise OptionError(f"length {length} is too wide: {WIDEST} columns are the most")
    return generator(**options.model_dump())
