from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.platformer.levels.map_levels import make_record, references

from ludus.errors import LevelError
from ludus.games.platformer import Level
from ludus.games.platformer.formats import decode_level, encode_level, read_level, write_level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.reference import Reference


@given(references(), st.sampled_from(["text", "json"]), st.integers(0, 99), st.sets(st.text()))
def test_files_keep_all_of_a_map(
    reference: Reference, kind: str, time_limit: int, labels: set[str]
) -> None:
    level = Level.from_reference(reference, time_limit=time_limit, labels=labels)
    assert decode_level(encode_level(level, kind), kind) == level


def test_the_text_of_a_map_is_its_bytes() -> None:
    level = Level.from_record(make_record())
    header, *rows = encode_level(level).rstrip("\n").split("\n")
    assert rows == make_record()["rows"]
    assert json.loads(header.removeprefix(";ludus ")) == {
        "rules": "2009",
        "map": {
            "format": "2009",
            "exit": [5, 1],
            "creatures": [[1, 1, 2, True], [4, 1, 0, False]],
            "difficulty": 3,
        },
    }


def test_line_ends_do_not_matter() -> None:
    level = Level.from_record(make_record())
    assert decode_level(encode_level(level).replace("\n", "\r\n")) == level


def test_a_generated_map_goes_through_a_file(tmp_path: Path) -> None:
    for name in ("notch-2009", "tunable-2010"):
        level = generate(name, seed=2)
        for file in ("level.txt", "level.json"):
            write_level(tmp_path / file, level)
            back = read_level(tmp_path / file)
            assert (back, back.recipe) == (level, level.recipe)


def test_a_file_of_characters_may_be_for_the_old_rules() -> None:
    level = decode_level(';ludus {"rules": "2009"}\nM-F\nXXX\n')
    assert (level.text, level.rules, level.map) == ("M-F\nXXX", "2009", None)
    assert decode_level(encode_level(level)) == level


def test_files_that_were_written_with_a_reference_for_the_framework_read_as_before() -> None:
    level = generate("notch-2009", seed=2, width=80).for_rules("framework")
    document = json.loads(encode_level(level, "json"))
    for name in ("type", "difficulty"):
        del document["reference"][name]
    back = decode_level(json.dumps(document), "json")
    assert (back.rules, back.text) == ("framework", level.text)
    assert back.reference is not None
    assert back.reference.rows() == level.reference_rows()


MAP = '{"format": "2009", "exit": [0, 0], "creatures": []}'


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        (f'{{"rules": "2009", "map": {MAP}}}', "0", "row 0 is '0'|out of range"),
        (f'{{"rules": "2009", "map": {MAP}}}', "", "out of range"),
        (f'{{"rules": "2009", "map": {MAP}}}', "0g", "row 0 is '0g': give 2 hexadecimal digits"),
        (f'{{"rules": "2009", "map": {MAP}}}', "00\n0000", "row 1 is '0000'"),
        (f'{{"rules": "2009", "map": {MAP}}}', "00" * 131073, "out of range"),
        (f'{{"rules": "2010", "map": {MAP}}}', "00", "'2010' do not play a map of '2009'"),
        (f'{{"map": {MAP}}}', "00", "'framework' do not play a map of '2009'"),
        (f'{{"rules": "2009", "map": {MAP.replace("[0, 0]", "[1, 0]")}}}', "00", "outside"),
        (f'{{"rules": "2009", "map": {MAP.replace("[]", "[[0, 0, 2, 1]]")}}}', "00", "winged"),
        (f'{{"rules": "2009", "map": {MAP.replace("[]", "[[0, 0, 7, true]]")}}}', "00", "unknown"),
        ('{"rules": "2009", "map": {"format": "2009"}}', "00", "is missing"),
        ('{"rules": "1985", "map": {"format": "1985", "exit": [0, 0], "creatures": []}}', "00",
         "no format '1985'"),
    ],
)  # fmt: skip
def test_what_is_no_map_is_refused(header: str, rows: str, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        decode_level(f";ludus {header}\n{rows}\n")


def test_a_document_is_refused_as_a_map_is() -> None:
    document = json.loads(encode_level(Level.from_record(make_record()), "json"))
    document["reference"]["exit"] = [99, 0]
    with pytest.raises(LevelError, match=r"the exit \(99, 0\) is outside the level"):
        decode_level(json.dumps(document), "json")
