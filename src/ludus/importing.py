"""Python that users name, by a file or a module: imported here, each file once per process."""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from ludus.errors import format_error

__all__ = ["import_file", "import_named_module"]

_DIGESTS: dict[str, str] = {}  # of the files that were executed, by the name of their module


def import_file(path: Path) -> ModuleType:
    """Return the module of a Python file.

    The file is executed once in a process, and again only after it was edited. It may import what
    lies beside it; installed packages come first.

    Raises:
        ImportError: There is no such file, or executing it failed; the message says why.
    """
    if not path.is_file():
        raise ImportError(f"there is no file {str(path)!r}")
    file = path.resolve()
    name = f"_ludus_file_{_digest(str(file).encode())[:12]}"
    content = _digest(file.read_bytes())
    if name in sys.modules and _DIGESTS.get(name) == content:
        return sys.modules[name]
    module = _execute(name, file)
    _DIGESTS[name] = content
    return module


def import_named_module(name: str, folder: Path | None = None) -> ModuleType:
    """Return a module of an installed package or, if there is none, of a folder.

    Raises:
        ImportError: There is none, or importing it failed; the message says why.
    """
    if folder:
        _search_in(folder)
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:
        raise ImportError(format_error(error)) from error


class _SourceLoader(SourceFileLoader):
    """Compiles a file each time: two versions of it may have one size and be of one second."""

    def path_stats(self, path: Any) -> NoReturn:
        raise OSError(f"{path}: no compiled code is kept of it")


def _execute(name: str, file: Path) -> ModuleType:
    loader = _SourceLoader(name, str(file)) if file.suffix == ".py" else None
    spec = spec_from_file_location(name, file, loader=loader)
    if spec is None or spec.loader is None:
        raise ImportError(f"{str(file)!r} is no Python file: give one that ends in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there for what their annotations mean
    _search_in(file.parent)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ImportError(format_error(error)) from error
    return module


def _search_in(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
