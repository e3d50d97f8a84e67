"""JSON of others: every fault is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.json_files import NotJson, parse_json, parse_json_lines, read_json


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "is not JSON: ") for text in ("", "{", "nonsense\n", '{"a": 1} {"b": 2}')),
        (b"\xff\xfe\xfd", "is not text"),
        ("[" * 100_000, "is nested more than 64 levels deep"),
        ("9" * 5_000, "holds a number of more than 40 digits"),
    ],
)
def test_what_is_no_json_is_one_line(text: str | bytes, reason: str) -> None:
    with pytest.raises(NotJson) as caught:
        parse_json(text)
    assert str(caught.value).startswith(reason)
    assert "\n" not in str(caught.value)


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"name": "Ä"}', encoding="utf-8")
    assert read_json(file) == {"name": "Ä"}
    assert read_json(file, most_bytes=20) == {"name": "Ä"}


def test_a_file_that_is_not_there_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(NotJson, match=r"^cannot be read: No such file or directory$"):
        read_json(tmp_path / "none.json")
    with pytest.raises(NotJson, match=r"^cannot be read: Is a directory$"):
        read_json(tmp_path)
    (tmp_path / "large.json").write_text(" " * (2**20 + 1))
    with pytest.raises(NotJson, match="is larger than 1 MB"):
        read_json(tmp_path / "large.json", most_bytes=2**20)


def test_lines_are_numbered_and_empty_ones_left_out() -> None:
    (first, value), (second, fault), (third, number) = parse_json_lines(["{}", " \n", "{", "7\n"])
    assert (first, value, second, third, number) == (1, {}, 3, 4, 7)
    assert isinstance(fault, NotJson)


def test_lines_read_together_are_what_each_is_alone() -> None:
    plain = [f'{{"row": {number}}}\n' for number in range(200)]
    assert list(parse_json_lines(plain)) == [(n + 1, {"row": n}) for n in range(200)]
    for odd in (
        ['{"a": 1}, {"b": 2}', '{"a": "x}', '{y": 1}'],  # two on a line, a text over two lines
        ['{"a": [{}', "{}]}"],
        ['{"a": 1, "a": 2}', '{"b": 1}'],
        ['{"a": "x:y"}', '{"b": ":"}'],  # more colons than names
        ['{"a": 1, "b": 2, "a": 3}', '{"c": ":"}'],
        ['{"a": NaN}', '{"b": 1}'],
        ['{"a": 12345678901234567890}', '{"b": "{"}'],
        ["", '{"a": 1}', " "],
    ):
        alone = [next(parse_json_lines([line]), None) for line in odd]
        expected = [(n, str(found[1])) for n, found in enumerate(alone, 1) if found]
        assert [(n, str(value)) for n, value in parse_json_lines(odd)] == expected
