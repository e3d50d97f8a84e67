"""What models write is read leniently."""

from __future__ import annotations

from typing import Any

import pytest

from ludus.agents.llm.reading import clean, find_json, without_thoughts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (" \n[1, 2]\n", [1, 2]),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure!\n```\n{"a": [1,],}\n```\nGood luck.', {"a": [1]}),
        ('<think>{"a": 0}</think>{"a": 1}', {"a": 1}),
        ("<think>never ends {", None),
        ("{'a': 'b'}", {"a": "b"}),
        ('My orders are {"a": {"b": 2}} and that is it', {"a": {"b": 2}}),
        ('{broken} but then {"a": 1}', {"a": 1}),
        ("no json at all", None),
        ("3", None),
        ('"text"', None),
        ("", None),
        ("[" * 5000, None),
        ('{"a": ' * 3000, None),
    ],
)
def test_json_is_found_where_models_put_it(text: str, value: Any) -> None:
    assert find_json(text) == value


def test_thoughts_are_left_out() -> None:
    assert without_thoughts("<think>hm</think>yes<THINKING>no") == "yes"


def test_texts_are_cleaned() -> None:
    assert clean("a\r\n\tb\x1b[31m\u202e\u2028c", 99) == "a b [31m c"
    assert clean("x" * 50, 10) == "x" * 10
    assert clean(5, 10) == ""
