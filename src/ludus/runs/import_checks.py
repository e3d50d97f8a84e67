"""What an exported run says, checked before a store takes it: kinds, ranges and names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ludus.escaping import LONGEST_NAME, LONGEST_SHOWN, check_name
from ludus.execution.plan import Plan
from ludus.games.model_calls import read_calls
from ludus.limits import Usage

__all__ = ["check_episode_values", "check_plan_values"]

MOST = 2**31
"""A database's integers are smaller."""

LARGEST = 2**63
LONGEST_SEED = 38
PLAIN = (str, int, float, bool, type(None))


def check_plan_values(plan: Plan) -> None:
    """Refuse a plan whose values a store could not hold or a table could not show.

    Raises:
        ValueError: One of them; the message says which.
    """
    _check_text("benchmark", plan.benchmark, LONGEST_NAME)
    _check_text("game", plan.game, LONGEST_NAME)
    _check_count("version", plan.version)
    if type(plan.seed) is not int or abs(plan.seed) >= 10**LONGEST_SEED:
        raise ValueError(f"the seed is {plan.seed!r:.60}, not a number of {LONGEST_SEED} digits")
    if not plan.agents:
        raise ValueError("nobody plays")
    for agent in plan.agents:
        check_name(agent.name, "name of an agent")
        _check_text("spec", agent.spec, LONGEST_SHOWN)
        _check_text("fingerprint", agent.fingerprint, LONGEST_NAME)
    _check_texts("option", plan.options)
    _check_texts("provenance", plan.provenance)
    if isinstance(plan.scenarios, tuple):  # those by reference are the benchmark's own
        _check_scenarios(plan.scenarios)


def _check_scenarios(scenarios: Iterable[Any]) -> None:
    for number, description in enumerate(scenarios):
        if not isinstance(description, Mapping):
            raise ValueError(f"scenario {number} is {description!r:.60}, not an object of fields")
        if description.get("name"):
            check_name(description["name"], "name of a scenario")


def check_episode_values(values: Mapping[str, Any]) -> None:
    """Refuse an episode whose values are of other kinds than those that are written.

    Raises:
        ValueError: One of them is; the message says which.
        KeyError: One is missing.
    """
    for name in ("number", "agent", "scenario", "steps"):
        _check_count(name, values[name])
    for name in ("seconds", "score"):
        _check_number(name, values[name])
    Usage.from_dict(values.get("usage", {}))
    read_calls(values.get("model_calls", []))
    _check_text("reason", values["reason"], LONGEST_REASON)
    if not isinstance(values["parts"], dict) or not isinstance(values["facts"], dict):
        raise ValueError("its parts or facts are not an object of values by name")
    for name, part in values["parts"].items():
        _check_number(name, part)
    for name, fact in values["facts"].items():
        if not isinstance(fact, PLAIN):
            raise ValueError(f"the fact {name[:40]!a} is {fact!r:.60}, not a plain value")


LONGEST_REASON = 100_000


def _check_count(name: str, value: Any) -> None:
    if type(value) is not int or not 0 <= value < MOST:
        raise ValueError(f"{name[:40]!a} is {value!r:.60}, not a count from 0 to {MOST - 1}")


def _check_number(name: str, value: Any) -> None:
    counted = type(value) is int and abs(value) < LARGEST
    if not counted and not (type(value) is float and math.isfinite(value)):
        raise ValueError(f"{name[:40]!a} is {value!r:.60}, not a number")


def _check_text(name: str, value: Any, most: int) -> None:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"{name!r} is {value!r:.60}, not a text of at most {most:,} letters")


def _check_texts(name: str, values: Any) -> None:
    if not isinstance(values, Mapping) or len(values) > LONGEST_NAME:
        raise ValueError(f"{name!r} is {values!r:.60}, not texts by name")
    for key, value in values.items():
        check_name(key, name)
        _check_text(key, value, LONGEST_SHOWN)
