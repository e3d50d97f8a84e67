"""The arena over a real PostgreSQL: everything that visitors write, and what they see of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.boards.making import Here
from tests.runs.conftest import postgres
from tests.submissions.conftest import CUP, create
from tests.web.conftest import DAY, TRACK, add_clips, play_right, settings
from tests.web.test_plays import PLAYS, body
from tests.web.test_submitting import add, log_in, send
from tests.web.test_votes import LEVELS_API, TURING, play_level, turing_vote

import ludus
from ludus.api.voting import export_votes, set_generators
from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept
from ludus.runs import Store, run
from ludus.web.addresses import board_path
from ludus.web.app import create_app

__all__ = ["postgres"]

AGENTS = ["forward-jumping", "random"]


@pytest.fixture(scope="module")
def store(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with two boards, clips, generators and an event."""
    opened = Store(postgres)
    bundled = run("platformer/bundled", AGENTS, store=opened, executor=Here())
    seed = seed_of_day(DAY)
    daily = run("platformer/daily", AGENTS, store=opened, seed=seed, executor=Here())
    for played in (bundled, daily):
        accept(played.id, opened, by="a test")
    add_clips(bundled, tmp_path_factory.mktemp("clips"), opened)
    set_generators(["notch-2009", "skill-mix"], seed=34, store=opened)
    create(opened, benchmark=TRACK, episodes=1)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def client(store: Store) -> Iterator[TestClient]:
    app = create_app(store, replace(settings(), submissions=True))
    with TestClient(app, base_url="https://arena.test", follow_redirects=False) as opened:
        yield opened


def test_boards_are_shown(client: TestClient, store: Store) -> None:
    assert store.url.startswith("postgresql")
    shown = {one["benchmark"]: one for one in client.get("/api/v1/boards.json").json()}
    assert shown.keys() == {"platformer/bundled", "platformer/daily"}
    for benchmark, listed in shown.items():
        key = ludus.board(benchmark, store=store).board.key
        page = client.get(f"/{board_path(benchmark, key)}")
        assert page.status_code == 200
        assert all(agent in page.text for agent in AGENTS)
        assert client.get(f"/{listed['boards'][0]}").json()["benchmark"] == benchmark
        assert listed["entries"] == len(AGENTS)
    assert "forward-jumping" in client.get("/").text


def test_a_play_of_the_day_comes_on_the_board(client: TestClient) -> None:
    answer = client.post(PLAYS, json=body(client, play_right()))
    assert answer.status_code == 201, answer.text
    assert answer.json()["kept"]
    assert "Ann (human)" in client.get(f"/{answer.json()['link']}").text
    assert "Ann (human)" in client.get("/").text
    again = client.post(PLAYS, json=body(client, play_right()))
    assert again.json()["outcome"] == "not better"


def test_votes_of_the_turing_test_are_counted(
    client: TestClient, store: Store, tmp_path: Path
) -> None:
    step = client.post(f"{TURING}/visit", json={"consent": True}).json()
    cast = 0
    while not step["done"]:
        vote = turing_vote(step["ticket"])
        step = client.post(f"{TURING}/votes", json=vote).json()
        assert client.post(f"{TURING}/votes", json=vote).status_code == 409
        cast += 3
    assert export_votes("turing", tmp_path / "turing.jsonl", store=store) == cast > 0
    assert client.get(f"{TURING}/result").json()["clips"]
    assert "Ann" in client.get("/turing/board/").text


def test_votes_on_levels_are_counted(client: TestClient, store: Store, tmp_path: Path) -> None:
    step = client.post(f"{LEVELS_API}/visit", json={"consent": True}).json()
    while step["kind"] != "done":
        what = "votes" if step["kind"] == "vote" else "plays"
        sent = {"ticket": step["ticket"], "answer": "both"}
        answer = client.post(
            f"{LEVELS_API}/{what}", json=sent if what == "votes" else play_level(step)
        )
        assert answer.status_code == 201, answer.text
        step = answer.json()
    assert export_votes("levels", tmp_path / "levels.jsonl", store=store) == 2
    assert client.get(f"{LEVELS_API}/result").json()["votes"] == ["both", "both"]
    assert "notch-2009" in client.get("/generation/board/").text


@pytest.mark.slow
def test_a_submission_is_sent_played_and_shown(client: TestClient, store: Store) -> None:
    answer = send(client, log_in(client, add(store, "Robin")))
    assert answer.status_code == 303
    path = answer.headers["location"].removeprefix("../../..")
    assert "received" in client.get(path).text
    (job,) = ludus.work(once=True, workers=1, store=store)
    assert job.state == "scored"
    assert job.verdict in client.get(path).text
    assert f'"state": "{job.state}"' in client.get(f"/api/v1{path}progress").text
    assert "Robin" in client.get(f"/events/{CUP}/").text
