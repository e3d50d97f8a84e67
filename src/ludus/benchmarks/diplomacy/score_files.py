"""Scores for games of Diplomacy that somebody else played: ``ludus score diplomacy FOLDER``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks.diplomacy.calls import Calls, read_calls
from ludus.benchmarks.diplomacy.records import SavedGame, find_games
from ludus.benchmarks.diplomacy.scoring import (
    POWERS,
    RULES,
    Outcome,
    Verdict,
    is_complete,
    judge_game,
)
from ludus.benchmarks.score_files import ScoredFiles

__all__ = [
    "ASSUMED_YEAR",
    "RULES",
    "LastYear",
    "ScoredGame",
    "last_year",
    "score_files",
    "score_game",
]

ASSUMED_YEAR = 1930
"""The last year of games that do not tell it, as the published scorer has it."""

SIGNS = {Outcome.SOLO: "*", Outcome.SURVIVED: " ", Outcome.ELIMINATED: "x", Outcome.LOST: "-"}


class LastYear(NamedTuple):
    """The last year that might have been played, and where it is told."""

    year: int
    source: str

    @property
    def assumed(self) -> bool:
        """Whether no file told it."""
        return self.source == "assumed"


class ScoredGame(NamedTuple):
    """A game and what it is worth for each power.

    Attributes:
        game: The game.
        last: The last year that might have been played.
        complete: Whether it went to its end.
        verdicts: What it is worth, by power.
    """

    game: SavedGame
    last: LastYear
    complete: bool
    verdicts: dict[str, Verdict]

    @property
    def remark(self) -> str:
        """What a reader of the scores has to know, or nothing."""
        words = [] if self.complete else [f"stopped early, in {self.game.phases[-1].name}"]
        if self.last.assumed:
            words.append(f"no file tells the last year: {self.last.year} is assumed")
        return "; ".join(words)


def last_year(game: SavedGame, rule: str, given: int | None = None) -> LastYear:
    """Return a game's last year: as its overview says, or else its own settings.

    The published scorer reads the overview alone, so under ``reference`` settings do not count.

    Args:
        game: The game.
        rule: ``"document"`` or ``"reference"``.
        given: The year of games that do not tell it; 1930 is assumed if None.
    """
    if game.overview_year is not None:
        return LastYear(game.overview_year, "overview.jsonl")
    if game.settings_year is not None and rule == "document":
        return LastYear(game.settings_year, "settings")
    return LastYear(given, "given") if given else LastYear(ASSUMED_YEAR, "assumed")


def score_game(game: SavedGame, rule: str = RULES[0], given: int | None = None) -> ScoredGame:
    """Return what a saved game is worth for each power."""
    last = last_year(game, rule, given)
    positions = game.positions
    verdicts = judge_game(positions, last.year, rule, game.powers)
    complete = is_complete(positions, last.year)
    return ScoredGame(game, last, complete, {one.power: one for one in verdicts})


def score_files(path: Path, rule: str) -> ScoredFiles:
    """Score every power of every game in a file or a folder."""
    found = find_games(path)
    rows: list[dict[str, Any]] = []
    scored: list[ScoredGame] = []
    faults = list(found.faults)
    for game in found.games:
        one = score_game(game, rule)
        calls = read_calls(game)
        faults += calls.faults
        scored.append(one)
        rows += [_row(one, verdict, calls.by_power, rule) for verdict in one.verdicts.values()]
    if not found.games and not faults:
        faults.append(f"there are no games in {str(path)!r}")
    return ScoredFiles(rows, faults, "\n".join(_report(scored, rule)))


def _row(one: ScoredGame, verdict: Verdict, calls: dict[str, Calls], rule: str) -> dict[str, Any]:
    own = calls.get(verdict.power)
    return {
        "game": one.game.name,
        "power": verdict.power,
        "game_score": verdict.score,
        "raw_supply_centers": verdict.centres,
        "outcome": verdict.outcome.value,
        "year": verdict.year,
        "rule": rule,
        "max_year": one.last.year,
        "max_year_source": one.last.source,
        "last_phase": one.game.phases[-1].name,
        "complete": one.complete,
        "model": one.game.models.get(verdict.power),
        "llm_calls": own.made if own else None,
        "llm_failed": own.failed if own else None,
        "error_rate": 100 * own.failed / own.made if own else None,
        "remark": one.remark,
    }


def _report(scored: list[ScoredGame], rule: str) -> Iterator[str]:
    """Yield one line a game: its score for each power."""
    if not scored:
        return
    width = max(4, *(len(one.game.name) for one in scored))
    heads = "".join(f"{power[:3]:>6}" for power in POWERS)
    yield f"{'game':<{width}}  until{heads}"
    for one in scored:
        yield f"{one.game.name:<{width}}  {one.last.year}{_cells(one)}{_mark(one)}"
    yield f"rule: {rule}; * solo, x eliminated, - lost to a solo"
    remarks = [f"{one.game.name}: {one.remark}" for one in scored if one.remark]
    yield from (f"! {remark}" for remark in remarks)


def _cells(one: ScoredGame) -> str:
    """Return the powers' scores; those of another map in its own order."""
    powers = POWERS if POWERS[0] in one.verdicts else tuple(one.verdicts)
    verdicts = [one.verdicts[power] for power in powers]
    return "".join(f"{verdict.score:>5}{SIGNS[verdict.outcome]}" for verdict in verdicts)


def _mark(one: ScoredGame) -> str:
    return " !" if one.remark else ""
