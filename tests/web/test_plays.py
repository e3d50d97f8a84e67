"""Plays of people: played again on the server before they count."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.web.conftest import DAY, Played, play_right, settings

from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import board
from ludus.games.platformer import replay
from ludus.games.platformer.levels.campaign import campaign_level, campaign_proof
from ludus.games.platformer.scenario import read_level
from ludus.runs import Store
from ludus.web.app import create_app
from ludus.web.guards import RateLimit

PLAYS = "/api/v1/plays"


@pytest.fixture
def door(played: Played) -> TestClient:
    """A server of its own, whose limits nobody has touched."""
    return TestClient(create_app(played.store, settings()))


def body(door: TestClient, buttons: bytes, **changes: Any) -> dict[str, Any]:
    level = door.get(f"/api/v1/days/{DAY}.json").json()
    world = replay(read_level(level["level"]), buttons, level["mode"], level["time_limit"])
    values = {
        "source": level["source"],
        "mode": level["mode"],
        "time_limit": level["time_limit"],
        "player": "Ann",
        "actions": base64.b64encode(buttons).decode(),
        "digest": f"{world.hash():016x}",
    }
    return values | changes


def test_a_play_that_was_played_comes_on_the_board(door: TestClient, played: Played) -> None:
    before = len(played.store.runs())
    answer = door.post(PLAYS, json=body(door, play_right()))
    assert answer.status_code == 201
    found = answer.json()
    assert (found["player"], found["kept"], found["outcome"]) == ("Ann (human)", True, "new")
    assert 1 <= found["rank"] <= found["entries"]
    rows = board("platformer/daily", played.store, seed=seed_of_day(DAY)).rows
    (mine,) = [row for row in rows if row.entry.agent == "Ann (human)"]
    assert mine.proof == "replayed"
    assert "Ann (human)" in door.get("/").text + door.get(f"/{found['link']}").text
    again = door.post(PLAYS, json=body(door, play_right()))
    assert (again.status_code, again.json()["outcome"]) == (201, "not better")
    assert len(played.store.runs()) == before + 1  # nothing is kept that no board shows


def test_other_levels_are_checked_and_have_no_board(door: TestClient) -> None:
    actions = campaign_proof("1-1")
    world = replay(campaign_level("1-1"), actions, 0, campaign_level("1-1").time_limit)
    play = {
        "source": "level=1-1",
        "actions": base64.b64encode(actions).decode(),
        "digest": f"{world.hash():016x}",
    }
    answer = door.post(PLAYS, json=play)
    assert answer.status_code == 201
    assert (answer.json()["kept"], answer.json()["result"]["status"]) == (False, 1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"digest": "0" * 16}, "not what was played"),
        ({"actions": base64.b64encode(b"\x02\x02").decode()}, "not over"),
        ({"actions": base64.b64encode(b"\xff" * 9).decode()}, "button"),
        ({"actions": "!!"}, "base64"),
        ({"actions": ""}, "ticks"),
        ({"mode": 2}, "mode"),
        ({"time_limit": 0}, "mode"),
        ({"source": "day=2026-11-16"}, "takes no plays"),
        ({"source": "level=../../etc/passwd"}, "no level"),
        ({"source": "generator=evil.py:make"}, "no generator"),
        ({"source": "level=1-1&level=1-2"}, "twice"),
        ({"player": "a\u202eb"}, "cannot be seen"),
        ({"player": "x" * 31}, "letters"),
        ({"digest": "xyz"}, "digest"),
        ({"cheat": True}, "cheat"),
    ],
)
def test_what_was_not_played_is_refused_and_changes_nothing(
    door: TestClient, played: Played, changes: dict[str, Any], words: str
) -> None:
    before = len(played.store.runs())
    answer = door.post(PLAYS, json=body(door, play_right(), **changes))
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert len(played.store.runs()) == before


def test_ticks_behind_the_end_are_refused(door: TestClient) -> None:
    actions = base64.b64encode(play_right() + b"\x02").decode()
    answer = door.post(PLAYS, json=body(door, play_right(), actions=actions))
    assert answer.status_code == 422
    assert "over after" in answer.json()["detail"]


def test_bodies_that_are_too_large_are_refused(door: TestClient) -> None:
    answer = door.post(PLAYS, content=b"x" * 200_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert "bytes" in answer.json()["detail"]


def test_whoever_sends_too_much_has_to_wait(played: Played) -> None:
    app = create_app(played.store, settings())
    app.state.arena = replace(app.state.arena, plays=RateLimit(tokens=2, seconds=1e9))
    door = TestClient(app)
    statuses = [door.post(PLAYS, json=body(door, b"\x02")).status_code for _ in range(4)]
    assert statuses == [422, 422, 429, 429]


def test_nobody_takes_the_place_of_an_agent(door: TestClient, played: Played) -> None:
    found = door.post(PLAYS, json=body(door, play_right(), player="forward-jumping")).json()
    assert found["player"] == "forward-jumping (human)"
    names = [row.entry.agent for row in board("platformer/daily", played.store).rows]
    assert "forward-jumping" in names


def test_a_store_that_cannot_be_written_says_so(played: Played) -> None:
    store = Store(f"sqlite:///file:{played.path}?mode=ro&uri=true")
    readable = TestClient(create_app(store, settings()))
    assert readable.get("/").status_code == 200
    answer = readable.post(PLAYS, json=body(readable, play_right(), player="Bob"))
    assert answer.status_code == 403
    store.close()
