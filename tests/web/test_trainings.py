"""Learning curves in the browser."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.web.conftest import Played

from ludus.web.app import create_app
from ludus.web.settings import Settings
from ludus.web.trainings import MOST_ROWS, follow_training


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two trainings, something else, and a link that leads out."""
    for name in ("first", "<b>"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        rows = [{"seed": 0, "steps": 10, "success": 0.5}, {"evaluation": {"success": 1.0}}]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "runs" / name / "curve.jsonl").write_text(lines)
    (tmp_path / "runs" / "else").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "curve.jsonl").write_text("{}\n")
    return tmp_path / "runs"


@pytest.fixture
def client(played: Played, folder: Path) -> TestClient:
    return TestClient(create_app(played.store, Settings(trainings=folder)))


def test_a_curve_is_shown(client: TestClient) -> None:
    assert "first" in client.get("/trainings/").text
    values = client.get("/api/v1/trainings/first.json").json()
    assert values["rows"] == [
        {"seed": 0, "steps": 10, "success": 0.5},
        {"evaluation success": 1.0},
    ]
    assert "static/training.js" in client.get("/trainings/first/").text


@pytest.mark.parametrize("name", ["else", "none", "..%2fsecret", "%3Cb%3E", "%2e%2e", "x" * 90])
def test_nothing_else_can_be_read(client: TestClient, name: str) -> None:
    assert client.get(f"/trainings/{name}/").status_code in (404, 422)
    assert client.get(f"/api/v1/trainings/{name}.json").status_code in (404, 422)


def test_without_a_folder_there_are_none(played: Played) -> None:
    plain = TestClient(create_app(played.store, Settings()))
    assert "ludus serve --trainings" in plain.get("/trainings/").text
    assert plain.get("/trainings/first/").status_code == 404


def test_a_curve_that_grows_is_sent_again(folder: Path) -> None:
    async def watch() -> list[int]:
        events = follow_training(folder / "first")
        totals = [json.loads((await anext(events)).removeprefix("data: "))["total"]]
        with (folder / "first" / "curve.jsonl").open("a") as file:
            file.write('{"steps": 20, "success": 1.0}\n')
        totals.append(json.loads((await anext(events)).removeprefix("data: "))["total"])
        return totals

    assert asyncio.run(watch()) == [2, 3]


@pytest.mark.parametrize("text", ["[1]\n", "{torn", '{"a": "<script>"}\n'])
def test_a_forged_curve_is_one_line_or_empty(client: TestClient, folder: Path, text: str) -> None:
    (folder / "first" / "curve.jsonl").write_text(text)
    answer = client.get("/trainings/first/")
    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.text


def test_a_long_curve_is_thinned_out(client: TestClient, folder: Path) -> None:
    (folder / "first" / "curve.jsonl").write_text('{"success": 1}\n' * 5_000)
    values = client.get("/api/v1/trainings/first.json").json()
    assert (len(values["rows"]) <= MOST_ROWS, values["total"]) == (True, 5_000)
