"""Scores for games of Diplomacy that somebody else played: ``ludus score diplomacy FOLDER``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks.diplomacy.calls import Calls, read_calls
from ludus.benchmarks.diplomacy.finding import find_games
from ludus.benchmarks.diplomacy.records import SavedGame, check_year
from ludus.benchmarks.diplomacy.scoring import (
    POWERS,
    RULES,
    Outcome,
    PowerScore,
    is_complete,
    judge_game,
    years,
)
from ludus.benchmarks.score_files import ScoredFiles

__all__ = [
    "ASSUMED_YEAR",
    "RULES",
    "LastYear",
    "ScoredGame",
    "find_last_year",
    "score_files",
    "score_game",
]

ASSUMED_YEAR = 1930
"""The last year of games that do not tell it, as the published scorer has it."""
NAME_WIDTH = 28
"""Longer names of games stand on a line of their own."""

HINTS = {"assumed": "; give --year", "given": "; give a later --year"}
"""What to do if the last year of a game cannot be right, by where it comes from."""

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
        scores: What it is worth, by power.
    """

    game: SavedGame
    last: LastYear
    complete: bool
    scores: dict[str, PowerScore]

    @property
    def remark(self) -> str:
        """What a reader of the scores has to know, or nothing."""
        words = [] if self.complete else [f"stopped early, in {self.game.phases[-1].name}"]
        if self.contradiction:
            words.append(self.contradiction)
        elif self.last.assumed:
            words.append(f"no file tells the last year: {self.last.year} is assumed")
        return "; ".join(words)

    @property
    def contradiction(self) -> str:
        """What the record has against the last year, or nothing."""
        played = years(self.game.positions, 0)[:-1]
        if not played or max(played) <= self.last.year:
            return ""
        fault = f"the record goes to {max(played)}, beyond the last year, {self.last.year}"
        return f"{fault} ({self.last.source}){HINTS.get(self.last.source, '')}"


def find_last_year(game: SavedGame, rule: str, year: int | None = None) -> LastYear:
    """Return a game's last year: as its overview says, or else its own settings.

    The published scorer reads the overview alone, so under ``reference`` settings do not count.

    Args:
        game: The game.
        rule: ``"document"`` or ``"reference"``.
        year: The year of games that do not tell it; 1930 is assumed if None.
    """
    if game.overview.max_year is not None:
        return LastYear(game.overview.max_year, "overview.jsonl")
    if game.settings.max_year is not None and rule == "document":
        return LastYear(game.settings.max_year, "settings")
    if year is not None:
        return LastYear(check_year(year), "given")
    return LastYear(ASSUMED_YEAR, "assumed")


def score_game(game: SavedGame, rule: str = RULES[0], year: int | None = None) -> ScoredGame:
    """Return what a saved game is worth for each power."""
    last = find_last_year(game, rule, year)
    positions = game.positions
    scores = judge_game(positions, last.year, rule, game.powers)
    complete = is_complete(positions, last.year)
    return ScoredGame(game, last, complete, {score.power: score for score in scores})


def score_files(path: Path, rule: str, year: int | None = None) -> ScoredFiles:
    """Score every power of every game in a file or a folder.

    A game that goes beyond its last year is a fault. Under ``document`` it has no rows; the
    published scorer counts it, so under ``reference`` it has.

    Args:
        path: The file or folder.
        rule: ``"document"`` or ``"reference"``.
        year: The last year of games that do not tell it; 1930 is assumed if None.
    """
    saved = find_games(path)
    rows: list[dict[str, Any]] = []
    scored: list[ScoredGame] = []
    faults = list(saved.faults)
    for game in saved.games:
        calls = read_calls(game)
        faults += calls.faults
        judged = score_game(game, rule, year)
        if judged.contradiction:
            faults.append(f"{str(game.file)!r}: {judged.contradiction}")
            if rule == "document":
                continue
        scored.append(judged)
        rows += [_row(judged, power, calls.by_power, rule) for power in judged.scores.values()]
    if not saved.games and not faults:
        faults.append(f"there are no games in {str(path)!r}")
    return ScoredFiles(rows, faults, "\n".join(_report(scored, rule)))


def _row(
    scored: ScoredGame, power: PowerScore, calls_by_power: dict[str, Calls], rule: str
) -> dict[str, Any]:
    calls = calls_by_power.get(power.power)
    return {
        "game": scored.game.name,
        "power": power.power,
        "game_score": power.score,
        "raw_supply_centers": power.centres,
        "outcome": power.outcome.value,
        "year": power.year,
        "rule": rule,
        "max_year": scored.last.year,
        "max_year_source": scored.last.source,
        "last_phase": scored.game.phases[-1].name,
        "complete": scored.complete,
        "model": scored.game.models.get(power.power),
        "llm_calls": calls.total if calls else None,
        "llm_failed": calls.failed if calls else None,
        "error_rate": 100 * calls.failed / calls.total if calls else None,
        "remark": scored.remark,
    }


def _report(scored: list[ScoredGame], rule: str) -> Iterator[str]:
    """Yield one line a game: its score for each power."""
    if not scored:
        return
    width = min(NAME_WIDTH, max(4, *(len(game.game.name) for game in scored)))
    heads = "".join(f"{power[:3]:>6}" for power in POWERS)
    yield f"{'game':<{width}}  until{heads}"
    for game in scored:
        mark, name = " !" if game.remark else "", game.game.name
        if len(name) > width:
            yield name
            name = ""
        yield f"{name:<{width}}  {game.last.year}{_cells(game)}{mark}"
    yield f"rule: {rule}; * solo, x eliminated, - lost to a solo"
    yield from (f"! {game.game.name}: {game.remark}" for game in scored if game.remark)


def _cells(game: ScoredGame) -> str:
    """Return the powers' scores; those of another map in its own order."""
    powers = POWERS if POWERS[0] in game.scores else tuple(game.scores)
    scores = [game.scores[power] for power in powers]
    return "".join(f"{score.score:>5}{SIGNS[score.outcome]}" for score in scores)
