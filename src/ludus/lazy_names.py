"""Names that a package offers and imports when somebody first uses them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(
    package: str, names: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's ``__getattr__`` and ``__dir__``; names are imported when first used.

    So a module of the package can be imported without all others. Type checkers read the same names
    from imports below ``if TYPE_CHECKING``.

    Args:
        package: The package's name.
        names: The names that it offers, by the modules below the package that define them.

    Example:
        >>> find_name, _ = lazy_names("json", {"decoder": ["JSONDecoder"]})
        >>> find_name("JSONDecoder")
        <class 'json.decoder.JSONDecoder'>
    """
    modules = {name: module for module, offered in names.items() for name in offered}

    def find_name(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return find_name, list_names
