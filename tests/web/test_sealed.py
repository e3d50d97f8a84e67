"""A sealed season on the organiser's own machine, where its secret lies beside the store."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.testclient import TestClient
from tests.boards.making import Here
from tests.web.conftest import settings

import ludus
from ludus.boards import accept
from ludus.execution.plan import make_season_plan
from ludus.runs import Store
from ludus.runs.running import continue_run
from ludus.web.app import create_app

SECRET = b"s" * 32
BOARD = "/boards/platformer/bundled/season-spring/"


def test_pages_do_not_tell_a_secret_before_it_is_revealed(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "arena.db"))
    season = ludus.start_season(
        "platformer/bundled", "spring", episodes=2, secret=SECRET, store=store
    )
    plan = make_season_plan(season.terms, SECRET, ["forward-jumping"])
    run = continue_run(store.add(plan), store, executor=Here()).id
    accept(run, store, by="a test")
    client = TestClient(create_app(store, settings()))
    board = client.get(BOARD).text
    assert "forward-jumping" in board
    assert "For example" not in board
    (entry,) = set(re.findall(r"entries/([0-9a-f-]+)/", board))
    assert "/episodes/" not in client.get(f"{BOARD}entries/{entry}/").text
    assert "Sealed until season spring" in client.get(f"/runs/{run}/").text
    for path in (
        f"/runs/{run}/episodes/0/",
        f"/runs/{run}/episodes/0/embed/",
        f"/runs/{run}/episodes/0/picture",
        f"/api/v1/runs/{run}/episodes/0/replay.json",
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "sealed until season" in answer.text
    ludus.reveal_season("spring", early=True, store=store)
    assert client.get(f"/runs/{run}/episodes/0/").status_code == 200
    assert "For example" in client.get(BOARD).text
    store.close()
