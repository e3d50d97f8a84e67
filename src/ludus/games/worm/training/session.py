"""Sessions: one training each, its episodes in columns, as a file of JSON.

A trainer writes them, and submissions, scores and replays read them. Two forms are read: the one
that is written here, with a column for each figure, and that of the reference program: see
:mod:`~ludus.games.worm.training.reference_files`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.rules import recorded_rules
from ludus.games.worm import FIRST_RULES
from ludus.games.worm.codes import Ending
from ludus.games.worm.training.records import Declaration
from ludus.games.worm.training.reference_files import is_reference, read_reference
from ludus.games.worm.training.replay import EpisodeResult
from ludus.json_files import NotJson, read_json

__all__ = ["Session", "read_session", "session_from_dict"]

MOST_BYTES = 32 * 2**20
MOST_EPISODES = 100_000
LATE = Ending.MAX_STEPS.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A training as it was written down; only what scoring needs is always there.

    Attributes:
        name: What it is called.
        brain: Who was trained.
        group: What it belongs to, if it says so.
        task: The task's spec.
        rules: The rule set that it was played by.
        version: The version of Ludus that trained it.
        seed: What the seeds of all trainings of the brain are made from.
        training: Its number among them, from 0.
        first_seed: The seed of its first episode; the others follow one by one.
        config: The settings of brain and learner.
        declaration: What is said of learning, of training before, and of size.
        successes: Whether each episode reached the target.
        efficiencies: The distance efficiency of each.
        steps: The steps of each; empty if not recorded, as are all columns that follow.
        foods: The foods eaten in each.
        reasons: Why each ended.
        rewards: The sum of rewards in each.
        chemotaxis: The chemotaxis index of each.
        survival: The share of health left in each.
        comfort: The share of steps at a comfortable temperature in each.
        oxygen_comfort: The share of steps at comfortable oxygen in each.
        environment_steps: How many steps it says that it had in all.
        cpu_seconds: The processor time it took.
        evaluation: What the trained brain came to on unseen worlds.
        actions: Every action, packed as a text; None if not recorded.
        stored: The aggregates that the reference wrote into its file; empty in files of ours.
    """

    name: str
    successes: tuple[bool, ...]
    efficiencies: tuple[float, ...]
    brain: str = ""
    group: str = ""
    task: str | None = None
    rules: str | None = None
    version: str | None = None
    seed: int | None = None
    training: int | None = None
    first_seed: int | None = None
    config: Mapping[str, Any] | None = None
    declaration: Declaration = field(default_factory=Declaration)
    steps: tuple[int, ...] = ()
    foods: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ()
    rewards: tuple[float, ...] = ()
    chemotaxis: tuple[float, ...] = ()
    survival: tuple[float, ...] = ()
    comfort: tuple[float, ...] = ()
    oxygen_comfort: tuple[float, ...] = ()
    environment_steps: int | None = None
    cpu_seconds: float = 0.0
    evaluation: Mapping[str, Any] = field(default_factory=dict)
    actions: str | None = None
    stored: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_episodes(cls, episodes: Sequence[EpisodeResult], **more: Any) -> Session:
        """Return the session of these episodes; ``more`` are its other attributes."""
        rows = {column: [getattr(row, name) for row in episodes] for column, name in ROWS.items()}
        columns: dict[str, Any] = {
            name: () if None in row else tuple(row) for name, row in rows.items()
        }
        return cls(**columns, environment_steps=sum(rows["steps"]), **more)

    def episodes(self) -> list[EpisodeResult]:
        """Return the episodes that :meth:`of_episodes` was given."""
        columns = {name: getattr(self, column) for column, name in ROWS.items()}
        rows: list[dict[str, Any]] = [
            {name: column[k] if column else None for name, column in columns.items()}
            for k in range(len(self.successes))
        ]
        return [EpisodeResult(**row) for row in rows]

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

    def to_dict(self) -> dict[str, Any]:
        """Return the session as the plain values that :func:`session_from_dict` reads."""
        codes = sorted(set(self.reasons))
        plain = {
            "session": self.name,
            **{name: getattr(self, name) for name in PLAIN},
            "group": self.group or None,
            "engine": self.rules,
            "n_runs": len(self.successes),
            "seeds_consecutive": True,
            **asdict(self.declaration),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "success": "".join(str(int(flag)) for flag in self.successes),
            "reason": "".join(str(codes.index(reason)) for reason in self.reasons) or None,
            "reason_codes": codes or None,
            "distance_efficiency": self.efficiencies,
            "steps": self.steps or None,
            "foods": self.foods or None,
            "total_reward": [round(reward, 6) for reward in self.rewards] or None,
            "chemotaxis": self.chemotaxis or None,
            **{name: getattr(self, column) or None for name, column in SHARES.items()},
            "evaluation": self.evaluation,
            "actions": self.actions,
        }
        return {name: value for name, value in plain.items() if value is not None}


