from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludus.errors import LevelError, OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.environments import PlatformerEnv
from ludus.games.platformer.formats import write_level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.level_names import find_level, find_levels, shipped_level
from ludus.games.platformer.levels.campaign import campaign_level

LEVEL = Level.parse("-------\n-o-?---\n-------\nM--g--F\nXXXXXXX")
GENERATED = "ludus?length=60&seed=4"


def test_levels_have_names(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    write_level(file, LEVEL)
    recipe = generate("ludus", seed=4, length=60).recipe
    assert find_levels("2-4") == [campaign_level("2-4")]
    assert len(find_levels("campaign")) == 32
    assert len(find_levels("bundled")) == 10
    assert find_levels(file)[0].text == find_levels(str(file))[0].text == LEVEL.text
    assert recipe is not None
    assert find_levels(recipe) == find_levels({"generator": "ludus", "seed": 4, "length": 60})
    assert find_levels(GENERATED) == find_levels(recipe)
    several = find_levels({"generator": "ludus", "seeds": range(3, 5), "length": 60})
    assert several[1] == find_levels(recipe)[0]


def test_an_environment_draws_from_levels_of_all_kinds(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    write_level(file, LEVEL)
    levels = ["1-1", str(file), {"seeds": 2, "length": 60}, GENERATED]
    env = PlatformerEnv(levels=levels, actions=[0])
    assert {env.reset(seed=k)[1]["level"] for k in range(60)} == {0, 1, 2, 3, 4}
    assert env.reset(options={"level": "1-1"})[1]["level"] == 0
    assert env.reset(options={"level": GENERATED})[1]["level"] == 4


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1-9", "no level '1-9': give 1-1 … 8-4, sprint-01 … sprint-10, a level file, or"),
        (Path("1-9"), "no level '1-9'"),
        ("a" * 5000, "no level 'aaa"),
        ("nowhere/level.txt", "nowhere"),
        ("ludo?seed=3", "no generator 'ludo'"),
        ("ludus?seed=3&seed=4", "says something twice"),
        ("ludus?difficulty=99", "difficulty '99' is out of range"),
        ({"generator": "ludo"}, "no generator 'ludo'"),
        ({"seeds": 0}, "are no levels"),
        ({"seeds": 10**12}, "at most 100,000"),
        ({"seeds": range(10**30)}, "at most 100,000"),
        ({"seeds": 2, "seed": 1}, "not both"),
        (7, "no level 7"),
    ],
)
def test_a_wrong_name_is_named(source: Any, message: str) -> None:
    with pytest.raises((OptionError, LevelError), match=message):
        PlatformerEnv(levels=[source])


def test_shipped_levels_are_no_files(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    write_level(file, LEVEL)
    assert find_level(str(file)).text == LEVEL.text
    for name in (str(file), GENERATED):
        with pytest.raises(OptionError, match=r"there are 1-1 … 8-4, sprint-01 … sprint-10$"):
            shipped_level(name)
