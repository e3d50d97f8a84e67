"""Runs that a file brought: what they name is not run before the user has seen it and agreed.

A plan names agents, opponents and environments, each by a text. Loading one runs its code. For a
run that was begun here the user has chosen that code; for an imported run somebody else has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ludus.agents.locating import is_installed, locate
from ludus.agents.sandbox import has_sandbox
from ludus.benchmarks import find_benchmark
from ludus.context import RunContext
from ludus.errors import AgentError, RunError
from ludus.execution.plan import Plan
from ludus.execution.scenarios import ScenariosByReference
from ludus.games.game import NamesCode, find_game
from ludus.runs.entry_files import entries_folder
from ludus.runs.store import Run, Store

__all__ = [
    "Consent",
    "NamedCode",
    "agree",
    "agree_to_scenarios",
    "check_agents_agreed",
    "check_scenarios_agreed",
    "code_of",
    "describe_code",
    "is_chosen_by_others",
    "replay_context",
]

OPPONENT = "opponent"
SHOWN = 200
"""How many letters of a spec messages show."""


class NamedCode(NamedTuple):
    """Something outside a run's file that the run names, and that would be loaded.

    Attributes:
        role: ``agent``, ``opponent``, ``environment`` or ``file``.
        spec: The text that names it.
        file: The file it leads to here, or None if it is none: a model behind a URL, a package.
        fingerprint: The digest of that file, or the version of the package; empty without one.
        recorded: What the run says it played with; empty if it does not say.
    """

    role: str
    spec: str
    file: Path | None
    fingerprint: str
    recorded: str


Consent: TypeAlias = Callable[[Run, Sequence[NamedCode]], bool]
"""Is shown what an imported run would load and returns whether the user agrees."""


def agree(run: str, store: Store, consent: Consent = lambda *_: True) -> list[NamedCode]:
    """Ask whether an imported run may load what it names, and write it down if so.

    Args:
        run: The run's id.
        store: Where it is.
        consent: Asks; agrees if not given.

    Raises:
        RunError: There is no such run, a file is another than the run was played with, or the user
            does not agree.
        AgentError: A file is not there.
    """
    stored = store.run(run)
    code = code_of(stored.plan) if stored.imported else []
    _check_fingerprints(code)
    if code and not consent(stored, code):
        raise _not_agreed(stored, code)
    if stored.imported:
        store.mark_agreed(stored.id)
    return code


def agree_to_scenarios(run: Run, store: Store) -> None:
    """Agree to the environments and files that a run names; its agents need not be there.

    Raises:
        RunError: A file is another than the run was played with.
        AgentError: A file is not there.
    """
    _check_fingerprints([_locate(*one) for one in _named_for_replay(run.plan)])
    store.mark_agreed(run.id)


def _check_fingerprints(code: Sequence[NamedCode]) -> None:
    for one in code:
        if one.recorded and one.file and one.fingerprint != one.recorded:
            raise RunError(
                f"{one.role} {one.spec[:SHOWN]!r} is not what the run was played with: the file "
                f"has fingerprint {one.fingerprint}, the run says {one.recorded[:SHOWN]}"
            )


def is_chosen_by_others(run: Run, store: Store) -> bool:
    """Return whether somebody else chose the agents of a run, which therefore play confined.

    A file brought it, it is of a season, entries of an event play in it, or it was confined before.
    """
    entered = f"{entries_folder(store)}/"
    plan = run.plan
    return (
        run.from_outside
        or plan.confined
        or any(agent.spec.startswith(entered) for agent in plan.agents)
    )


def check_agents_agreed(run: Run) -> None:
    """Make sure that the user agrees to all that playing on would load.

    Raises:
        RunError: The run was imported and names code of others.
    """
    if run.imported:
        _refuse(run, list(_named_by(run.plan)))


def replay_context(run: Run, plan: Plan) -> RunContext:
    """Return what replaying a run allows the environments that it names.

    Those of a run that somebody else chose, or that was confined when it was played, are confined.
    A system without a sandbox plays the others to which the user has agreed as they are.

    Args:
        run: The run.
        plan: Its plan, with its scenarios.

    Raises:
        RunError: They were confined when they were played, and this system has no sandbox.
    """
    if plan.environment_confined and not has_sandbox():
        raise RunError(
            f"run {run.id} was played in the sandbox, and this system has none: replay it on Linux"
        )
    confined = has_sandbox() and (plan.confined or run.from_outside)
    return RunContext(sandbox=confined, limits=plan.limits)


def check_scenarios_agreed(run: Run, advice: str = "") -> None:
    """Make sure that the user agrees to all that replaying would load: no agents play in a replay.

    Args:
        run: The run.
        advice: How the user can agree; by ``ludus trust`` if empty, which takes a store.

    Raises:
        RunError: The run was imported and its scenarios or options name code or files.
    """
    if run.imported:
        _refuse(run, _named_for_replay(run.plan), advice)


def code_of(plan: Plan) -> list[NamedCode]:
    """Return all that playing a plan would load from outside of Ludus; nothing is loaded.

    Raises:
        AgentError: A file is not there.
    """
    code: dict[str, NamedCode] = {}
    for role, spec, recorded in _named_by(plan):
        if spec not in code:
            code[spec] = _locate(role, spec, recorded)
    return list(code.values())


def describe_code(code: Sequence[NamedCode]) -> list[list[str]]:
    """Return one row for each: what it is for, the text that names it, its file, its digest."""
    return [
        [one.role, one.spec[:SHOWN], str(one.file or "")[:SHOWN], one.fingerprint] for one in code
    ]


_Named = tuple[str, str, str]  # role, spec, what the run says it played with


def _named_by(plan: Plan) -> Iterator[_Named]:
    family = find_game(plan.game).agent_family
    for agent in plan.agents:
        if not is_installed(agent.spec, family):
            yield "agent", agent.spec, agent.fingerprint
    yield from _named_by_scenarios(plan)
    yield from _named_by_options(plan)


def _named_for_replay(plan: Plan) -> list[_Named]:
    named = [*_named_by_options(plan), *_named_by_scenarios(plan)]
    return [one for one in named if one[0] != OPPONENT]


def _named_by_options(plan: Plan) -> Iterator[_Named]:
    """Yield what checking a plan's options would load."""
    known = {option.name: option for option in find_benchmark(plan.benchmark).options}
    for name, value in plan.options.items():
        option = known.get(name)
        if option is None or value == option.default:
            continue
        if option.agents_of:
            for spec in filter(None, map(str.strip, value.split(","))):
                if not is_installed(spec, option.agents_of):
                    yield OPPONENT, spec, ""
        if option.names_outside:
            yield option.names_outside, value, ""


