"""What a judged agent gets when it imports a module of Python, NumPy or Ludus.

It gets a module that holds the public names only. Other modules that the real one has imported, and
the functions in it that would read attributes, files or code for the agent, are not there.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ludus.agents.judge import _counter
from ludus.agents.judge.replaced import REPLACED
from ludus.agents.judge.rules import ALLOWED_MODULES

__all__ = ["FixedModule", "facade"]

HIDDEN = {
    "abc": "ABCMeta update_abstractmethods get_cache_token",
    "contextlib": "ExitStack AsyncExitStack redirect_stdout redirect_stderr chdir",
    "dataclasses": "make_dataclass",
    "enum": "EnumMeta EnumType EnumDict property global_enum nonmember member",
    "functools": "update_wrapper singledispatch singledispatchmethod WRAPPER_ASSIGNMENTS",
    "ludus.games.platformer": (
        "Level World Physics build_info digest_version engine_hash replay rule_sets"
    ),
    "ludus.games.worm": (
        "Batch World build_info chemotaxis digest_version engine_hash replay rule_sets"
    ),
    "math": "comb factorial perm",
    "numpy": (
        "DataSource char core ctypeslib dtypes emath exceptions f2py from_dlpack frombuffer "
        "fromfile fromregex fromstring genfromtxt get_include info lib load loadtxt ma memmap "
        "nditer nested_iters ndarray.resize polynomial rec resize save savetxt savez "
        "savez_compressed setbufsize seterrcall show_config show_runtime strings test testing"
    ),
    "operator": (
        "attrgetter methodcaller call pow ipow mul imul lshift ilshift matmul imatmul concat "
        "iconcat"
    ),
    "random": "getrandbits randbytes SystemRandom",
    "string": "Formatter Template",
    "threading": (
        "ExceptHookArgs Thread Timer current_thread enumerate excepthook getprofile gettrace local "
        "main_thread setprofile setprofile_all_threads settrace settrace_all_threads stack_size"
    ),
    "time": "sleep",
    "typing": "ForwardRef evaluate_forward_ref get_type_hints",
}
"""Public names that the facade of a module leaves out."""

WRAPPED = ("base64", "collections", "heapq", "json", "random", "statistics", "textwrap")
"""Modules whose functions in Python are charged by sizes, as if they were in C."""


class FixedModule(ModuleType):
    """A module whose values stay what they are."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name[:64]!r} of module {self.__name__!r} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name[:64]!r} of module {self.__name__!r} cannot be taken away")


@functools.cache
def facade(name: str) -> ModuleType:
    """Return the module of this name as a judged agent sees it.

    Raises:
        ImportError: A judged agent may not import it.
    """
    if name not in ALLOWED_MODULES:
        raise ImportError(f"module {name[:64]!r} is not for judged agents", name=name)
    real = importlib.import_module(name)
    shown = FixedModule(name, real.__doc__)
    values = dict(_public_values(name, real))
    if name in WRAPPED:
        values = {key: _charge(value) for key, value in values.items()}
    vars(shown).update(values | REPLACED.get(name, {}))
    return shown


def _charge(value: Any) -> Any:
    """Return a function that is charged by sizes; any other value as it is."""
    return _counter.by_size(value) if isinstance(value, FunctionType | MethodType) else value


def _public_values(name: str, real: ModuleType) -> Iterator[tuple[str, Any]]:
    hidden = HIDDEN.get(name, "").split()
    public = getattr(real, "__all__", None) or [key for key in vars(real) if key[0] != "_"]
    for key in public:
        value = getattr(real, key, None)
        if key in hidden:
            continue
        if not isinstance(value, ModuleType):
            yield key, value
        elif f"{name}.{key}" in ALLOWED_MODULES:
            yield key, facade(f"{name}.{key}")
