"""Agents in WebAssembly: ``agent.wasm`` exports the functions of ``ludus/agent.h``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludus.agents.foreign.compiled_file import CompiledFile
from ludus.context import RunContext

if TYPE_CHECKING:
    from ludus.agents.foreign.wasm_agent import Tank, WasmAgent

__all__ = ["WasmFile", "read_wasm"]


class WasmFile(CompiledFile):
    """A module."""

    def open(self, *, context: RunContext) -> WasmAgent:
        """Compile the module and return its agent.

        Raises:
            AgentError: It is no module with an agent.
            MissingExtra: Wasmtime is not installed.
        """
        return self.open_counted(None, context)

    def open_counted(self, tank: Tank | None, context: RunContext) -> WasmAgent:
        """Compile the module and return its agent, which takes its fuel from a tank.

        Raises:
            AgentError: It is no module with an agent.
            MissingExtra: Wasmtime is not installed.
        """
        from ludus.agents.foreign.wasm_agent import open_wasm

        memory = context.limits.memory if context.limits else 0
        return open_wasm(self.file, memory, tank)


def read_wasm(spec: str) -> WasmFile | None:
    """Return the module that a spec names, or None if it names something else.

    Example:
        >>> read_wasm("agents/mine.wasm").file.name, read_wasm("astar")
        ('mine.wasm', None)
    """
    if not spec.endswith(".wasm") or "\0" in spec:
        return None
    return WasmFile(Path(spec).resolve())
