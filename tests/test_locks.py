"""The locks hold exactly what pyproject.toml asks for, each version with its hashes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCKS = ("core", "test", "tools")
ITSELF = "ludus-arena"
WHERE = {"mutation": "tools", "supply": "tools"}  # groups that make test does not install


@cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def read_lock(name: str) -> dict[str, list[tuple[Requirement, int]]]:
    """Return the locked versions by name, each with the number of its hashes."""
    text = (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    locked: dict[str, list[tuple[Requirement, int]]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            version, *hashes = re.split(r"\s+--hash=sha256:[0-9a-f]{64}", line)
            requirement = Requirement(version.strip())
            locked.setdefault(canonicalize_name(requirement.name), []).append(
                (requirement, len(hashes))
            )
    return locked


def wanted() -> Iterator[tuple[str, str]]:
    """Yield every requirement that pyproject.toml names, and the lock that has to hold it."""
    for line in project()["project"]["dependencies"]:
        yield line, "core"
    for lines in project()["project"]["optional-dependencies"].values():
        for line in lines:
            yield line, "test"
    for group, lines in project()["dependency-groups"].items():
        for line in lines:
            if isinstance(line, str):
                yield line, WHERE.get(group, "test")
    for line in project()["build-system"]["requires"]:
        yield line, "core"


@pytest.mark.parametrize(("line", "lock"), sorted(set(wanted())))
def test_what_is_asked_for_is_locked(line: str, lock: str) -> None:
    asked = Requirement(line)
    if asked.name == ITSELF:
        return
    locked = read_lock(lock).get(canonicalize_name(asked.name), [])
    assert locked, f"locks/{lock}.txt has no {asked.name}: make lock"
    for requirement, _ in locked:
        (pin,) = requirement.specifier
        assert pin.operator == "=="
        assert asked.specifier.contains(pin.version), f"{requirement} is not {asked}: make lock"


@pytest.mark.parametrize("name", LOCKS)
def test_every_version_has_hashes_and_no_address(name: str) -> None:
    assert all(count for versions in read_lock(name).values() for _, count in versions)
    text = (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    assert "torch" not in read_lock(name)


@pytest.mark.parametrize("name", ["core", "tools"])
def test_the_locks_agree(name: str) -> None:
    for package, versions in read_lock(name).items():
        for requirement, _ in versions if package in read_lock("test") else ():
            pins = [str(other.specifier) for other, _ in read_lock("test")[package]]
            assert str(requirement.specifier) in pins
