"""Boards that are read before anybody asks, and pages that are kept until their board changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import enumerate as list_threads

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.boards.making import Here
from tests.web.conftest import DAY, Played, settings
from tests.web.test_kept_answers import find_keeper
from tests.web.test_pages import BOARD, accepted

import ludus
import ludus.web.shelf as shelf
from ludus.boards import accept, board
from ludus.boards.ledger import append_events
from ludus.execution.plan import Plan, make_season_plan
from ludus.runs import Store
from ludus.runs.running import continue_run
from ludus.web.app import create_app
from ludus.web.warming import start_warming

BUNDLED = "platformer/bundled"
SPRINT = "platformer/sprint"
SECRET = b"s" * 32
PATIENCE = 60.0


@pytest.fixture
def store(played: Played, tmp_path: Path) -> Iterator[Store]:
    target = tmp_path / "arena.db"
    with sqlite3.connect(played.path) as old, sqlite3.connect(target) as new:
        old.backup(new)
    old.close()
    new.close()
    opened = Store(str(target))
    yield opened
    opened.close()


def wait_for(name: str) -> None:
    """Wait until the threads of a name have ended."""
    for thread in list_threads():
        if thread.name == name:
            thread.join(PATIENCE)
            assert not thread.is_alive()


def warm(store: Store) -> FastAPI:
    app = create_app(store, settings())
    start_warming(app)
    wait_for("warming")
    return app


def add_agent(store: Store, number: int) -> None:
    first = board(BUNDLED, store).rows[0].entry
    append_events(store, lambda _: [accepted(first, number)])


def kept_pages(app: FastAPI) -> dict[str, bytes]:
    kept = find_keeper(app)._kept
    return {address.path: bytes(one.answer.body) for address, one in kept.items()}


def test_what_was_read_beforehand_is_shown_until_the_board_changes(store: Store) -> None:
    app = warm(store)
    assert BOARD.removeprefix("/") in kept_pages(app)
    client = TestClient(app)
    before = client.get(BOARD)
    assert before.content == kept_pages(app)[BOARD.removeprefix("/")]
    add_agent(store, 7)
    after = client.get(BOARD).text
    assert "agent 7" not in before.text
    assert "agent 7" in after
    assert "agent 7" in client.get("/boards/platformer/bundled/").text


def test_a_large_board_that_changed_is_shown_after_it_was_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "LARGE", 1)  # nobody waits for any board
    app = warm(store)
    boards, client = app.state.arena.shelf, TestClient(app)
    for number in (7, 8):
        known = boards.board(BUNDLED)
        add_agent(store, number)
        assert boards.board(BUNDLED) is known
        wait_for(f"board of {BUNDLED}")
        assert f"agent {number}" in client.get(BOARD).text
        assert f"agent {number}" in client.get(f"/api/v1{BOARD}board.csv").text


def test_a_board_of_another_benchmark_is_not_read_again(store: Store) -> None:
    app = warm(store)
    daily = app.state.arena.shelf.board("platformer/daily")
    add_agent(store, 7)
    assert app.state.arena.shelf.board("platformer/daily") is daily


def test_warming_ends_where_boards_cannot_be_read(tmp_path: Path) -> None:
    empty = Store(str(tmp_path / "empty.db"))
    app = warm(empty)
    assert [*kept_pages(app)] == ["", f"api/v1/days/{DAY}.json", "play/"]
    assert TestClient(app).get("/").status_code == 200
    empty.close()


def play_season(store: Store) -> Plan:
    """Play in a sealed season whose secret is beside the store; return what only it knows."""
    season = ludus.start_season(SPRINT, "spring", episodes=2, secret=SECRET, store=store)
    plan = make_season_plan(season.terms, SECRET, ["forward-jumping"])
    run = continue_run(store.add(plan), store, executor=Here())
    accept(run.id, store, by="a test")
    return plan


def test_nothing_secret_of_a_season_is_kept(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "arena.db"))
    plan = play_season(store)
    app = warm(store)
    path = f"boards/{SPRINT}/season-spring/"
    assert "forward-jumping" in TestClient(app).get(f"/{path}").text
    episodes = (f"/episodes/{number}/".encode() for number in range(2))
    seeds = (str(scenario["seed"]).encode() for scenario in plan.scenarios)
    secrets = [b"For example", SECRET, SECRET.hex().encode(), *episodes, *seeds]
    assert path in kept_pages(app)
    assert not [word for word in secrets if word in b"".join(kept_pages(app).values())]
    ludus.reveal_season("spring", early=True, store=store)
    assert "For example" in TestClient(app).get(f"/{path}").text
    store.close()
