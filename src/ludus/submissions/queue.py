"""The queue of jobs: a table of the store, from which workers take one job at a time.

There is no broker. A worker claims a job in one transaction, with a lock on its row, and holds it
by a lease that it renews. A lease that is not renewed expires, and that of a process of this
machine that has ended is free at once; so another worker takes the job. No job is tried more than
three times.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from ludus.errors import RunError
from ludus.events.terms import format_time
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.leases import read_clock
from ludus.runs.runner import Runner
from ludus.runs.schema import jobs as table
from ludus.runs.store import Store
from ludus.submissions.job import WAITING, Job, JobKind, State, add_lines, to_job

__all__ = [
    "MOST_TRIES",
    "JobQueue",
    "add_final",
    "add_submission",
    "delete_job",
    "find_job",
    "let_go",
    "list_jobs",
]

LEASE_SECONDS = 60.0
MOST_TRIES = 3
"""How often a job is begun before it counts as failed."""

MOST_NUMBER = 2**31 - 1  # that a column of PostgreSQL holds
FREE = {"runner": "", "machine": "", "process": 0, "started": "", "expires": 0.0}


class JobQueue:
    """The jobs of a store, as one worker sees them.

    Args:
        store: Where they are.
        lease_seconds: How long a job stays claimed without being heard of.
    """

    def __init__(self, store: Store, lease_seconds: float = LEASE_SECONDS) -> None:
        self._store, self._seconds = store, lease_seconds
        self._runner = Runner.here()

    @retry_when_lost
    def claim(self) -> Job | None:
        """Return a job that nobody else has, or None; those that are quick to check come first."""
        with _locked(self._store) as connection:
            while (row := self._find_free(connection)) is not None:
                if row.tries < MOST_TRIES:
                    return self._take(connection, row)
                give_up = f"given up after {row.tries} tries: the worker ended each time"
                change = _change(row, State.FAILED, (give_up,), verdict=give_up, **FREE)
                connection.execute(table.update().where(table.c.number == row.number), change)
        return None

    def _find_free(self, connection: Connection) -> Any:
        first = sa.case((table.c.state == State.RECEIVED, 0), else_=1)
        waiting = sa.select(table).where(table.c.state.in_([str(one) for one in WAITING]))
        waiting = waiting.order_by(first, table.c.number).with_for_update(skip_locked=True)
        row = connection.execute(waiting.where(table.c.runner == "").limit(1)).first()
        if row is not None:
            return row
        now = read_clock(connection)
        held = connection.execute(waiting.where(table.c.runner != "")).all()
        return next((one for one in held if self._is_left(one, now)), None)

    def _is_left(self, row: Any, now: float) -> bool:
        """Say whether whoever has claimed a job is gone."""
        runner = Runner(row.runner, row.machine, row.process, row.started)
        return not now <= row.expires <= now + self._seconds + 1 or runner.is_gone

    def _take(self, connection: Connection, row: Any) -> Job:
        this = table.c.number == row.number
        change = _lease(self._runner, read_clock(connection) + self._seconds)
        change["tries"] = row.tries + 1
        if row.state != State.RECEIVED:
            change |= _change(row, State.RUNNING, (f"try {row.tries + 1} of {MOST_TRIES}",))
        connection.execute(table.update().where(this), change)
        return to_job(connection.execute(sa.select(table).where(this)).one())

    def renew(self, job: Job, played: int = 0, planned: int = 0) -> bool:
        """Keep a job for longer, say how far it has come, and return whether it is still ours."""

        def change(_: Any, now: float) -> dict[str, Any]:
            return {"expires": now + self._seconds, "played": played, "planned": planned}

        return self._update(job, change)

    def move(self, job: Job, *states: State, lines: Sequence[str] = (), **values: Any) -> bool:
        """Give a job back in another state, unless another worker has it meanwhile.

        Args:
            job: A job that this worker has claimed.
            states: The states that it reaches, the last of which it stays in.
            lines: What happened.
            values: Columns to set.

        Returns:
            Whether it was still ours.
        """

        def change(row: Any, _: float) -> dict[str, Any]:
            return {**_change(row, states, lines), **FREE, **values}

        return self._update(job, change)

    @retry_when_lost
    def _update(self, job: Job, change: Callable[[Any, float], dict[str, Any]]) -> bool:
        ours = (table.c.number == job.number, table.c.runner == self._runner.id)
        with _locked(self._store) as connection:
            row = connection.execute(sa.select(table).where(*ours).with_for_update()).first()
            if row is not None:
                connection.execute(table.update().where(*ours), change(row, read_clock(connection)))
            return row is not None


@contextmanager
def _locked(store: Store) -> Iterator[Connection]:
    """Yield a connection whose reads no other process's writes come between.

    On PostgreSQL rows are locked by the queries; a file of SQLite has one lock for all.
    """
    with store.transaction() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def _change(
    row: Any, states: State | Sequence[State], lines: Sequence[str] = (), **values: Any
) -> dict[str, Any]:
    """Return the columns of a job that has reached states, with a line of its log for each."""
    reached = [states] if isinstance(states, State) else list(states)
    now = format_time(datetime.now(UTC))
    history = [*json.loads(row.history), *([str(state), now] for state in reached)]
    log = row.log
    for state in reached[:-1]:
        log = add_lines(log, f"{now} {state}")
    beginning = f"{now} {reached[-1]}"
    log = add_lines(log, f"{beginning}: {lines[0]}" if lines else beginning, *lines[1:])
    return {"state": str(reached[-1]), "history": json.dumps(history), "log": log, **values}


# ---- for everybody


def add_submission(
    event: str, store: Store, *, account: str, entrant: str, digest: str, held: Runner | None = None
) -> int:
    """Add a job for what was submitted and return its number.

    Args:
        event: The event's name.
        store: Where jobs are.
        account: The id of the account that submits.
        entrant: Its name.
        digest: The digest of the files.
        held: A process that has not done with it yet, so that no worker takes it.
    """
    who = {"account": account, "entrant": entrant, "digest": digest}
    row = {**_first_row(JobKind.ENTRY, event, State.RECEIVED, store), **who}
    with _locked(store) as connection:
        if held:
            row |= _lease(held, read_clock(connection) + LEASE_SECONDS)
        result = connection.execute(table.insert().values(**row).returning(table.c.number))
        return int(result.scalar_one())


@retry_when_lost
def add_final(event: str, store: Store) -> None:
    """Add the job of an event's sealed seed, unless it is there."""
    row = _first_row(JobKind.FINAL, event, State.QUEUED, store)
    with _locked(store) as connection:
        backend = postgresql if connection.dialect.name == "postgresql" else sqlite
        connection.execute(backend.insert(table).values(**row).on_conflict_do_nothing())


