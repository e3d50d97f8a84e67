"""The text that stands for a level of map bytes, and levels that keep both."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.platformer.generators.recorded import levels

from ludus.games.platformer import Button, Kind, Level, World
from ludus.games.platformer.generators import generate

GROUND = {0x80, 0x81, 0x82, 0x83, 0x90, 0x91, 0x92, 0x93, 0xA0, 0xA1, 0xA2, 0xA3, 0xB3}
TILES = {
    "-": {0, 0x3D, 0x5D, 0xFF},
    "2": {1},
    "#": {9},
    "<": {10},
    ">": {11},
    "[": {26},
    "]": {27},
    "B": {14},
    "b": {30, 46},
    "S": {16},
    "C": {17},
    "U": {18},
    "!": {21, 23},
    "?": {22},
    "o": {34},
    "%": {0x84, 0x85, 0x86, 0xB4, 0xB6},
    "|": {0x94, 0x95, 0x96},
    "X": {shape + colour for shape in GROUND for colour in (0, 8, 12)},
    "t": {10, 11, 26, 27},
    "T": {10},
}
WALKERS = "gGkKrRyY"
LETTERS_2010 = {80: "g", 81: "k", 82: "r", 93: "y", 95: "G", 96: "K", 97: "R", 98: "G", 99: "Y"}
LETTERS_2009 = ["rR", "kK", "gG", "yY"]


def generated(name: str) -> list[Level]:
    def options(record: dict[str, Any]) -> dict[str, Any]:
        given = record["options"]
        return {"options": given} if isinstance(given, str) else given

    return [generate(name, **options(record)) for record in levels(name)]


def cells(level: Level) -> list[tuple[int, int, str, int]]:
    assert level.reference is not None
    size, map_ = level.height, level.reference.map
    return [
        (x, y, character, map_[x * size + y])
        for y, row in enumerate(level.text.split("\n"))
        for x, character in enumerate(row)
    ]


@pytest.mark.parametrize("name", ["notch-2009", "tunable-2010"])
def test_every_byte_has_its_character(name: str) -> None:
    for level in generated(name):
        letters = {c[:2]: c for c in level.creatures}
        for x, y, character, tile in cells(level):
            if character in WALKERS:
                assert (x, y) in letters
                assert tile in TILES["-"] | TILES["|"]
            elif character not in "MF":
                assert tile in TILES[character], (level.recipe, x, y)


def test_walkers_stand_where_the_map_is_free() -> None:
    for level in generated("tunable-2010"):
        rows = level.text.split("\n")
        for x, y, kind, _ in level.creatures:
            if kind in LETTERS_2010 and rows[y][x] in WALKERS:
                assert rows[y][x] == LETTERS_2010[kind]
    for level in generated("notch-2009"):
        rows = level.text.split("\n")
        for x, y, kind, winged in level.creatures:
            assert rows[y][x] == ("T" if kind == 4 else LETTERS_2009[kind][winged])


@pytest.mark.parametrize("name", ["notch-2009", "tunable-2010"])
def test_start_and_exit_are_marked(name: str) -> None:
    for level in generated(name):
        rows = level.text.split("\n")
        assert level.reference is not None
        assert (level.text.count("M"), level.text.count("F")) == (1, 1)
        x, y = level.tile_level.start
        assert (x, rows[y + 1][x]) == (2, "X")
        x, y = level.tile_level.exit
        in_the_ground = name == "notch-2009"  # the flag stands on it
        assert (x, y + in_the_ground) == level.reference.exit
        assert rows[y + 1][x] == "X" or not in_the_ground


def test_piranhas_wait_in_the_pipes() -> None:
    for level in generated("notch-2009"):
        flowers = [c[:2] for c in level.creatures if c.kind == 4]
        assert [t[:2] for t in level.templates if t[2] == Kind.ENEMY_FLOWER] == flowers


@pytest.mark.parametrize("name", ["notch-2009", "notch-framework", "tunable-2010"])
def test_some_levels_can_be_won(name: str) -> None:
    def run(seed: int) -> float:
        world = World(generate(name, seed=seed, width=100), mode=2)
        while world.status == 0 and world.tick < 600:
            speed, jump = (8, 16) if world.rules == "framework" else (16, 8)
            jumps = world.mario.may_jump or world.can_jump_higher
            world.step(Button.RIGHT + speed + jump * jumps)
        return world.completion

    assert max(map(run, range(20))) >= 1


def test_the_map_is_part_of_what_makes_levels_equal() -> None:
    level = generate("notch-2009", seed=4)
    text = Level.parse(level.text)
    assert text != level
    assert text.reference is None
    assert text.recipe is None
    assert text.reference_rows() == level.text.split("\n")
    assert level.with_recipe(generate("notch-2009").recipe) == level


def test_creatures_of_a_text_have_the_kinds_of_the_engine() -> None:
    level = Level.parse("M-gG--F\nXXXXXXX")
    assert level.creatures == [(2, 0, Kind.GOOMBA, False), (3, 0, Kind.GOOMBA_WINGED, True)]
    framework = generate("notch-framework", seed=1, difficulty=5)
    assert [c[:3] for c in framework.creatures] == framework.templates
    assert all(c.winged == (c.kind in (3, 5, 7, 9)) for c in framework.creatures)
