"""``overall_performance.csv`` and ``steerability.csv``, with the columns of the published board.

The code that made the published tables was never published; where its description leaves a choice,
the choice made here is written into ``tables.json`` beside them.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from statistics import fmean, median
from typing import Any

from ludus.benchmarks.diplomacy.results import (
    PlayedGame,
    TableResults,
    TableSettings,
)
from ludus.benchmarks.diplomacy.steering import LEVEL, estimate_difference, is_distinguishable
from ludus.errors import OptionError
from ludus.escaping import escape_csv, escape_text
from ludus.stats import Estimate, mean_interval, rate_interval

__all__ = [
    "OVERALL",
    "STEERABILITY",
    "overall_performance",
    "sidecar",
    "steerability",
    "steering_estimates",
    "write_faults",
    "write_tables",
]

OVERALL = (
    "model_name",
    "best_variant",
    "france_mean_score",
    "france_median_score",
    "raw_supply_centers_mean",
    "raw_supply_centers_median",
    "france_win_rate",
    "total_games",
    "avg_phase_time_minutes",
    "error_rate",
)
STEERABILITY = (
    "model_name",
    "baseline_mean_score",
    "aggressive_mean_score",
    "baseline_raw_supply_centers",
    "aggressive_raw_supply_centers",
    "steerability_score",
    "steerability_percentage",
    "steerability_score_raw",
    "steerability_percentage_raw",
    "direction",
    "baseline_games",
    "aggressive_games",
)
FAULTS = "faults.txt"
VERSION = 2
DIGITS = 6

Row = dict[str, Any]


def overall_performance(results: TableResults) -> list[Row]:
    """Return a row for each model, by falling mean score, then by name."""
    rows = [_overall(name, variants, results.settings) for name, variants in results.models.items()]
    mean = _seat_column("france_mean_score", results.settings)
    return sorted(rows, key=lambda row: (-row[mean], row["model_name"]))


def steerability(results: TableResults) -> list[Row]:
    """Return a row for each model that played both variants, by falling difference, then name."""
    both = (results.settings.baseline, results.settings.steered)
    rows = [
        _steered(name, variants[both[0]], variants[both[1]])
        for name, variants in results.models.items()
        if both[0] in variants and both[1] in variants
    ]
    return sorted(rows, key=lambda row: (-row["steerability_score"], row["model_name"]))


def steering_estimates(results: TableResults) -> dict[str, Estimate]:
    """Return the steerability of each row that has both variants, with its interval."""
    both = (results.settings.baseline, results.settings.steered)
    return {
        name: estimate_difference(games[both[0]], games[both[1]])
        for name, games in results.models.items()
        if both[0] in games and both[1] in games
    }


def best_variant(variants: Mapping[str, Sequence[PlayedGame]]) -> str:
    """Return the variant of the best mean score; of equals the first, which is the baseline."""
    return max(variants, key=lambda name: fmean(game.score for game in variants[name]))


def write_tables(folder: str | PathLike[str], results: TableResults) -> list[Path]:
    """Write both tables and ``tables.json`` into a folder, which is made if need be.

    ``faults.txt`` lists all that is wrong, if anything is.

    Raises:
        OptionError: There is no game that counts, or a file cannot be written.
    """
    if not results.played:
        raise OptionError("no game counts, so there are no tables; 'ludus score' names the faults")
    columns = [_seat_column(name, results.settings) for name in OVERALL]
    out = Path(folder)
    files = [out / name for name in ("overall_performance.csv", "steerability.csv")]
    try:
        out.mkdir(parents=True, exist_ok=True)
        _write_csv(files[0], columns, overall_performance(results))
        _write_csv(files[1], STEERABILITY, steerability(results))
        files.append(out / "tables.json")
        files[2].write_text(json.dumps(sidecar(results), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {error.filename!r}: {error.strerror}") from error
    return [*files, *write_faults(out, results.problems)]


def write_faults(folder: str | PathLike[str], problems: Sequence[str]) -> list[Path]:
    """Write all that is wrong into ``faults.txt``, a line each; an old one goes if nothing is.

    Raises:
        OptionError: It cannot be written.
    """
    file = Path(folder) / FAULTS
    try:
        file.unlink(missing_ok=True)
        if problems:
            file.parent.mkdir(parents=True, exist_ok=True)
            lines = [escape_text(problem) for problem in problems]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {str(file)!r}: {error.strerror}") from error
    return [file] if problems else []


def sidecar(results: TableResults) -> dict[str, Any]:
    """Return what has to be known beside the tables: settings, choices, intervals, failed games."""
    settings = results.settings
    return {
        "version": VERSION,
        "rule": settings.rule,
        "power": settings.power,
        "protocol": dict(settings.protocol),
        "variants": {"baseline": settings.baseline, "aggressive": settings.steered},
        "choices": {
            "row": f"{settings.reading}: "
            + ("the best variant's games" if settings.reading == "best" else "all variants' games"),
            "best_variant": "by mean game score; of equals the baseline",
            "win_rate": "percent of games with 18 centres or more in the last record",
            "error_rate": "percent of the tested power's calls that failed, all games together",
            "avg_phase_time_minutes": "over all phases of the row's games",
            "direction": "neutral if the difference is 0",
        },
        "models": {name: _details(variants) for name, variants in results.models.items()},
        "conditions": {name: _conditions(variants) for name, variants in results.models.items()},
        "steerability": {
            name: {**_interval(estimate), "distinguishable": is_distinguishable(estimate)}
            for name, estimate in steering_estimates(results).items()
        },
        "failed_games": [
            {
                "model": failure.model,
                "variant": failure.variant,
                "game": failure.game,
                "reason": failure.reason,
                "counts": failure.counts,
            }
            for failure in results.failures
        ],
        "faults": list(results.faults),
    }


# ---- rows


def _overall(
    name: str, variants: Mapping[str, Sequence[PlayedGame]], settings: TableSettings
) -> Row:
    best = best_variant(variants)
    games = list(variants[best])
    if settings.reading == "pooled":
        games = [game for several in variants.values() for game in several]
    scores, centres = [game.score for game in games], [game.centres for game in games]
    values = (
        name,
        best,
        fmean(scores),
        median(scores),
        fmean(centres),
        median(centres),
        100 * fmean(game.won for game in games),
        len(games),
        _minutes(games),
        _error_rate(games),
    )
    return {
        _seat_column(column, settings): value for column, value in zip(OVERALL, values, strict=True)
    }


def _steered(name: str, baseline: Sequence[PlayedGame], aggressive: Sequence[PlayedGame]) -> Row:
    both = (baseline, aggressive)
    before, after = (fmean(game.score for game in games) for games in both)
    centres_before, centres_after = (fmean(game.centres for game in games) for games in both)
    more_centres = centres_after - centres_before
    gain = after - before
    values = (
        name,
        before,
        after,
        centres_before,
        centres_after,
        gain,
        _percentage(gain, before),
        more_centres,
        _percentage(more_centres, centres_before),
        "positive" if gain > 0 else "negative" if gain < 0 else "neutral",
        len(baseline),
        len(aggressive),
    )
    return dict(zip(STEERABILITY, values, strict=True))


def _seat_column(name: str, settings: TableSettings) -> str:
    """Return a column's name, with the tested power instead of France."""
    return name.replace("france_", f"{settings.power.lower()}_")


