from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.agents.llm.server import answer_to

from ludus.agents.diplomacy.schemas import (
    MOST_VALUES,
    consolidation_schema,
    negotiation_schema,
    orders_schema,
    property_of,
    reflection_schema,
)
from ludus.agents.llm.schemas import without_limits

LEGAL = {"PAR": ["A PAR H", "A PAR - BUR"], "STP": ["F STP/SC H", "F STP/SC - BOT"]}
SCHEMAS = {
    "orders": orders_schema(LEGAL),
    "builds": orders_schema(LEGAL, 2),
    "removals": orders_schema(LEGAL, -1),
    "negotiate": negotiation_schema(["ITALY", "TURKEY"]),
    "reflect": reflection_schema("FRANCE"),
    "consolidate": consolidation_schema(),
}


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if "type" in schema and isinstance(schema["type"], str):
            yield schema
        for value in schema.values():
            yield from parts(value)


def fulfils(value: Any, schema: dict[str, Any]) -> bool:
    if schema["type"] == "object":
        inner = schema["properties"]
        return list(value) == schema["required"] and all(
            fulfils(value[name], inner[name]) for name in inner
        )
    if schema["type"] == "array":
        return len(value) <= schema["maxItems"] and all(
            fulfils(one, schema["items"]) for one in value
        )
    return value in schema["enum"] if "enum" in schema else len(value) <= schema["maxLength"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_everything_has_an_end_and_is_strict(name: str) -> None:
    for part in parts(SCHEMAS[name]):
        if part["type"] == "array":
            assert part["maxItems"] > 0
        elif part["type"] == "string":
            assert "enum" in part or part["maxLength"] > 0
        else:
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


@pytest.mark.parametrize("name", SCHEMAS)
def test_without_limits_nothing_else_is_lost(name: str) -> None:
    loose = without_limits(SCHEMAS[name])
    text = json.dumps(loose)
    assert "maxItems" not in text
    assert "maxLength" not in text
    kept = [part["type"] for part in parts(loose)]
    assert kept == [part["type"] for part in parts(SCHEMAS[name])]


@pytest.mark.parametrize("name", SCHEMAS)
def test_they_are_schemas_that_the_scripted_player_fulfils(name: str) -> None:
    form = {"type": "json_schema", "json_schema": {"name": name, "schema": SCHEMAS[name]}}
    said = answer_to({"messages": [{"content": "x"}], "response_format": form})
    assert fulfils(said, SCHEMAS[name])


def test_each_unit_has_its_own_orders() -> None:
    units = SCHEMAS["orders"]["properties"]["orders"]["properties"]
    assert {place: one["enum"] for place, one in units.items()} == LEGAL


def test_builds_are_a_list_no_longer_than_allowed() -> None:
    orders = SCHEMAS["builds"]["properties"]["orders"]
    assert orders["maxItems"] == 2
    assert orders["items"]["enum"] == [*LEGAL["PAR"], *LEGAL["STP"]]


def test_large_positions_stay_below_what_endpoints_take() -> None:
    legal = {f"P{k:02}": [f"A P{k:02} {n}" for n in range(10 * k + 1)] for k in range(17)}
    assert sum(map(len, legal.values())) > MOST_VALUES
    units = orders_schema(legal)["properties"]["orders"]["properties"]
    listed = {place: one["enum"] for place, one in units.items() if "enum" in one}
    assert list(units) == list(legal)
    assert 0 < sum(map(len, listed.values())) <= MOST_VALUES
    assert set(units) - set(listed) == {"P14", "P15", "P16"}  # those with the most
    assert all("maxLength" in units[place] for place in set(units) - set(listed))


def test_names_of_properties_are_plain() -> None:
    assert property_of("STP/SC") == "STP_SC"
