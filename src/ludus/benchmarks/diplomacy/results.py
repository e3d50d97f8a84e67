"""Games of tested powers as tables take them: what each is worth, and how it was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludus.benchmarks.diplomacy.conditions import Conditions, name_rows
from ludus.benchmarks.diplomacy.scoring import RULES
from ludus.errors import OptionError

__all__ = [
    "AGGRESSIVE",
    "BASELINE",
    "READINGS",
    "Failure",
    "PlayedGame",
    "TableResults",
    "TableSettings",
]

BASELINE, AGGRESSIVE = "baseline", "aggressive"
USUAL = Conditions()
READINGS = ("best", "pooled")
"""What a model's row is made of: its best variant alone (the default), or both together."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a tested power.

    Attributes:
        model: Who played it, without the variant.
        variant: In which variant; ``baseline`` if it has no name.
        game: What the game is called.
        score: The game score.
        centres: The power's supply centres at the end.
        won: Whether they are 18 or more.
        survived: Whether the power was alive at the end of a game that nobody else won.
        calls: How many calls of a model were made for the power; 0 if it is not known.
        failed_calls: How many of them failed.
        phase_seconds: How long each phase took, with its name, if it is known.
        pair: What the game has in common with games of other variants: its seed, for game.
        cost: What the calls cost, if it is known.
        conditions: How it was played; games that differ in it share no row.
    """

    model: str
    variant: str
    game: str
    score: float
    centres: int
    won: bool
    survived: bool = False
    calls: int = 0
    failed_calls: int = 0
    phase_seconds: tuple[tuple[str, float], ...] = ()
    pair: str = ""
    cost: float | None = None
    conditions: Conditions = USUAL


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that went wrong, why, and whether it counts all the same."""

    model: str
    variant: str
    game: str
    reason: str
    counts: bool = False


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Under which settings games were played and scored.

    Attributes:
        rule: The scoring rule.
        power: The tested power.
        protocol: What else is known of how they were played.
        baseline: The variant that others are compared with.
        steered: The variant that is compared with it.
        reading: What a model's row is made of.
    """

    rule: str = RULES[0]
    power: str = "FRANCE"
    protocol: Mapping[str, Any] = field(default_factory=dict)
    baseline: str = BASELINE
    steered: str = AGGRESSIVE
    reading: str = READINGS[0]

    def __post_init__(self) -> None:
        if self.reading not in READINGS:
            raise OptionError(f"no reading {self.reading!r}; choose one of {', '.join(READINGS)}")


@dataclass(frozen=True, slots=True)
class TableResults:
    """All games of a table: those that count, those that do not, and faults of files."""

    settings: TableSettings
    played: tuple[PlayedGame, ...]
    failures: tuple[Failure, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def models(self) -> dict[str, dict[str, list[PlayedGame]]]:
        """The games by row and variant, the baseline first.

        A row is a model; where games were played differently, it is a model and how it played.
        """
        by_model: dict[str, dict[str, list[PlayedGame]]] = {}
        first, names = self.settings.baseline, self.row_names
        for game in sorted(self.played, key=lambda game: (game.variant != first, game.variant)):
            row = game.model + names[game.conditions]
            by_model.setdefault(row, {}).setdefault(game.variant, []).append(game)
        return dict(sorted(by_model.items()))

    @property
    def row_names(self) -> dict[Conditions, str]:
        """What stands behind a model's name, by how its games were played."""
        return name_rows({game.conditions for game in self.played})

    @property
    def problems(self) -> list[str]:
        """All that is wrong, a line each: games that do not count, and faults of files."""
        lost = [failure for failure in self.failures if not failure.counts]
        games = [f"{failure.game} ({failure.model}): {failure.reason}" for failure in lost]
        return [*games, *self.faults]
