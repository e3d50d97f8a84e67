from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludus.games.diplomacy.map.place_names import NAMES
from ludus.games.diplomacy.orders import LONGEST, OrderBook, order_letter, unit_province
from ludus.games.diplomacy.records import Rejection, SubmittedOrders
from ludus.games.diplomacy.table import Table

FRENCH_FLEETS = {
    "units": {"FRANCE": ["F MAO", "F GAS", "A POR", "F SPA/SC", "F LYO", "F WES"]},
    "centres": {"FRANCE": ["BRE", "MAR", "PAR"]},
}


@cache
def tables() -> dict[str, Table]:
    """Return a table in each kind of phase where France has to order."""
    retreating = Table.start({"units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}})
    retreating.submit("GERMANY", ["A MUN - BUR", "A RUH S A MUN - BUR"])
    retreating.step()
    return {
        "M": Table.start(),
        "R": retreating,
        "A": Table.start(
            {"phase": "W1901A", "units": {}, "centres": {"FRANCE": ["BRE", "MAR", "PAR", "SPA"]}}
        ),
    }


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A PAR - BUR", "A PAR - BUR"),
        ("a par - bur", "A PAR - BUR"),
        ("A PAR-BUR", "A PAR - BUR"),
        ("A PAR -> BUR", "A PAR - BUR"),
        ("A PAR → BUR", "A PAR - BUR"),
        ("A PAR – BUR", "A PAR - BUR"),
        ("PAR - BUR", "A PAR - BUR"),
        ("A Paris - Burgundy", "A PAR - BUR"),
        ("Advance A PAR to BUR", "A PAR - BUR"),
        ("A PAR advances into Burgundy", "A PAR - BUR"),
        ("Send A PAR to BUR", "A PAR - BUR"),
        ("A PAR moves into Burgundy to block Germany", "A PAR - BUR"),
        ("A PAR - BUR (attack Burgundy)", "A PAR - BUR"),
        ("A MAR SUPPORT MOVE A PAR - BUR", "A MAR S A PAR - BUR"),
        ("A MAR supports the move of A PAR to BUR", "A MAR S A PAR - BUR"),
        ("A MAR supports the attack from Paris to Burgundy", "A MAR S A PAR - BUR"),
        ("Army Paris to Burgundy", "A PAR - BUR"),
        ("Army Paris moves to Burgundy.", "A PAR - BUR"),
        ('"A PAR - BUR",', "A PAR - BUR"),
        ("1. **A PAR - BUR**", "A PAR - BUR"),
        ("FRANCE: A PAR - BUR", "A PAR - BUR"),
        ("  A   PAR  -  BUR  ", "A PAR - BUR"),
        ("Fleet Brest - Mid-Atlantic Ocean", "F BRE - MAO"),
        ("F BRE - MID", "F BRE - MAO"),
        ("F BRE - English Channel", "F BRE - ENG"),
        ("A MAR HOLD", "A MAR H"),
        ("A MAR holds", "A MAR H"),
        ("hold A MAR", "A MAR H"),
        ("A MAR SUPPORTS A PAR - BUR", "A MAR S A PAR - BUR"),
        ("A MAR S PAR - BUR", "A MAR S A PAR - BUR"),
        ("A MAR S A PAR to Burgundy", "A MAR S A PAR - BUR"),
        ("A MAR - SPA/SC", "A MAR - SPA"),
        ("A MAR - Spain (south coast)", "A MAR - SPA"),
        ("Move A PAR to BUR", "A PAR - BUR"),
        ("Move Paris to Burgundy", "A PAR - BUR"),
        ("Army in Paris moves to Burgundy", "A PAR - BUR"),
        ("The army in Paris attacks Burgundy!", "A PAR - BUR"),
        ("The French army in Paris moves into Burgundy", "A PAR - BUR"),
        ("Move the army from Paris to Burgundy", "A PAR - BUR"),
        ("(FRANCE) A PAR - BUR", "A PAR - BUR"),
        ("[France] A PAR - BUR", "A PAR - BUR"),
        ("France's army in Paris to Burgundy", "A PAR - BUR"),
        ("A MAR SUP A PAR - BUR", "A MAR S A PAR - BUR"),
        ("Army Marseilles supports Army Paris moving to Burgundy", "A MAR S A PAR - BUR"),
        ("A MAR supports (FRANCE) A PAR's move to BUR", "A MAR S A PAR - BUR"),
        ("A PAR S F BRE H", "A PAR S F BRE"),
        ("A PAR - BUR (to keep Germany out)", "A PAR - BUR"),
        ("A PAR - BUR # before Germany", "A PAR - BUR"),
        ("A PAR - BUR // a bounce is fine", "A PAR - BUR"),
        ("A PAR - BUR; it is safe", "A PAR - BUR"),
        ("A PAR - BUR, which is safe", "A PAR - BUR"),
        ("A PAR - BUR: take Burgundy", "A PAR - BUR"),
        ("A PAR - BUR because Munich is empty", "A PAR - BUR"),
        ("A PAR - BUR - take Burgundy", "A PAR - BUR"),
        ("A PAR - BUR (Burgundy)", "A PAR - BUR"),
        ("A MAR - SPA (SC) # go " + "on " * 100, "A MAR - SPA"),
        ("Army Paris: move to Burgundy", "A PAR - BUR"),
        ("PAR: A PAR - BUR", "A PAR - BUR"),
        ("I order A PAR - BUR", "A PAR - BUR"),
        ("A PAR M BUR", "A PAR - BUR"),
        ("A PAR BUR", "A PAR - BUR"),
        ("A(PAR) - BUR", "A PAR - BUR"),
        ("A Paris (PAR) - Burgundy (BUR)", "A PAR - BUR"),
        ("A PAR - BUR [support from MAR]", "A PAR - BUR"),
        ("A PAR - BUR with support from A MAR", "A PAR - BUR"),
        ("A PAR to BUR by land", "A PAR - BUR"),
        ("F BRE sails to Picardie", "F BRE - PIC"),
        ("Army Paris holds position", "A PAR H"),
        ("A MAR S (A PAR - BUR)", "A MAR S A PAR - BUR"),
        ("A MAR supports Paris's attack on Burgundy", "A MAR S A PAR - BUR"),
        ("Support A PAR to BUR with A MAR", "A MAR S A PAR - BUR"),
        ("A PAR supports the fleet in Brest to hold", "A PAR S F BRE"),
        ("A PAR S F BRE (- PIC)", "A PAR S F BRE - PIC"),
    ],
)
def test_what_people_write_is_understood(text: str, order: str) -> None:
    assert tables()["M"].submit("FRANCE", [text]) == SubmittedOrders((order,))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("F MAO - SPA (NC)", "F MAO - SPA/NC"),
        ("F MAO - SPA NC", "F MAO - SPA/NC"),
        ("F MAO - Spain North Coast", "F MAO - SPA/NC"),
        ("F GAS - SPA", "F GAS - SPA/NC"),  # it can reach one coast only
        ("F SPA - WES", "F SPA/SC - WES"),
        ("F WES S F SPA", "F WES S F SPA/SC"),
        ("A POR - TUN", "A POR - TUN VIA"),
        ("A POR - SPA", "A POR - SPA"),
        ("A POR - SPA via convoy", "A POR - SPA VIA"),
        ("F MAO convoys A POR - BRE", "F MAO C A POR - BRE"),
        ("F MAO C A POR - BRE VIA", "F MAO C A POR - BRE"),
        ("F GAS S F MAO - SPA", "F GAS S F MAO - SPA"),
        ("F MAO - SPA-NC", "F MAO - SPA/NC"),
        ("F MAO - Spain (N.C.)", "F MAO - SPA/NC"),
        ("F MAO C POR BRE", "F MAO C A POR - BRE"),
        ("Convoy A POR to BRE with F MAO", "F MAO C A POR - BRE"),
        ("A POR - MAO - BRE", "A POR - BRE VIA"),
        ("A POR - BRE via F MAO", "A POR - BRE VIA"),
        ("A POR is convoyed to BRE", "A POR - BRE VIA"),
    ],
)
def test_coasts_and_convoys_are_understood(text: str, order: str) -> None:
    table = Table.start(FRENCH_FLEETS)
    assert table.submit("FRANCE", [text]) == SubmittedOrders((order,))


