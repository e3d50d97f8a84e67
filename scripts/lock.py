"""Writes the files in locks/: exact versions and hashes of all that development installs.

    make lock

Each file holds for every platform and every Python from 3.11 on, and pip alone installs it. The
groups of pyproject.toml name `ludus-arena[…]` itself; that is left out here, since the clone is
installed in its place.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "locks"
OLDEST_PYTHON = "3.11"
ITSELF = "ludus-arena["
EVERY_EXTRA = ["--all-extras"]


def expand_group(name: str, project: dict[str, Any]) -> Iterator[str]:
    """Yield the requirements of a dependency group and of those that it includes."""
    for item in project["dependency-groups"][name]:
        if isinstance(item, dict):
            yield from expand_group(item["include-group"], project)
        elif not item.startswith(ITSELF):
            yield item


def compile_lock(name: str, groups: list[str], options: list[str], project: dict[str, Any]) -> None:
    """Write one file of exact versions; what is locked already and still fits stays."""
    target = LOCKS / f"{name}.txt"
    wanted = sorted({line for group in groups for line in expand_group(group, project)})
    with tempfile.NamedTemporaryFile("w", suffix=".in") as file:
        file.write("\n".join(wanted))
        file.flush()
        subprocess.run(  # noqa: S603
            [
                *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"),
                *("--python-version", OLDEST_PYTHON, "--generate-hashes", "--no-strip-markers"),
                *("--custom-compile-command", "make lock", "--no-annotate"),
                *("--no-emit-index-url", "--no-emit-find-links"),
                *options,
                *(file.name, "--output-file", str(target)),
            ],
            check=True,
            cwd=ROOT,
        )


def main() -> None:
    """Write all locks, the widest first, so that the others agree with it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    LOCKS.mkdir(exist_ok=True)
    same = ["--constraint", "locks/test.txt"]
    compile_lock("test", ["build", "test"], ["pyproject.toml", *EVERY_EXTRA], project)
    compile_lock("core", ["build"], ["pyproject.toml", "--extra", "video", *same], project)
    compile_lock("tools", ["mutation", "supply"], same, project)


if __name__ == "__main__":
    main()
