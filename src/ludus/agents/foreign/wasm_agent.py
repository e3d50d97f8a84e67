"""The agent of a module in WebAssembly, whose work is counted as fuel."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.foreign.library_agent import LearningLibraryAgent, LibraryAgent
from ludus.agents.foreign.wasm_instance import OutOfFuel, WasmInstance
from ludus.agents.foreign.wasm_module import CompiledModule, read_module
from ludus.errors import AgentFault, clean_text

__all__ = ["FuelUse", "LearningWasmAgent", "Tank", "WasmAgent", "open_wasm"]

FUEL_OF_A_CALL = 100_000_000_000
"""Where a call ends that nobody counts: some minutes of work."""

USES = (
    "ludus_agent_reset",
    "ludus_agent_act",
    "ludus_agent_learn",
    "observation",
    "clone",
    "advance",
    "describe",
    "grid",
    "places",
    "free",
    "log",
)
"""What fuel is used for, in the order of ``enum wasm_use`` in C."""


@dataclass(slots=True)
class Tank:
    """The fuel that an agent takes from.

    Attributes:
        left: What is left.
        ran_out: Whether a call ended because nothing was left.
    """

    left: int = FUEL_OF_A_CALL
    ran_out: bool = False


class FuelUse(NamedTuple):
    """What fuel was used for: how often, and how much."""

    what: str
    entered: int
    fuel: int


class WasmAgent(LibraryAgent):
    """The agent of a module in WebAssembly, which runs in this process.

    A call that fails leaves the module in the middle of its work, so the next call gets a new
    instance, which is reset with the scenario of the episode.

    Args:
        compiled: The module.
        name: What it is called if it does not say.
        memory: The most bytes that its memory may have; 0 for as many as there can be.
        tank: Where its fuel comes from; None if each call has enough of its own.
    """

    def __init__(self, compiled: CompiledModule, name: str, memory: int, tank: Tank | None) -> None:
        self._compiled, self._memory, self._tank = compiled, memory, tank
        self._uses: list[tuple[int, int]] = [(0, 0)] * len(USES)
        self._scenario: Any = None
        self._failed = False
        self._instance = self._make_instance()
        super().__init__(self._instance.library, self._instance.name or name)

    def reset(self, scenario: Any) -> None:
        """Let it prepare for a scenario."""
        self._scenario = scenario
        if self._failed:
            self._begin_anew()
        self._call("ludus_agent_reset", super().reset, scenario)

    def act(self, observation: Any) -> int:
        """Return the buttons that it answers."""
        if self._failed:
            self._begin_anew()
            self._call("ludus_agent_reset", super().reset, self._scenario)
        return int(self._call("ludus_agent_act", super().act, observation))

    def close(self) -> None:
        """Let it free what it has."""
        if not self._failed:
            self._failed = True
            self._instance.library.fill(self._fuel())
            with suppress(AgentFault):  # nothing is lost: its memory goes with it
                self._instance.destroy()

    def list_uses(self) -> list[FuelUse]:
        """Return what its fuel was used for since it was loaded, the making of agents left out."""
        now = zip(self._uses, self._instance.library.uses(), strict=True)
        sums = [(before[0] + since[0], before[1] + since[1]) for before, since in now]
        return [FuelUse(what, *numbers) for what, numbers in zip(USES, sums, strict=True)]

    def _call(self, name: str, function: Callable[[Any], Any], argument: Any) -> Any:
        library = self._instance.library
        library.fill(self._fuel())
        try:
            return function(argument)
        except AgentFault:
            failure = self._instance.take_failure(name)
            if failure is None:  # it gave up
                raise
            self._failed = True
            self._note(failure)
            raise failure from None
        finally:
            if self._tank is not None:
                self._tank.left = library.fuel
            if library.logs:
                _print_log(library.take_log())

    def _note(self, failure: AgentFault) -> None:
        if self._tank is not None and isinstance(failure, OutOfFuel):
            self._tank.left, self._tank.ran_out = 0, True

    def _fuel(self) -> int:
        return FUEL_OF_A_CALL if self._tank is None else self._tank.left

    def _begin_anew(self) -> None:
        self._uses = [(use.entered, use.fuel) for use in self.list_uses()]
        self._instance = self._make_instance()
        self._library = self._instance.library
        self._failed = False

    def _make_instance(self) -> WasmInstance:
        try:
            instance = WasmInstance(self._compiled, self._memory, self._fuel())
        except AgentFault as error:
            self._note(error)
            raise
        if self._tank is not None:
            self._tank.left = instance.library.fuel
        return instance


class LearningWasmAgent(WasmAgent, LearningLibraryAgent):
    """The agent of a module in WebAssembly that learns from training plays."""

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Tell it what came of the training play that has just ended."""
        if self._failed:
            self._begin_anew()
        self._call("ludus_agent_learn", super().learn, outcome)


def open_wasm(file: Path, memory: int = 0, tank: Tank | None = None) -> WasmAgent:
    """Compile a module and return its agent.

    Args:
        file: The module.
        memory: The most bytes that its memory may have; 0 for as many as there can be.
        tank: Where its fuel comes from; None if each call has enough of its own.

    Raises:
        AgentError: It is no module with an agent.
        AgentFault: Its agent cannot be made.
    """
    agent = WasmAgent(read_module(file), file.stem, memory, tank)
    if agent.learns:
        agent.__class__ = LearningWasmAgent
    return agent


def _print_log(logged: bytes) -> None:
    for line in logged.decode("utf-8", "replace").splitlines():
        print(clean_text(line), file=sys.stderr)  # noqa: T201 - what the agent logs
