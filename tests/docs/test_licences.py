"""The page of licences names all that Ludus brings, and no licence comes in unseen."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PARTS = {"core": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "write_licences.py"))


def sections() -> dict[str, str]:
    text = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"(?m)^## ", text)
    return {part.splitlines()[0].strip("`[]").lower(): part for part in parts}


@pytest.mark.parametrize("part", [part for part in PARTS if part != "all"])
def test_every_dependency_of_the_project_is_on_the_page(part: str) -> None:
    for line in PARTS[part]:
        name = re.split(r"[\[<>=!~; ]", line)[0].lower()
        if name != "ludus-arena":
            assert f"| `{name}` |" in sections()[part], f"{name} is missing: make licences"


@pytest.mark.parametrize("part", PARTS)
def test_every_licence_is_on_the_list(part: str, script: dict[str, Any]) -> None:
    for name in script["expand"](part):
        assert script["check_licence"](name, part)


def test_a_licence_that_is_not_on_the_list_is_refused(script: dict[str, Any]) -> None:
    with pytest.raises(script["LicenceError"], match="psycopg, brought by core, is under"):
        script["check_licence"]("psycopg", "core")


@pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info[:2] != (3, 11),
    reason="the page tells of Linux with Python 3.11",
)
def test_the_page_is_what_the_script_writes(script: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    assert page == script["write_page"](), "docs/licences.md is old: make licences"
