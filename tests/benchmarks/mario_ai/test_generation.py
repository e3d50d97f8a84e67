"""Generators under the track's rules: in time, confined, checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents.sandbox import has_sandbox
from ludus.benchmarks.mario_ai.generation import make_level_for, make_test_scenario
from ludus.benchmarks.mario_ai.plain_levels import PLAIN_GENERATORS
from ludus.errors import LudusError, OptionError
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.constraints import DEMANDED_2011, Constraints
from ludus.games.platformer.recordings import PROFILES, PlayerRecord, Recording

pytestmark = pytest.mark.slow  # processes are started

EXPERT = PROFILES["expert"]

FLAT = """
def make(profile, seed):
    width = 320
    rows = ["-" * width] * 13 + ["--M" + "-" * (width - 12) + "F" + "-" * 8, "X" * width]
    return "\\n".join(rows)

def narrow(profile, seed):
    return "M---F\\nXXXXX"

def wall(profile, seed):
    rows = make(profile, seed).split("\\n")
    return "\\n".join(row[:100] + "X" * 3 + row[103:] for row in rows)

def hang(profile, seed):
    while True:
        pass

def fail(profile, seed):
    raise RuntimeError("no\\nlevel \\x1b[2J")

def leave(profile, seed):
    import os
    os._exit(0)

def nothing(profile, seed):
    return None

def deaths(profile, seed):
    raise RuntimeError(f"{profile.deaths} deaths, seed {seed}")

def pry(profile, seed):
    open("{outside}").read()

def scribble(profile, seed):
    open("{inside}", "w").write("was here")
    return make(profile, seed)

def call(profile, seed):
    import socket
    socket.create_connection(("127.0.0.1", 9), 1)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of generators, good and bad, in a folder of its own."""
    folder = tmp_path / "entry"
    folder.mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("the seed is 7")
    text = FLAT.replace("{outside}", str(secret)).replace("{inside}", str(folder / "mark"))
    (folder / "mine.py").write_text(text)
    return folder / "mine.py"


def test_the_test_level_is_an_easy_one_of_2009() -> None:
    scenario = make_test_scenario(7)
    assert scenario.level == generate("notch-2009", seed=7)
    assert (scenario.mode, scenario.time_limit) == (0, 200)
    assert make_test_scenario(8).level != scenario.level


def test_ludus_s_own_generators_meet_what_is_demanded() -> None:
    made = make_level_for(EXPERT, "skill-mix", 3, constraints=DEMANDED_2011)
    assert (made.faults, made.solvable) == ((), "solved")
    again = generate("skill-mix", seed=3, profile=EXPERT, gaps=10, turtles=7, coin_blocks=10)
    assert made.level == again


@pytest.mark.parametrize("name", PLAIN_GENERATORS)
def test_generators_that_know_no_player_make_levels_for_the_track(name: str) -> None:
    made = make_level_for(EXPERT, name, 3)
    assert (made.faults, made.level.height, made.level.rules) == ((), 15, "2009")
    assert made.level == PLAIN_GENERATORS[name](3, 320)  # whoever plays
    assert made.level != PLAIN_GENERATORS[name](4, 320)


def test_recorded_play_is_counted_first() -> None:
    recording = Recording(make_test_scenario(7), (bytes(30),))
    made = make_level_for(recording, "hopper", 1)
    assert made.level == generate("hopper", seed=1, profile=PlayerRecord.of(recording))


def test_a_file_s_function_makes_levels(file: Path) -> None:
    made = make_level_for(EXPERT, f"{file}:make")
    assert (made.level.width, made.level.height, made.faults) == (320, 15, ())
    narrow = make_level_for(EXPERT, f"{file}:narrow")
    assert narrow.faults == ("5 width, 320 are demanded", "2 rows, 15 are demanded")
    assert make_level_for(EXPERT, f"{file}:narrow", constraints=Constraints(width=5)).faults == (
        "2 rows, 15 are demanded",
    )
    assert "no way through it was found" in make_level_for(EXPERT, f"{file}:wall").faults


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hang", "took more than 2 seconds"),
        ("fail", "RuntimeError: no level"),
        ("leave", "ended without a level"),
        ("nothing", "returned None"),
        ("missing", "has no function 'missing'"),
        ("deaths", "3 deaths, seed 5"),
    ],
)
def test_a_generator_that_makes_no_level_is_refused_in_one_line(
    name: str, reason: str, file: Path
) -> None:
    with pytest.raises(LudusError, match=reason) as caught:
        make_level_for(
            PROFILES["beginner"], f"{file}:{name}", 5, seconds=2 if name == "hang" else 60
        )
    assert "\n" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


@pytest.mark.skipif(not has_sandbox(), reason="this system has no sandbox")
@pytest.mark.parametrize("name", ["pry", "scribble", "call"])
def test_a_foreign_generator_is_confined(name: str, file: Path) -> None:
    with pytest.raises(OptionError, match=r"made no level: .*Error") as caught:
        make_level_for(EXPERT, f"{file}:{name}")
    assert "the seed is 7" not in str(caught.value)
    assert not (file.parent / "mark").exists()


@pytest.mark.parametrize("name", ["tunable-2010", "nobody", "none.py:make"])
def test_what_is_no_generator_for_players_is_refused(name: str) -> None:
    with pytest.raises(OptionError):
        make_level_for(EXPERT, name)
