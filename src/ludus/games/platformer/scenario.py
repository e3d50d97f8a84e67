"""Scenarios of the platformer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.agent_seed import derive_agent_seed
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.reference import Reference
from ludus.games.platformer.physics import Physics

__all__ = ["LONGEST", "Scenario", "level_to_dict", "read_level"]

LONGEST = 1_000_000
"""The most seconds on a level's clock."""


LEVELS = 32
"""So many levels are remembered: several scenarios of a plan often have the same."""


class _LevelFields(NamedTuple):
    text: str
    rules: str
    labels: tuple[str, ...]
    options: str


@dataclass(frozen=True, slots=True)
class Scenario:
    r"""One level to play, with Mario's start and the clock.

    Attributes:
        name: What tables call it, such as ``"sprint-03"``.
        level: The level.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        time_limit: Seconds on the level's clock; 0 means no limit.
        seed: What the agent's own seed is derived from; the game itself has no chance.

    Example:
        >>> scenario = Scenario("short", Level.parse("M---F\nXXXXX"), time_limit=20)
        >>> Scenario.from_dict(scenario.to_dict()) == scenario
        True
    """

    name: str
    level: Level
    mode: int = 0
    time_limit: int = 40
    seed: int = 0

    def __post_init__(self) -> None:
        if self.mode not in (0, 1, 2):
            raise OptionError(f"mode {self.mode} is not 0 (small), 1 (large) or 2 (fire)")
        if not 0 <= self.time_limit <= LONGEST:
            raise OptionError(
                f"time limit {self.time_limit} is not from 0, which means no limit, to {LONGEST}"
            )

    def for_agent(self) -> Scenario:
        """Return the scenario with the agent's own seed, and a level that does not tell its own."""
        return replace(self, seed=derive_agent_seed(self.seed), level=self.level.with_recipe(None))

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values, with the level's text and settings."""
        return {
            "name": self.name,
            "seed": self.seed,
            "mode": self.mode,
            "time_limit": self.time_limit,
            "level": level_to_dict(self.level),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Scenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            check_kinds(cls, values)
            return cls(
                name=values["name"],
                level=read_level(values["level"]),
                mode=values["mode"],
                time_limit=values["time_limit"],
                seed=values["seed"],
            )
        except (KeyError, TypeError) as error:
            raise OptionError(f"not a platformer scenario: {one_line(error)}") from None


def level_to_dict(level: Level) -> dict[str, Any]:
    """Return a level as plain values: its text and settings, and its map if it has one."""
    return {
        "text": level.text,
        "rules": level.rules,
        "physics": level.physics.to_dict() if level.physics else None,
        "labels": sorted(level.labels),
        **({} if level.options is None else {"options": level.options}),
        **({} if level.map is None else {"map": level.map.to_record()}),
    }


def read_level(values: Mapping[str, Any]) -> Level:
    """Return the level that :func:`level_to_dict` described.

    Raises:
        KeyError: A value is missing.
        TypeError: A value is of another kind.
        LevelError: The map is no level.
        OptionError: The rules do not play it, or the options are none.
    """
    check_kinds(_LevelFields, values)
    if values["physics"]:
        check_kinds(Physics, values["physics"])
    physics = Physics(**values["physics"]) if values["physics"] else None
    labels = frozenset(values["labels"])
    if "map" in values:
        reference = Reference.from_record(values["map"])
        if reference.format != values["rules"]:
            raise OptionError(
                f"rules {values['rules']!r:.40} do not play a map of {reference.format}"
            )
        level = Level.from_reference(reference, physics=physics, labels=labels)
    else:
        level = _parse_level(values["text"], values["rules"], physics, labels)
    options = values.get("options")
    return level if options is None else level.with_options(options)


@lru_cache(LEVELS)
def _parse_level(text: str, rules: str, physics: Physics | None, labels: frozenset[str]) -> Level:
    return Level.parse(text, rules=rules, physics=physics, labels=labels)
