"""The file behind an agent's spec, found and fingerprinted without running any of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import NamedTuple

from ludus.agents.fingerprint import fingerprint
from ludus.agents.registry import SCHEMES, names
from ludus.errors import AgentError, format_error

__all__ = ["LocatedAgent", "is_installed", "locate"]

PICKLED = ("sb3", "torch")


class LocatedAgent(NamedTuple):
    """What a spec would load.

    Attributes:
        file: The file, or None if there is none: a model behind a URL.
        fingerprint: The digest of the file as it is now, empty without one.
    """

    file: Path | None
    fingerprint: str


def is_installed(spec: str, game: str) -> bool:
    """Return whether a spec names an agent of Ludus or of a package that was installed for it."""
    return spec.partition("#")[0] in names(game)


def locate(spec: str) -> LocatedAgent:
    """Return the file that an agent's spec leads to, and its fingerprint; nothing of it is run.

    Raises:
        AgentError: There is no such file, or it has no fingerprint.
    """
    file = _find_file(spec.partition("#")[0])
    if file is None:
        return LocatedAgent(None, "")
    if not file.is_file():
        raise AgentError(f"agent {spec[:200]!r}: there is no file {str(file)[:200]!r}")
    try:
        return LocatedAgent(file, fingerprint(file))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = format_error(error)
        raise AgentError(f"agent {spec[:200]!r} has no fingerprint: {reason}") from error


def _find_file(spec: str) -> Path | None:
    scheme, _, rest = spec.partition(":")
    if scheme in PICKLED:
        return Path(rest.rpartition(":")[2]).resolve()
    if scheme in SCHEMES:
        return None
    if spec.endswith(".npz"):
        return Path(spec).resolve()
    source = spec.rpartition(":")[0]
    if source.endswith(".py"):
        return Path(source).resolve()
    return _find_module(source or spec)


def _find_module(name: str) -> Path:
    """Return the file of a module, which is looked for but not imported, nor is its package."""
    words = name.split(".")
    path: Sequence[str] | None = [*sys.path, str(Path.cwd())]
    spec: ModuleSpec | None = None
    for count in range(1, len(words) + 1):
        spec = _find_spec(".".join(words[:count]), path)
        path = spec.submodule_search_locations if spec else None
        if path is None:
            break
    if spec is None or spec.name != name or not spec.origin:
        raise AgentError(f"there is no module {name[:200]!r} here")
    return Path(spec.origin)


def _find_spec(name: str, path: Sequence[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        if spec := finder.find_spec(name, path):
            return spec
    return None
