"""Prompts: plain text files in folders, one for each kind of question, checked when they are read.

A ``$field`` stands for what the game fills in; ``$$`` is a dollar sign. Braces mean nothing. What
is filled in is not looked at again, so that nothing a player writes can become a field.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Template

from ludus.errors import OptionError
from ludus.foreign_files import read_text

__all__ = ["BASELINE", "PromptFields", "PromptLibrary", "PromptSet"]

BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class PromptFields:
    """What a template must and may ask for.

    Attributes:
        needed: The fields that it must have.
        also: Those that it may have besides.
    """

    needed: Set[str]
    also: Set[str] = frozenset()

    @property
    def allowed(self) -> Set[str]:
        """All fields that it may have."""
        return self.needed | self.also


@dataclass(frozen=True)
class PromptSet:
    """The templates of one folder; those it does not have are the baseline's.

    Attributes:
        name: The folder's name.
        texts: The templates by kind.
        spec: What :meth:`PromptLibrary.read` finds the set by again, from anywhere.
    """

    name: str
    texts: Mapping[str, str]
    spec: str

    def fill(self, kind: str, fields: Mapping[str, str]) -> str:
        """Return a template with its fields filled in, in one go.

        A paragraph is left out if it has fields and all of them are empty.
        """
        paragraphs = map(Template, self.texts[kind].split("\n\n"))
        return "\n\n".join(each.substitute(fields) for each in paragraphs if _says(each, fields))

    @cached_property
    def digest(self) -> str:
        """What tells this set from any other."""
        digest = hashlib.sha256()
        for kind, text in self.texts.items():
            digest.update(f"{kind}\0{len(text)}\0{text}".encode())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """The sets of prompts of one game.

    Attributes:
        folder: Where the sets that come with Ludus are, a folder each; ``baseline`` is complete.
        templates: The fields of each kind of prompt.
    """

    folder: Path
    templates: Mapping[str, PromptFields]

    def names(self) -> tuple[str, ...]:
        """Return the names of the sets that come with Ludus."""
        return tuple(sorted(path.name for path in self.folder.iterdir() if path.is_dir()))

    def read(self, name: str = BASELINE) -> PromptSet:
        """Return the set of this name, or of this folder.

        Raises:
            OptionError: There is none, or a file in it is no template: the message says why.
        """
        known = self.names()
        folder = self.folder / name if name in known else Path(name).expanduser()
        if not folder.is_dir():
            raise OptionError(
                f"no prompts {name!r}: give the path of a folder, or one of {', '.join(known)}"
            )
        baseline = self.folder / BASELINE
        texts = {kind: _read_text(baseline / f"{kind}.txt") for kind in self.templates}
        files = sorted(folder.glob("*.txt"))
        if not files:
            raise OptionError(f"no prompts in {str(folder)!r}: it has none of {self._files()}")
        for file in files:
            if file.stem not in self.templates:
                raise OptionError(f"{str(file)!r} is no prompt of ours; there are {self._files()}")
            texts[file.stem] = _check_template(file, _read_text(file), self.templates[file.stem])
        path = folder.resolve()
        return PromptSet(path.name, texts, name if name in known else str(path))

    def _files(self) -> str:
        return ", ".join(f"{kind}.txt" for kind in self.templates)


def _says(paragraph: Template, fields: Mapping[str, str]) -> bool:
    """Return whether a paragraph has no field, or one that is filled."""
    names = paragraph.get_identifiers()
    return not names or any(fields[name] for name in names)


def _read_text(file: Path) -> str:
    try:
        return read_text(file).strip()
    except (OSError, ValueError) as error:
        raise OptionError(f"prompt {str(file)!r} cannot be read: {error}") from None


def _check_template(file: Path, text: str, fields: PromptFields) -> str:
    """Return a template whose fields are those it needs and may have."""
    template = Template(text)
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
