"""Prompts: plain text files in folders, one for each kind of question, checked when they are read.

A ``$field`` stands for what the game fills in; ``$$`` is a dollar sign. Braces mean nothing. What
is filled in is not looked at again, so that nothing a player writes can become a field.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Template

from ludus.errors import OptionError
from ludus.foreign_files import read_text

__all__ = ["BASELINE", "PromptSet", "prompt_sets", "read_prompts"]

FOLDER = Path(__file__).parent / "prompts"
BASELINE = "baseline"

_GAME = {
    "power",
    "phase",
    "season",
    "year",
    "end_year",
    "board",
    "surroundings",
    "recent",
    "earlier",
    "memory",
}


@dataclass(frozen=True, slots=True)
class _Fields:
    """What a template must and may ask for."""

    needed: frozenset[str]
    allowed: frozenset[str]


def _fields(needed: set[str], also: set[str]) -> _Fields:
    return _Fields(frozenset(needed), frozenset(needed | also))


TEMPLATES = {
    "system": _fields({"power", "end_year"}, {"press"}),
    "negotiate": _fields({"messages", "format"}, _GAME | {"round", "rounds", "others"}),
    "reflect": _fields({"messages", "format"}, _GAME),
    "orders": _fields({"legal_orders", "format"}, _GAME | {"messages", "task"}),
    "review": _fields({"results", "format"}, _GAME),
    "consolidate": _fields({"diary", "format"}, {"power", "phase", "season", "year", "end_year"}),
    "again": _fields({"problems", "format"}, {"power", "phase", "legal_orders"}),
    "plain": _fields({"legal_orders"}, {"power", "phase", "count"}),
}


@dataclass(frozen=True)
class PromptSet:
    """The templates of one folder; those it does not have are the baseline's.

    Attributes:
        name: The folder's name.
        texts: The templates by kind.
        spec: What :func:`read_prompts` finds the set by again, from anywhere.
    """

    name: str
    texts: Mapping[str, str]
    spec: str

    def fill(self, kind: str, fields: Mapping[str, str]) -> str:
        """Return a template with its fields filled in, in one go."""
        return Template(self.texts[kind]).substitute(fields)

    @cached_property
    def digest(self) -> str:
        """What tells this set from any other."""
        digest = hashlib.sha256()
        for kind in TEMPLATES:
            digest.update(f"{kind}\0{len(self.texts[kind])}\0{self.texts[kind]}".encode())
        return digest.hexdigest()


def prompt_sets() -> tuple[str, ...]:
    """Return the names of the sets that come with Ludus."""
    return tuple(sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))


def read_prompts(name: str = BASELINE) -> PromptSet:
    """Return the set of this name, or of this folder.

    Raises:
        OptionError: There is none, or a file in it is no template: the message says why.
    """
    folder = FOLDER / name if name in prompt_sets() else Path(name).expanduser()
    if not folder.is_dir():
        raise OptionError(
            f"no prompts {name!r}: give the path of a folder, or one of {', '.join(prompt_sets())}"
        )
    texts = {kind: _read_text(FOLDER / BASELINE / f"{kind}.txt") for kind in TEMPLATES}
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise OptionError(f"no prompts in {str(folder)!r}: it has none of {_file_names()}")
    for file in files:
        if file.stem not in TEMPLATES:
            raise OptionError(f"{str(file)!r} is no prompt of ours; there are {_file_names()}")
        texts[file.stem] = _check_template(file, _read_text(file))
    path = folder.resolve()
    return PromptSet(path.name, texts, name if name in prompt_sets() else str(path))


def _file_names() -> str:
    return ", ".join(f"{kind}.txt" for kind in TEMPLATES)


def _read_text(file: Path) -> str:
    try:
        return read_text(file).strip()
    except (OSError, ValueError) as error:
        raise OptionError(f"prompt {str(file)!r} cannot be read: {error}") from None


def _check_template(file: Path, text: str) -> str:
    """Return a template whose fields are those it needs and may have."""
    template, fields = Template(text), TEMPLATES[file.stem]
    if not template.is_valid():
        raise OptionError(f"prompt {str(file)!r} has a lone $: write $$ for a dollar sign")
    used = set(template.get_identifiers())
    if unknown := used - fields.allowed:
        raise OptionError(
            f"prompt {str(file)!r} has an unknown field ${min(unknown)}; it may have "
            f"{', '.join(f'${field}' for field in sorted(fields.allowed))}"
        )
    if missing := fields.needed - used:
        raise OptionError(f"prompt {str(file)!r} lacks the field ${min(missing)}: put it in")
    return text
