"""The two tracks that visitors vote in, from consent to the board."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from tests.boards.making import Here
from tests.web.conftest import add_clips, walk_right

import ludus.voting.sittings as steps
from ludus.api.families.mario_ai import score_votes
from ludus.api.level_sources import find_level_source
from ludus.api.voting import add_clip, export_votes, set_generators
from ludus.errors import OptionError
from ludus.games.platformer.recordings import PlayerRecord, Recording
from ludus.games.platformer.scenario import Scenario, read_level
from ludus.runs import Store, run
from ludus.runs.schema import clips, sittings, votes
from ludus.voting.clips import draw_pairs, list_clips
from ludus.voting.level_pairs import find_ballot, find_test_level, make_level_pair
from ludus.web.app import create_app
from ludus.web.guards import RateLimit

AGENTS = ("forward-jumping", "random")
TURING, LEVELS_API = "/api/v1/turing", "/api/v1/generation"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with_clips = Store(str(tmp_path / "votes.db"))
    played = run("platformer/bundled", list(AGENTS), store=with_clips, episodes=2, executor=Here())
    add_clips(played, tmp_path, with_clips)
    yield with_clips
    with_clips.close()


def _open(store: Store) -> TestClient:
    return TestClient(create_app(store))


def turing_vote(ticket: str, answer: str = "machine") -> dict[str, Any]:
    judgement = {"answer": answer, "confidence": 4}
    return {"ticket": ticket, "first": judgement, "second": judgement, "more_human": "A"}


def _counted(store: Store) -> int:
    with store.connection() as connection:
        return int(connection.scalar(sa.select(sa.func.count()).select_from(votes)) or 0)


def test_a_visit_of_the_turing_test(store: Store, tmp_path: Path) -> None:
    client = _open(store)
    assert "I agree" in client.get("/turing/").text
    assert "Nobody has voted yet" in client.get("/turing/board/").text
    answer = client.post(f"{TURING}/visit", json={"consent": True, "expertise": "novice"})
    assert answer.status_code == 201
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    step = answer.json()
    count = step["clips"]
    while not step["done"]:
        text = json.dumps(step)
        assert not any(name in text for name in (*AGENTS, "Ann", "human", "machine"))
        first, second = step["round"]["tracks"]
        assert (first["agent"], second["agent"]) == ("A", "B")
        assert first["ticks"] == second["ticks"] <= 900
        assert client.get(f"{TURING}/result").status_code == 422
        step = client.post(f"{TURING}/votes", json=turing_vote(step["ticket"])).json()
    result = client.get(f"{TURING}/result").json()
    assert len(result["clips"]) == count == step["judged"]
    machines = sum(not clip["is_human"] for clip in result["clips"])
    assert result["right"] == machines
    assert "Ann" in client.get("/turing/board/").text
    assert client.post(f"{TURING}/visit", json={"consent": True}).json()["done"]
    out = tmp_path / "turing.jsonl"
    assert export_votes("turing", out, store=store) == count + count // 2 == _counted(store)
    scored = score_votes(out)
    assert not scored.votes.refusals
    assert scored.humanness is not None
    assert scored.humanness.accuracy is not None
    assert scored.humanness.accuracy.value == result["right"] / count


def test_what_a_forger_of_votes_tries(store: Store) -> None:
    client, other = _open(store), _open(store)
    assert client.get(f"{TURING}/step").status_code == 401
    assert client.post(f"{TURING}/visit", json={"consent": False}).status_code == 422
    step = client.post(f"{TURING}/visit", json={"consent": True}).json()
    theirs = other.post(f"{TURING}/visit", json={"consent": True}).json()
    vote = turing_vote(step["ticket"])
    # a vote on what another visit was shown, an unseen one, one too sure, one without a name
    for wrong, status in (
        (vote | {"ticket": theirs["ticket"]}, 409),
        (vote | {"ticket": "0" * 32}, 409),
        (vote | {"first": {"answer": "human", "confidence": 9}}, 422),
        (vote | {"player": "Ann"}, 422),
    ):
        answer = client.post(f"{TURING}/votes", json=wrong)
        assert answer.status_code == status
        assert "\n" not in answer.json()["detail"]
    assert client.post(f"{TURING}/votes", content=b"x" * 70_000).status_code == 413
    assert _counted(store) == 0
    assert client.post(f"{TURING}/votes", json=vote).status_code == 201
    assert client.post(f"{TURING}/votes", json=vote).status_code == 409
    assert _counted(store) == 3
    word = client.cookies["ludus-turing"]
    id_, _, signature = word.partition(".")
    for forged in (f"{id_}.{'0' * 32}", f"{'0' * 32}.{signature}", id_, "é.é", ""):
        stranger = _open(store)
        answer = stranger.get(
            f"{TURING}/step", headers={b"cookie": f"ludus-turing={forged}".encode()}
        )
        assert answer.status_code == 401
    assert other.get(f"{LEVELS_API}/step").status_code == 401


def test_nobody_begins_or_sends_without_end(store: Store) -> None:
    app = create_app(store)
    object.__setattr__(app.state.arena, "visits", RateLimit(2, 3600))
    for expected in (201, 201, 429):
        client = TestClient(app)
        assert client.post(f"{TURING}/visit", json={"consent": True}).status_code == expected
    object.__setattr__(app.state.arena, "answers", RateLimit(1, 3600))
    assert client.get(f"{TURING}/step").status_code == 401
    assert client.get(f"{TURING}/step").status_code == 429


def test_a_vote_is_stored_whole_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = TestClient(create_app(store), raise_server_exceptions=False)
    step = client.post(f"{TURING}/visit", json={"consent": True}).json()
    broken = steps._to_row
    rows = iter([broken, broken])  # the third vote of three has no kind, which no table takes

    def lose(vote: Any) -> dict[str, Any]:
        make = next(rows, None)
        return make(vote) if make else {"kind": None, "body": "{}"}

    monkeypatch.setattr(steps, "_to_row", lose)
    vote = turing_vote(step["ticket"])
    assert client.post(f"{TURING}/votes", json=vote).status_code == 500
    assert _counted(store) == 0
    monkeypatch.undo()
    assert client.post(f"{TURING}/votes", json=vote).status_code == 201
    again = Store(store.url)
    assert _counted(again) == 3
    with again.connection() as connection:
        assert connection.scalar(sa.select(sittings.c.step)) == 1
    again.close()


def test_every_pair_comes_equally_often_and_no_clip_twice(store: Store) -> None:
    clips = list_clips(store)
    shown = [pair for visit in range(4) for pair in draw_pairs(clips, visit)]
    orders = [(first.player, second.player) for first, second in shown]
    assert len({orders.count(order) for order in set(orders)}) == 1
    assert len(set(orders)) == 6  # three pairs in both orders
    for visit in range(6):
        ids = [clip.id for pair in draw_pairs(clips, visit) for clip in pair]
        assert len(ids) == len(set(ids))


def test_a_visit_of_level_generation(store: Store, tmp_path: Path) -> None:
    set_generators(["hopper", "skill-mix"], seed=3, store=store)
    client = _open(store)
    assert "I agree" in client.get("/generation/").text
    step = client.post(f"{LEVELS_API}/visit", json={"consent": True}).json()
    kinds = []
    while step["kind"] != "done":
        kinds.append(step["kind"] + step["label"])
        assert not any(name in json.dumps(step) for name in ("hopper", "skill-mix"))
        assert client.get(f"{LEVELS_API}/result").status_code == 422
        if step["kind"] == "vote":
            vote = {"ticket": step["ticket"], "answer": "A"}
            step = client.post(f"{LEVELS_API}/votes", json=vote).json()
            assert client.post(f"{LEVELS_API}/votes", json=vote).status_code == 409
            continue
        play = play_level(step)
        _refuse_tampered(client, play)
        answer = client.post(f"{LEVELS_API}/plays", json=play)
        assert answer.status_code == 201, answer.text
        assert client.post(f"{LEVELS_API}/plays", json=play).status_code == 409
        step = answer.json()
    assert kinds == ["test", "levelA", "levelB", "vote", "levelA", "levelB", "vote"]
    result = client.get(f"{LEVELS_API}/result").json()
    assert sorted(result["generators"]) == ["hopper", "skill-mix"]
    assert result["votes"] == result["generators"]
    assert {"running", "coins"} <= {trait["name"] for trait in result["profile"]}
    assert "hopper" in client.get("/generation/board/").text
    out = tmp_path / "levels.jsonl"
    assert export_votes("levels", out, store=store) == 2
    assert score_votes(out).preferences.complete


def test_ours_notch_s_and_personal_generators_compete_unless_others_are_chosen(
    store: Store,
) -> None:
    ballot = find_ballot(store)
    assert {"ludus", "notch-2009", "skill-mix"} < set(ballot.ballot.entrants)
    record = PlayerRecord.of(Recording(find_test_level(ballot), (bytes(30),)))
    levels = make_level_pair(record, "ludus", "notch-2009", seed=3)
    texts = [Scenario.from_dict(level).level.text for level in levels]
    assert texts[0] != texts[1]
    assert not any(name in json.dumps(levels) for name in ("ludus", "notch"))


def play_level(step: dict[str, Any]) -> dict[str, Any]:
    level = step["round"]
    buttons, digest = walk_right(read_level(level["level"]), level["mode"], level["time_limit"])
    lives = [base64.b64encode(buttons).decode()] * (step["lives"] if step["kind"] == "test" else 1)
    return {"ticket": step["ticket"], "lives": lives, "digest": digest}


def _refuse_tampered(client: TestClient, play: dict[str, Any]) -> None:
    short = base64.b64encode(b"\x02\x02").decode()
    for wrong in (
        play | {"digest": "0" * 16},
        play | {"lives": [*play["lives"][:-1], short]},
        play | {"lives": ["!!"]},
        play | {"lives": ["/" * 8]},
    ):
        answer = client.post(f"{LEVELS_API}/plays", json=wrong)
        assert answer.status_code == 422
        assert "\n" not in answer.json()["detail"]


def test_clips_that_cannot_be_judged_are_refused(store: Store, tmp_path: Path) -> None:
    recording = Recording(find_level_source("level=sprint-03").scenario, (b"\x02" * 20,))
    path = tmp_path / "play.json"
    path.write_text(json.dumps(recording.to_dict()))
    with pytest.raises(OptionError, match="give --name"):
        add_clip(str(path), store=store)
    with pytest.raises(OptionError, match="use two names"):
        add_clip(str(path), player="Ann", store=store)
    add_clip(str(path), player="Bob", is_human=True, store=store)
    with pytest.raises(OptionError, match="has a clip on this level"):
        add_clip(str(path), player="Bob", is_human=True, store=store)


def test_the_page_says_whether_people_are_among_the_clips(store: Store) -> None:
    def read_page() -> str:
        return _open(store).get("/turing/").text

    assert "people and" in read_page() or "person and" in read_page()
    with store.transaction() as connection:
        connection.execute(sa.delete(clips).where(clips.c.human == 1))
    assert "all clips here are of programs" in read_page()
