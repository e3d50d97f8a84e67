"""Sessions as the reference program writes them, as the columns of ours.

``results.per_run_results`` holds an object for each episode, and ``results`` what the program made
of them. ``config_summary`` names the brain, the size of the dish and whether there are predators;
the senses are in the name of the configuration alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ludus.errors import OptionError

__all__ = ["describe_task", "is_reference", "read_reference"]

RUNS = "per_run_results"
SENSES = ("oracle", "temporal", "derivative", "klinotaxis")
SIZES = ((20, "small"), (50, "medium"))
MOST_REASONS = 10


def is_reference(values: Mapping[str, Any]) -> bool:
    """Return whether plain values are a session of the reference."""
    results = values.get("results")
    return RUNS in values or (isinstance(results, dict) and RUNS in results)


def read_reference(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a session of the reference.

    Raises:
        OptionError: It has no list of episodes, or one does not say whether it succeeded.
    """
    results = values if RUNS in values else values["results"]
    episodes = results[RUNS]
    if not isinstance(episodes, list) or not all(isinstance(row, dict) for row in episodes):
        raise OptionError(f"{RUNS!r} is not a list of episodes")
    seeds = [row.get("seed") for row in episodes]
    summary = values.get("config_summary")
    config = summary if isinstance(summary, dict) else {}
    return {
        "session": values.get("experiment_id"),
        "brain": config.get("brain_type"),
        "task": describe_task(config, str(values.get("config_file") or "")),
        "success": [_read_success(row, k) for k, row in enumerate(episodes, start=1)],
        "distance_efficiency": [row.get("distance_efficiency") or 0.0 for row in episodes],
        "steps": _column(episodes, "steps"),
        "foods": _column(episodes, "foods_collected"),
        "survival_score": _column(episodes, "survival_score"),
        "temperature_comfort_score": _column(episodes, "temperature_comfort_score"),
        "first_seed": seeds[0] if _are_consecutive(seeds) else None,
        "stored": {} if results is values else {k: v for k, v in results.items() if k != RUNS},
        **_read_reasons(episodes),
    }


def _read_success(episode: Mapping[str, Any], number: int) -> int:
    success = episode.get("success")
    if success not in (0, 1):
        raise OptionError(f"'success' of episode {number} is {success!r:.40}, not true or false")
    return int(success)


def describe_task(config: Mapping[str, Any], file: str = "") -> str | None:
    """Return what is known of a task: predators, size of the dish, and senses."""
    size = config.get("grid_size")
    if not isinstance(size, int) or isinstance(size, bool):
        return None
    kind = "predator" if config.get("predators_enabled") else "foraging"
    width = next((name for most, name in SIZES if size <= most), "large")
    words = PurePath(file).stem.split("_")
    senses = next((f"+{name}" for name in SENSES[1:] if name in words), "")
    return f"{kind}-{width}{senses}"


def _read_reasons(episodes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    reasons = [str(row.get("termination_reason", "")) for row in episodes]
    codes = sorted(set(reasons))
    if len(codes) > MOST_REASONS:
        return {}
    return {"reason_codes": codes, "reason": "".join(str(codes.index(why)) for why in reasons)}


def _column(episodes: Sequence[Mapping[str, Any]], name: str) -> list[Any] | None:
    """Return a figure of all episodes, or None if one lacks it."""
    column = [row.get(name) for row in episodes]
    return None if None in column else column


def _are_consecutive(seeds: Sequence[Any]) -> bool:
    numbers = bool(seeds) and all(type(seed) is int for seed in seeds)
    return numbers and all(seed == seeds[0] + k for k, seed in enumerate(seeds))