def _first_row(kind: JobKind, event: str, state: State, store: Store) -> dict[str, Any]:
    now = format_time(store.now())
    return {
        "kind": str(kind),
        "event": event,
        "account": "",
        "entrant": "",
        "digest": "",
        "state": str(state),
        "history": json.dumps([[str(state), now]]),
        "tries": 0,
        "played": 0,
        "planned": 0,
        "score": None,
        "verdict": "",
        "run": "",
        "log": f"{now} {state}\n",
        **FREE,
    }


def _lease(runner: Runner, expires: float) -> dict[str, Any]:
    return {
        "runner": runner.id,
        "machine": runner.machine,
        "process": runner.process,
        "started": runner.started,
        "expires": expires,
    }


@retry_when_lost
def let_go(number: int, store: Store) -> None:
    """Let workers take a job that was held back."""
    with store.transaction() as connection:
        connection.execute(table.update().where(table.c.number == number).values(**FREE))


@retry_when_lost
def delete_job(number: int, store: Store) -> None:
    """Forget a job that came to nothing before anybody was told of it."""
    with store.transaction() as connection:
        connection.execute(table.delete().where(table.c.number == number))


@retry_when_lost
def list_jobs(
    store: Store,
    *,
    event: str | None = None,
    account: str | None = None,
    waiting: bool = False,
) -> list[Job]:
    """Return jobs, the newest last: all of them, or those of an event, of an account, or left."""
    query = sa.select(table).order_by(table.c.number)
    chosen: Mapping[Any, str | None] = {table.c.event: event, table.c.account: account}
    for column, value in chosen.items():
        query = query.where(column == value) if value is not None else query
    if waiting:
        query = query.where(table.c.state.in_([str(one) for one in WAITING]))
    with store.connection() as connection:
        return [to_job(row) for row in connection.execute(query)]


@retry_when_lost
def find_job(number: int, store: Store) -> Job:
    """Return the job of this number.

    Raises:
        RunError: There is none.
    """
    row = None
    if 0 < number <= MOST_NUMBER:
        with store.connection() as connection:
            row = connection.execute(sa.select(table).where(table.c.number == number)).first()
    if row is None:
        raise RunError(f"no job {number}: ludus event jobs EVENT")
    return to_job(row)
