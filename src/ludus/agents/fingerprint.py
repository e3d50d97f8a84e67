"""Whether an agent has changed: a digest of the file that defines it and of what lies beside it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["find_imported_files", "fingerprint"]

DIGITS = 16


def fingerprint(file: Path) -> str:
    """Return a digest of a file and, if it is Python, of all modules beside it that it imports.

    A file that nothing is imported from has the digest of its bytes alone.
    """
    files = find_imported_files(file.resolve())
    if len(files) == 1:
        return hashlib.sha256(files[0].read_bytes()).hexdigest()[:DIGITS]
    digest = hashlib.sha256()
    for part in files:
        path = part.relative_to(file.resolve().parent).as_posix()
        digest.update(f"{path}\0{part.stat().st_size}\0".encode() + part.read_bytes())
    return digest.hexdigest()[:DIGITS]


def find_imported_files(file: Path) -> list[Path]:
    """Return the file and those beside it that it leads to, the file first."""
    files, queue = [file], [file]
    while queue:
        imported = _imported_files(queue.pop(), file.parent)
        new = [path for path in imported if path not in files]
        files += new
        queue += new
    return [file, *sorted(files[1:])]


def _imported_files(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the files under a folder that a Python file imports; of packages, all their files."""
    for name in _imported_names(file) if file.suffix == ".py" else ():
        module, package = folder / f"{name}.py", folder / name
        if module.is_file():
            yield module
        elif (package / "__init__.py").is_file():
            yield from sorted(package.rglob("*.py"))


def _imported_names(file: Path) -> set[str]:
    """Return the first words of all the names that a Python file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").partition(".")[0]
            names |= {module} if module else {alias.name for alias in node.names}
    return names
