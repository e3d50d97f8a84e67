from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import LevelError, OptionError
from ludus.games.platformer import Level, Physics
from ludus.games.platformer.formats import (
    FORMATS,
    decode_level,
    encode_level,
    format_of,
    read_level,
    write_level,
)
from ludus.games.platformer.formats.document import json_schema
from ludus.games.platformer.formats.vglc import LEGEND
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.levels.level import Recipe

CHARACTERS = st.one_of(
    st.sampled_from("MFyYgEGkKrRX#%|*Bb?@Q!12DSCULotT<>[]- lhijHIJnpzNPZ()_=v.:;"),
    st.characters(exclude_categories=("Cc", "Cs")),
)
LOSSLESS = ("text", "json")


@st.composite
def texts(draw: st.DrawFn) -> str:
    width, height = draw(st.integers(1, 20)), draw(st.integers(1, 16))
    row = st.text(CHARACTERS, min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    beginning = draw(st.sampled_from(["", ";ludus {}", "\ufeff", "{"]))
    return "\n".join([(beginning + rows[0])[:width], *rows[1:]])


physics = st.builds(
    Physics,
    gravity=st.floats(0.1, 4),
    jump_power=st.floats(0, 30),
    ice=st.floats(0, 0.05),
    wind=st.floats(-0.05, 0.05),
    frozen_creatures=st.booleans(),
    tick_ms=st.integers(1, 1000),
)
words = st.text(max_size=8)
values = st.one_of(
    st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), words, st.none()
)
recipes = st.builds(Recipe, words, st.integers(0, 99), st.dictionaries(words, values, max_size=4))


@st.composite
def levels(draw: st.DrawFn) -> Level:
    level = Level.parse(
        draw(texts()),
        rules=draw(st.sampled_from(["framework", "ludus"])),
        physics=draw(st.none() | physics),
        time_limit=draw(st.integers(0, 500)),
        labels=draw(st.sets(words, max_size=3)),
    )
    recipe = draw(st.none() | recipes)
    return level if recipe is None else level.with_recipe(recipe)


@pytest.mark.parametrize("name", LOSSLESS)
@given(level=levels())
def test_a_level_comes_back_as_it_was(name: str, level: Level) -> None:
    back = decode_level(encode_level(level, name), name)
    assert back == level
    assert repr(back.recipe) == repr(level.recipe)
    assert encode_level(back, name) == encode_level(level, name)


@pytest.mark.parametrize("name", LOSSLESS)
@given(level=levels())
def test_the_format_can_be_seen_from_the_content(name: str, level: Level) -> None:
    text = encode_level(level, name)
    if name == "json" or not text.lstrip().startswith("{"):
        assert decode_level(text) == level


@given(level=levels())
def test_whatever_is_exported_can_be_read_or_parsed(level: Level) -> None:
    for name in ("framework", "vglc"):
        back = decode_level(encode_level(level, name), name)
        assert (back.width, back.height) == (level.width, level.height)
    ElementTree.fromstring(encode_level(level, "tmx").partition("\n")[2])


@pytest.mark.parametrize("name", ["ludus", "notch-2009", "notch-framework", "tunable-2010"])
def test_json_keeps_generated_levels_with_all_they_know(name: str, tmp_path: Path) -> None:
    level = generate(name, seed=7, difficulty=4)
    write_level(tmp_path / "level.json", level)
    back = read_level(tmp_path / "level.json")
    assert back == level
    assert back.recipe == level.recipe
    assert back.reference == level.reference


def test_a_text_without_terms_is_the_framework_s_text() -> None:
    level = bundled_level("sprint-03")
    assert encode_level(level, "text") == encode_level(level, "framework") == level.text + "\n"


def test_the_line_before_the_rows_holds_only_what_is_special() -> None:
    level = Level.parse("M-l-F\nXXXXX", rules="ludus", physics=Physics(gravity=0.5), labels=["b"])
    line, *rows = encode_level(level, "text").splitlines()
    assert line == ';ludus {"rules": "ludus", "physics": {"gravity": 0.5}, "labels": ["b"]}'
    assert rows == ["M-l-F", "XXXXX"]


