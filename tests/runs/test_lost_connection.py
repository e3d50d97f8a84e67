"""A PostgreSQL server that goes away in the middle of a run is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from tests.boards.making import Here, played
from tests.runs.cutting_proxy import CuttingProxy
from tests.runs.postgres_server import PostgresServer
from tests.runs.small import SMALL

from ludus.boards.ledger import LedgerDraft, LedgerEventKind, append_events, read_ledger
from ludus.errors import StoreError
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.runs import Store, connection_loss, continue_run, resume, run, verify
from ludus.runs.store import ScoredEpisode, make_run_id
from ludus.runs.totals import read_totals

CRASHES = 3


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    started = PostgresServer()
    yield started
    started.remove()


@pytest.fixture
def remote(server: PostgresServer) -> Iterator[Store]:
    opened = Store(server.url)
    yield opened
    opened.close()


@pytest.fixture
def cut(server: PostgresServer) -> Iterator[tuple[CuttingProxy, Store]]:
    proxy = CuttingProxy(server.port)
    opened = Store(server.url.replace(str(server.port), str(proxy.port)))
    yield proxy, opened
    opened.close()
    proxy.close()


def start_later(server: PostgresServer) -> threading.Timer:
    timer = threading.Timer(0.5, server.start)
    timer.start()
    return timer


def test_a_restart_in_the_middle_of_a_run_loses_nothing(
    server: PostgresServer, remote: Store, store: Store
) -> None:
    agents = ["random", "forward-jumping"]
    timers: list[threading.Timer] = []
    started = remote.add(make_plan(SMALL.id, agents, episodes=50, seed=3))

    def crash(_: ScoredEpisode) -> None:
        if len(timers) < CRASHES and len(remote.played_numbers(started.id)) > 20 * len(timers):
            server.stop()
            timers.append(start_later(server))

    ended = continue_run(started, remote, executor=LocalExecutor(2), on_episode=crash)
    assert len(timers) == CRASHES
    assert ended.complete
    assert verify(ended.id, store=remote).good
    calm = run(SMALL.id, agents, store=store, episodes=50, seed=3)
    assert outcomes(store, calm.id) == outcomes(remote, ended.id)


def outcomes(store: Store, id_: str) -> list[tuple[object, ...]]:
    return [(one.episode.number, one.episode.record, one.score) for one in store.episodes(id_)]


READS: dict[str, Callable[[Store, str], object]] = {
    "runs": lambda store, id_: store.runs(),
    "run": lambda store, id_: store.run(id_),
    "episodes": lambda store, id_: store.episodes(id_),
    "numbers": lambda store, id_: store.played_numbers(id_),
    "totals": lambda store, id_: read_totals(store.run(id_), store),
    "ledger": lambda store, id_: read_ledger(store),
}


def test_reading_waits_for_the_server(server: PostgresServer, remote: Store) -> None:
    id_ = played(remote, "idle").id
    for name, read in READS.items():
        before = read(remote, id_)
        server.stop()
        timer = start_later(server)
        assert str(read(remote, id_)) == str(before), name
        timer.join()


def test_a_commit_whose_answer_is_lost_is_not_carried_out_twice(
    cut: tuple[CuttingProxy, Store],
) -> None:
    proxy, store = cut
    plan = make_plan(SMALL.id, ["idle"], episodes=2)
    proxy.cuts = 1
    stored = store.add_run(make_run_id(plan), datetime.now(UTC), plan, ())
    assert proxy.cuts == 0
    assert [found.id for found in store.runs()].count(stored.id) == 1
    proxy.cuts = 1
    ended = run_here(store, stored.id)
    assert proxy.cuts == 0
    assert ended == {0, 1}
    proxy.cuts = 1
    before = len(read_ledger(store))
    draft = LedgerDraft(LedgerEventKind.VERIFIED, SMALL.id, SMALL.version, {"run": stored.id})
    added = append_events(store, lambda _: [draft])
    assert proxy.cuts == 0
    assert read_ledger(store)[before:] == added
    proxy.cuts = 1
    store.delete(stored.id)
    assert proxy.cuts == 0
    assert stored.id not in [found.id for found in store.runs()]


def run_here(store: Store, id_: str) -> set[int]:
    resume(id_, store=store, executor=Here())
    return store.played_numbers(id_)


def test_a_server_that_is_missed_for_long_is_named_once_and_then_given_up(
    server: PostgresServer,
    remote: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(connection_loss, "QUIET_SECONDS", 0.3)
    remote.runs()
    server.stop()
    timer = threading.Timer(1.5, server.start)
    timer.start()
    remote.runs()
    timer.join()
    missed, answered = (record.getMessage() for record in caplog.records)
    assert "does not answer" in missed
    assert "trying again for 10 minutes" in missed
    assert "answers again" in answered
    monkeypatch.setattr(connection_loss, "PATIENCE_SECONDS", 0.5)
    server.stop()
    with pytest.raises(StoreError, match=r"does not answer.*given up") as caught:
        remote.runs()
    assert "\n" not in str(caught.value)
    server.start()


def test_a_server_that_never_answered_is_not_waited_for() -> None:
    with pytest.raises(StoreError, match="does not answer"):
        Store("postgresql://ludus@127.0.0.1:1/postgres")
