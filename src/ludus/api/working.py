"""``ludus.work``: a worker plays what waits in the queue of a store, in the sandbox.

A job plays in a process of its own. The worker keeps its lease, ends it when its time is over, and
writes down what came of it. Whatever the process does, the log comes back.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from time import monotonic, sleep
from typing import Any

from ludus.api.settings import open_store, require_sandbox
from ludus.api.submission_play import play_job
from ludus.boards.ledger import read_competitions
from ludus.boards.organising import organiser_secret
from ludus.errors import LudusError, OptionError, one_line
from ludus.events import Event, read_events
from ludus.events.organising import open_event
from ludus.events.unpacking import hide_folder
from ludus.processes import kill_process, start_process
from ludus.runs import Store
from ludus.submissions.job import ENDED, Job, JobKind, State
from ludus.submissions.queue import MOST_TRIES, JobQueue, add_final, find_job, list_jobs

__all__ = ["work"]

LOOK_SECONDS = 2.0
"""How long a worker waits before it looks for jobs again."""
BEAT_SECONDS = 5.0
FINALS_SECONDS = 30.0
SLACK_SECONDS = 120.0  # that a job may take beyond the time of its agents
CLOCKS = 2.0  # by how much the wall's clock may exceed the agents' own
MOST_MESSAGE = 2**20

OnJob = Callable[[Job], None]


def work(
    *,
    once: bool = False,
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    job_seconds: float | None = None,
    on_job: OnJob | None = None,
) -> list[Job]:
    """Play the jobs of a store, one after the other; several workers may share a store.

    Submissions are checked first, then played on their event's public seed. After the deadline of
    an event that has submissions, all its entries play on the sealed seed, where its secret is. A
    job that fails, hangs or kills its process holds up no other.

    Args:
        once: Whether to end when nothing waits any more; otherwise it goes on until interrupted.
        workers: How many processes play the episodes of a job; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the queue is; the user's own store if None.
        job_seconds: The most that a job may take; what its agents may use together if None.
        on_job: Called with each job that is begun, and again when it is given back.

    Returns:
        The jobs that came to an end here.

    Raises:
        AgentError: This system has no sandbox.
        OptionError: The store is in the memory of one process.
    """
    require_sandbox("a worker plays code of others; 'ludus doctor' says what to install")
    ended: list[Job] = []
    with open_store(store) as database:
        if not database.shareable:
            raise OptionError("a worker needs a store that processes can share: give a file or URL")
        queue, finals = JobQueue(database), _Finals(database)
        while True:
            finals.add_due()
            job = queue.claim()
            if job is not None:
                worked = _work_on(job, queue, database, (workers, on), job_seconds, on_job)
                ended += [worked] if worked.state in ENDED else []
            elif once:
                return ended
            else:
                sleep(LOOK_SECONDS)


class _Finals:
    """Adds the job of the sealed seed for events whose time of entries is over."""

    def __init__(self, store: Store) -> None:
        self._store, self._next = store, 0.0

    def add_due(self) -> None:
        """Look every now and then for events that are over."""
        if monotonic() < self._next:
            return
        self._next = monotonic() + FINALS_SECONDS
        submitted = {job.event for job in list_jobs(self._store)}
        for event in read_events(read_competitions(self._store)).values() if submitted else ():
            if event.name in submitted and self._is_due(event):
                add_final(event.name, self._store)

    def _is_due(self, event: Event) -> bool:
        state = event.state(self._store.now())
        run = self._store.find_run(event.run) if event.run else None
        if state not in ("closed", "run") or not event.playing or (run and run.complete):
            return False
        try:
            organiser_secret(event.season, self._store)
        except LudusError:
            return False  # another machine has the secret
        return True


def _work_on(
    job: Job,
    queue: JobQueue,
    store: Store,
    place: tuple[int | None, str],
    job_seconds: float | None,
    on_job: OnJob | None,
) -> Job:
    """Play a job and write down what came of it; if another worker has it meanwhile, nothing."""
    if on_job:
        on_job(job)
    try:
        seconds = job_seconds or _find_seconds(job, store)
        with _process(job, store, place) as connection:
            outcome = _supervise(job, queue, connection, seconds)
        if outcome is not None:
            _write_down(job, queue, outcome)
    except KeyboardInterrupt:
        queue.move(job, _waiting_state(job), lines=("the worker was stopped",), tries=job.tries - 1)
        raise
    except LudusError as error:
        _write_down(job, queue, {"error": one_line(error)})
    after = find_job(job.number, store)
    if on_job:
        on_job(after)
    return after


def _find_seconds(job: Job, store: Store) -> float:
    """Return how long a job may take: what its agents may use, one after the other, and more."""
    event = open_event(job.event, store)
    entries = len(event.playing) if job.kind == JobKind.FINAL else 1
    episodes = 2 if job.state == State.RECEIVED else entries * event.terms.episodes
    return CLOCKS * episodes * event.terms.limits.seconds + SLACK_SECONDS


def _waiting_state(job: Job) -> State:
    return State.RECEIVED if job.state == State.RECEIVED else State.QUEUED


# ---- what came of it


def _write_down(job: Job, queue: JobQueue, outcome: dict[str, Any]) -> None:
    """Give a job back: a step further, ended, or to be tried again."""
    lines = [str(line) for line in outcome.get("log", ())]
    if "error" in outcome:
        _give_back(job, queue, str(outcome["error"]), lines, again=not outcome.get("over", False))
        return
    state = State(outcome["state"])
    verdict = str(outcome["verdict"])
    if state == State.QUEUED:
        queue.move(job, State.CHECKED, State.QUEUED, lines=["waits for a worker", *lines], tries=0)
        return
    run, score = str(outcome.get("run", "")), outcome.get("score")
    queue.move(job, state, lines=[verdict, *lines], verdict=verdict, run=run, score=score)


def _give_back(job: Job, queue: JobQueue, why: str, lines: list[str], *, again: bool) -> None:
    if again and job.tries < MOST_TRIES:
        queue.move(job, _waiting_state(job), lines=[f"{why}; it is tried again", *lines])
    else:
        queue.move(job, State.FAILED, lines=[why, *lines], verdict=why)


# ---- the process


@contextmanager
def _process(job: Job, store: Store, place: tuple[int | None, str]) -> Iterator[Connection]:
    """Yield the connection to a process that plays a job; the process is gone afterwards."""
    ours, theirs = Pipe()
    process = start_process(_play_in_process, theirs, store.url, job.number, *place)
    theirs.close()
    try:
        yield ours
    finally:
        kill_process(process)
        ours.close()


def _supervise(
    job: Job, queue: JobQueue, connection: Connection, seconds: float
) -> dict[str, Any] | None:
    """Return what the process says in the end, or None if another worker has the job by then."""
    end, progress = monotonic() + seconds, (0, 0)
    while (left := end - monotonic()) > 0:
        if connection.poll(min(BEAT_SECONDS, left)):
            try:
                message: dict[str, Any] = json.loads(connection.recv_bytes(MOST_MESSAGE))
            except (OSError, EOFError):
                return {"error": "the process that played it died"}
            if "played" not in message:
                return message
            progress = (int(message["played"]), int(message["planned"]))
        if not queue.renew(job, *progress):
            return None
    return {"error": f"it took longer than {seconds:,g} s and was ended", "over": True}


def _play_in_process(
    connection: Connection, url: str, number: int, workers: int | None, on: str
) -> None:
    """Play a job and send what came of it; end at once if the worker is gone."""
    Thread(target=_end_with_parent, daemon=True).start()

    def send(message: dict[str, Any]) -> None:
        connection.send_bytes(json.dumps(message).encode())

    try:
        outcome = play_job(number, Store(url), workers=workers, on=on, notify=send)
    except LudusError as error:
        outcome = {"error": hide_folder(one_line(error))}
    except Exception as error:
        outcome = {"error": one_line(f"{type(error).__name__}: {error}")}
    send(outcome)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
