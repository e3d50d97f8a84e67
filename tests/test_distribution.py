"""The distribution has another name than the package, and one place says which."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ludus.distribution import DISTRIBUTION, install_command

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def test_the_name_is_that_of_the_project() -> None:
    assert PROJECT["name"] == DISTRIBUTION


def test_several_extras_are_installed_by_one_command() -> None:
    assert install_command("plots", "learn") == 'pip install "ludus-arena[plots,learn]"'


def test_all_brings_every_extra() -> None:
    (line,) = EXTRAS["all"]
    brought = set(re.findall(r"[\w-]+", line.partition("[")[2]))
    assert brought | {"all", "pictures"} == set(EXTRAS)
    assert any("[pictures]" in line for line in EXTRAS["video"])


@pytest.mark.parametrize("folder", ["src", "docs"])
def test_texts_name_the_right_distribution_and_extras_that_exist(folder: str) -> None:
    files = [path for kind in ("py", "md") for path in (ROOT / folder).rglob(f"*.{kind}")]
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bludus\[[a-z,]+\]", text), path
        for extras in re.findall(r"ludus-arena\[([a-z,]+)\]", text):
            assert set(extras.split(",")) <= set(EXTRAS), path
        for extras in re.findall(
            r"install_command\(\"([a-z]+)\"\)|install_command\('([a-z]+)'\)", text
        ):
            assert set(filter(None, extras)) <= set(EXTRAS), path
