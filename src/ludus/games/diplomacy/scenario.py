"""Scenarios of Diplomacy: the seats, the years, and whether powers send messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.agent_seed import derive_agent_seed
from ludus.games.diplomacy.records import POWERS

__all__ = ["PRESS", "Scenario"]

PRESS = ("none", "full")
"""Whether powers may send each other messages before they order."""

ROUNDS = 3


@dataclass(frozen=True)
class Scenario:
    """A game of Diplomacy as one seat sees it before it begins.

    Attributes:
        name: What tables call it.
        power: The seat.
        opponents: Who plays the other six, in the powers' order; agents' specs.
        first_year: The year of the first spring.
        max_year: The last year that is played.
        press: ``none``, or ``full`` for rounds of messages before every movement.
        rounds: How many rounds; 0 without press.
        seed: What each seat's own seed is derived from; the table itself has no chance.
        position: Where to begin instead of the usual start, as ``Table.start`` takes it.
        rule: How it is scored; the game passes it on to the facts.
    """

    name: str = "diplomacy"
    power: str = "FRANCE"
    opponents: tuple[str, ...] = ("dumb",) * 6
    first_year: int = 1901
    max_year: int = 1925
    press: str = "none"
    rounds: int = 0
    seed: int = 0
    position: Mapping[str, Any] | None = field(default=None, hash=False)
    rule: str = "document"

    def __post_init__(self) -> None:
        if self.power not in POWERS:
            raise OptionError(f"no power {self.power!r}; there are {', '.join(POWERS)}")
        if len(self.opponents) != len(POWERS) - 1:
            raise OptionError(f"{len(self.opponents)} opponents: name one, or one for each of 6")
        if self.press not in PRESS:
            raise OptionError(f"no press {self.press!r}; try {' or '.join(PRESS)}")
        if self.rounds < 0 or (self.press == "none" and self.rounds):
            raise OptionError(f"{self.rounds} rounds of messages do not fit press {self.press!r}")
        if not 1000 <= self.first_year <= self.max_year <= 9999:
            raise OptionError(f"no years from {self.first_year} to {self.max_year}: try 1901, 1925")

    @classmethod
    def from_dict(cls, description: Mapping[str, Any]) -> Scenario:
        """Return the scenario of a description; what it leaves out has its default.

        Raises:
            OptionError: A value is out of range, or there is one too many.

        Example:
            >>> Scenario.from_dict({"opponents": "random", "press": "full"}).rounds
            3
        """
        values = dict(description)
        unknown = values.keys() - {part.name for part in fields(cls)}
        if unknown:
            raise OptionError(f"no {sorted(unknown)[0]!r} in a scenario of diplomacy")
        try:
            values["opponents"] = _expand_opponents(values.get("opponents", "dumb"))
            check_kinds(cls, values)
        except TypeError as error:
            raise OptionError(f"not a scenario of diplomacy: {one_line(error)}") from None
        if not isinstance(values.get("position"), Mapping | None):
            raise OptionError(f"{values['position']!r:.60} is no position to begin from")
        if values.get("press") == "full":
            values.setdefault("rounds", ROUNDS)
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return the plain values that :meth:`from_dict` takes."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        values["opponents"] = list(self.opponents)
        if self.position is None:
            del values["position"]
        return values

    @property
    def seats(self) -> dict[str, str]:
        """The specs of the other six players by power."""
        others = (power for power in POWERS if power != self.power)
        return dict(zip(others, self.opponents, strict=True))

    def for_seat(self, power: str) -> Scenario:
        """Return the same scenario for the player of another seat."""
        return replace(self, power=power)

    def for_agent(self) -> Scenario:
        """Return the scenario with the seat's own seed, which no other seat knows."""
        return replace(self, seed=derive_agent_seed(self.seed, self.power))


def _expand_opponents(opponents: str | Sequence[str]) -> tuple[str, ...]:
    specs = (opponents,) if isinstance(opponents, str) else tuple(opponents)
    return specs * (len(POWERS) - 1) if len(specs) == 1 else specs
