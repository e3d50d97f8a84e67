"""Every form of answer that people would understand, from an endpoint to the orders of a seat."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.agents.llm.server import Say, Scripted

from ludus.agents.llm.players import from_spec
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View

ORDERS = ("F BRE - MAO", "A MAR - SPA", "A PAR - BUR")
PLAIN = json.dumps({"orders": list(ORDERS)})
DRAFT = json.dumps({"orders": ["F BRE H", "A MAR H", "A PAR H"]})
WINTER = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A SPA"]},
    "centres": {"FRANCE": ["PAR", "SPA"]},
}
ATTACKED = {
    "units": {"FRANCE": ["A BUR"], "GERMANY": ["A RUH", "A BEL"]},
    "centres": {"FRANCE": ["PAR"], "GERMANY": ["BER"]},
}


def ask(answer: Say, table: Table | None = None) -> tuple[tuple[str, ...], list[str]]:
    """Return the orders that a model's answer comes to, and what became of its calls."""
    seat = Scenario.from_dict({"power": "FRANCE", "max_year": 1902})
    with Scripted(lambda _request, _number: answer) as server:
        agent = from_spec(server.spec("diary=no&retries=0"), game="diplomacy")
        agent.reset(seat)
        given = agent.act(View(table or Table.start(), seat))
        agent.close()
    return given.orders, [row["status"] for row in given.note["calls"]]


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{DRAFT}</think>{PLAIN}",
        f"{DRAFT}</think>\n{PLAIN}",
        f"First I thought of {DRAFT}. My final answer:\n```json\n{PLAIN}\n```",
        f"Paris [PAR] {{or Burgundy}} matters [1].\n{PLAIN}",
        json.dumps({"Orders": list(ORDERS)}),
        json.dumps({"orders": [{"order": order} for order in ORDERS]}),
        json.dumps({"orders": {order[2:5]: order for order in ORDERS}}),
        json.dumps({"orders": {order[2:5]: order[-3:] for order in ORDERS}}),
        json.dumps({"orders": "; ".join(ORDERS)}),
        json.dumps({"orders": " and ".join(ORDERS)}),
        '{"orders": ["F BRE - MAO", # west\n"A MAR - SPA", # south\n"A PAR - BUR" # east\n]}',
        json.dumps({"orders": "\n".join(ORDERS)}),
        [{"type": "text", "text": PLAIN[:20]}, {"type": "text", "text": PLAIN[20:]}],
    ],
)
def test_the_last_complete_answer_counts(text: str | list[Any]) -> None:
    orders, statuses = ask(Say(text))
    assert sorted(orders) == sorted(ORDERS)
    assert statuses == ["parsed"]


def test_whole_orders_of_an_answer_that_was_cut_off_count() -> None:
    cut = json.dumps({"orders": [*ORDERS, "A PAR H"]})[: -len(' H"]}')]
    orders, statuses = ask(Say(cut, finish="length"))
    assert sorted(orders) == sorted(ORDERS)
    assert statuses[0] in ("parsed", "partial", "truncated")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A PAR - BUR  # towards Munich", "A PAR - BUR"),
        ("A PAR - BUR (keeps Germany out)", "A PAR - BUR"),
        ("Move A PAR to BUR", "A PAR - BUR"),
        ("A PAR SUP A MAR - BUR", "A PAR S A MAR - BUR"),
        ("Army in Paris moves to Burgundy", "A PAR - BUR"),
        ("(FRANCE) A PAR - BUR", "A PAR - BUR"),
    ],
)
def test_orders_as_people_write_them(text: str, order: str) -> None:
    orders, statuses = ask(Say(json.dumps({"orders": [*ORDERS[:2], text]})))
    assert sorted(orders) == sorted([*ORDERS[:2], order])
    assert statuses == ["parsed"]


def test_builds_as_people_write_them() -> None:
    said = Say('{"orders": ["build army in Paris"]}')
    assert ask(said, Table.start(WINTER)) == (("A PAR B",), ["parsed"])


def test_retreats_as_people_write_them() -> None:
    table = Table.start(ATTACKED)
    table.submit("GERMANY", ["A RUH - BUR", "A BEL S A RUH - BUR"])
    table.step()
    said = Say('{"orders": ["retreat Burgundy to Munich"]}')
    assert ask(said, table) == (("A BUR R MUN",), ["parsed"])
