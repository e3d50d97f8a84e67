"""The file behind an agent's spec, found and fingerprinted without running any of it."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from ludus.agents.fingerprint import fingerprint
from ludus.agents.foreign.doors import find_foreign_agent
from ludus.agents.registry import BRAIN_SCHEME, SCHEMES, names
from ludus.errors import AgentError, format_error

__all__ = ["MODEL_SCHEMES", "LocatedAgent", "is_installed", "locate"]

MODEL_SCHEMES = ("sb3", "torch")
"""Schemes whose spec ends with the file of a model."""


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
    base = spec.partition("#")[0]
    foreign = find_foreign_agent(base)
    file = foreign.file if foreign else _find_file(base)
    if file is None:
        return LocatedAgent(None, "")
    if not file.is_file():
        raise AgentError(f"agent {spec[:200]!r}: there is no file {str(file)[:200]!r}")
    try:
        return LocatedAgent(file, foreign.fingerprint() if foreign else fingerprint(file))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = format_error(error)
        raise AgentError(f"agent {spec[:200]!r} has no fingerprint: {reason}") from error


def _find_file(spec: str) -> Path | None:
    for plugin in entry_points(group="ludus.agents", name=spec):
        return _find_module(plugin.module)
    scheme, _, rest = spec.partition(":")
    if scheme in MODEL_SCHEMES:
        return Path(rest.rpartition(":")[2]).resolve()
    if scheme == BRAIN_SCHEME:
        return Path(rest.rpartition(":")[0]).resolve()
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
    first, *words = name.split(".")
    spec = _find_package(first)
    for word in words:
        folders = list(spec.submodule_search_locations or ()) if spec else []
        # By its last word alone: Python asks for the parent of a name with dots, to be imported.
        spec = PathFinder.find_spec(word, folders) if word else None
    if spec is None or not spec.has_location or not spec.origin:
        raise AgentError(f"there is no module {name[:200]!r} here")
    return Path(spec.origin)


def _find_package(name: str) -> ModuleSpec | None:
    """Return where a name without dots leads: installed packages come before this folder."""
    for finder in sys.meta_path:
        if name and (spec := finder.find_spec(name, None)):
            return spec
    return PathFinder.find_spec(name, [str(Path.cwd())]) if name else None
