"""What a judged agent gets when it imports a module of Python, NumPy or Ludus.

It gets a module that holds the public names only. Other modules that the real one has imported, and
the functions in it that would read attributes, files or code for the agent, are not there.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from ludus.agents.judge.rules import ALLOWED_MODULES

__all__ = ["facade"]

HIDDEN = {
    "contextlib": "ExitStack AsyncExitStack redirect_stdout redirect_stderr chdir",
    "dataclasses": "make_dataclass",
    "functools": "update_wrapper wraps singledispatch singledispatchmethod WRAPPER_ASSIGNMENTS",
    "numpy": (
        "DataSource char core ctypeslib dtypes emath exceptions f2py from_dlpack frombuffer "
        "fromfile fromregex genfromtxt get_include info lib load loadtxt ma memmap nditer "
        "polynomial rec save savetxt savez savez_compressed setbufsize seterrcall show_config "
        "show_runtime strings test testing"
    ),
    "operator": "attrgetter methodcaller",
    "string": "Formatter",
    "threading": (
        "ExceptHookArgs current_thread enumerate excepthook getprofile gettrace local main_thread "
        "setprofile setprofile_all_threads settrace settrace_all_threads stack_size"
    ),
    "time": "sleep",
    "typing": "ForwardRef evaluate_forward_ref get_type_hints",
    "warnings": "formatwarning showwarning",
}
"""Public names that the facade of a module leaves out."""


@functools.cache
def facade(name: str) -> ModuleType:
    """Return the module of this name as a judged agent sees it.

    Raises:
        ImportError: A judged agent may not import it.
    """
    if name not in ALLOWED_MODULES:
        raise ImportError(f"module {name[:64]!r} is not for judged agents", name=name)
    real = importlib.import_module(name)
    shown = ModuleType(name, real.__doc__)
    vars(shown).update(_public_values(name, real))
    if name == "functools":
        vars(shown)["wraps"] = _wraps
    return shown


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


def _wraps(wrapped: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a wrapper the name and the docstring of what it wraps."""

    def name(wrapper: Callable[..., Any]) -> Callable[..., Any]:
        wrapper.__name__ = str(getattr(wrapped, "__name__", "wrapper"))
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        return wrapper

    return name
