"""A stored run against its plan: columns, identity, scenarios, episodes that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from ludus.agents import AgentSource, find
from ludus.agents.registry import REGISTERED
from ludus.benchmarks import Benchmark
from ludus.errors import LudusError
from ludus.execution.plan import Plan
from ludus.execution.scenarios import ScenariosByReference
from ludus.games.game import find_game
from ludus.runs.differences import Difference
from ludus.runs.schema import AGREED, BEGUN_HERE, IMPORTED

__all__ = ["UNSEALED", "compare_columns", "compare_plan", "find_other_agents"]

MOST_SHOWN = 5
UNSEALED = (
    "created",
    "imported",
    "provenance",
    "specs",
    "seconds",
    "usage",
    "model_calls",
    "reasons",
)
"""What no replay can tell, such as the specs of agents and the reasons of faults. Off a board
nothing vouches for it; a board seals all but ``imported``, which is about this store alone."""


def compare_columns(row: Mapping[str, Any], plan: Plan) -> Iterator[Difference]:
    """Yield where a run's columns are not what its plan says.

    Args:
        row: The run as the store has it.
        plan: Its plan.
    """
    identity = plan.identity
    due = {
        "benchmark": plan.benchmark,
        "version": plan.version,
        "seed": str(plan.seed),
        "rules": plan.rules,
        "identity": identity,
        "planned": len(plan.episodes),
    }
    for field, value in due.items():
        if row[field] != value:
            yield Difference(None, field, row[field], value)
    start = str(row["identity"])[:8]
    if not str(row["id"]).startswith(start):
        yield Difference(None, "id", row["id"], f"{start}-…, the beginning of its identity")
    if row["imported"] not in (None, BEGUN_HERE, IMPORTED, AGREED):
        yield Difference(None, "imported", row["imported"], "0, 1 or 2")


def compare_plan(
    row: Mapping[str, Any], plan: Plan, benchmark: Benchmark, numbers: set[int]
) -> Iterator[Difference]:
    """Yield where a plan is not what its benchmark makes, or what its identity is of.

    Args:
        row: The run as the store has it.
        plan: Its plan, with the scenarios.
        benchmark: Its benchmark.
        numbers: The numbers of the episodes that are stored.
    """
    if plan.identity != row["identity"]:
        yield from _find_changed_fields(row, plan, benchmark)
    game = benchmark.game_for(plan.options)
    if plan.game != game:
        yield Difference(None, "game", plan.game, game)
    if plan.in_order != benchmark.in_order:
        yield Difference(None, "in_order", plan.in_order, benchmark.in_order)
    by_reference = isinstance(plan.scenarios, ScenariosByReference)  # their digests were compared
    if plan.season is None and not by_reference:  # a season has them from its secret
        yield from _compare_scenarios(plan, benchmark)
    count = len(plan.episodes)
    missing = [number for number in range(count) if number not in numbers]
    if missing:
        listed = ", ".join(map(str, missing[:MOST_SHOWN])) + (", …" * (len(missing) > MOST_SHOWN))
        yield Difference(None, "episodes", count, f"{count - len(missing)}: {listed} missing")


def _find_changed_fields(
    row: Mapping[str, Any], plan: Plan, benchmark: Benchmark
) -> Iterator[Difference]:
    """Yield the field that gives the plan its stored identity again, if one does.

    No two plans have one identity, so whatever restores it is what was there.
    """
    for field, value, changed in _guess_fields(row, plan, benchmark):
        try:
            restored = changed.identity == row["identity"]
        except (LudusError, TypeError, ValueError):
            continue
        if restored:
            stored = _agent_field(field, plan) if field.startswith("agent") else None
            yield Difference(None, field, stored or getattr(plan, field, None), value)


def _guess_fields(
    row: Mapping[str, Any], plan: Plan, benchmark: Benchmark
) -> Iterator[tuple[str, Any, Plan]]:
    """Yield plans with one field as it may have been: its name, the value, the plan."""
    yield "limits", benchmark.limits, replace(plan, limits=benchmark.limits)
    yield "options", {}, replace(plan, options={})
    for field in ("benchmark", "version", "rules"):
        if type(row[field]) is type(getattr(plan, field)):
            try:
                yield field, row[field], replace(plan, **{field: row[field]})
            except LudusError:
                continue
    if str(row["seed"]).lstrip("-").isdecimal():
        yield "seed", int(row["seed"]), replace(plan, seed=int(row["seed"]))
    game = benchmark.game_for(plan.options)
    yield "game", game, replace(plan, game=game)
    for number, source in enumerate(plan.agents):
        for field, value in _guess_agent(source, find_game(plan.game).agent_family):
            agents = list(plan.agents)
            agents[number] = replace(source, **{field: value})
            yield f"agent {number}: {field}", value, replace(plan, agents=tuple(agents))


def _guess_agent(source: AgentSource, family: str) -> Iterator[tuple[str, str]]:
    """Yield what Ludus's own agent of this spec would be called, and its fingerprint."""
    own = _find_own(source, family)
    if own is None:
        return
    yield "fingerprint", own.fingerprint
    yield "name", own.name
    for number in range(2, 10):  # agents that are named twice get a number
        yield "name", f"{own.name}-{number}"


def _find_own(source: AgentSource, family: str) -> AgentSource | None:
    """Return Ludus's own agent of a spec; nobody else's code is run to verify a run."""
    if source.spec.partition("#")[0] not in REGISTERED.get(family, {}):
        return None
    try:
        return find(source.spec, family)
    except LudusError:
        return None


def _agent_field(text: str, plan: Plan) -> str:
    number, _, field = text.removeprefix("agent ").partition(": ")
    return str(getattr(plan.agents[int(number)], field))


def _compare_scenarios(plan: Plan, benchmark: Benchmark) -> Iterator[Difference]:
    count = len(plan.scenarios)
    scenarios = benchmark.make_scenarios(plan.seed, count, plan.options, load=False)
    pairs = enumerate(zip(plan.scenarios, scenarios, strict=True))
    changed = (
        Difference(None, f"scenario {number}", _describe(stored), _describe(anew))
        for number, (stored, anew) in pairs
        if stored != anew
    )
    yield from islice(changed, MOST_SHOWN)


def _describe(scenario: Any) -> str:
    if not isinstance(scenario, Mapping):
        return str(scenario)
    return f"{scenario.get('name')} of seed {scenario.get('seed')}"


def find_other_agents(plan: Plan) -> Iterator[str]:
    """Yield the agents of Ludus that are not those that the plan's fingerprints are of."""
    family = find_game(plan.game).agent_family
    for source in plan.agents:
        own = _find_own(source, family)
        if own and own.fingerprint != source.fingerprint:
            yield (
                f"{source.name}: the agent {source.spec!r} of this Ludus has the fingerprint "
                f"{own.fingerprint}, the run's has {source.fingerprint}: not the same, or another "
                "version of it"
            )
