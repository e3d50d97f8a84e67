from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import LevelError
from ludus.games.platformer import Level, World

CHARACTERS = "MFyYgEGkKrRX#%|*Bb?@Q!12DSCULotT<>[]- .~é\t"


def parse(*rows: str) -> Level:
    return Level.parse("\n".join(rows))


@st.composite
def texts(draw: st.DrawFn) -> str:
    width, height = draw(st.integers(1, 30)), draw(st.integers(1, 20))
    row = st.text(CHARACTERS, min_size=width, max_size=width)
    return "\n".join(draw(st.lists(row, min_size=height, max_size=height)))


@given(texts())
def test_any_rectangle_is_a_level_that_can_be_played(text: str) -> None:
    level = Level.parse(text)
    rows = text.split("\n")
    assert (level.width, level.height) == (len(rows[0]), len(rows))
    assert Level.parse(level.text) == level
    world = World(level)
    for action in (0, 26, 10, 5):
        if world.status == 0:
            world.step(action)


def test_line_endings_and_empty_rows_at_the_end_do_not_matter() -> None:
    assert Level.parse("M-F\r\nXXX\r\n\r\n\n") == Level.parse("M-F\nXXX")


@pytest.mark.parametrize(
    ("text", "row", "column", "character"),
    [
        ("M-F\nXX", 1, 2, ""),
        ("M-F\nXXXX", 1, 3, "X"),
        ("M-F\n\nXXX", 1, 0, ""),
        ("\nXXX", 0, 0, ""),
    ],
)
def test_an_error_tells_where(text: str, row: int, column: int, character: str) -> None:
    with pytest.raises(LevelError, match=rf"^row {row}\b") as caught:
        Level.parse(text)
    assert (caught.value.row, caught.value.column, caught.value.character) == (
        row,
        column,
        character,
    )
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n", "\r\n\n"])
def test_an_empty_text_is_no_level(text: str) -> None:
    with pytest.raises(LevelError):
        Level.parse(text)


def test_a_level_may_not_be_larger_than_documented() -> None:
    assert Level.parse("X" * 131_072).width == 131_072
    with pytest.raises(LevelError, match="131073 x 1"):
        Level.parse("X" * 131_073)
    with pytest.raises(LevelError, match="1 x 1025"):
        Level.parse("X\n" * 1025)


def test_the_last_start_and_exit_win() -> None:
    level = parse("M-MF", "F--M", "XXXX")
    assert level.start == (3, 1)
    assert level.exit == (0, 1)


def test_start_and_exit_stand_on_the_first_floor_if_none_is_named() -> None:
    level = parse("-----", "-X--L", "X---D", "X-X-X")
    assert level.start == (0, 1)
    assert level.exit == (4, 1)
    assert parse("---", "---").start == (0, -1)


def column(level: Level, i: int) -> list[int]:
    return [int(tile) for tile in level.tiles[i]]


def test_pipes_platforms_and_cannons_know_their_neighbours() -> None:
    level = parse(
        "M-----------------F", "-tt-t-TTT-%%%-%-*-B", "-tt-t-TTT-|||---*-b", "XXXXXXXXXXXXXXXX*Xb"
    )
    assert [column(level, i)[1:3] for i in (1, 2)] == [[18, 20], [19, 21]]
    assert column(level, 4)[1:3] == [52, 53]
    assert [column(level, i)[1] for i in (6, 7, 8)] == [18, 19, 18]
    assert [t for t in level.templates if t[2] == 11] == [(6, 1, 11), (8, 1, 11)]
    assert [column(level, i)[1] for i in (10, 11, 12, 14)] == [44, 46, 45, 43]
    assert column(level, 16)[1:4] == [3, 4, 5]


def test_the_flag_hides_what_was_there() -> None:
    level = parse(*["-----"] * 13, "---XF", "XXXXX")
    assert column(level, 4)[1:14] == [0, 39, *[40] * 11]


def test_tiles_cannot_be_written_to() -> None:
    level = parse("M-F", "XXX")
    with pytest.raises(ValueError, match="read-only"):
        level.tiles[0, 0] = 1


def test_coins_are_counted_by_their_characters() -> None:
    assert parse("M-Q!2Co@UL1F", "XXXXXXXXXXXX").total_coins == 5
