"""Scores and leaderboards for episodes that somebody else played, from a file of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
from ludus.benchmarks.rows import read_rows
from ludus.benchmarks.score_files import ScoredFiles
from ludus.errors import OptionError
from ludus.stats import best_interval, mean_interval, rate_interval

__all__ = ["RULES", "TRACKS", "score_files"]

RULES = tuple(MODES)

FULL_GAME = "full-game"
TRACKS = (*(f"{level // 4 + 1}-{level % 4 + 1}" for level in range(LEVELS)), FULL_GAME)
"""The tracks of which rows can be asked for alone."""

NOBODY = "–"


def score_files(path: Path, rule: str, track: str = "") -> ScoredFiles:
    """Score every episode of a file by a mode, and rank the models level by level.

    Args:
        path: A ``.csv`` file with columns ``world, stage, completed, max_x_pos, steps, coins,
            time_remaining`` and perhaps ``model``, or lines or an array of JSON with these keys, or
            a run as ``ludus export`` writes it; ``-`` is what is piped in.
        rule: The scoring mode.
        track: The level, or ``full-game``, that all rows must be of; any if empty.

    Raises:
        OptionError: The file cannot be read.
    """
    rows: list[dict[str, Any]] = []
    faults: list[str] = []
    levels: dict[tuple[bool, int], dict[str, list[ArenaScore]]] = {}
    refusal = "is neither CSV nor lines of JSON"
    lines = read_rows(
        path, values="values", refusal=refusal, needed=REQUIRED, skipinitialspace=True
    )
    for line, values in lines:
        try:
            if isinstance(values, str):
                raise OptionError(values)
            score = compute_arena_score(values, rule)
            if track and _track(score) != track:
                raise OptionError(f"is of {_track(score)}, not of {track}")
        except OptionError as error:
            faults.append(f"line {line}: {error}")
            continue
        model = str(values.get("model") or values.get("agent") or NOBODY)
        rows.append(_row(line, model, score))
        episode = score.episode
        level = (episode.full_game, 0 if episode.full_game else episode.level)
        levels.setdefault(level, {}).setdefault(model, []).append(score)
    report = "\n\n".join(_report(levels[level]) for level in sorted(levels))
    return ScoredFiles(rows, faults, report)


def _row(line: int, model: str, score: ArenaScore) -> dict[str, Any]:
    return {
        "line": line,
        "model": model,
        "level": _level_name(score),
        "mode": score.mode,
        "score": score.points,
        "display": score.display,
        "parts": score.breakdown,
    }


def _track(score: ArenaScore) -> str:
    return FULL_GAME if score.episode.full_game else _level_name(score)


def _level_name(score: ArenaScore) -> str:
    episode = score.episode
    return "full game" if episode.full_game else f"{episode.world}-{episode.stage}"


# ---- the report


def _report(models: Mapping[str, list[ArenaScore]]) -> str:
    """Return the leaderboard of one level, and below it what a best score does not tell."""
    aggregates = {name: aggregate_scores(scores) for name, scores in models.items()}
    best = next(iter(aggregates.values())).best
    where = "full game" if best.episode.full_game else f"level {_level_name(best)}"
    title = f"MARIO ARENA LEADERBOARD, {where}, mode {best.mode}"
    lines = [format_leaderboard(aggregates, title), ""]
    lines += [
        f"{name}: {_figures(result, models[name])}" for _, name, result in rank_models(aggregates)
    ]
    counts = sorted({result.episodes for result in aggregates.values()})
    if len(counts) > 1:
        several = " and ".join(map(str, counts))
        lines.append(f"The best of {several} episodes do not compare: let all play equally often.")
    return "\n".join(lines)


def _figures(result: Aggregate, scores: list[ArenaScore]) -> str:
    success = rate_interval(result.successes, result.episodes)
    points = [score.points for score in scores]
    bounds = score_bounds(result.best.mode, full_game=result.best.episode.full_game)
    mean, best = mean_interval(points, bounds=bounds), best_interval(points, bounds=bounds)
    return (
        f"best of {result.episodes}, usually {best.low:,.0f} or more;"
        f" success {success.low:.0%} to {success.high:.0%};"
        f" mean {mean.value:,.0f} [{mean.low:,.0f}, {mean.high:,.0f}];"
        f" std {result.std:,.0f} (population);"
        f" mean max x {float(result.average_max_x):,.0f}"
    )
