"""Modules in WebAssembly: compiled so that they do the same everywhere, and checked before use."""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import WeakSet

from ludus.contract import Closes
from ludus.distribution import install_command
from ludus.errors import AgentError, MissingExtra, clean_text
from ludus.foreign_files import WASM_BYTES, UnreadableFile, read_bytes, reason_of

try:
    import wasmtime
except ImportError:
    raise MissingExtra(
        f"wasmtime is not installed; agents in WebAssembly need it: {install_command('wasm')}"
    ) from None

__all__ = [
    "HOST",
    "IMPORTED",
    "MEMORY",
    "TABLE",
    "CompiledModule",
    "Signature",
    "close_at_exit",
    "compile_module",
    "describe_failure",
    "make_engine",
    "read_module",
]

HOST = "ludus"
"""The module that agents import functions from."""

TABLE = "__indirect_function_table"
MEMORY = "memory"
MAGIC = b"\0asm\1\0\0\0"
STACK_BYTES = 512 * 1024
GROWTH_BYTES = 2**20


class Signature(NamedTuple):
    """What a function takes and returns: how many numbers of 32 bits."""

    parameters: int
    results: int

    def __str__(self) -> str:
        return f"({', '.join(['i32'] * self.parameters)}) -> ({', '.join(['i32'] * self.results)})"

    def to_type(self) -> wasmtime.FuncType:
        """Return it as Wasmtime has it."""
        number = wasmtime.ValType.i32()
        return wasmtime.FuncType([number] * self.parameters, [number] * self.results)


NEEDED = {
    "ludus_agent_version": Signature(0, 1),
    "ludus_agent_create": Signature(0, 1),
    "ludus_agent_destroy": Signature(1, 0),
    "ludus_agent_reset": Signature(2, 0),
    "ludus_agent_act": Signature(2, 1),
}
OPTIONAL = {
    "ludus_agent_name": Signature(0, 1),
    "ludus_agent_wants": Signature(0, 1),
    "ludus_agent_learn": Signature(2, 0),
    "_initialize": Signature(0, 0),
}
IMPORTED = {
    "clone": Signature(1, 1),
    "advance": Signature(2, 1),
    "describe": Signature(2, 0),
    "grid": Signature(5, 1),
    "places": Signature(3, 1),
    "free": Signature(1, 0),
    "log": Signature(2, 0),
}
"""What a module may import, in the order of the host's functions."""


class CompiledModule(NamedTuple):
    """A module that was compiled and checked, and what has compiled it."""

    engine: wasmtime.Engine
    module: wasmtime.Module

    @property
    def imports(self) -> list[str]:
        """The names of what it imports of the host."""
        return [str(item.name) for item in self.module.imports]


def read_module(file: Path) -> CompiledModule:
    """Return the module of a file, compiled and checked.

    Raises:
        AgentError: It cannot be read, is no module, or none with an agent.
    """
    try:
        content = read_bytes(file, WASM_BYTES)
    except UnreadableFile as error:
        raise AgentError(str(error)) from None
    except OSError as error:
        raise AgentError(f"{str(file)[:200]!r} cannot be read: {reason_of(error)}") from None
    return compile_module(content, make_engine())


def compile_module(content: bytes, engine: wasmtime.Engine) -> CompiledModule:
    """Return the module that bytes hold, compiled and checked.

    Raises:
        AgentError: They are no module, or none with an agent.
    """
    if content[: len(MAGIC)] != MAGIC:
        raise AgentError("is no module in WebAssembly: it begins otherwise")
    try:
        module = close_at_exit(wasmtime.Module(engine, content))
    except wasmtime.WasmtimeError as error:
        raise AgentError(f"is no module in WebAssembly: {describe_failure(error)}") from None
    _check_imports(module.imports)
    _check_exports({export.name: export.type for export in module.exports})
    return CompiledModule(engine, module)


@cache
def make_engine(*, optimise: bool = True) -> wasmtime.Engine:
    """Return what compiles modules: whatever they compute is the same on every machine.

    Args:
        optimise: Whether to spend time on fast code; the fuel is the same.
    """
    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.wasm_relaxed_simd_deterministic = True
    config.wasm_threads = False
    config.wasm_memory64 = False
    config.wasm_multi_memory = False
    config.cranelift_opt_level = "speed" if optimise else "none"
    config.parallel_compilation = False
    config.max_wasm_stack = STACK_BYTES
    # Memory is what an agent uses, not address space, which a sandbox may limit, and bounds are
    # checked by code: a signal handler would be the whole process's.
    config.memory_reservation = 0
    config.memory_reservation_for_growth = GROWTH_BYTES
    config.memory_guard_size = 0
    config.memory_init_cow = False
    config.signals_based_traps = False
    return close_at_exit(wasmtime.Engine(config))


Closed = TypeVar("Closed", bound=Closes)
_OPEN: WeakSet[Any] = WeakSet()


def close_at_exit(item: Closed) -> Closed:
    """Return something of Wasmtime's that is closed before Python ends, which would fail later."""
    _OPEN.add(item)
    return item


@atexit.register
def _close_all() -> None:
    for item in list(_OPEN):
        item.close()


def describe_failure(error: wasmtime.WasmtimeError | wasmtime.Trap) -> str:
    """Return the cause that Wasmtime names, in one line."""
    text = error.message if isinstance(error, wasmtime.Trap) else str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return clean_text(lines[-1].removeprefix("wasm trap: ") if lines else "for no reason")


def _check_imports(imports: Iterable[wasmtime.ImportType]) -> None:
    for item in imports:
        name = f"{item.module}.{item.name}"[:100]
        if item.module != HOST or item.name not in IMPORTED:
            raise AgentError(
                f"imports {name!r}, which is not there: a module has no files, clock or network, "
                f"and imports at most {', '.join(IMPORTED)} of {HOST!r}"
            )
        _check_signature(f"imports {name!r}", item.type, IMPORTED[item.name])


def _check_exports(exports: Mapping[str, object]) -> None:
    for name, signature in (NEEDED | OPTIONAL).items():
        if name in exports:
            _check_signature(f"exports {name!r}", exports[name], signature)
        elif name in NEEDED:
            raise AgentError(f"exports no function {name}(): see docs/bring-your-agent.md")
    if not isinstance(exports.get(MEMORY), wasmtime.MemoryType):
        raise AgentError(f"exports no memory as {MEMORY!r}")
    if not isinstance(exports.get(TABLE), wasmtime.TableType | None):
        raise AgentError(f"exports something as {TABLE!r} that is no table")


def _check_signature(what: str, found: object, wanted: Signature) -> None:
    if not isinstance(found, wasmtime.FuncType):
        raise AgentError(f"{what}, which is no function")
    kinds = [str(kind) for kind in (*found.params, *found.results)]
    if (len(found.params), len(found.results)) != wanted or set(kinds) - {"i32"}:
        parameters = ", ".join(map(str, found.params))
        results = ", ".join(map(str, found.results))
        raise AgentError(f"{what} as ({parameters}) -> ({results}): it has to be {wanted}"[:200])
