from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.agents.diplomacy.answers import (
    read_messages,
    read_orders,
    read_reflection,
    read_summary,
)
from ludus.agents.llm.reading import find_json
from ludus.games.diplomacy.records import Message

LEGAL = {
    "PAR": ("A PAR - BUR", "A PAR - GAS", "A PAR H", "A PAR S A MAR - BUR"),
    "MAR": ("A MAR - BUR", "A MAR - SPA", "A MAR H"),
    "BRE": ("F BRE - ENG", "F BRE - MAO", "F BRE H"),
}
BUILDS = {"PAR": ("A PAR B", "WAIVE"), "MAR": ("A MAR B", "F MAR B", "WAIVE")}
THREE = {"PAR": "A PAR - BUR", "MAR": "A MAR - SPA", "BRE": "F BRE - MAO"}


@settings(deadline=None)
@given(st.text(max_size=300))
def test_no_text_is_too_odd(text: str) -> None:
    find_json(text)
    read_orders(text, LEGAL, "M")
    read_messages(text, "FRANCE", ["ITALY"])
    read_reflection(text, "FRANCE")
    read_summary(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["orders", "messages", "PAR", "recipient", "text", "goals", "x"]), inner
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(JSON)
def test_no_json_is_too_odd(value: Any) -> None:
    text = json.dumps(value)
    orders = read_orders(text, LEGAL, "M")
    assert set(orders.legal) <= set(LEGAL)
    assert all(order in LEGAL[place] for place, order in orders.legal.items())
    said = read_messages(text, "FRANCE", ["ITALY"])
    assert said is None or all(one.recipient in ("ITALY", "GLOBAL") for one in said[0])
    read_reflection(text, "FRANCE")


# ---- orders


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"plan": "west", "orders": THREE}),
        json.dumps({"plan": "west", "orders": list(THREE.values())}),
        json.dumps(THREE),
        json.dumps(list(THREE.values())),
        json.dumps({"orders": ["a par-bur", "Army Marseilles to Spain", "F BRE -> MAO."]}),
        "I will play\nA PAR - BUR\nA MAR - SPA; F BRE - MAO\nand win.",
        "Draft:\nA PAR H\nFinal:\n1. A PAR - BUR (safe)\n2. A MAR - SPA\n3. F BRE - MAO",
        f'{{"orders": ["A PAR H"]}} was hasty. {json.dumps({"orders": THREE})}',
        f'Shall I {{"orders": ["A PAR H"]}}?</think>{json.dumps({"orders": THREE})}',
        f"I [France] choose from [A PAR H]: {json.dumps({'orders': THREE})} as in [1].",
        json.dumps({"Orders": THREE}),
        json.dumps({"orders": [{"order": order} for order in THREE.values()]}),
        json.dumps({"orders": [{"unit": o[:5], "order": o[6:]} for o in THREE.values()]}),
        json.dumps({"orders": [{"unit": o[:5], "to": "-", "x": o[8:]} for o in THREE.values()]}),
        json.dumps({"orders": {u: {"order": o, "why": "so"} for u, o in THREE.items()}}),
        json.dumps({"orders": {u: o[6:] for u, o in THREE.items()}}),
        json.dumps({"orders": "A PAR - BUR; A MAR - SPA; F BRE - MAO"}),
        json.dumps({"final_orders": list(THREE.values())}),
        json.dumps({"orders": {"France": THREE}}),
        json.dumps({"orders": [[order] for order in THREE.values()]}),
        json.dumps(json.dumps({"orders": THREE})),
        "| unit | order |\n|---|---|\n" + "\n".join(f"| {u} | {o} |" for u, o in THREE.items()),
        json.dumps({"orders": "A PAR - BUR\nA MAR - SPA\nF BRE - MAO"}),
        json.dumps({"orders": ["A PAR - BUR, A MAR - SPA", "F BRE - MAO (out to sea)"]}),
        json.dumps({"orders": [*THREE.values(), "A PA"]})[:-5],
        json.dumps({"plan": "w", "orders": {**THREE, "PIC": "A PIC"}})[:-6],
        json.dumps({"orders": [{"order": o} for o in (*THREE.values(), "A P")]})[:-6],
    ],
)
def test_orders_in_all_their_forms(text: str) -> None:
    orders = read_orders(text, LEGAL, "M")
    assert (dict(orders.legal), orders.rejected, orders.read) == (THREE, (), True)


def test_the_plan_is_kept_on_one_line() -> None:
    text = json.dumps({"plan": "go\n\x00west", "orders": THREE})
    assert read_orders(text, LEGAL, "M").plan == "go west"


def test_what_is_not_legal_is_named_with_its_reason() -> None:
    text = json.dumps({"orders": ["A PAR - LON", "A MAR - SPA", 7, None]})
    orders = read_orders(text, LEGAL, "M")
    assert dict(orders.legal) == {"MAR": "A MAR - SPA"}
    assert [one.text for one in orders.rejected] == ["A PAR - LON", "7", "None"]
    assert "not a legal order" in orders.rejected[0].reason


def test_an_order_at_another_unit_is_rejected() -> None:
    text = json.dumps({"orders": {"PAR": "A MAR - BUR", "MAR": "A MAR H"}})
    orders = read_orders(text, LEGAL, "M")
    assert dict(orders.legal) == {"MAR": "A MAR H"}
    assert "no order of the unit at PAR" in orders.rejected[0].reason


