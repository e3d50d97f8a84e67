"""The judge of agents in WebAssembly: their units are the fuel that they use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.agents.foreign.wasm import WasmFile
from ludus.agents.foreign.wasm_agent import FUEL_OF_A_CALL, Tank, WasmAgent
from ludus.agents.judge.judging import Judgement, ProfileLine
from ludus.context import RunContext

__all__ = ["FuelJudge"]


class FuelJudge:
    """Counts the fuel that calls into a module use.

    Args:
        file: The module.
    """

    def __init__(self, file: WasmFile) -> None:
        self._file = file
        self._tank = Tank()
        self._agent: WasmAgent | None = None

    def open(self, *, context: RunContext) -> WasmAgent:
        """Return the module's agent, which takes its fuel from this judge."""
        self._agent = self._file.open_counted(self._tank, context)
        return self._agent

    def run(self, budget: int | None, function: Callable[..., Any], *args: Any) -> Judgement:
        """Call a function that calls the agent, with a budget of fuel, or with much if it is None.

        What the function raises is raised, unless the budget is used up.
        """
        allowed = FUEL_OF_A_CALL if budget is None else budget
        self._tank.left, self._tank.ran_out = allowed, False
        try:
            result = function(*args)
        except Exception:
            if not self._tank.ran_out:
                raise
            return Judgement(None, allowed + 1, over=True)
        return Judgement(result, allowed - self._tank.left, over=False)

    def profile(self) -> list[ProfileLine]:
        """Return what the fuel went to: functions of the module, and the host's for it."""
        uses = self._agent.list_uses() if self._agent else []
        lines = [
            ProfileLine(self._file.file.name, use.what, 0, use.entered, use.fuel)
            for use in uses
            if use.entered
        ]
        return sorted(lines, key=lambda line: (-line.units, line.function))
