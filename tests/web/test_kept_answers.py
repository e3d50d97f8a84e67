"""Answers are made once for everybody, and made anew as soon as anything they tell of changes."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.web.conftest import TRACK, Played, settings
from tests.web.test_pages import BOARD

from ludus.execution.plan import make_plan
from ludus.runs import Store
from ludus.web import boards
from ludus.web.app import create_app
from ludus.web.kept_answers import ABOUT_BOARDS, SHARED, KeptAnswers
from ludus.web.publishing import get_page
from ludus.web.store_watch import StoreWatch


def find_keeper(app: FastAPI) -> KeptAnswers:
    """Return what keeps the answers of an app."""
    layer: Any = app.middleware_stack or app.build_middleware_stack()
    while not isinstance(layer, KeptAnswers):
        layer = getattr(layer, "app", None) or layer._app
    return layer


@pytest.fixture(scope="module")
def file(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("kept") / "arena.db"
    with sqlite3.connect(played.path) as old, sqlite3.connect(target) as new:
        old.backup(new)
    old.close()
    new.close()
    return target


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    opened = Store(str(file))
    yield opened
    opened.close()


@pytest.fixture
def app(store: Store) -> FastAPI:
    return create_app(store, settings())


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows with every page of a board that is made."""
    calls, real = list[int](), boards._describe_board

    def describe(*args: Any) -> dict[str, Any]:
        calls.append(1)
        return real(*args)

    monkeypatch.setattr(boards, "_describe_board", describe)
    return calls


def test_a_page_is_made_once_for_all_who_ask_at_once(app: FastAPI, made: list[int]) -> None:
    async def ask_all() -> list[tuple[str, bytes]]:
        return await asyncio.gather(*(get_page(app, BOARD) for _ in range(8)))

    asyncio.run(get_page(app, "/"))  # reads the boards
    assert len(set(asyncio.run(ask_all()))) == 1
    assert len(made) == 1


def test_a_browser_that_has_the_page_gets_nothing_again(app: FastAPI) -> None:
    client = TestClient(app)
    first = client.get(BOARD)
    again = client.get(BOARD, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    assert first.headers["content-type"] == "text/html; charset=utf-8"


def test_what_another_process_writes_is_shown_at_once(app: FastAPI, file: Path) -> None:
    client, other = TestClient(app), Store(str(file))
    before = client.get("/runs/").text
    run = other.add(make_plan(TRACK, ["random"], seed=9))
    other.close()
    assert run.id not in before
    assert run.id in client.get("/runs/").text


def test_queries_and_refusals_are_kept_apart(app: FastAPI) -> None:
    client = TestClient(app)
    assert "0 found" in client.get(f"{BOARD}?q=nobody").text
    assert "0 found" not in client.get(BOARD).text
    assert client.get(f"{BOARD}%3Fq=nobody").status_code == 404
    assert client.get("/runs/nothing/").status_code == 404
    assert "runs/nothing/" not in [address.path for address in find_keeper(app)._kept]


@pytest.mark.parametrize(
    "path",
    [
        "turing/",
        "generation/",
        "diplomacy/",
        "jobs/1/",
        "events/cup/submit/",
        "api/v1/turing/step",
        "api/v1/generation/result",
        "api/v1/diplomacy/step",
        "api/v1/jobs/1.json",
        "api/v1/runs/1/progress",
        "api/v1/runs/1/episodes/0/plan.json",
        "api/v1/ghosts/astar.json",
        "runs/1/episodes/0/film.gif",
    ],
)
def test_what_depends_on_who_asks_or_how_often_is_never_kept(path: str) -> None:
    assert not ABOUT_BOARDS.fullmatch(path)
    assert not SHARED.fullmatch(path)


def test_a_store_that_cannot_be_watched_counts_as_changed() -> None:
    store = Store("sqlite://")
    watch = StoreWatch(store)
    assert watch.look() != watch.look()
    store.close()
