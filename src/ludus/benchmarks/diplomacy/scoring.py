"""What a power's game is worth: solo, survival, elimination, and losing to somebody's solo.

With M the last year that may be played and w the year of a solo, both less 1900:

==============  =================  ===================================
outcome         ``document``       ``reference``
==============  =================  ===================================
solo            M + (M − w) + 18   the same
survived        M + centres        the same
eliminated      its year           the same
lost to a solo  w                  no such case: scored as a survivor
==============  =================  ===================================

Under ``document`` a solo belongs to whoever ends the game with 18 centres; under ``reference``, as
the published figures were computed, to whoever had 18 in any record first.

A record shows the position *before* its phase is played, so what changes hands in a fall is seen in
the winter record of that year, or in the next spring's where nobody had anything to adjust. Years
are those of the records; ``COMPLETED`` has the year of the record before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ludus.errors import OptionError
from ludus.games.diplomacy.records import POWERS

__all__ = [
    "COMPLETED",
    "POWERS",
    "RULES",
    "SOLO",
    "Fate",
    "Outcome",
    "Position",
    "PowerScore",
    "Solo",
    "check_rule",
    "find_solo",
    "is_complete",
    "judge",
    "judge_game",
    "years",
]

RULES = ("document", "reference")
"""The rules, the default first."""

SOLO = 18
EPOCH = 1900
COMPLETED = "COMPLETED"
PHASE = re.compile(r"[SFW](\d{4})[MRA]")


class Outcome(StrEnum):
    """How a game ended for a power."""

    SOLO = "solo"
    SURVIVED = "survived"
    ELIMINATED = "eliminated"
    LOST = "lost_to_solo"


@dataclass(frozen=True, slots=True)
class Position:
    """One record of a game: its phase, and how many centres each power has before it is played."""

    phase: str
    centres: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Solo:
    """Who won, and in which year."""

    power: str
    year: int


@dataclass(frozen=True, slots=True)
class Fate:
    """All of a power's game that its score depends on, beside the solo.

    Attributes:
        power: Its name.
        centres: How many centres it has in the last record.
        eliminated_year: The year of the first record in which it has none, or None.
    """

    power: str
    centres: int
    eliminated_year: int | None = None


@dataclass(frozen=True, slots=True)
class PowerScore:
    """What a game is worth for a power.

    Attributes:
        power: Its name.
        outcome: How the game ended for it.
        score: The points.
        centres: How many centres it has in the last record.
        year: The year of the solo or the elimination, or None.
    """

    power: str
    outcome: Outcome
    score: int
    centres: int
    year: int | None


def judge(fate: Fate, solo: Solo | None, max_year: int, rule: str = RULES[0]) -> PowerScore:
    """Return what a game is worth for one power.

    Args:
        fate: What became of the power.
        solo: Who won alone, if anybody did.
        max_year: The last year that may be played, such as 1925.
        rule: ``"document"`` or ``"reference"``.

    Example:
        >>> judge(Fate("FRANCE", 18), Solo("FRANCE", 1920), 1925).score
        48
        >>> judge(Fate("FRANCE", 11), None, 1925).score
        36
        >>> judge(Fate("FRANCE", 0, eliminated_year=1910), None, 1925).score
        10
        >>> judge(Fate("FRANCE", 12), Solo("ITALY", 1909), 1925).score
        9
        >>> judge(Fate("FRANCE", 12), Solo("ITALY", 1909), 1925, "reference").score
        37
    """
    check_rule(rule)
    most = max_year - EPOCH
    outcome, year = _outcome(fate, solo, rule)
    if outcome is Outcome.SURVIVED or year is None:
        return PowerScore(fate.power, Outcome.SURVIVED, most + fate.centres, fate.centres, None)
    score = year - EPOCH
    if outcome is Outcome.SOLO:
        score = most + (most - score) + SOLO
    return PowerScore(fate.power, outcome, score, fate.centres, year)


def _outcome(fate: Fate, solo: Solo | None, rule: str) -> tuple[Outcome, int | None]:
    if solo and solo.power == fate.power:
        return Outcome.SOLO, solo.year
    if fate.eliminated_year is not None:
        return Outcome.ELIMINATED, fate.eliminated_year
    if solo and rule == "document":
        return Outcome.LOST, solo.year
    return Outcome.SURVIVED, None


def judge_game(
    positions: Sequence[Position],
    max_year: int,
    rule: str = RULES[0],
    powers: Sequence[str] = POWERS,
) -> list[PowerScore]:
    """Return what a game is worth for each power.

    Args:
        positions: The game's records in their order; one at least.
        max_year: The last year that may be played, such as 1925.
        rule: ``"document"`` or ``"reference"``.
        powers: Whose game; a power that a record does not name has no centres in it.

    Raises:
        OptionError: There is no such rule, or no record.
    """
    solo = find_solo(positions, max_year, rule)
    when = years(positions, max_year)
    last = positions[-1].centres
    return [
        judge(
            Fate(power, last.get(power, 0), _find_elimination(positions, when, power)),
            solo,
            max_year,
            rule,
        )
        for power in powers
    ]


def find_solo(positions: Sequence[Position], max_year: int, rule: str = RULES[0]) -> Solo | None:
    """Return who won alone under a rule, with the year of the first record that shows it.

    Raises:
        OptionError: There is no such rule, or no record.
    """
    check_rule(rule)
    if not positions:
        raise OptionError("a game without records has no result; it takes one record at least")
    when = years(positions, max_year)
    winners = {p for p, centres in positions[-1].centres.items() if centres >= SOLO}
    for position, year in zip(positions, when, strict=True):
        for power, centres in position.centres.items():
            if centres >= SOLO and (rule == "reference" or power in winners):
                return Solo(power, year)
    return None


def years(positions: Sequence[Position], unknown: int) -> list[int]:
    """Return the records' years; a record without one has that of the record before it.

    Args:
        positions: The records.
        unknown: The year of records before the first that has one.
    """
    known = []
    for position in positions:
        match = PHASE.fullmatch(position.phase)
        unknown = int(match[1]) if match else unknown
        known.append(unknown)
    return known


def is_complete(positions: Sequence[Position], max_year: int) -> bool:
    """Return whether a game went to its end: a solo, a draw, or beyond its last year."""
    last = positions[-1]
    solo = any(centres >= SOLO for centres in last.centres.values())
    return solo or last.phase == COMPLETED or years(positions, EPOCH)[-1] > max_year


def check_rule(rule: str) -> None:
    """Refuse a rule that is none."""
    if rule not in RULES:
        raise OptionError(f"no rule {rule!r}; choose one of {', '.join(RULES)}")


def _find_elimination(positions: Sequence[Position], when: Sequence[int], power: str) -> int | None:
    """Return the year of the first record without a centre; nobody comes back from there."""
    for position, year in zip(positions, when, strict=True):
        if position.centres.get(power, 0) == 0:
            return year
    return None
