"""What a model is shown of a position: complete, and in few words."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from tests.agents.llm.server import expand_orders

from ludus.agents.diplomacy.briefing import brief, describe_news, quote_earlier
from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.order_lists import list_legal_orders
from ludus.agents.diplomacy.prompts import read_prompts
from ludus.agents.diplomacy.questions import ask_for_orders
from ludus.agents.diplomacy.surroundings import Surroundings, find_way, reach_of
from ludus.agents.llm.tokens import estimate_tokens
from ludus.games.diplomacy.orders import OrderBook
from ludus.games.diplomacy.records import Message, Turn
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View

LATE: dict[str, Any] = {
    "phase": "F1910M",
    "units": {
        "FRANCE": [
            "A BUR",
            "A RUH",
            "A HOL",
            "F ENG",
            "F MAO",
            "A SPA",
            "F WES",
            "A PIE",
            "A TUS",
            "F TYS",
            "F LYO",
            "A MUN",
            "F NTH",
            "A PAR",
            "A TYR",
        ],
        "RUSSIA": ["A BER", "A SIL", "A BOH", "A VIE", "F SWE", "F BAL", "A KIE", "A WAR"],
        "TURKEY": ["F ION", "F ADR", "A TRI", "A VEN", "A ROM", "F NAP", "A BUD", "A SER", "F AEG"],
    },
    "centres": {
        "FRANCE": [
            "PAR",
            "BRE",
            "MAR",
            "SPA",
            "POR",
            "BEL",
            "HOL",
            "MUN",
            "LON",
            "LVP",
            "EDI",
            "TUN",
            "DEN",
            "NWY",
        ],
        "RUSSIA": ["MOS", "WAR", "STP", "SEV", "BER", "SWE", "VIE", "RUM", "KIE"],
        "TURKEY": ["ANK", "CON", "SMY", "BUL", "GRE", "SER", "TRI", "BUD", "ROM", "NAP", "VEN"],
    },
}


@cache
def late() -> View:
    return View(Table.start(LATE), Scenario(power="FRANCE", max_year=1920))


@pytest.mark.parametrize("power", ["FRANCE", "RUSSIA", "TURKEY"])
def test_every_order_that_is_listed_is_legal_and_none_of_the_near_ones_is_missing(
    power: str,
) -> None:
    legal = Table.start(LATE).legal(power)
    every = [order for orders in legal.values() for order in orders]
    book = OrderBook(every, "M")
    text = list_legal_orders(legal)
    listed = {book.find(order) for orders in expand_orders(text).values() for order in orders}
    without_convoys = {o for o in every if " C " not in o and not o.endswith("VIA")}
    coasts = {order for order in without_convoys if "/" in order.rpartition(" - ")[2]}
    assert listed <= without_convoys
    missing = {o for o in without_convoys - listed if " S " not in o or o not in coasts}
    others = {unit for seat, units in LATE["units"].items() if seat != power for unit in units}
    assert not {order for order in missing if is_near(order, set(legal), others)}


def is_near(order: str, own: set[str], others: set[str]) -> bool:
    """Return whether an order helps nobody else, needs no convoy, and others may come there."""
    words = order.split()
    if words[2] != "S":
        return True
    place = words[-1][:3]
    moves = len(words) == 7
    reached = not moves or place in reach_of(f"{words[3]} {words[4]}")
    contested = any(place in (*reach_of(unit), unit[2:5]) for unit in others)
    return words[4][:3] in own and reached and contested


def test_convoys_stand_apart() -> None:
    text = list_legal_orders(late().legal)
    orders, _, convoys = text.partition("\nConvoys")
    assert "VIA" not in orders
    assert " C " not in orders
    fleets = next(line for line in convoys.splitlines() if "LYO" in line.partition(": C ")[0])
    assert {"HOL", "PIE", "ROM"} <= set(fleets.split())
    armies = next(line for line in convoys.splitlines() if "HOL" in line.partition(": - ")[0])
    assert {"NWY", "VIA"} <= set(armies.partition(": - ")[2].split())


def test_builds_and_retreats_are_listed() -> None:
    builds = {"PAR": ("A PAR B", "WAIVE"), "BRE": ("A BRE B", "F BRE B", "WAIVE")}
    assert list_legal_orders(builds) == "A PAR: B\nWAIVE\nA BRE: B\nF BRE: B"
    assert list_legal_orders({"BUR": ("A BUR D", "A BUR R GAS")}) == "A BUR: D | R GAS"


def test_a_late_position_takes_less_than_half_of_what_plain_lists_take() -> None:
    legal = late().legal
    plain = "\n".join(f"{place}: {' | '.join(orders)}" for place, orders in legal.items())
    fields = brief(late(), Memory.empty("FRANCE")) | {"task": "", "messages": "none", "format": ""}
    prompts = read_prompts()
    now = prompts.fill("orders", fields | {"legal_orders": list_legal_orders(legal)})
    before = prompts.fill("orders", fields | {"legal_orders": plain})
    assert estimate_tokens(list_legal_orders(legal)) < estimate_tokens(plain) / 3
    assert estimate_tokens(now) < estimate_tokens(before) / 2
    question = ask_for_orders(prompts, late(), Memory.empty("FRANCE"))
    assert estimate_tokens(question.system + question.text) < 1650


# ---- surroundings


def described() -> dict[str, str]:
    text = Surroundings("FRANCE", late().units, late().centres).describe()
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)


def test_units_know_their_neighbours_and_ways() -> None:
    lines = described()
    assert lines["A MUN"] == "beside Russia BER SIL BOH KIE"
    assert lines["A SPA"] == "enemy, centres MAR-PIE-VEN"
    assert lines["F LYO"] == "enemy, centres TUS-ROM, TYS-NAP"


def test_centres_are_listed_with_who_can_take_or_hold_them() -> None:
    lines = described()
    assert lines["KIE (Russia)"] == "you RUH HOL MUN; others Russia BER BAL"
    assert lines["TUN (empty)"] == "Turkey ION"
    assert "\nTUN: TYS WES\n" in list_legal_orders(late().legal)
    assert not any(line.startswith("MOS") for line in lines)


def test_ways_are_those_of_the_unit() -> None:
    assert find_way("A PAR", {"MUN"}) == ("BUR", "MUN")
    assert find_way("F BRE", {"MUN"}) == ()
    assert find_way("F STP/SC", {"FIN"}) == ("FIN",)
    assert find_way("F STP/NC", {"NWY"}) == ("NWY",)
    assert find_way("F STP/NC", {"FIN"}) != ("FIN",)


# ---- what happened


def test_news_leave_out_what_others_did_in_vain_far_away() -> None:
    orders = {
        "FRANCE": ("A PAR - BUR", "F BRE H"),
        "GERMANY": ("A MUN - BUR", "F KIE H", "A BER S A SIL", "A RUH S A PAR - PIC"),
        "TURKEY": ("A CON H", "F ANK C A CON - SEV"),
    }
    results = {
        "A PAR": ("bounce",),
        "A MUN": ("bounce",),
        "A BER": ("void",),
        "A RUH": ("void",),
        "A CON": ("dislodged",),
        "F ANK": ("void",),
    }
    assert describe_news(Turn("S1901M", {}, orders, results=results), "FRANCE").splitlines() == [
        "S1901M:",
        "France: bounce: PAR-BUR; held: BRE",
        "Germany: bounce: MUN-BUR; void: RUH S PAR-PIC",
        "Turkey: dislodged: CON H",
    ]


# ---- messages


def test_earlier_messages_are_shortened_and_the_last_are_kept() -> None:
    said = [Message("ITALY", "FRANCE", f"{number} " + "x" * 500, "S1901M") for number in range(30)]
    turn = Turn("S1901M", {}, {}, messages=tuple(said))
    lines = quote_earlier([turn], "FRANCE").splitlines()
    assert len(lines) == 12
    assert all(len(line) < 260 for line in lines)
    assert '"29 x' in lines[-1]
    assert quote_earlier([], "FRANCE") == "none"