@pytest.mark.parametrize(
    ("kind", "text", "order"),
    [
        ("R", "A BUR - GAS", "A BUR R GAS"),
        ("R", "A BUR retreats to Paris", "A BUR R PAR"),
        ("R", "disband A BUR", "A BUR D"),
        ("A", "BUILD A PAR", "A PAR B"),
        ("A", "build fleet Brest", "F BRE B"),
        ("A", "A PAR B", "A PAR B"),
        ("A", "waive", "WAIVE"),
        ("A", "PAR WAIVE", "WAIVE"),
        ("A", "waive the build in Paris", "WAIVE"),
        ("A", "I build an army in Paris", "A PAR B"),
        ("R", "retreat Burgundy to Paris", "A BUR R PAR"),
        ("R", "Retreat the army from Burgundy to Paris", "A BUR R PAR"),
        ("R", "Move A BUR to PAR", "A BUR R PAR"),
        ("A", "build army in Paris", "A PAR B"),
        ("A", "Build a fleet in Brest", "F BRE B"),
        ("A", "Build an army in Paris (FRANCE)", "A PAR B"),
        ("A", "Waive the build", "WAIVE"),
        ("R", "A BUR RETREATS - PAR", "A BUR R PAR"),
        ("A", "Paris: build an army", "A PAR B"),
        ("A", "Build new army (Paris)", "A PAR B"),
        ("A", "no build", "WAIVE"),
    ],
)
def test_retreats_and_builds_are_understood(kind: str, text: str, order: str) -> None:
    assert tables()[kind].submit("FRANCE", [text]) == SubmittedOrders((order,))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A PAR - LON", "not a legal order"),
        ("A MAR supports attack on Burgundy from Paris", "not a legal order"),
        ("A PAR - BUR (move to Gascony)", "not an order"),
        ("A MUN - BUR", "not a legal order"),
        ("F PAR - BUR", "not a legal order"),
        ("WAIVE", "not a legal order"),
        ("A", "not a legal order"),
        ("PAR", "not a legal order"),
        ("- BUR", "not a legal order"),
        ("A PAR S A", "not a legal order"),
        ("A PAR C A", "not a legal order"),
        ("A PAR B", "not a legal order"),
        ("", "not an order"),
        ("I think we should talk", "not an order"),
        ("A PAR - BUR and A MAR - SPA", "not a legal order"),
        ("A PAR - BUR, A MAR - SPA", "not an order"),
        ("A PAR - BUR - MUN", "not a legal order"),
        ("A PAR does not move to BUR", "not an order"),
        ("Support A PAR to BUR", "not a legal order"),
        ("A PAR - LON (a bold move)", "not an order"),
        ("A PAR - BUR is out of the question", "not an order"),
        ("x" * 1000, "longer than"),
    ],
)
def test_the_rest_is_rejected_with_a_reason(text: str, reason: str) -> None:
    submitted = tables()["M"].submit("FRANCE", [text])
    assert submitted.accepted == ()
    assert reason in submitted.rejected[0].reason
    assert len(submitted.rejected[0].text) <= LONGEST + 1


