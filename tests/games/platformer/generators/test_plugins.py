"""Generators from elsewhere: functions in files and behind entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from ludus.errors import LevelError, OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate, generate_from, names, plugins

SOURCE = '''
"""Flat levels."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ludus.games.platformer import Level


@dataclass
class Plan:
    width: int


def flat(seed: int = 0, width: Annotated[int, Field(ge=2, le=50)] = 10) -> str:
    """Make flat levels.

    They are dull.
    """
    plan = Plan(width)
    return "M" + "-" * (plan.width - 2) + "F\\n" + "X" * plan.width


def loose(seed: int, **options: object) -> Level:
    return Level.parse("M" + "o" * int(options.get("coins", 0)) + "F")


def wrong() -> int:
    return 3


broken = "no function"
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


def test_a_function_in_a_file(path: Path) -> None:
    level = generate(f"{path}:flat", width=5)
    assert level.text == "M---F\nXXXXX"
    assert level.recipe is not None
    assert level.recipe.options == {"seed": 0, "width": 5}
    assert generate_from(level.recipe) == level


def test_a_function_that_takes_any_option(path: Path) -> None:
    level = generate(f"{path}:loose", seed=1, coins=2)
    assert level.text == "MooF"
    assert level.recipe is not None
    assert level.recipe.options == {"seed": 1, "coins": 2}


def test_a_changed_file_is_read_again(path: Path) -> None:
    assert generate(f"{path}:flat").width == 10
    path.write_text(SOURCE.replace("= 10", "= 20"))
    assert generate(f"{path}:flat").width == 20


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("flat", {"width": 1}, "width 1 is out of range: give 2 to 50"),
        ("flat", {"height": 1}, "has no option 'height'"),
        ("loose", {}, "needs the option 'seed': give seed="),
        ("broken", {}, "has no function 'broken'"),
        ("absent", {}, "has no function 'absent'"),
    ],
)
def test_faults_are_told(path: Path, name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        generate(f"{path}:{name}", **options)


def test_what_is_no_level_is_refused(path: Path) -> None:
    with pytest.raises(LevelError, match="returned 3: let it return a Level or its text"):
        generate(f"{path}:wrong")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no file"):
        generate(f"{tmp_path / 'absent.py'}:flat")


def tiny(seed: int = 0) -> Level:
    """Make the smallest level."""
    return Level.parse("MF\nXX")


def test_installed_packages_offer_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("tiny", f"{__name__}:tiny", plugins.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: tiny)
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point])
    assert names()["tiny"] == "Make the smallest level."
    assert generate("tiny", seed=3).width == 2
