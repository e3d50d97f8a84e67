"""Writes docs/licences.md: the licences of all that Ludus and its extras bring with them.

    make licences

The names come from pyproject.toml, the licences from the metadata of what is installed. A licence
that is not on the list below ends the script with one line, so that nobody takes one in unseen.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
ITSELF = "ludus-arena"

PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSD",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "MPL-2.0",
    "PSF-2.0",
    "TCL",
    "Unlicense",
    "Zlib",
}
"""What may come with anything."""

MORE_ALLOWED = {
    "cluster": {"LGPL-3.0-only"},
}
"""What may come with one extra only; the page says why."""

NAMES = {
    "3-clause bsd": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd license": "BSD",
    "bsd 3-clause": "BSD-3-Clause",
    "gnu affero general public license v3 or later (agplv3+)": "AGPL-3.0-or-later",
    "isc license": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
}
"""Licences by the names that older metadata gives them."""

HEAD = """\
# Licences

<!-- Written by scripts/write_licences.py: change pyproject.toml, then make licences. -->

Ludus is under the MIT licence. This page lists what `pip install ludus-arena` and each extra bring
with them, on Linux with Python 3.11. A test refuses a licence that is not on the list of the
script. `make licences` writes the page anew.

- **Core and most extras** bring permissive licences only.
- **`cluster`** brings psycopg, which is LGPL-3.0: a library that Ludus calls and does not change.
- **`video`** brings imageio-ffmpeg. Its own code is BSD; its wheel carries the program `ffmpeg`,
  which is GPL. Ludus starts it as a program and links nothing of it.
"""


class LicenceError(Exception):
    """A package is not installed, or its licence is not on the list."""


def read_project() -> dict[str, list[str]]:
    """Return the requirements of the core and of each extra, without Ludus itself."""
    project: Mapping[str, Any] = tomllib.loads(
        (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    return {"core": project["dependencies"], **project["optional-dependencies"]}


def expand(part: str) -> Iterator[str]:
    """Yield the names of all that a part of Ludus brings, with what that needs in turn."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(line) for line in read_project()[part]]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if (name, frozenset(wanted.extras)) in seen:
            continue
        seen.add((name, frozenset(wanted.extras)))
        if name == ITSELF:
            lines = [line for extra in wanted.extras for line in read_project()[extra]]
            waiting += map(Requirement, lines)
            continue
        yield name
        waiting += _requirements(_find(name), wanted.extras)


def _requirements(package: Distribution, extras: Iterable[str]) -> Iterator[Requirement]:
    for line in package.requires or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if not marker or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def _find(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        raise LicenceError(f"{name} is not installed: make test installs it") from error


def licence_of(name: str) -> str:
    """Return a package's licence as an SPDX expression, from its metadata."""
    metadata = _find(name).metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classes = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or ()
        if line.startswith("License ::") and not line.endswith("OSI Approved")
    ]
    short = metadata.get("License") or ""
    texts = [short] if short and len(short) < 40 and "\n" not in short else classes
    if not texts:
        raise LicenceError(f"{name} names no licence in its metadata")
    return " AND ".join(dict.fromkeys(NAMES.get(text.lower(), text) for text in texts))


def check_licence(name: str, part: str) -> str:
    """Return a package's licence, having made sure that it may come with a part of Ludus."""
    licence = licence_of(name)
    allowed = PERMISSIVE | MORE_ALLOWED.get(part, set())
    if part == "all":
        allowed = allowed.union(*MORE_ALLOWED.values())
    choices = re.split(r"\s+OR\s+", licence.strip("()"))
    if not any(_parts(choice) <= allowed for choice in choices):
        raise LicenceError(f"{name}, brought by {part}, is under {licence!r}: not on the list")
    return licence


def _parts(expression: str) -> set[str]:
    words = re.split(r"\s+AND\s+", re.sub(r"\s+WITH\s+\S+", "", expression))
    return {word.strip("() ") for word in words}


def write_table(part: str) -> Iterator[str]:
    """Yield the lines of a table of all that a part brings."""
    named = {canonicalize_name(Requirement(line).name) for line in read_project()[part]}
    yield "| package | licence | brought by |"
    yield "|---|---|---|"
    for name in sorted(set(expand(part))):
        origin = "Ludus" if name in named else "a package"
        yield f"| `{name}` | {check_licence(name, part)} | {origin} |"


def write_page() -> str:
    """Return the text of the page."""
    lines = [HEAD]
    for part in read_project():
        if part != "all":  # the sum of the others
            title = "Core" if part == "core" else f"`[{part}]`"
            lines += [f"## {title}", "", *write_table(part), ""]
    return "\n".join(lines)


def main() -> int:
    """Write the page, or say what keeps it from being written."""
    try:
        PAGE.write_text(write_page(), encoding="utf-8")
    except LicenceError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"Written: {PAGE.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