def test_the_framework_s_text_has_no_elements() -> None:
    level = Level.parse("M-lhHnN(=v.:F\nXXXXXXXXXXXXX", rules="ludus", time_limit=9)
    assert encode_level(level, "framework") == "M-----------F\nXXXXXXXXXXXXX\n"
    as_is = Level.parse("M-lhHnN(=v.:F\nXXXXXXXXXXXXX")
    assert encode_level(as_is, "framework") == "M-lhHnN(=v.:F\nXXXXXXXXXXXXX\n"


@given(st.data())
def test_a_level_of_the_corpus_comes_back_as_it_was(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 20))
    row = st.text(LEGEND, min_size=width, max_size=width)
    text = "\n".join(data.draw(st.lists(row, min_size=1, max_size=14)))
    level = decode_level(text, "vglc")
    assert level == Level.parse(text)
    assert encode_level(level, "vglc") == text + "\n"


def test_the_corpus_gets_what_comes_closest() -> None:
    level = Level.parse(
        "\n".join(
            [
                "-------------------------",
                "-------------------------",
                "M-gGrRkKyYE-?@Q!-SCUL-12F",
                "--tt-TT-t--*-%%%-|-o-D-#-",
                "--tt-TT-t--*-------------",
                "--tt-TT-t--*-------------",
                "XXXXXXXXXXXXXXXXXXXXXXXXX",
            ]
        )
    )
    assert encode_level(level, "vglc").splitlines()[2:6] == [
        "--EEEEEEEEE-??QQ-SSSS----",
        "--<>-<>-<--B-XXX---o-X-X-",
        "--[]-[]-[--b-------------",
        "--[]-[]-[--b-------------",
    ]


def test_an_element_is_nothing_to_the_corpus() -> None:
    level = Level.parse("M-lhHnN(=v.:F\nXXXXXXXXXXXXX", rules="ludus")
    assert encode_level(level, "vglc").splitlines()[0] == "-" * 13


def tiled(level: Level, folder: Path) -> ElementTree.Element:
    write_level(folder / "map.tmx", level)
    return ElementTree.parse(folder / "map.tmx").getroot()


def test_a_tiled_map_has_the_tiles_of_the_game(tmp_path: Path) -> None:
    level = bundled_level("sprint-05")
    root = tiled(level, tmp_path)
    assert (root.get("width"), root.get("height")) == (str(level.width), str(level.height))
    data = root.find("layer/data")
    assert data is not None
    assert data.get("encoding") == "csv"
    rows = (data.text or "").split()
    numbers = np.array([row.strip(",").split(",") for row in rows], np.int64).T
    assert np.array_equal(numbers, np.where(level.tiles, level.tiles.astype(np.int64) + 1, 0))
    tileset = root.find("tileset")
    assert tileset is not None
    assert level.tiles.max() < int(tileset.get("tilecount", 0))
    for tile in tileset.iter("tile"):
        assert int(tile.get("id", -1)) < int(tileset.get("tilecount", 0))