def test_a_fleet_that_can_land_on_two_coasts_must_say_on_which() -> None:
    rejected = Table.start(FRENCH_FLEETS).submit("FRANCE", ["F MAO - SPA"]).rejected[0]
    assert rejected.reason == "may mean F MAO - SPA/NC or F MAO - SPA/SC"


@pytest.mark.parametrize("thing", [None, 7, b"A PAR H", ["A PAR H"], {"order": "A PAR H"}])
def test_what_is_no_text_is_rejected(thing: object) -> None:
    assert tables()["M"].submit("FRANCE", [thing]).rejected[0].reason == "is not a text"


PARTS = st.sampled_from(
    [
        *NAMES,
        *NAMES.values(),
        "A",
        "F",
        "-",
        "S",
        "C",
        "H",
        "R",
        "B",
        "D",
        "VIA",
        "WAIVE",
        "/SC",
        "(NC)",
    ]
)


@given(
    kind=st.sampled_from("MRA"),
    texts=st.lists(st.text() | st.lists(PARTS, max_size=9).map(" ".join), max_size=4),
)
@example(kind="M", texts=["ß", "İ - ı", "\x00", "\ud800", "A\u2028PAR\u2029-\u0085BUR"])
def test_no_text_raises(kind: str, texts: list[str]) -> None:
    table = tables()[kind]
    submitted = table.submit("FRANCE", texts)
    legal = [order for orders in table.legal("FRANCE").values() for order in orders]
    assert set(submitted.accepted) <= set(legal)


@given(kind=st.sampled_from("MRA"), data=st.data())
def test_every_legal_order_is_found_however_it_is_spelt(kind: str, data: st.DataObject) -> None:
    legal = [order for orders in tables()[kind].legal("FRANCE").values() for order in orders]
    order = data.draw(st.sampled_from(legal))
    book = OrderBook(legal, kind)
    named = " ".join(NAMES.get(word, word) for word in order.split())
    for text in (order, order.lower(), f"  {order}. ", named, order.replace(" - ", "->")):
        assert book.find(text) == order


def test_the_parts_of_an_order() -> None:
    assert unit_province("F STP/NC - BAR") == "STP"
    kinds = [order_letter(order) for order in ("A PAR H", "A PAR - BUR", "F BRE B", "WAIVE")]
    assert kinds == ["H", "-", "B", "W"]


def test_a_rejection_shows_what_was_written() -> None:
    assert OrderBook(["A PAR H"], "M").find("A PAR - XYZ") == Rejection(
        "A PAR - XYZ", "is not a legal order now"
    )