def test_the_last_of_two_orders_counts() -> None:
    orders = read_orders(json.dumps(["A PAR H", "A PAR - BUR", "A PAR - BUR"]), LEGAL, "M")
    assert dict(orders.legal) == {"PAR": "A PAR - BUR"}
    assert [one.text for one in orders.rejected] == ["A PAR H"]


@pytest.mark.parametrize("text", ["", "no idea", "{}", '{"orders": 3}'])
def test_what_has_no_orders(text: str) -> None:
    assert not read_orders(text, LEGAL, "M").legal


def test_garbage_does_not_grow() -> None:
    text = json.dumps(["B" * 5000] * 5000)
    orders = read_orders(text, LEGAL, "M")
    assert len(orders.rejected) <= 20
    assert all(len(one.text) <= 80 for one in orders.rejected)


def test_builds_are_counted() -> None:
    text = json.dumps({"orders": ["A PAR B", "F MAR B", "WAIVE"]})
    orders = read_orders(text, BUILDS, "A", 1)
    assert list(orders.legal.values()) == ["A PAR B"]
    assert "one more than the 1 allowed" in orders.rejected[0].reason


def test_builds_may_be_waived_or_left_away() -> None:
    waived = read_orders('{"orders": ["WAIVE", "WAIVE"]}', BUILDS, "A", 2)
    assert list(waived.legal.values()) == ["WAIVE", "WAIVE"]
    none = read_orders('{"orders": []}', BUILDS, "A", 2)
    assert (dict(none.legal), none.read) == ({}, True)


def test_a_large_garbled_text_is_read_quickly() -> None:
    read_orders("A PAR - BUR, " * 20_000, LEGAL, "M")


# ---- messages


def said(*messages: Any) -> str:
    return json.dumps({"messages": list(messages)})


def test_messages_are_read() -> None:
    text = said(
        {"recipient": "ITALY", "text": "Peace?"},
        {"to": "all", "content": "Hello."},
        {"recipient": "italy", "message": "Now."},
    )
    assert read_messages(text, "FRANCE", ["ITALY"]) == (
        [
            Message("FRANCE", "ITALY", "Peace?"),
            Message("FRANCE", "GLOBAL", "Hello."),
            Message("FRANCE", "ITALY", "Now."),
        ],
        0,
    )


@pytest.mark.parametrize(
    "message",
    [
        {"recipient": "FRANCE", "text": "to myself"},
        {"recipient": "TURKEY", "text": "to the dead"},
        {"recipient": "NARNIA", "text": "to nobody"},
        {"recipient": "ITALY", "text": ""},
        {"recipient": "ITALY"},
        {"recipient": None, "text": "x"},
        "ITALY: peace",
        None,
    ],
)
def test_messages_to_nobody_are_dropped(message: Any) -> None:
    assert read_messages(said(message), "FRANCE", ["ITALY"]) == ([], 1)


def test_messages_are_few_and_short() -> None:
    many = [{"recipient": "ITALY", "text": "long " * 1000}] * 50
    good, dropped = read_messages(said(*many), "FRANCE", ["ITALY"]) or ([], 0)
    assert (len(good), dropped) == (6, 44)
    assert all(len(one.text) <= 600 for one in good)


def test_silence_is_an_answer_and_nonsense_is_none() -> None:
    assert read_messages(said(), "FRANCE", ["ITALY"]) == ([], 0)
    assert read_messages("I say nothing", "FRANCE", ["ITALY"]) is None


# ---- thoughts


def test_a_reflection() -> None:
    others = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    standing = dict.fromkeys(others, "ally")
    text = json.dumps({"diary": "Well.", "goals": ["a", "", "b"], "relationships": standing})
    read = read_reflection(text, "FRANCE")
    assert read is not None
    assert (read.diary, read.goals, read.complete) == ("Well.", ("a", "b"), True)
    assert read.relationships == dict.fromkeys(others, "Ally")


@pytest.mark.parametrize(
    ("value", "standing"),
    [
        ({"diary": "x", "goals": [], "relationships": {"ITALY": "Lover", "RUSSIA": "Enemy"}}, 1),
        ({"diary": "x", "goals": [], "relationships": {"FRANCE": "Ally"}}, 0),
        ({"diary": "x", "goals": [], "relationships": ["Ally"]}, 0),
        ({"diary": "x", "goals": "win"}, 0),
        ({"relationships": {"ITALY": "Ally"}}, 1),
    ],
)
def test_half_a_reflection_is_not_whole(value: Any, standing: int) -> None:
    read = read_reflection(json.dumps(value), "FRANCE")
    assert read is not None
    assert not read.complete
    assert len(read.relationships) == standing


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"diary": 3}', "dear diary"])
def test_no_reflection(text: str) -> None:
    assert read_reflection(text, "FRANCE") is None


def test_summaries_may_be_plain() -> None:
    assert read_summary('{"summary": "war"}') == "war"
    assert read_summary("<think>hm</think>There was war.") == "There was war."
    assert read_summary('{"other": "war"}') == ""
    assert read_summary("") == ""
