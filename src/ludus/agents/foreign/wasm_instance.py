"""Instances of modules in WebAssembly: each has one agent and a memory of its own."""

from __future__ import annotations

import ctypes
from typing import Any

import wasmtime
from wasmtime import _ffi as ffi

from ludus.agents.foreign.wasm_module import (
    HOST,
    IMPORTED,
    MEMORY,
    TABLE,
    CompiledModule,
    close_at_exit,
    describe_failure,
)
from ludus.errors import AgentError, AgentFault, clean_text
from ludus.games.platformer._native import WasmLibrary, list_wasm_imports

__all__ = ["OutOfFuel", "WasmInstance"]

VERSION = 1
MODEL = 1 << 8
ALL_PARTS = (1 << 9) - 1
ENGINE = [name for name in IMPORTED if name != "log"]
MOST_MEMORY = 2**32
MOST_ELEMENTS = 1_000_000
MOST_NAME = 200
RUNTIME = {
    "wasmtime_func_call_unchecked": 5,
    "wasmtime_context_set_fuel": 2,
    "wasmtime_context_get_fuel": 2,
    "wasmtime_memory_data": 2,
    "wasmtime_memory_data_size": 2,
    "wasmtime_memory_grow": 4,
    "wasmtime_caller_context": 1,
    "wasmtime_trap_new": 2,
    "wasmtime_trap_new_code": 1,
}
"""The functions of Wasmtime that the host calls, in the order of ``wasm_runtime`` in C, and how
many arguments they take."""


class OutOfFuel(AgentFault):
    """An agent has used up the fuel of its call."""


class WasmInstance:
    """An instance of a module with its agent, which has been created.

    Args:
        compiled: The module.
        memory: The most bytes that its memory may have; 0 for as many as there can be.
        fuel: What making the agent may use.

    Attributes:
        library: What plays, and counts the fuel.
        name: What the agent calls itself; empty if it does not say.

    Raises:
        AgentFault: It cannot be made.
        OutOfFuel: That used up the fuel.
    """

    def __init__(self, compiled: CompiledModule, memory: int, fuel: int) -> None:
        self._store = close_at_exit(wasmtime.Store(compiled.engine))
        self._store.set_limits(memory or MOST_MEMORY, MOST_ELEMENTS, 1, 10, 1)
        self._store.set_fuel(fuel)
        context = ctypes.cast(self._store._context(), ctypes.c_void_p).value or 0
        self.library = WasmLibrary([_find_address(*item) for item in RUNTIME.items()], context)
        self._imports = self._make_imports()
        self._exports = self._instantiate(compiled)
        self.library.set_memory(bytes(self._exports[MEMORY]._memory))
        self._call("_initialize")
        self._check_version()
        self.name = self._read_name()
        self._connect(compiled)
        self.library.fill(self._store.get_fuel())

    def take_failure(self, function: str) -> AgentFault | None:
        """Return why the last call of the library failed; None if it did not."""
        trap, error = self.library.take_failure()
        if trap:
            to_trap = ctypes.cast(trap, ctypes.POINTER(ffi.wasm_trap_t))
            return _explain(function, wasmtime.Trap._from_ptr(to_trap))
        if error:
            to_error = ctypes.cast(error, ctypes.POINTER(ffi.wasmtime_error_t))
            return _explain(function, wasmtime.WasmtimeError._from_ptr(to_error))
        return None

    def destroy(self) -> None:
        """Let the agent free what it has."""
        self._store.set_fuel(self.library.fuel)
        self._call("ludus_agent_destroy", self._agent)

    def _make_imports(self) -> dict[str, wasmtime.Func]:
        """Return what a module can import, as functions of the host in C."""
        addresses = zip(IMPORTED.items(), list_wasm_imports(), strict=True)
        return {
            name: self._make_function(signature.to_type(), address)
            for (name, signature), address in addresses
        }

    def _make_function(self, kind: wasmtime.FuncType, address: int) -> wasmtime.Func:
        function = ffi.wasmtime_func_t()
        ffi.wasmtime_func_new_unchecked(
            self._store._context(),
            kind.ptr(),
            ffi.wasmtime_func_unchecked_callback_t(address),
            self.library.address,
            ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
            ctypes.byref(function),
        )
        return wasmtime.Func._from_raw(function)

    def _instantiate(self, compiled: CompiledModule) -> Any:
        imports = [self._imports[name] for name in compiled.imports]
        try:
            instance = wasmtime.Instance(self._store, compiled.module, imports)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise _explain("", error) from None
        return instance.exports(self._store)

    def _call(self, name: str, *arguments: int) -> Any:
        """Return what a function of the module returns, and None if there is none."""
        function = self._exports.get(name)
        if function is None:
            return None
        try:
            return function(self._store, *arguments)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise _explain(name, error) from None

    def _check_version(self) -> None:
        version = self._call("ludus_agent_version")
        if version != VERSION:
            raise AgentFault(
                f"was compiled with version {version} of ludus/agent.h: build it with {VERSION}"
            )

    def _read_name(self) -> str:
        address = self._call("ludus_agent_name")
        if address is None:
            return ""
        address %= 2**32
        content = self._exports[MEMORY].read(self._store, address, address + MOST_NAME)
        return clean_text(bytes(content).partition(b"\0")[0].decode("utf-8", "replace"))

    def _connect(self, compiled: CompiledModule) -> None:
        table = self._offer_engine()
        said = self._call("ludus_agent_wants")
        wants = ALL_PARTS if said is None else said % 2**32
        if not table and not set(ENGINE) & set(compiled.imports):
            if said is not None and wants & MODEL:
                raise AgentFault(
                    f"wants a forward model, and has no way to it: export {TABLE!r} as a table "
                    f"that can grow, or import the functions of {HOST!r}"
                )
            wants &= ~MODEL
        self._agent = self._call("ludus_agent_create")
        if not self._agent:
            raise AgentFault("ludus_agent_create() returned no agent")
        learn = self._exports.get("ludus_agent_learn")
        self.library.connect(
            self._agent % 2**32,
            wants,
            bytes(self._exports["ludus_agent_reset"]._func),
            bytes(self._exports["ludus_agent_act"]._func),
            None if learn is None else bytes(learn._func),
            table,
        )

    def _offer_engine(self) -> list[int]:
        """Put the engine's functions into the module's table and return their places there."""
        table = self._exports.get(TABLE)
        if table is None:
            return []
        try:
            first = table.grow(self._store, len(ENGINE), None)
        except wasmtime.WasmtimeError:
            return []  # it has as many elements as it may
        for place, name in enumerate(ENGINE, first):
            table.set(self._store, place, self._imports[name])
        return list(range(first, first + len(ENGINE)))


def _find_address(name: str, arguments: int) -> int:
    """Return where a function of Wasmtime's C interface is.

    Raises:
        AgentError: This version of Wasmtime has no such function.
    """
    function = getattr(ffi.dll, name, None)
    if function is None or len(function.argtypes or ()) != arguments:
        raise AgentError(
            f"this version of wasmtime has no {name}() of {arguments} arguments: try wasmtime==50.*"
        )
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _explain(function: str, error: wasmtime.WasmtimeError | wasmtime.Trap) -> AgentFault:
    where = f" in {function}()" if function else ""
    if isinstance(error, wasmtime.Trap):
        if error.trap_code is wasmtime.TrapCode.OUT_OF_FUEL:
            return OutOfFuel(f"used up its fuel{where}")
        return AgentFault(f"trapped{where}: {describe_failure(error)}")
    return AgentFault(f"failed{where}: {describe_failure(error)}")
