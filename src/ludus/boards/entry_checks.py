"""What a ledger says of an entry, checked: a ledger may be anybody's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ludus.benchmarks import Benchmark
from ludus.errors import BoardError
from ludus.escaping import LONGEST_SHOWN, check_name
from ludus.limits import Usage

__all__ = ["check_figures", "check_particulars"]

TEXTS = ("run", "created", "identity", "digest", "fingerprint")
COUNTS = ("episodes", "faults", "steps")
LISTS = ("ties", "columns", "scores")
HEADLINE = ("value", "low", "high", "level", "se", "n", "needs")


def check_particulars(body: Mapping[str, Any]) -> None:
    """Refuse particulars of a ledger's line that are not of the kinds which Ludus writes.

    Raises:
        ValueError: One is not; the message says which.
        KeyError: One is missing.
    """
    for name in ("by", "why", "season"):
        if not isinstance(body.get(name, ""), str) or len(body.get(name, "")) > LONGEST_SHOWN:
            raise _wrong(name, body[name])
    if "agent" in body:
        check_name(body["agent"], "name of an agent")
        _check_key(body)
    if "entry" in body:
        _check_entry(_as_mapping("entry", body["entry"]))


def _check_key(values: Mapping[str, Any]) -> None:
    seed = values.get("seed", 0)
    if type(seed) is not int or abs(seed) >= 10**40:
        raise _wrong("seed", seed)
    for name, value in _as_mapping("options", values.get("options", {})).items():
        if not isinstance(value, str) or len(value) > LONGEST_SHOWN:
            raise _wrong(name, value)


def _check_entry(values: Mapping[str, Any]) -> None:
    """Refuse values that are not of the kinds of an entry."""
    _check_key(values)
    check_name(values["agent"], "name of an agent")
    for name in TEXTS:
        if not isinstance(values[name], str) or len(values[name]) > LONGEST_SHOWN:
            raise _wrong(name, values[name])
    for name in (*COUNTS, "seconds"):
        _check_number(name, values[name])
    for name in LISTS:
        for value in _as_list(name, values[name]):
            _check_number(name, value)
    for name in _as_list("levels", values["levels"]):
        check_name(name, "name of a scenario")
    for name, value in _as_mapping("headline", values["headline"]).items():
        if name in HEADLINE and value is not None:
            _check_number(f"headline.{name}", value)
        if name == "method" and (not isinstance(value, str) or len(value) > LONGEST_SHOWN):
            raise _wrong("headline.method", value)
    for name, value in _as_mapping("fault_kinds", values.get("fault_kinds", {})).items():
        _check_number(name, value)
    Usage.from_dict(_as_mapping("usage", values.get("usage", {})))
    if len(values["levels"]) != len(values["scores"]):
        raise ValueError("it has not as many levels as scores")


def check_figures(benchmark: Benchmark, agent: str, ties: int, columns: int) -> None:
    """Refuse an entry that has not the figures of its benchmark.

    Raises:
        BoardError: It has fewer or more.
    """
    wanted = len(benchmark.tie_breakers), len(benchmark.columns)
    if (ties, columns) != wanted:
        raise BoardError(
            f"the entry of {agent!r} has {ties} tie-breakers and {columns} columns, "
            f"{benchmark.id} has {wanted[0]} and {wanted[1]}"
        )


def _check_number(name: str, value: Any) -> None:
    counted = type(value) is int and abs(value) < 2**63
    if not counted and not (type(value) is float and math.isfinite(value)):
        raise _wrong(name, value)


def _as_list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _wrong(name, value)
    return value


def _as_mapping(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(name, value)
    return value


def _wrong(name: str, value: Any) -> ValueError:
    return ValueError(f"{name[:40]!a} is {value!r:.60}")
