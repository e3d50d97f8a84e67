"""Workers: what was submitted is checked, played and scored, whatever its agents do."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import pytest
from tests.events.conftest import RUNNER
from tests.submissions.conftest import AGENT, CUP, create, make_tar, make_zip

import ludus
from ludus.api import settings
from ludus.api.submission_play import play_job
from ludus.errors import AgentError, OptionError
from ludus.events.organising import close_event, open_event
from ludus.processes import kill_process, start_process
from ludus.runs import Store
from ludus.runs.schema import jobs
from ludus.submissions import Job, JobQueue, State, add_account, find_job, list_jobs

TRACK = "platformer/sprint"
HOSTILE = """
import os, socket, sys
print("hello <b>\\x1b[2J")
class Runner:
    def reset(self, scenario): pass
    def act(self, view):
        open("/etc/passwd").read()
"""
PATIENCE = 120.0


def submit(store: Store, name: str, text: str, event: str = CUP) -> Job:
    token = add_account(name, "submitter", store).token
    archive = make_tar({"mine/runner.py": text})
    return ludus.submit_agent(event, archive, AGENT, token=token, score=1, store=store)


def wait_for(store: Store, number: int, *states: State) -> Job:
    end = monotonic() + PATIENCE
    while (job := find_job(number, store)).state not in states and monotonic() < end:
        sleep(0.05)
    return job


@pytest.mark.slow
def test_submissions_are_scored_and_then_play_the_final(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "cup.db"))
    create(store, benchmark=TRACK, episodes=1)
    good = submit(store, "Robin", RUNNER)
    hostile = submit(store, "Eve", HOSTILE)
    broken = submit(store, "Bo", "class Walker: pass\n")
    told: list[str] = []
    ended = ludus.work(once=True, workers=1, store=store, on_job=lambda job: told.append(job.state))
    found = {job.entrant: job for job in ended}
    assert {name: job.state for name, job in found.items()} == {
        "Robin": "scored", "Eve": "scored", "Bo": "refused",
    }  # fmt: skip
    states = [state for state, _ in found["Robin"].history]
    assert states == ["received", "checked", "queued", "running", "scored"]
    assert "queued" in told
    assert found["Robin"].score is not None
    assert found["Robin"].verdict.endswith("on the public seed, not confirmed")
    assert (found["Robin"].played, found["Robin"].planned) == (1, 1)
    assert store.run(found["Robin"].run).complete
    assert find_job(hostile.number, store).verdict.endswith("faulty")
    assert "Permission" in found["Eve"].log
    assert "| hello <b>\\x1b[2J" in found["Eve"].log
    assert str(tmp_path) not in found["Eve"].log
    assert str(tmp_path) not in found["Bo"].log
    assert "Runner" in found["Bo"].verdict
    assert find_job(broken.number, store).run == ""
    check = open_event(CUP, store).find_entry("Robin").check
    assert check is not None
    assert check.measured == find_job(good.number, store).score

    close_event(CUP, store, by="Olga")
    (final,) = ludus.work(once=True, workers=1, store=store)
    assert (final.kind, final.state) == ("final", "scored")
    assert final.verdict == "3 entries have played on the sealed seed"
    results = ludus.event_results(CUP, store=store)
    assert results.event.run == final.run
    assert ludus.work(once=True, store=store) == []
    store.close()


def work_forever(url: str) -> None:
    ludus.work(workers=1, store=url)


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(shared: Store) -> None:
    create(shared, "killed", benchmark=TRACK, episodes=1)
    job = submit(shared, "Killed", RUNNER, event="killed")
    worker = start_process(work_forever, shared.url)
    wait_for(shared, job.number, State.QUEUED, State.RUNNING)
    kill_process(worker)
    (ended,) = ludus.work(once=True, workers=1, store=shared)
    assert (ended.number, ended.state) == (job.number, "scored")
    assert open_event("killed", shared).find_entry("Killed").digest == job.digest
    reached = [state for state, _ in ended.history]
    assert reached[:3] == ["received", "checked", "queued"]
    assert len(shared.episodes(ended.run)) == 1


@pytest.mark.slow
def test_a_job_that_takes_too_long_is_ended_and_the_next_one_is_free(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "cup.db"))
    create(store, benchmark=TRACK, episodes=1)
    number = submit(store, "Slow", RUNNER.replace("return 2", "while True: pass")).number
    (ended,) = ludus.work(once=True, workers=1, store=store, job_seconds=0.5)
    assert (ended.number, ended.state) == (number, "failed")
    assert ended.verdict == "it took longer than 0.5 s and was ended"
    assert ended.log.endswith(f"{ended.verdict}\n")
    waiting = submit(store, "Quick", RUNNER)
    claimed = JobQueue(store).claim()
    assert claimed is not None
    assert claimed.number == waiting.number
    store.close()


def test_what_was_replaced_is_not_played(store: Store) -> None:
    create(store)
    job = submit(store, "Ann", RUNNER)
    with store.transaction() as connection:
        connection.execute(jobs.update().values(digest="0" * 64))
    outcome = play_job(job.number, store, workers=1, on="here", notify=print)
    assert outcome["state"] == State.REFUSED
    assert "replaced or withdrawn" in outcome["verdict"]


def test_there_is_no_worker_without_a_sandbox(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    monkeypatch.setattr(settings, "has_sandbox", lambda: False)
    with pytest.raises(AgentError, match="this system has no sandbox"):
        ludus.work(once=True, store=store)


def test_a_worker_needs_a_store_that_can_be_shared() -> None:
    with pytest.raises(OptionError, match="that processes can share"):
        ludus.work(once=True, store="sqlite://")


def test_the_archive_of_a_file_that_is_none(store: Store) -> None:
    token = add_account("Robin", "submitter", store).token
    create(store)
    for archive, words in (
        (Path("none.zip"), "cannot read 'none.zip'"),
        (b"", "cannot be entered"),
    ):
        with pytest.raises(AgentError, match=words):
            ludus.submit_agent(CUP, archive, AGENT, token=token, score=1, store=store)
    assert list_jobs(store) == []
    packed = make_zip({"runner.py": RUNNER})
    assert ludus.submit_agent(CUP, packed, AGENT, token=token, score=1, store=store).number
