"""A run while it is played."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from fastapi.testclient import TestClient
from tests.boards.making import Here
from tests.web.conftest import settings

from ludus.execution.plan import make_plan
from ludus.runs import Store
from ludus.runs.running import continue_run
from ludus.web.app import create_app
from ludus.web.runs import follow


def test_a_run_is_followed_until_it_is_complete(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "arena.db"))
    run = store.add(make_plan("platformer/daily", ["forward-jumping", "random"], seed=20261117))
    page = TestClient(create_app(store, settings())).get(f"/runs/{run.id}/").text
    assert "0 of 2" in page
    assert f'data-source="../../api/v1/runs/{run.id}/progress"' in page

    async def watch() -> list[str]:
        events = follow(run.id, store)
        first = await anext(events)
        continue_run(run, store, executor=Here())
        return [first, *[event async for event in events]]

    before, after, end = asyncio.run(watch())
    assert json.loads(before.removeprefix("data: "))["played"] == 0
    told = json.loads(after.removeprefix("data: "))
    assert (told["played"], told["complete"]) == (2, True)
    assert told["standings"][0]["agent"] == "forward-jumping"
    assert end.startswith("event: complete")
    store.close()


def test_a_run_that_is_deleted_meanwhile_ends_in_one_line(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "arena.db"))
    run = store.add(make_plan("platformer/daily", ["random"], seed=20261117))

    async def watch() -> list[str]:
        events = follow(run.id, store)
        first = await anext(events)
        store.delete(run.id)
        return [first, *[event async for event in events]]

    _, end = asyncio.run(watch())
    assert end.startswith("event: problem\ndata: no run")
    assert end.count("\n") == 3
    store.close()
