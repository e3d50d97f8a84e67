"""The queue: claimed once, taken over from the dead, and never stuck."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from tests.submissions.conftest import CUP, create, pack, send

from ludus.errors import BoardError, OptionError, RunError
from ludus.events.organising import close_event, open_event
from ludus.runs import Store
from ludus.runs.schema import jobs
from ludus.submissions import Account, JobQueue, State, add_account, find_job, list_jobs, submit
from ludus.submissions.job import MOST_LOG, add_lines
from ludus.submissions.queue import MOST_TRIES, add_final, add_submission


def add_entry(store: Store, event: str) -> int:
    return add_submission(event, store, account="1", entrant="Robin", digest="0" * 64)


def account_for(store: Store, name: str) -> Account:
    return add_account(name, "submitter", store).account


def test_a_job_is_claimed_once_and_those_to_be_checked_come_first(shared: Store) -> None:
    for event in ("a", "b", "a"):
        add_final(event, shared)
    checked = add_entry(shared, "c")
    first, second = JobQueue(shared), JobQueue(shared)
    taken = [queue.claim() for queue in (first, second, first, second)]
    assert taken[0] is not None
    assert (taken[0].number, taken[0].state) == (checked, State.RECEIVED)
    assert [job.event for job in taken if job] == ["c", "a", "b"]
    assert taken[3] is None
    assert not second.move(taken[0], State.SCORED), "it is not theirs"
    assert first.renew(taken[0], 1, 2)
    assert first.move(taken[0], State.CHECKED, State.QUEUED, lines=["well\x1b[2J", "done"])
    moved = find_job(taken[0].number, shared)
    assert [state for state, _ in moved.history] == ["received", "checked", "queued"]
    assert (moved.played, moved.planned, moved.state) == (1, 2, State.QUEUED)
    assert moved.log.endswith("queued: well\\x1b[2J\ndone\n")
    assert not first.renew(taken[0]), "it was given back"


def test_the_job_of_a_worker_that_is_gone_is_taken_again_at_once(shared: Store) -> None:
    add_final("cup", shared)
    number = list_jobs(shared)[0].number
    for tries in range(1, MOST_TRIES + 1):
        assert JobQueue(shared).claim() is not None
        assert JobQueue(shared).claim() is None, "its worker lives"
        with shared.transaction() as connection:  # a process of this machine that has ended
            connection.execute(jobs.update().values(started="long ago"))
        assert find_job(number, shared).tries == tries
    assert JobQueue(shared).claim() is None
    job = find_job(number, shared)
    assert (job.state, job.ended) == (State.FAILED, True)
    assert "given up after 3 tries" in job.log
    assert job.log.count("running") == MOST_TRIES


def test_a_lease_of_another_machine_expires(shared: Store) -> None:
    add_final("cup", shared)
    queue = JobQueue(shared)
    assert queue.claim() is not None
    elsewhere = {"machine": "other.boot", "process": 1}
    with shared.transaction() as connection:
        connection.execute(jobs.update().values(**elsewhere))
    assert JobQueue(shared).claim() is None
    with shared.transaction() as connection:
        connection.execute(jobs.update().values(expires=1.0))
    taken = JobQueue(shared).claim()
    assert taken is not None
    assert not queue.renew(taken)


def test_submitting_is_all_or_nothing(store: Store) -> None:
    robin = account_for(store, "Robin")
    create(store)
    for wrong in (float("nan"), 1e300):
        with pytest.raises(OptionError, match="is no score"):
            submit(CUP, pack(), robin, store, claim=wrong)
    with pytest.raises(BoardError, match="no event"):
        send(robin, store, event="none")
    assert list_jobs(store) == []
    assert open_event(CUP, store).entries == {}
    sent = [send(robin, store, f"x = {k}\n") for k in range(3)]
    with pytest.raises(BoardError, match="3 submissions waiting"):
        send(robin, store)
    assert [job.state for job in sent] == [State.RECEIVED] * 3
    with store.connection() as connection:
        assert connection.scalars(sa.select(jobs.c.runner)).all() == [""] * 3
    close_event(CUP, store, by="Olga")
    with pytest.raises(BoardError, match="takes no more entries"):
        send(account_for(store, "Late"), store)
    assert len(list_jobs(store)) == 3


def test_a_submission_that_was_broken_off_is_no_entry(store: Store) -> None:
    """A server that is killed while it enters leaves a job that nobody was told of."""
    create(store)
    number = add_entry(store, CUP)
    job = JobQueue(store).claim()
    assert job is not None
    assert job.number == number
    assert "robin" not in open_event(CUP, store).entries


@pytest.mark.parametrize("number", [0, -1, 7, 2**31, 2**70])
def test_a_job_that_is_not_there(store: Store, number: int) -> None:
    with pytest.raises(RunError, match="no job"):
        find_job(number, store)


def test_a_log_has_an_end() -> None:
    log = add_lines("", *(f"line {k} " + "x" * 50 for k in range(2_000)))
    assert len(log) <= MOST_LOG
    assert log.startswith("line 0 ")
    assert "line 1999 " in log
    assert "letters are left out here" in log
    assert len(add_lines(log, "x" * 10**6)) <= MOST_LOG