def _percentage(change: float, base: float) -> float | None:
    """Return a change in percent; nothing is a percentage of 0."""
    return 100 * change / base if base else None


def _minutes(games: Sequence[PlayedGame], kind: str = "") -> float | None:
    """Return the mean time of phases whose names end so, in minutes."""
    seconds = [s for game in games for name, s in game.phase_seconds if name.endswith(kind)]
    return fmean(seconds) / 60 if seconds else None


def _error_rate(games: Sequence[PlayedGame]) -> float | None:
    calls = sum(game.calls for game in games)
    return 100 * sum(game.failed_calls for game in games) / calls if calls else None


# ---- what stands beside


def _details(variants: Mapping[str, Sequence[PlayedGame]]) -> dict[str, Any]:
    return {
        name: {
            "games": len(games),
            "score": _interval(mean_interval([game.score for game in games], LEVEL)),
            "centres": _interval(mean_interval([float(game.centres) for game in games], LEVEL)),
            "win_rate": _interval(
                rate_interval(sum(game.won for game in games), len(games), LEVEL), 100
            ),
            "survived": 100 * fmean(game.survived for game in games),
            "error_rate": _round(_error_rate(games)),
            "avg_phase_time_minutes": _round(_minutes(games)),
            "avg_movement_time_minutes": _round(_minutes(games, "M")),
        }
        for name, games in variants.items()
    }


def _conditions(variants: Mapping[str, Sequence[PlayedGame]]) -> dict[str, object]:
    """Return how the games of a row were played: all of them alike."""
    return next(iter(variants.values()))[0].conditions.to_dict()


def _interval(estimate: Estimate, scale: float = 1.0) -> dict[str, Any]:
    value, low, high = (
        round(scale * end, DIGITS) if math.isfinite(end) else None for end in estimate[:3]
    )
    ends = {"value": value, "low": low, "high": high}
    return {**ends, "level": LEVEL, "method": estimate.method, "remark": estimate.remark}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _cell(row[name]) for name in columns})


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return round(value, DIGITS) if isinstance(value, float) else escape_csv(value)
