from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tests.games.platformer.levels.map_levels import make_record, references

from ludus.errors import LevelError, OptionError
from ludus.games.platformer import Kind, Level, World
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.metrics import describe
from ludus.games.platformer.levels.reference import Reference
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.pictures import frame, level_picture


@pytest.mark.parametrize("gen", ["2009", "soup", "marioai4j", "marioai4j+edits"])
def test_a_record_becomes_the_level_of_its_bytes(gen: str) -> None:
    record = make_record("2009" if gen == "soup" else gen) | {"gen": gen}
    level = Level.from_record(record)
    assert level.rules == ("2010" if gen.startswith("marioai4j") else "2009")
    assert level.reference_rows() == record["rows"]
    assert level.tiles.T.tobytes() == bytes.fromhex("".join(record["rows"]))
    assert level.exit == (5, 1)
    assert level.templates[0] == (1, 1, Kind.GOOMBA_WINGED)
    assert level.total_coins == 1
    assert World(level).level is level


def test_blocks_give_one_coin_more_than_their_data_say() -> None:
    rows = ["170015000000", "000000000000", "818282818181"]
    record = make_record("marioai4j", rows=rows, data=[[0, 0, -3], [3, 0, 2]])
    assert Level.from_record(record).total_coins == 1 + 3 + 1


@given(references())
def test_a_record_keeps_all_of_a_map(reference: Reference) -> None:
    assert Reference.from_record(reference.to_record()) == reference


@settings(max_examples=30)
@given(references())
def test_a_map_is_a_level_like_any_other(reference: Reference) -> None:
    level = Level.from_reference(reference)
    assert level.map == reference
    assert level.tiles.tobytes() == reference.map
    assert len(level.templates) == len(reference.creatures)
    assert pickle.loads(pickle.dumps(level)) == copy.copy(level) == level
    assert describe(level).width == reference.width
    assert level_picture(level).shape == level_picture(World(level)).shape
    assert frame(World(level, mode=2), (64, 64)).shape == (64, 64, 3)
    assert level.for_rules("framework").text == level.text
    assert level.for_rules("framework").for_rules(level.rules) == level


def test_generators_of_both_years_make_levels_for_their_rules() -> None:
    old = generate("notch-2009", seed=1, difficulty=3, type=1)
    new = generate("tunable-2010", seed=1, difficulty=3, type=2, creatures="")
    for level, rules, kind in ((old, "2009", 1), (new, "2010", 2)):
        assert level.rules == rules
        assert level.map is not None
        assert (level.map.type, level.map.difficulty) == (kind, 3)
        assert (level.tiles.tobytes(), level.exit) == (level.map.map, level.map.exit)
    assert Kind.PRINCESS in [kind for _, _, kind in new.templates]


def test_a_text_becomes_the_bytes_that_come_closest() -> None:
    text = "M-o?g-F\n-BS<>l-\nXbX[]lX\nXXXXXXX"
    level = Level.parse(text, rules="2010")
    assert level.text == text
    assert level.reference is None
    tiles = level.tiles
    assert [int(tiles[2, 0]), int(tiles[3, 0]), int(tiles[6, 0])] == [34, 22, 255]
    assert tiles[1:6, 1].tolist() == [14, 16, 10, 11, 93]
    assert tiles[:, 2].tolist()[1:6] == [30, 129, 26, 27, 61]
    assert {int(byte) for byte in tiles[:, 3]} <= {129, 146}
    assert level.templates == [(4, 0, Kind.GOOMBA), (6, 0, Kind.PRINCESS)]


def test_a_level_can_be_read_for_other_rules() -> None:
    level = generate("notch-2009", seed=1, width=80)
    framework = level.for_rules("framework")
    assert (framework.rules, framework.map, framework.reference) == (
        "framework",
        None,
        level.reference,
    )
    assert framework.for_rules("2009") == level
    assert level.for_rules("2010").tiles.max() == 255
    with pytest.raises(OptionError, match="rules '2011' are unknown"):
        level.for_rules("2011")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gen": 2009}, "gen 2009 is no part of a level"),
        ({"width": 0}, "width 0 is no part of a level"),
        ({"width": 10**9}, "width 1000000000 is no part of a level"),
        ({"rows": ["00"]}, "1 rows were given: give 3"),
        ({"rows": ["00"] * 3}, "row 0 is '00': give 12 hexadecimal digits"),
        ({"rows": ["gg" * 6] * 3}, "row 0 is 'gggggggggggg': give 12 hexadecimal digits"),
        ({"exit": [6, 0]}, r"the exit \(6, 0\) is outside the level"),
        ({"exit": [2**31, 0]}, "exit.0 2147483648 is no part of a level"),
        ({"sprites": [[6, 0, 2, 0]]}, r"the creature at \(6, 0\) is outside the level"),
        ({"sprites": [[0, 0, 9, 0]]}, r"creature 9 at \(0, 0\) is unknown under the rules '2009'"),
        ({"sprites": [[0, 0, 2, 0]] * 2}, r"the creature at \(0, 0\) is out of order"),
        ({"sprites": [[0, 0]]}, "sprites.0"),
        ({"data": [[0, 0, 128]]}, r"block data 128 at \(0, 0\) are out of range"),
        ({"type": 3}, "type 3 is no part of a level"),
        ({"counters": {"coins": "x"}}, "counters.coins"),
    ],
)
def test_what_is_no_level_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(LevelError, match=message):
        Level.from_record(make_record(**changes))


WALL = "\n".join(
    [
        *["-" * 30] * 2,
        *["-" * 16 + "X" + "-" * 13] * 3,
        *["-" * 12 + "X---X" + "-" * 13] * 5,
        *["-" * 16 + "X" + "-" * 13] * 3,
        "M" + "-" * 15 + "X" + "-" * 12 + "F",
        "X" * 30,
    ]
)


def test_the_solver_jumps_off_walls() -> None:
    solved = solve(Level.parse(WALL, rules="2009"))
    assert solved.outcome == "solved"
    world = World(Level.parse(WALL, rules="2009"))
    slides = 0
    for action in solved.actions:
        slides += world.mario.sliding
        world.step(action)
    assert slides


@pytest.mark.parametrize("rules", ["2009", "2010"])
def test_the_solver_does_not_call_a_level_impossible_where_it_cannot_know(rules: str) -> None:
    gap = "\n".join([*["-" * 90] * 13, "M" + "-" * 88 + "F", "XXXXX" + "-" * 80 + "XXXXX"])
    assert solve(Level.parse(gap)).outcome == "impossible"
    assert solve(Level.parse(gap, rules=rules), budget=500).outcome == "unknown"


def test_the_solver_finds_a_way_that_the_framework_does_not_have() -> None:
    closed = "\n".join(["X--X-F"] * 12 + ["XM-X--", "XXXXXX"])
    assert solve(Level.parse(closed)).outcome == "impossible"
    assert solve(Level.parse(closed, rules="2009")).outcome == "solved"


def test_tiles_of_a_map_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Level.from_record(make_record()).tiles[0, 0] = np.uint8(1)
