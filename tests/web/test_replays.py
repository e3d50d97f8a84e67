"""Replays of worms and of games of Diplomacy, as documents."""

from __future__ import annotations

import base64

import pytest
from fastapi.testclient import TestClient
from tests.web.conftest import Played

from ludus.games.diplomacy.records import Message, Turn
from ludus.games.diplomacy.table import Table
from ludus.games.worm.game import collect_facts
from ludus.games.worm.scenario import Scenario
from ludus.games.worm.world import replay
from ludus.web.table_documents import list_phases, make_phase


def test_a_worm_comes_to_its_stored_digest(client: TestClient, played: Played) -> None:
    document = client.get(f"/api/v1/runs/{played.worm}/episodes/0/replay.json").json()
    dish = document["dish"]
    assert (document["game"], document["rounds"], document["table"]) == ("worm", [], None)
    assert [track["agent"] for track in dish["tracks"]] == ["gradient", "random-walk"]
    scenario = Scenario.from_dict(played.store.run(played.worm).plan.scenarios[0])
    assert dish["seed"] == str(scenario.seed)
    for track in dish["tracks"]:
        world = replay(scenario.task, scenario.seed, base64.b64decode(track["actions"]))
        assert collect_facts(world)["state"] == track["digest"]
    assert "static/replay.js" in client.get(f"/runs/{played.worm}/episodes/0/").text


def test_a_game_is_told_phase_by_phase(client: TestClient, played: Played) -> None:
    path = f"runs/{played.diplomacy}/episodes/0"
    table = client.get(f"/api/v1/{path}/replay.json").json()["table"]
    assert table["power"] == "FRANCE"
    assert table["seats"]["FRANCE"] == "easy"
    assert table["seats"]["ITALY"] == "hold"
    assert table["digest"] == table["stored"]
    names = [phase["phase"] for phase in table["phases"]]
    assert names[:2] == ["S1901M", "F1901M"]
    first, second = table["phases"][:2]
    moved = [order["order"] for order in first["orders"]["FRANCE"] if " - " in order["order"]]
    for order in moved:
        kind, _, _, goal = order.split()
        assert f"{kind} {goal}" in second["units"]["FRANCE"]
    assert "static/replay.js" in client.get(f"/{path}/embed/").text


def test_what_powers_do_to_each_other_is_told() -> None:
    table = Table.start({
        "units": {"FRANCE": ["A BUR"], "GERMANY": ["A RUH", "A MUN"], "ITALY": ["A TYR"]},
        "centres": {"FRANCE": ["PAR"], "GERMANY": ["MUN"], "ITALY": ["ROM"]},
    })  # fmt: skip
    table.submit("FRANCE", ["A BUR - MUN"])
    table.submit("ITALY", ["A TYR S A BUR - MUN"])
    table.submit("GERMANY", ["A RUH S A MUN", "A MUN H"])
    table.step()
    first, _ = list_phases(table)
    deeds = {(deed.who, deed.kind, deed.whom) for deed in first.deeds}
    assert deeds == {("FRANCE", "attacks", "GERMANY"), ("ITALY", "helps", "FRANCE")}
    (order,) = first.orders["FRANCE"]
    assert (order.order, order.results) == ("A BUR - MUN", ["bounce"])


@pytest.mark.parametrize("diary", [["we hold"], "no list", None])
def test_what_a_player_wrote_is_shown_whatever_it_is(diary: object) -> None:
    table = Table.start()
    note = {"relationships": {"ITALY": "Ally"}, "diary": diary}
    turn = Turn(
        "S1901M",
        table.state,
        {},
        messages=(Message("FRANCE", "ITALY", "<b>peace</b>", "S1901M", 1),),
        notes={"FRANCE": (note,), "ITALY": ({"relationships": 7},)},
    )
    phase = make_phase(turn)
    assert phase.relationships == {"FRANCE": {"ITALY": "Ally"}}
    assert phase.diary == ({"FRANCE": ["we hold"]} if isinstance(diary, list) else {})
    assert phase.messages[0].text == "<b>peace</b>"
