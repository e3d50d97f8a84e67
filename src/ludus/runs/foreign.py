"""Scores for episodes that somebody else played, from the facts in a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks import Benchmark, Score
from ludus.benchmarks.rows import read_rows
from ludus.errors import one_line, show_value
from ludus.execution.episode import EpisodeEnding
from ludus.games.game import Facts, find_game
from ludus.runs.facts import Fact, WatchedFacts

__all__ = ["Problem", "ScoredFile", "ScoredRow", "score_file"]


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row and its score.

    Attributes:
        line: The line it ends in, counted from 1.
        agent: Who played it, if the row says so.
        score: The score by the benchmark's rule.
    """

    line: int
    agent: str
    score: Score


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a row has no score.

    Attributes:
        line: The line it ends in, counted from 1.
        field: The fact that is missing or wrong, or ``""`` if the row is no row at all.
        value: What stands there, or None.
        reason: What is wrong with it.
    """

    line: int
    field: str
    value: Any
    reason: str

    def __str__(self) -> str:
        field = f"{self.field!r} " if self.field else ""
        value = "" if self.value is None else f"is {show_value(self.value)}, "
        return f"line {self.line}: {field}{value}{self.reason}"


class ScoredFile(NamedTuple):
    """The rows that were scored and the problems of those that were not."""

    rows: list[ScoredRow]
    problems: list[Problem]


def score_file(benchmark: Benchmark, path: str | Path) -> ScoredFile:
    """Score every row of a file by a benchmark's rule; rows with a fault become problems.

    Args:
        benchmark: Whose rule.
        path: A ``.csv`` file with the facts' names as columns, or lines of JSON with them as
            keys, or a run as ``ludus export`` writes it.

    Raises:
        OptionError: The file cannot be read.
    """
    known = _usual_facts(benchmark)
    rows: list[ScoredRow] = []
    problems: list[Problem] = []
    lines = read_rows(Path(path), values="facts", refusal="is not text in columns")
    for line, values in lines:
        outcome = values if isinstance(values, str) else _score_row(benchmark, known, line, values)
        if isinstance(outcome, str):
            problems.append(Problem(line, "", None, outcome))
        elif isinstance(outcome, Problem):
            problems.append(outcome)
        else:
            rows.append(outcome)
    return ScoredFile(rows, problems)


def _usual_facts(benchmark: Benchmark) -> Facts:
    """Return facts as the benchmark's game gives them, to know what kind of value each is."""
    game = find_game(benchmark.game)
    return game.replay(game.parse_scenario(benchmark.make_scenarios(0, 1)[0]), b"")


def _score_row(
    benchmark: Benchmark, known: Facts, line: int, values: Mapping[str, Any]
) -> ScoredRow | Problem:
    facts = WatchedFacts(_TypedFacts(values, known))
    try:
        score = benchmark.score_play(facts, _find_ending(values))
    except _UnusableFact as unusable:
        return Problem(line, unusable.field, unusable.value, unusable.reason)
    except Exception as error:  # a rule may fail in any way on facts it does not expect
        return Problem(line, facts.last, values.get(facts.last), one_line(error))
    return ScoredRow(line, str(values.get("agent") or ""), score)


def _find_ending(values: Mapping[str, Any]) -> EpisodeEnding:
    """Return how the row's episode ended; finished if it does not say."""
    try:
        return EpisodeEnding(values.get("ending", ""))
    except ValueError:
        return EpisodeEnding.FINISHED


class _UnusableFact(Exception):
    """A fact that a rule read is not there, or is no value for it."""

    def __init__(self, field: str, value: Any, reason: str) -> None:
        super().__init__(reason)
        self.field, self.value, self.reason = field, value, reason


class _TypedFacts(Mapping[str, Fact]):
    """A row's values, each taken for what the game's own facts are of that name."""

    def __init__(self, values: Mapping[str, Any], known: Facts) -> None:
        self._values, self._known = values, known

    def __getitem__(self, name: str) -> Fact:
        value = self._values.get(f"fact.{name}", self._values.get(name))
        if value is None or value == "":
            present = name in self._values or f"fact.{name}" in self._values
            if present and name in self._known and self._known[name] is None:
                return None  # what never happened has no value
            raise _UnusableFact(name, None, "is empty" if present else "is missing")
        return _convert(name, value, type(self._known.get(name)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _convert(name: str, value: Any, kind: type[Any]) -> Fact:
    if kind is str:
        return str(value)
    if kind is bool and str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    number = _parse_number(value)
    if kind is int and (number is None or number != int(number)):
        raise _UnusableFact(name, value, "which is not a whole number")
    if number is None and kind is not type(None):
        raise _UnusableFact(name, value, "which is not a number")
    if number is None:
        return str(value)
    return int(number) if kind is int else number


def _parse_number(value: Any) -> int | float | None:
    """Return the finite number that a value is or spells, or None."""
    if isinstance(value, bool):
        return None
    for kind in (int, float):
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if math.isfinite(number) and (isinstance(value, str) or number == value):
            return number
    return None