def test_a_tiled_map_has_its_picture_beside_it(tmp_path: Path) -> None:
    image = tiled(bundled_level("sprint-01"), tmp_path).find("tileset/image")
    assert image is not None
    assert image.get("source") == "map-tiles.png"
    png = (tmp_path / "map-tiles.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    size = struct.unpack(">II", png[16:24])
    assert size == (int(image.get("width", 0)), int(image.get("height", 0)))


def test_a_tiled_map_has_the_theme_of_the_level(tmp_path: Path) -> None:
    text = "-----\nM---F\nXXXXX"
    tiled(Level.parse(text), tmp_path)
    overground = (tmp_path / "map-tiles.png").read_bytes()
    tiled(Level.parse(text, labels=["castle"]), tmp_path)
    assert (tmp_path / "map-tiles.png").read_bytes() != overground


def properties(element: ElementTree.Element) -> dict[str, str]:
    return {
        one.get("name", ""): one.get("value", "") for one in element.iterfind("properties/property")
    }


def test_a_tiled_map_has_objects_and_terms(tmp_path: Path) -> None:
    rows = ["M----..==..-", "-:---------F", "-vv----g----", "-:--------TT", "XXXXXXXXXXXX"]
    level = Level.parse("\n".join(rows), rules="ludus", time_limit=60, labels=["castle"])
    root = tiled(level, tmp_path)
    assert properties(root) == {"rules": "ludus", "time_limit": "60", "labels": '["castle"]'}
    objects = [
        (thing.get("type"), *(int(thing.get(side, -1)) // 16 for side in ("x", "y", "width")))
        for thing in root.iter("object")
    ]
    assert objects == [
        ("start", 0, 0, 1),
        ("exit", 11, 1, 1),
        ("goomba", 7, 2, 1),
        ("enemy_flower", 10, 3, 1),
        ("platform", 7, 0, 2),
        ("platform", 1, 2, 2),
    ]
    tracks = [properties(thing) for thing in root.iter("object") if thing.get("type") == "platform"]
    assert tracks == [{"left": "80", "right": "176"}, {"top": "16", "bottom": "48"}]
    assert root.get("nextobjectid") == "7"


def document(**changes: Any) -> str:
    plain = {"format": "ludus-level", "version": 1, "rows": ["M-F", "XXX"]}
    return json.dumps({**plain, **changes})


WRONG = {
    "nothing": ("", "text", "the level is empty"),
    "short row": ("M-F\nXX", "text", "row 1 ends at column 2"),
    "long row": ("M-F\nXXXX", "framework", "row 1 goes on with 'X' at column 3"),
    "control character": ("M-F\nX\x00X", "text", r"row 1 has '\x00' at column 1"),
    "tab": ("M\tF\nXXX", "framework", r"row 0 has '\t' at column 1"),
    "not in the corpus": ("---\nXgX", "vglc", "row 1 has 'g' at column 1: the corpus knows X S"),
    "short row of the corpus": ("---\nX", "vglc", "row 1 ends at column 1"),
    "header": (";ludus {\nM-F", "text", "the ;ludus line: no JSON"),
    "term": (';ludus {"lives": 3}\nM-F', "text", "the ;ludus line: $.lives: no level has this"),
    "term's value": (';ludus {"rules": 3}\nM-F', "text", "the ;ludus line: $.rules: 3 should be"),
    "header without rows": (";ludus {}", "text", "the level is empty"),
    "not JSON": ('{"rows": [', "json", "no JSON: EOF"),
    "no object": ("[]", "json", "$: [] should be"),
    "other JSON": ("{}", "json", "$.format: is missing"),
    "other format": (document(format="x"), "json", "$.format: 'x' should be 'ludus-level'"),
    "later version": (document(version=2), "json", "$.version: 2 is not 1"),
    "no rows": (document(rows=[]), "json", "$.rows: [] should"),
    "row no text": (document(rows=["M-F", 3]), "json", "$.rows[1]: 3 should be a valid string"),
    "row empty": (document(rows=["M-F", ""]), "json", "$.rows[1]: '' is no row"),
    "row of two": (document(rows=["M-F", "X\nX"]), "json", "$.rows[1]"),
    "row short": (document(rows=["M-F", "XX"]), "json", "$.rows[1]: row 1 ends at column 2"),
    "unknown": (document(colour=1), "json", "$.colour: no level has this"),
    "rules": (document(rules="chess"), "json", "$.rules: rules 'chess' are unknown"),
    "time limit": (document(time_limit=-1), "json", "$.time_limit: -1 should be"),
    "labels": (document(labels=[1]), "json", "$.labels[0]: 1 should be a valid string"),
    "physics": (document(physics={"gravity": 9}), "json", "$.physics: gravity 9"),
    "physics' name": (document(physics={"mass": 9}), "json", "$.physics.mass: no level"),
    "physics' type": (document(physics={"ice": "x"}), "json", "$.physics.ice: 'x' should be"),
    "recipe": (document(recipe={"generator": "x"}), "json", "$.recipe.version: is missing"),
    "Tiled": ("<map/>", "tmx", "a Tiled map is written, not read"),
}


@pytest.mark.parametrize(("text", "name", "message"), WRONG.values(), ids=WRONG)
def test_what_is_no_level_says_where_in_one_line(text: str, name: str, message: str) -> None:
    with pytest.raises(LevelError) as caught:
        decode_level(text, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


REFERENCE = {"format": "2009", "height": 2, "map": "000000010101", "exit": [2, 0], "creatures": []}
WRONG_REFERENCE = {
    "map": ({"map": "0001"}, "$.reference.map: 2 bytes"),
    "digits": ({"map": "0g"}, "$.reference.map: '0g' should"),
    "exit": ({"exit": [1]}, "$.reference.exit: [1] should"),
    "creature": ({"creatures": [[1, 1, 2]]}, "$.reference.creatures[0]: [1, 1, 2] is not"),
    "wings": ({"creatures": [[1, 1, 2, 1]]}, "$.reference.creatures[0]"),
    "data": ({"data": [[1, 1]]}, "$.reference.data[0]: [1, 1] is not"),
}


@pytest.mark.parametrize(("change", "message"), WRONG_REFERENCE.values(), ids=WRONG_REFERENCE)
def test_a_wrong_reference_says_where(change: dict[str, Any], message: str) -> None:
    assert decode_level(document(reference=REFERENCE)).reference is not None
    with pytest.raises(LevelError) as caught:
        decode_level(document(reference={**REFERENCE, **change}))
    assert message in str(caught.value)


def test_the_place_is_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "level.vglc").write_text("---\nXgX\n")
    with pytest.raises(LevelError) as caught:
        read_level(tmp_path / "level.vglc")
    assert (caught.value.row, caught.value.column, caught.value.character) == (1, 1, "g")
    assert str(caught.value).startswith(f"{tmp_path / 'level.vglc'}: row 1")


def test_bytes_that_are_no_text_say_where(tmp_path: Path) -> None:
    (tmp_path / "level.txt").write_bytes(b"M-F\nX\xff\xfe")
    with pytest.raises(LevelError, match="row 1 has the byte 0xff at column 1"):
        read_level(tmp_path / "level.txt")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"none\.txt: cannot be read: No such file"):
        read_level(tmp_path / "none.txt")
    with pytest.raises(LevelError, match="cannot be read: Is a directory"):
        read_level(tmp_path)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "tmx"])
