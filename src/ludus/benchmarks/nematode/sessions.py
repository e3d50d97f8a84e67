"""Sessions: one training each, its episodes in columns, as a file of JSON.

Two forms are read: the compact one that ``ludus train`` writes, with a column for each figure, and
that of the reference, with an object for each episode under ``per_run_results``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.json_files import NotJson, read_json

__all__ = ["SUBMISSION", "Session", "read_session", "read_sessions", "session_files"]

SUBMISSION = "submission.json"
"""What a folder says of all its sessions; no session itself."""

MOST_BYTES = 32 * 2**20
MOST_EPISODES = 100_000
TARGET = "completed_all_food"
LATE = "max_steps"


@dataclass(frozen=True, slots=True)
class Session:
    """A training as it was written down.

    Attributes:
        name: What it is called.
        brain: Who was trained.
        group: What it belongs to, if it says so.
        successes: Whether each episode reached the target.
        efficiencies: The distance efficiency of each.
        steps: The steps of each; empty if not told, as are the next three.
        foods: The foods eaten in each.
        reasons: Why each ended.
        chemotaxis: The chemotaxis index of each.
        survival: The share of health left in each, or None.
        comfort: The share of comfortable steps in each, or None.
        first_seed: The seed of its first episode; the others follow one by one. None if not told.
        told: Everything else that the file says.
    """

    name: str
    brain: str
    group: str
    successes: tuple[bool, ...]
    efficiencies: tuple[float, ...]
    steps: tuple[int, ...]
    foods: tuple[int, ...]
    reasons: tuple[str, ...]
    chemotaxis: tuple[float, ...]
    survival: tuple[float, ...] | None
    comfort: tuple[float, ...] | None
    first_seed: int | None
    told: Mapping[str, Any]

    @property
    def late(self) -> tuple[bool, ...]:
        """Whether each episode reached the target, or its last step alive with food eaten."""
        if not self.reasons or not self.foods:
            return self.successes
        ends = zip(self.successes, self.reasons, self.foods, strict=True)
        return tuple(good or (why == LATE and foods > 0) for good, why, foods in ends)

    @property
    def digest(self) -> str:
        """A digest of what happened, whatever the session is called."""
        what = [self.successes, self.efficiencies, self.steps, self.foods, self.reasons]
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def session_files(path: Path) -> list[Path]:
    """Return the files of sessions at a path: the file itself, or those in the folder, by name.

    Raises:
        OptionError: There are none.
    """
    if path.is_file():
        return [path]
    found = sorted(file for file in path.glob("*.json") if file.name != SUBMISSION)
    if not found:
        raise OptionError(f"there is no session (*.json) in {str(path)!r}")
    return found


def read_sessions(path: Path) -> tuple[list[Session], list[str]]:
    """Return the sessions at a path, and a line for each file that is none.

    Raises:
        OptionError: There are no files.
    """
    sessions: list[Session] = []
    faults: list[str] = []
    for file in session_files(path):
        try:
            sessions.append(read_session(file))
        except OptionError as error:
            faults.append(str(error))
    return sessions, faults


def read_session(path: str | Path) -> Session:
    """Return the session that a file holds.

    Raises:
        OptionError: It holds none; the message names the file and what is wrong with it.
    """
    file = Path(path)
    try:
        values = _read_object(file)
        return _from_episodes(file, values) if "per_run_results" in values else _made(file, values)
    except (_Wrong, NotJson) as error:
        raise OptionError(f"{file}: {error}") from None


class _Wrong(Exception):
    """What is wrong with a file, without its name."""


def _read_object(file: Path) -> dict[str, Any]:
    values = read_json(file, MOST_BYTES)
    if not isinstance(values, dict):
        raise _Wrong("is no session: it is not an object of fields by name")
    return values


# ---- the compact form


def _made(file: Path, values: Mapping[str, Any]) -> Session:
    successes = _flags(values.get("success"))
    n = len(successes)
    said = values.get("n_runs", n)
    if said != n:
        raise _Wrong(f"has {n} episodes in 'success', but n_runs is {said!r}")
    seed = values.get("first_seed") if values.get("seeds_consecutive", True) else None
    return Session(
        name=str(values.get("session") or file.stem),
        brain=str(values.get("brain") or ""),
        group=str(values.get("group") or ""),
        successes=successes,
        efficiencies=_numbers(values, "distance_efficiency", n, needed=True),
        steps=_whole(values, "steps", n),
        foods=_whole(values, "foods", n),
        reasons=_reasons(values, n),
        chemotaxis=_numbers(values, "chemotaxis", n, low=-1.0, high=1.0),
        survival=_numbers(values, "survival_score", n) or None,
        comfort=_numbers(values, "temperature_comfort_score", n) or None,
        first_seed=seed if isinstance(seed, int) and not isinstance(seed, bool) else None,
        told=values,
    )


def _flags(value: Any) -> tuple[bool, ...]:
    """Return the successes of a text of 0 and 1, or of a list of them."""
    if value is None:
        raise _Wrong("is no session: it has no 'success'")
    good = isinstance(value, str | list) and all(
        one in ("0", "1") if isinstance(value, str) else one in (0, 1) for one in value
    )
    if not good:
        raise _Wrong(f"'success' is {_short(value)}, not a text of 0 and 1")
    if not value:
        raise _Wrong("'success' is empty: a session has an episode at least")
    if len(value) > MOST_EPISODES:
        raise _Wrong(f"has {len(value):,} episodes; {MOST_EPISODES:,} are the most")
    return tuple(one in ("1", 1) for one in value)


def _numbers(
    values: Mapping[str, Any],
    name: str,
    n: int,
    *,
    needed: bool = False,
    low: float = 0.0,
    high: float = math.inf,
) -> tuple[float, ...]:
    """Return a column of finite numbers, one an episode; an empty one if it may be missing."""
    column = values.get(name)
    if column is None and not needed:
        return ()
    if not isinstance(column, list):
        raise _Wrong(f"{name!r} is {_short(column)}, not a list of numbers")
    if len(column) != n:
        raise _Wrong(f"{name!r} has {len(column)} values for {n} episodes")
    for number, value in enumerate(column, start=1):
        whole = isinstance(value, int | float) and not isinstance(value, bool)
        if not whole or not low <= value <= high or not math.isfinite(value):
            raise _Wrong(f"{name!r} of episode {number} is {_short(value)}")
    return tuple(map(float, column))


def _whole(values: Mapping[str, Any], name: str, n: int) -> tuple[int, ...]:
    column = _numbers(values, name, n)
    if any(not value.is_integer() for value in column):
        raise _Wrong(f"{name!r} holds {next(v for v in column if not v.is_integer())}")
    return tuple(map(int, column))


def _reasons(values: Mapping[str, Any], n: int) -> tuple[str, ...]:
    """Return why episodes ended, spelt out."""
    codes, column = values.get("reason_codes"), values.get("reason")
    if column is None or codes is None:
        return ()
    if not isinstance(column, str) or not isinstance(codes, list):
        raise _Wrong(f"'reason' is {_short(column)}, not a text of numbers of 'reason_codes'")
    if len(column) != n:
        raise _Wrong(f"'reason' has {len(column)} values for {n} episodes")
    names = {str(number): str(code) for number, code in enumerate(codes)}
    unknown = next((one for one in column if one not in names), None)
    if unknown is not None:
        raise _Wrong(f"'reason' holds {unknown!r}, which 'reason_codes' does not have")
    return tuple(names[one] for one in column)


# ---- the reference's form


def _from_episodes(file: Path, values: Mapping[str, Any]) -> Session:
    """Return the session of a file of the reference, by way of the compact form."""
    episodes = values["per_run_results"]
    if not isinstance(episodes, list) or not all(isinstance(one, dict) for one in episodes):
        raise _Wrong("'per_run_results' is not a list of episodes")
    reasons = [str(one.get("termination_reason", "")) for one in episodes]
    codes = sorted(set(reasons))
    seeds = [one.get("seed") for one in episodes]
    first = seeds[0] if seeds else None
    summary = values.get("config_summary")
    compact = {
        "session": values.get("experiment_id") or file.stem,
        "brain": summary.get("brain_type") if isinstance(summary, dict) else None,
        "success": [int(bool(one.get("success"))) for one in episodes],
        "distance_efficiency": [one.get("distance_efficiency") or 0.0 for one in episodes],
        "steps": _column(episodes, "steps"),
        "foods": _column(episodes, "foods_collected"),
        "survival_score": _column(episodes, "survival_score"),
        "temperature_comfort_score": _column(episodes, "temperature_comfort_score"),
        "first_seed": first,
        "seeds_consecutive": _consecutive(seeds),
    }
    if len(codes) <= 10:
        compact["reason_codes"] = codes
        compact["reason"] = "".join(str(codes.index(reason)) for reason in reasons)
    return _made(file, compact)


def _column(episodes: Sequence[Mapping[str, Any]], name: str) -> list[Any] | None:
    """Return a figure of all episodes, or None if one lacks it."""
    column = [one.get(name) for one in episodes]
    return None if None in column else column


def _consecutive(seeds: Sequence[Any]) -> bool:
    whole = all(isinstance(seed, int) for seed in seeds)
    return whole and all(seed == seeds[0] + k for k, seed in enumerate(seeds))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
