"""A seat at a table of Diplomacy: played to its end, kept through kills, closed to others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.web.conftest import settings

from ludus.api import human_seats
from ludus.runs import Store
from ludus.runs.verify import verify
from ludus.voting.sittings import Sitting
from ludus.web.app import create_app

API = "/api/v1/diplomacy"
SIT = {"consent": True, "power": "ITALY", "against": "hold", "year": 1901, "player": "Ann"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(str(tmp_path_factory.mktemp("seats") / "arena.db"))
    yield opened
    opened.close()


def visitor(store: Store) -> TestClient:
    return TestClient(create_app(store, settings()))


def sit(client: TestClient, **changes: Any) -> dict[str, Any]:
    answer = client.post(f"{API}/visit", json=SIT | changes)
    assert answer.status_code == 201, answer.text
    values: dict[str, Any] = answer.json()
    return values


def order(client: TestClient, step: dict[str, Any], *orders: str) -> dict[str, Any]:
    answer = client.post(f"{API}/orders", json={"ticket": step["ticket"], "orders": list(orders)})
    assert answer.status_code == 201, answer.text
    values: dict[str, Any] = answer.json()
    return values


def test_a_game_is_played_to_its_end_and_stands_on_a_board(store: Store) -> None:
    ann = visitor(store)
    step = sit(ann)
    assert (step["kind"], step["now"]["phase"], step["power"]) == ("orders", "S1901M", "ITALY")
    assert "F NAP - ION" in step["legal"]["NAP"]
    step = order(ann, step, "F NAP - ION", "A ROM - APU", "A VEN H")
    assert "F ION" in step["now"]["units"]["ITALY"]
    assert step["before"]["orders"]["ITALY"][0]["order"] == "F NAP - ION"
    step = order(ann, step, "F ION - TUN")
    assert (step["now"]["phase"], step["builds"]) == ("W1901A", 1)
    step = order(ann, step, next(one for listed in step["legal"].values() for one in listed))
    assert step["kind"] == "over"
    run = step["replay"].split("/")[1]
    assert not verify(run, store=store).differences
    assert ann.get(f"/{step['replay']}").status_code == 200
    assert "Ann (human)" in ann.get(f"/{step['board']}").text
    assert "seed 20261117" in ann.get("/diplomacy/").text


def test_a_server_that_was_killed_goes_on_where_it_was(store: Store) -> None:
    first = visitor(store)
    step = order(first, sit(first, player="Bob"), "A VEN - TYR")
    second = visitor(store)  # another process has nothing in its memory
    second.cookies = first.cookies
    again = second.get(f"{API}/step").json()
    assert again == step
    assert "A TYR" in order(second, again, "A TYR H")["now"]["units"]["ITALY"]


def test_a_kill_before_the_board_loses_no_game(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cid = visitor(store)
    step = order(cid, sit(cid, player="Cid", power="TURKEY"), "A CON - BUL")
    step = order(cid, step)

    def kill(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as killed:
        killed.setattr(human_seats, "accept", kill)
        sent = {"ticket": step["ticket"], "orders": []}
        assert cid.post(f"{API}/orders", json=sent).status_code == 500
    over = cid.get(f"{API}/step").json()
    assert over["kind"] == "over"
    assert not verify(over["replay"].split("/")[1], store=store).differences


def test_a_step_is_taken_once_and_by_its_owner(store: Store) -> None:
    ann, eve = visitor(store), visitor(store)
    step, other = sit(ann, player="Dora"), sit(eve, player="Eve")
    order(ann, step, "A VEN - TYR")
    sent = {"ticket": step["ticket"], "orders": ["A VEN H"]}
    assert ann.post(f"{API}/orders", json=sent).status_code == 409
    assert eve.post(f"{API}/orders", json=sent).status_code == 409
    assert eve.get(f"{API}/step").json()["ticket"] == other["ticket"]
    assert "A TYR" in ann.get(f"{API}/step").json()["now"]["units"]["ITALY"]


@pytest.mark.parametrize("word", ["", "x", "0" * 32 + "." + "0" * 32])
def test_a_forged_seat_is_refused(store: Store, word: str) -> None:
    eve = visitor(store)
    eve.cookies.set("ludus-diplomacy", word)
    sent = {"ticket": "0" * 32, "orders": []}
    assert eve.get(f"{API}/step").status_code == 401
    assert eve.post(f"{API}/orders", json=sent).status_code == 401
    assert eve.post(f"{API}/leave").status_code == 401


@pytest.mark.parametrize(
    ("what", "body", "words"),
    [
        ("orders", {"orders": ["A PAR - BUR"]}, "no legal order of ITALY"),
        ("orders", {"orders": ["<script>"]}, "no legal order"),
        ("orders", {"orders": ["A VEN H"] * 41}, "at most 40"),
        ("orders", {"orders": "A VEN H"}, "list"),
        ("messages", {"messages": []}, "messages are not wanted"),
        ("messages", {"messages": [{"recipient": "MARS", "text": "hi"}]}, "Input should be"),
        ("messages", {"messages": [{"recipient": "FRANCE", "text": "x" * 501}]}, "at most 500"),
    ],
)
def test_what_cannot_be_played_changes_nothing(
    store: Store, what: str, body: dict[str, Any], words: str
) -> None:
    fay = visitor(store)
    step = sit(fay, player="Fay")
    answer = fay.post(f"{API}/{what}", json={"ticket": step["ticket"], **body})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert fay.get(f"{API}/step").json() == step


@pytest.mark.parametrize(
    "changes",
    [
        {"consent": False},
        {"power": "MARS"},
        {"against": "agent.py:Agent"},
        {"year": 1990},
        {"player": "a\nb"},
        {"seed": 7},
    ],
)
def test_nobody_sits_down_on_other_terms(store: Store, changes: dict[str, Any]) -> None:
    answer = visitor(store).post(f"{API}/visit", json=SIT | changes)
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers


def test_messages_are_kept_with_the_game_and_escaped(store: Store) -> None:
    gus = visitor(store)
    step = sit(gus, player="Gus", press="full")
    assert (step["kind"], step["round"]) == ("press", 1)
    hostile = "<img src=x onerror=alert(1)>"
    sent = {"ticket": step["ticket"], "messages": [{"recipient": "AUSTRIA", "text": hostile}]}
    step = gus.post(f"{API}/messages", json=sent).json()
    assert step["kind"] == "orders"
    assert step["now"]["messages"][0]["text"] == hostile
    step = order(gus, step)
    assert step["before"]["messages"][0]["recipient"] == "AUSTRIA"
    assert hostile not in gus.get("/diplomacy/").text


def test_tables_are_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(human_seats, "MOST_A_DAY", 0)
    answer = visitor(store).post(f"{API}/visit", json=SIT)
    assert answer.status_code == 422
    assert "come back tomorrow" in answer.json()["detail"]
    tables = human_seats.Tables()
    monkeypatch.setattr(human_seats, "MOST_OPEN", 2)
    for number in range(5):
        sitting = Sitting(str(number), "diplomacy", number, 0, {})
        tables.keep(sitting, None)  # type: ignore[arg-type]
    assert len(tables._matches) == 2


def test_leaving_makes_room_for_another_game(store: Store) -> None:
    hal = visitor(store)
    sit(hal, player="Hal")
    assert "Sit down" not in hal.get("/diplomacy/").text
    assert hal.post(f"{API}/leave").status_code == 204
    assert "Sit down" in hal.get("/diplomacy/").text
    assert hal.get(f"{API}/step").status_code == 401


def test_a_published_folder_has_no_table(store: Store) -> None:
    with TestClient(create_app(store, settings(live=False))) as client:
        assert "ludus serve --open" in client.get("/diplomacy/").text