def test_the_ending_decides(name: str, tmp_path: Path) -> None:
    level = Level.parse("---S-?\nXXXXXX")
    path = tmp_path / f"level{FORMATS[name]}"
    write_level(path, level)
    assert read_level(path) == level
    write_level(path, level, name)
    assert read_level(path, name) == level


def test_without_a_known_ending_the_content_decides(tmp_path: Path) -> None:
    level = Level.parse("M-F\nXXX", time_limit=3)
    for name in LOSSLESS:
        write_level(tmp_path / "level", level, name)
        assert read_level(tmp_path / "level") == level


def test_marks_and_line_endings_of_editors_do_not_matter(tmp_path: Path) -> None:
    level = Level.parse("M-F\nXXX", time_limit=3)
    text = encode_level(level, "text").replace("\n", "\r\n")
    (tmp_path / "level.txt").write_text("\ufeff" + text, encoding="utf-8", newline="")
    assert read_level(tmp_path / "level.txt") == level


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    level = Level.parse("M-F\nXXX")
    with pytest.raises(
        OptionError, match=r"does not end like a level: let it end in \.txt, \.vglc"
    ):
        write_level(tmp_path / "level.gif", level)
    with pytest.raises(OptionError, match="no format 'gif'; there are text, framework"):
        write_level(tmp_path / "level", level, "gif")
    with pytest.raises(OptionError, match="no format 'gif'"):
        decode_level("M-F", "gif")
    with pytest.raises(OptionError, match=r"cannot write .*No such file or directory"):
        write_level(tmp_path / "none" / "level.txt", level)
    assert format_of("x/y.JSON") == "json"


@pytest.mark.parametrize("name", FORMATS)
def test_a_control_character_is_not_written(name: str) -> None:
    level = Level.parse("M\x07F\nXXX")
    if name == "vglc":  # it is an empty cell there
        assert encode_level(level, name).startswith("---")
        return
    with pytest.raises(LevelError, match=r"row 0 has '\\x07' at column 1"):
        encode_level(level, name)


def test_the_schema_names_every_field() -> None:
    schema = json_schema()
    assert set(schema["required"]) == {"format", "version", "rows"}
    assert set(schema["properties"]) == {
        "format", "version", "rows", "rules", "physics", "time_limit", "options", "labels",
        "recipe", "reference",
    }  # fmt: skip