def _named_by_scenarios(plan: Plan) -> Iterator[_Named]:
    game = find_game(plan.game)
    if not isinstance(game, NamesCode) or isinstance(plan.scenarios, ScenariosByReference):
        return  # an installed benchmark makes them of the options
    for (role, spec), recorded in game.named_code(plan.scenarios).items():
        if role != OPPONENT or not is_installed(spec, game.agent_family):
            yield role, spec, recorded


def _locate(role: str, spec: str, recorded: str) -> NamedCode:
    if role == "file":
        return NamedCode(role, spec, Path(spec.rpartition("@")[0]).resolve(), "", "")
    if role != "environment":
        return NamedCode(role, spec, *locate(spec), recorded)
    source = spec.rpartition(":")[0]
    if source.endswith(".py"):
        if not Path(source).is_file():
            raise AgentError(f"environment {spec[:SHOWN]!r}: there is no file {source[:SHOWN]!r}")
        file, digest = locate(spec)
        return NamedCode(role, spec, file, f"sha256:{digest}", recorded)
    return NamedCode(role, spec, None, "", recorded)


def _refuse(run: Run, named: Sequence[_Named], advice: str = "") -> None:
    if named:
        raise _not_agreed(run, [NamedCode(*one[:2], None, "", "") for one in named], advice)


def _not_agreed(run: Run, code: Sequence[NamedCode], advice: str = "") -> RunError:
    specs = ", ".join(dict.fromkeys(f"{one.role} {one.spec[:SHOWN]!r}" for one in code[:3]))
    more = f" and {len(code) - 3} more" if len(code) > 3 else ""
    return RunError(
        f"run {run.id} was imported and names what is not its own: {specs}{more}; if you trust "
        f"that: {advice or f'ludus trust {run.id}'}"
    )
