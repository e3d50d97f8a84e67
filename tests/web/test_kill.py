"""A server that is killed while visitors vote, and visitors who come at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import sqlalchemy as sa
from fastapi.testclient import TestClient
from tests.web.conftest import Played, furnish
from tests.web.live_server import VOTES_A_STEP, TuringVisitor, start_server

from ludus.runs import Store
from ludus.runs.schema import sittings, votes
from ludus.voting.sittings import count_visit
from ludus.web.app import create_app

VISITORS = 20
"""As many as may begin to vote from one address within an hour."""
BESIDE = 4
ENOUGH = 12
"""So many votes are confirmed before the server is killed."""
PATIENCE = 60


def vote_in_turn(visitors: list[TuringVisitor]) -> None:
    with suppress(OSError, HTTPException):  # the server is gone
        for visitor in visitors:
            visitor.vote()


def kill_while_visitors_vote(file: str) -> list[TuringVisitor]:
    """Return visitors whose server was killed when several of them were about to vote."""
    with start_server(file) as server:
        visitors = [TuringVisitor(server.address) for _ in range(VISITORS)]
        shares = [visitors[first::BESIDE] for first in range(BESIDE)]
        threads = [Thread(target=vote_in_turn, args=[share]) for share in shares]
        for thread in threads:
            thread.start()
        patience = monotonic() + PATIENCE
        while sum(one.confirmed for one in visitors) < ENOUGH and monotonic() < patience:
            sleep(0.002)
        server.process.kill()
        for thread in threads:
            thread.join(PATIENCE)
    return visitors


def count_votes(store: Store) -> dict[str, tuple[int, int]]:
    """Return of every visit its steps and votes."""
    query = sa.select(sittings.c.id, sittings.c.step, sa.func.count(votes.c.sitting))
    joined = query.select_from(sittings.outerjoin(votes)).group_by(sittings.c.id)
    with store.connection() as connection:
        return {visit: (steps, cast) for visit, steps, cast in connection.execute(joined)}


def test_a_server_killed_in_mid_vote_loses_no_confirmed_vote(
    played: Played, tmp_path: Path
) -> None:
    store = furnish(played, tmp_path)
    visitors = kill_while_visitors_vote(str(tmp_path / "arena.db"))
    confirmed = sum(one.confirmed for one in visitors)
    counted = count_votes(store)
    stored = sum(cast for _, cast in counted.values())
    assert ENOUGH <= confirmed <= stored <= confirmed + BESIDE * VOTES_A_STEP
    assert all(cast == VOTES_A_STEP * steps for steps, cast in counted.values())
    client = TestClient(create_app(store))
    for visitor in (one for one in visitors if one.cookie):
        step = client.get("/api/v1/turing/step", headers={"cookie": visitor.cookie}).json()
        assert 2 * visitor.confirmed // VOTES_A_STEP <= step["judged"]
    store.close()


def test_visitors_who_come_at_once_have_numbers_of_their_own(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "visits.db"))
    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(lambda _: count_visit("turing", store), range(64)))
    assert sorted(numbers) == list(range(64))
    store.close()
