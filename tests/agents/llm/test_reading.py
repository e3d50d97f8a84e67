"""What models write is read leniently."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.agents.llm.broken_json import complete_json, parse_json
from ludus.agents.llm.reading import clean, find_field, find_json, without_thoughts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (" \n[1, 2]\n", [1, 2]),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure!\n```\n{"a": [1,],}\n```\nGood luck.', {"a": [1]}),
        ('<think>{"a": 0}</think>{"a": 1}', {"a": 1}),
        ('{"a": 0} is a draft</think>{"a": 1}', {"a": 1}),
        ('<think>one<think>two</think>three {"a": 0}</think>{"a": 1}', {"a": 1}),
        ('{"text": "a tag </think> in a text"}', {"text": "a tag </think> in a text"}),
        ("<think>never ends {", None),
        ("{'a': 'b'}", {"a": "b"}),
        ("My answer: {'a': 'b'}.", {"a": "b"}),
        ('My orders are {"a": {"b": 2}} and that is it', {"a": {"b": 2}}),
        ('{broken} but then {"a": 1}', {"a": 1}),
        ('Draft: {"a": 1}. On second thought: {"a": 2}', {"a": 2}),
        ('```json\n{"a": 1}\n```\nNo, better:\n```json\n{"a": 2}\n```', {"a": 2}),
        ('I [France] will (as in [1]) write: {"a": 1}', {"a": 1}),
        ('{"a": 1} as said in [1]', {"a": 1}),
        ('A lone { and a 5" pipe, then {"a": 1}', {"a": 1}),
        ('{"a": 1, // the first\n "b": 2, /* the last */\n}', {"a": 1, "b": 2}),
        ('{"a": "http://x, ] y"}', {"a": "http://x, ] y"}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": {"b": "c", "d": "e', {"a": {"b": "c"}}),
        ('{"a": 1} and then {"a": 2, "b": "brok', {"a": 1}),
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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"orders": ["x"]} Confidence: {"level": 3}', {"orders": ["x"]}),
        ('{"orders": ["x"]} Better: {"ORDERS": ["y"]} [2]', {"ORDERS": ["y"]}),
        ('{"level": 3} {"orders": [{"order": "x"}, {"order": "y', {"orders": [{"order": "x"}]}),
    ],
)
def test_what_is_wanted_goes_before_what_comes_last(text: str, value: Any) -> None:
    assert find_json(text, "orders") == value


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=10,
)


@given(VALUES)
def test_json_is_parsed_as_it_is(value: Any) -> None:
    assert parse_json(json.dumps(value)) == value


@given(st.lists(st.text(max_size=9), max_size=6), st.data())
def test_what_is_whole_of_a_broken_list_is_kept(texts: list[str], data: st.DataObject) -> None:
    text = json.dumps(texts)
    end = data.draw(st.integers(1, len(text)))
    kept = complete_json(text[:end])
    assert kept is None or kept == texts[: len(kept)]
    assert len(kept or ()) >= text[:end].count('", "')  # every text that was followed by another


def test_a_text_may_break_off_behind_a_backslash() -> None:
    assert complete_json('["A PAR H", "A}\\') == ["A PAR H"]


def test_fields_are_found_in_any_capitals() -> None:
    assert find_field({"Orders ": 1}, "orders") == 1
    assert find_field({"order": 1}, "orders") is None
    assert find_field([1], "orders") is None


def test_thoughts_are_left_out() -> None:
    assert without_thoughts("<think>hm</think>yes<THINKING>no") == "yes"


def test_texts_are_cleaned() -> None:
    assert clean("a\r\n\tb\x1b[31m\u202e\u2028c", 99) == "a b [31m c"
    assert clean("x" * 50, 10) == "x" * 10
    assert clean(5, 10) == ""
