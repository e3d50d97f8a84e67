"""Opens agents under the judge: finds their code, loads it counted, and refuses what it cannot."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ludus.agents import loading
from ludus.agents.foreign.doors import ForeignAgent, find_foreign_agent
from ludus.agents.foreign.java_files import JavaClass
from ludus.agents.foreign.wasm import WasmFile
from ludus.agents.judge import _counter
from ludus.agents.judge.judged_agent import JudgedAgent
from ludus.agents.judge.judging import Judge
from ludus.agents.judge.loading import JudgedCode
from ludus.agents.judge.own_code import OwnCode
from ludus.agents.locating import locate
from ludus.agents.registry import REGISTERED, SCHEMES
from ludus.context import RunContext
from ludus.errors import AgentError
from ludus.limits import Limits

if TYPE_CHECKING:
    from ludus.agents.judge.fuel import FuelJudge
    from ludus.agents.judge.java import JavaJudge

__all__ = ["check_judgeable", "is_judged", "open_judged"]


def is_judged(context: RunContext) -> bool:
    """Return whether the work of agents is counted."""
    return context.profile or (context.limits is not None and context.limits.counts_units)


def check_judgeable(spec: str) -> None:
    """Refuse an agent whose work nobody can count.

    Raises:
        AgentError: It is a model, an object of this process, or in no language that can be counted.

    Example:
        >>> check_judgeable("astar")
        >>> check_judgeable("sb3:ppo:m.zip")
        Traceback (most recent call last):
        ludus.errors.AgentError: the work of agent 'sb3:ppo:m.zip' cannot be counted in units: ...
    """
    foreign = find_foreign_agent(spec.partition("#")[0])
    if spec.partition(":")[0] in SCHEMES or not isinstance(foreign, JavaClass | WasmFile | None):
        raise AgentError(
            f"the work of agent {spec[:100]!r} cannot be counted in units: name one in Python, "
            "Java or WebAssembly, or play a benchmark without a budget of units"
        )


def open_judged(spec: str, family: str, context: RunContext) -> JudgedAgent:
    """Return an agent of this process under the judge.

    Raises:
        AgentError: It cannot be loaded, does what a judged agent may not, or uses up its units.
    """
    check_judgeable(spec)
    foreign = find_foreign_agent(spec.partition("#")[0])
    if foreign is not None:
        return _open_foreign(foreign, spec, family, context)
    code = _find_code(spec, family, context.profile)
    judge = Judge(code, profile=context.profile)
    _charge_for_engines()
    make = partial(loading.load, spec, family, context, modules=_Modules(code))
    return JudgedAgent(judge, make, context.limits or Limits(), enforce=not context.profile)


def _open_foreign(
    foreign: ForeignAgent, spec: str, family: str, context: RunContext
) -> JudgedAgent:
    """Return an agent that its own machine counts."""
    limits = context.limits or Limits()
    judge = _find_judge(foreign, limits, profile=context.profile)
    make = partial(loading.make_agent, judge.open, spec, family, context)
    return JudgedAgent(judge, make, limits, enforce=not context.profile)


def _find_judge(foreign: ForeignAgent, limits: Limits, *, profile: bool) -> FuelJudge | JavaJudge:
    """Return who counts: fuel in WebAssembly, byte code in Java."""
    if isinstance(foreign, WasmFile):
        from ludus.agents.judge.fuel import FuelJudge

        return FuelJudge(foreign)
    from ludus.agents.judge.java import JavaJudge

    return JavaJudge(foreign.spec, limits, profile=profile)


class _Modules:
    """Imports the modules of agents so that they count."""

    def __init__(self, code: JudgedCode) -> None:
        self._code = code

    def import_file(self, path: Path) -> ModuleType:
        if not path.is_file():
            raise ImportError(f"there is no file {str(path)!r}")
        return self._code.load(path)

    def import_named_module(self, name: str, folder: Path | None = None) -> ModuleType:
        if isinstance(self._code, OwnCode):
            return self._code.load_module(name)
        file = locate(f"{name}:").file
        if file is None:
            raise ImportError(f"there is no module {name[:100]!r}")
        return self._code.load(file)


def _find_code(spec: str, family: str, profile: bool) -> JudgedCode:
    """Return the code that an agent's modules come from: Ludus's, or the folder of its file."""
    base = spec.partition("#")[0]
    registered = REGISTERED.get(family, {}).get(base)
    if base.endswith(".npz"):
        registered = next(iter(REGISTERED.get(family, {}).values()), None)
    if registered is not None:
        return OwnCode(registered.module.rpartition(".")[0], profile=profile)
    file = locate(base).file
    if file is None:
        raise AgentError(f"agent {spec[:200]!r} has no file that can be counted")
    return JudgedCode(file.parent, profile=profile)


def _charge_for_engines() -> None:
    from ludus.games.platformer import _native

    _native.set_meter(_counter.meter)