ROWS = {
    "successes": "success",
    "efficiencies": "efficiency",
    "steps": "steps",
    "foods": "foods",
    "reasons": "reason",
    "rewards": "total_reward",
    "chemotaxis": "chemotaxis",
    "survival": "survival",
    "comfort": "comfort",
    "oxygen_comfort": "oxygen_comfort",
}
"""The columns of a session, and what a single episode calls the same figure."""

SHARES = {
    "survival_score": "survival",
    "temperature_comfort_score": "comfort",
    "oxygen_comfort_score": "oxygen_comfort",
}
"""What files call columns that only some tasks have."""

PLAIN = {
    "brain": str,
    "group": str,
    "task": str,
    "version": str,
    "seed": int,
    "training": int,
    "first_seed": int,
    "config": dict,
    "environment_steps": int,
}
"""Attributes that files call the same, and their kinds."""


FIELDS = {
    *PLAIN,
    *SHARES,
    *Declaration.__dataclass_fields__,
    *("session", "engine", "n_runs", "seeds_consecutive", "cpu_seconds", "evaluation", "actions"),
    *("success", "reason", "reason_codes", "distance_efficiency", "steps", "foods"),
    *("total_reward", "chemotaxis"),
}
"""All that a file of a session may hold."""


def read_session(path: str | Path, *, strict: bool = False) -> Session:
    """Return the session that a file holds.

    Args:
        path: The file.
        strict: Whether fields that :meth:`Session.to_dict` never writes are refused.

    Raises:
        OptionError: It holds none; the message names the file and what is wrong with it.
    """
    file = Path(path)
    try:
        values = read_json(file, MOST_BYTES)
        session = session_from_dict(values, file.stem)
        if strict:
            _check_fields(values)
        return session
    except (NotJson, OptionError) as error:
        raise OptionError(f"{file}: {error}") from None


def session_from_dict(values: Any, name: str) -> Session:
    """Return the session that plain values describe, in one of the two forms.

    Args:
        values: What a file of JSON holds.
        name: What the session is called unless it says so itself.

    Raises:
        OptionError: They describe none.
    """
    if not isinstance(values, dict):
        raise OptionError("is no session: it is not an object of fields by name")
    return _session(read_reference(values) if is_reference(values) else values, name)


def _check_fields(values: Mapping[str, Any]) -> None:
    unknown = next((name for name in values if name not in FIELDS), None)
    if unknown is not None:
        raise OptionError(f"holds {_short(unknown)}, which no session has: leave it out")


# ---- columns


