"""The records of a game: phases, messages, answers, submitted orders, turns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "EVERYBODY",
    "POWERS",
    "Answer",
    "Message",
    "Phase",
    "Rejection",
    "SubmittedOrders",
    "Turn",
    "parse_phase",
]

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
"""The seven, in the order in which everything about them is listed."""

EVERYBODY = "GLOBAL"
"""The recipient of a message that all powers read."""

SEASONS = {"S": "spring", "F": "fall", "W": "winter"}


@dataclass(frozen=True, slots=True)
class Phase:
    """The parts of a phase's name.

    Attributes:
        season: ``spring``, ``fall`` or ``winter``.
        year: Such as 1901.
        kind: ``M`` for movement, ``R`` for retreats, ``A`` for adjustments.
    """

    season: str
    year: int
    kind: str


def parse_phase(name: str) -> Phase | None:
    """Return the parts of a name such as ``S1901M``, or None if it is no phase that is played.

    Example:
        >>> parse_phase("F1902R")
        Phase(season='fall', year=1902, kind='R')
    """
    match = re.fullmatch(r"([SFW])(\d{4})([MRA])", name, re.ASCII)
    return Phase(SEASONS[match[1]], int(match[2]), match[3]) if match else None


@dataclass(frozen=True, slots=True)
class Message:
    """A message from one power to another, or to everybody.

    Attributes:
        sender: The power that speaks; the match fills it in.
        recipient: A power, or ``GLOBAL``.
        text: What is said.
        phase: When, such as ``S1901M``; the match fills it in.
        round: In which round of the phase, from 1; the match fills it in.
    """

    sender: str
    recipient: str
    text: str
    phase: str = ""
    round: int = 0

    def readable_by(self, power: str) -> bool:
        """Return whether the power may read it."""
        return power in (self.sender, self.recipient) or self.recipient == EVERYBODY


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer: orders, messages, or both.

    Attributes:
        orders: The texts of its orders.
        messages: What it says.
        note: Plain values that the record keeps beside them and no other seat is shown, such as the
            calls to a language model that the answer took.
    """

    orders: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    note: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """A text that is not a legal order, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class SubmittedOrders:
    """The orders of a power that were accepted, in canonical form, and those rejected."""

    accepted: tuple[str, ...]
    rejected: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One phase that has been adjudicated.

    Attributes:
        phase: Its name, such as ``S1901M``.
        state: The position before it, as the engine's saved games hold it.
        orders: The accepted orders of each power.
        defaults: What the rules filled in for units without an order.
        results: What came between a unit and its order; units that succeeded have no entry.
        messages: What was said.
        rejected: The texts of a power that were no legal orders.
        faults: Powers whose player failed to answer.
        notes: What players had kept beside their answers, in the order in which they gave them.
    """

    phase: str
    state: Mapping[str, Any]
    orders: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    results: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    rejected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    notes: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)

    @property
    def year(self) -> int | None:
        """The year, or None if the game was over."""
        phase = parse_phase(self.phase)
        return phase.year if phase else None

    @property
    def units(self) -> Mapping[str, list[str]]:
        """The units of each power before it; a ``*`` marks a dislodged one."""
        return self.state["units"]  # type: ignore[no-any-return]

    @property
    def centres(self) -> Mapping[str, list[str]]:
        """The supply centres of each power before it."""
        return self.state["centers"]  # type: ignore[no-any-return]
