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
    "collections.abc": "",
    "copy": "",
    "contextlib": "ExitStack AsyncExitStack redirect_stdout redirect_stderr chdir",
    "dataclasses": "make_dataclass",
    "functools": "update_wrapper wraps singledispatch singledispatchmethod WRAPPER_ASSIGNMENTS",
    "numpy": "load save savez savez_compressed loadtxt savetxt genfromtxt fromregex memmap fromfile DataSource "
    "ctypeslib f2py testing lib core rec char strings ma emath exceptions dtypes polynomial frombuffer "
    "from_dlpack show_config show_runtime info get_include setbufsize seterrcall test nditer",
    "operator": "attrgetter methodcaller",
    "string": "Formatter",
    "threading": "settrace setprofile settrace_all_threads setprofile_all_threads excepthook stack_size gettrace "
    "getprofile main_thread enumerate current_thread ExceptHookArgs local",
    "time": "sleep",
    "typing": "get_type_hints ForwardRef evaluate_forward_ref",
    "warnings": "showwarning formatwarning",
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