def _session(values: Mapping[str, Any], name: str) -> Session:
    successes = _flags(values.get("success"))
    n = len(successes)
    if values.get("n_runs", n) != n:
        raise OptionError(f"has {n} episodes in 'success', but n_runs is {values['n_runs']!r}")
    plain = {key: _of_kind(values, key, kind) for key, kind in PLAIN.items()}
    if not values.get("seeds_consecutive", True):
        plain["first_seed"] = None
    engine = _of_kind(values, "engine", str)
    plain["rules"] = None if engine is None else recorded_rules(engine, FIRST_RULES)
    plain |= {"brain": plain["brain"] or "", "group": plain["group"] or ""}
    plain |= {column: _numbers(values, key, n) for key, column in SHARES.items()}
    return Session(
        **plain,
        name=str(values.get("session") or name),
        declaration=Declaration.from_dict(values),
        successes=successes,
        efficiencies=_numbers(values, "distance_efficiency", n, needed=True),
        steps=_whole_numbers(values, "steps", n),
        foods=_whole_numbers(values, "foods", n),
        reasons=_reasons(values, n),
        rewards=_numbers(values, "total_reward", n, low=-math.inf),
        chemotaxis=_numbers(values, "chemotaxis", n, low=-1.0, high=1.0),
        cpu_seconds=_duration(values, "cpu_seconds"),
        evaluation=_of_kind(values, "evaluation", dict) or {},
        actions=_of_kind(values, "actions", str),
        stored=_of_kind(values, "stored", dict) or {},
    )


def _duration(values: Mapping[str, Any], name: str) -> float:
    seconds = float(_of_kind(values, name, float) or 0)
    if seconds < 0:
        raise OptionError(f"{name!r} is {seconds}: nothing takes less than no time")
    return seconds


def _of_kind(values: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return a value of its kind, or None where there is none."""
    value = values.get(name)
    kinds = (int, float) if kind is float else kind
    if value is None or (isinstance(value, kinds) and not isinstance(value, bool)):
        return value
    raise OptionError(f"{name!r} is {_short(value)}, not {KINDS[kind]}")


KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    dict: "an object of fields by name",
}


def _flags(value: Any) -> tuple[bool, ...]:
    """Return the successes of a text of 0 and 1, or of a list of them."""
    if value is None:
        raise OptionError("is no session: it has no 'success'")
    good = isinstance(value, str | list) and all(
        flag in ("0", "1") if isinstance(value, str) else flag in (0, 1) for flag in value
    )
    if not good:
        raise OptionError(f"'success' is {_short(value)}, not a text of 0 and 1")
    if not value:
        raise OptionError("'success' is empty: a session has an episode at least")
    if len(value) > MOST_EPISODES:
        raise OptionError(f"has {len(value):,} episodes; {MOST_EPISODES:,} are the most")
    return tuple(flag in ("1", 1) for flag in value)


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
        raise OptionError(f"{name!r} is {_short(column)}, not a list of numbers")
    if len(column) != n:
        raise OptionError(f"{name!r} has {len(column)} values for {n} episodes")
    for number, value in enumerate(column, start=1):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high or not math.isfinite(value):
            raise OptionError(f"{name!r} of episode {number} is {_short(value)}")
    return tuple(map(float, column))


def _whole_numbers(values: Mapping[str, Any], name: str, n: int) -> tuple[int, ...]:
    column = _numbers(values, name, n)
    broken = next((value for value in column if not value.is_integer()), None)
    if broken is not None:
        raise OptionError(f"{name!r} holds {broken}")
    return tuple(map(int, column))


def _reasons(values: Mapping[str, Any], n: int) -> tuple[str, ...]:
    """Return why episodes ended, spelt out."""
    codes, column = values.get("reason_codes"), values.get("reason")
    if column is None or codes is None:
        return ()
    if not isinstance(column, str) or not isinstance(codes, list):
        raise OptionError(f"'reason' is {_short(column)}, not a text of numbers of 'reason_codes'")
    if len(column) != n:
        raise OptionError(f"'reason' has {len(column)} values for {n} episodes")
    names = {str(number): str(code) for number, code in enumerate(codes)}
    unknown = next((sign for sign in column if sign not in names), None)
    if unknown is not None:
        raise OptionError(f"'reason' holds {unknown!r}, which 'reason_codes' does not have")
    return tuple(names[sign] for sign in column)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
