"""Scores and leaderboards for episodes that somebody else played, from a file of them."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np

from ludus.benchmarks.mario_arena.episode import LEVELS, REQUIRED
from ludus.benchmarks.mario_arena.modes import MODES
from ludus.benchmarks.mario_arena.scoring import (
    Aggregate,
    ArenaScore,
    aggregate_scores,
    compute_arena_score,
    format_leaderboard,
    rank_models,
    score_bounds,
)
from ludus.benchmarks.rows import Row, read_rows
from ludus.benchmarks.score_files import ScoredFiles
from ludus.errors import OptionError, clean_text, show_value
from ludus.stats import Estimate, best_interval, rate_interval
from ludus.stats.bounded import Bounds
from ludus.stats.intervals import mean_intervals

__all__ = ["RULES", "TRACKS", "score_files"]

RULES = tuple(MODES)

FULL_GAME = "full-game"
TRACKS = (*(f"{level // 4 + 1}-{level % 4 + 1}" for level in range(LEVELS)), FULL_GAME)
"""The tracks of which rows can be asked for alone."""

NOBODY = "–"
LONGEST_NAME = 200

Levels = defaultdict[int, defaultdict[str, list[ArenaScore]]]
"""The scores of each model at each level, by its place."""


def score_files(path: Path, rule: str, track: str = "") -> ScoredFiles:
    """Score every episode of a file by a mode, and rank the models level by level.

    Args:
        path: A ``.csv`` file with columns ``world, stage, completed, max_x_pos, steps, coins,
            time_remaining`` and perhaps ``model``, separated by commas, semicolons or tabs, or
            lines or an array of JSON with these keys, or a run as ``ludus export`` writes it; ``-``
            is what is piped in.
        rule: The scoring mode.
        track: The level, or ``full-game``, that all rows must be of; any if empty.

    Raises:
        OptionError: The file cannot be read.
    """
    scored: list[ScoredLine] = []
    faults: list[str] = []
    with _without_collections():
        for line, values in _read_values(path):
            try:
                scored.append(_score_line(line, values, rule, track))
            except OptionError as error:
                faults.append(f"line {line}: {error}")
        report = _report_levels(scored)
    return ScoredFiles(ScoredRows(scored), faults, report)


def _read_values(path: Path) -> Iterator[Row]:
    refusal = "is neither CSV nor lines of JSON"
    return read_rows(path, values="values", refusal=refusal, needed=REQUIRED, skipinitialspace=True)


def _score_line(line: int, values: Mapping[str, Any] | str, rule: str, track: str) -> ScoredLine:
    """Return a line with its score; refuse one that has no values or is of another track."""
    if isinstance(values, str):
        raise OptionError(values)
    score = compute_arena_score(values, rule)
    if track and _track(score) != track:
        hint = ": full_game is 1 there" if track == FULL_GAME else ""
        raise OptionError(f"is of {_track(score)}, not of {track}{hint}")
    return ScoredLine(line, _find_name(values), score)


def _find_name(values: Mapping[str, Any]) -> str:
    """Return the name of a row's model as one short line; refuse what is no name."""
    name = values.get("model") or values.get("agent") or NOBODY
    if isinstance(name, list | dict):
        raise OptionError(f"'model' is {show_value(name)}, which is no name")
    return _clean_name(str(name))


@lru_cache(maxsize=1024)
def _clean_name(name: str) -> str:
    return clean_text(name, LONGEST_NAME) or NOBODY


@contextmanager
def _without_collections() -> Iterator[None]:
    """Let Python look for no garbage meanwhile: all rows are kept, so it would find none."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class ScoredLine(NamedTuple):
    """A line of a file, whose episode it is, and what that is worth."""

    line: int
    model: str
    score: ArenaScore

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "line": self.line,
            "model": self.model,
            "level": _level_name(self.score),
            "mode": self.score.mode,
            "score": self.score.points,
            "display": self.score.display,
            "parts": self.score.breakdown,
        }


class ScoredRows(Sequence[dict[str, Any]]):
    """Scored lines as plain values, each made when it is asked for; most people see a report."""

    def __init__(self, lines: Sequence[ScoredLine]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> ScoredRows: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | ScoredRows:
        if isinstance(place, slice):
            return ScoredRows(self._lines[place])
        return self._lines[place].to_dict()


def _level_place(score: ArenaScore) -> int:
    """Return the level's place in the game; the whole game is behind the levels."""
    return LEVELS + 1 if score.episode.full_game else score.episode.level


def _track(score: ArenaScore) -> str:
    return FULL_GAME if score.episode.full_game else _level_name(score)


def _level_name(score: ArenaScore) -> str:
    episode = score.episode
    return "full game" if episode.full_game else f"{episode.world}-{episode.stage}"


# ---- the report


def _report_levels(scored: Sequence[ScoredLine]) -> str:
    levels: Levels = defaultdict(lambda: defaultdict(list))
    for one in scored:
        levels[_level_place(one.score)][one.model].append(one.score)
    return "\n\n".join(_report(levels[level]) for level in sorted(levels))


def _report(models: Mapping[str, list[ArenaScore]]) -> str:
    """Return the leaderboard of one level, and below it what a best score does not tell."""
    aggregates = {name: aggregate_scores(scores) for name, scores in models.items()}
    best = next(iter(aggregates.values())).best
    where = "full game" if best.episode.full_game else f"level {_level_name(best)}"
    title = f"MARIO ARENA LEADERBOARD, {where}, mode {best.mode}"
    lines = [format_leaderboard(aggregates, title), ""]
    means = _mean_points(models, score_bounds(best.mode, full_game=best.episode.full_game))
    lines += [
        f"{name}: {_figures(result, models[name], means[name])}"
        for _, name, result in rank_models(aggregates)
    ]
    counts = sorted({result.episodes for result in aggregates.values()})
    if len(counts) > 1:
        several = " and ".join(map(str, counts))
        lines.append(f"The best of {several} episodes do not compare: let all play equally often.")
    return "\n".join(lines)


def _mean_points(models: Mapping[str, list[ArenaScore]], bounds: Bounds) -> dict[str, Estimate]:
    """Return the mean of each model's points; models of equally many episodes share the work."""
    alike: dict[int, list[str]] = defaultdict(list)
    for name, scores in models.items():
        alike[len(scores)].append(name)
    found: dict[str, Estimate] = {}
    for names in alike.values():
        columns = np.array([[score.points for score in models[name]] for name in names]).T
        found.update(zip(names, mean_intervals(columns, bounds=bounds), strict=True))
    return found


def _figures(result: Aggregate, scores: Sequence[ArenaScore], mean: Estimate) -> str:
    success = rate_interval(result.successes, result.episodes)
    best = best_interval([score.points for score in scores])
    usual = f" ({best.remark})" if best.remark else f", usually {best.low:,.0f} or more"
    return (
        f"best of {result.episodes}{usual};"
        f" success {success.low:.0%} to {success.high:.0%};"
        f" mean {mean.value:,.0f} [{mean.low:,.0f}, {mean.high:,.0f}];"
        f" std {result.std:,.0f} (population);"
        f" mean max x {float(result.average_max_x):,.0f}"
    )
