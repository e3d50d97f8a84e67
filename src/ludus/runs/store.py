"""Where runs are kept: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.types import NullType

from ludus.errors import RunError, StoreError
from ludus.execution.inflight import Inflight
from ludus.execution.plan import Plan
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.database import Database
from ludus.runs.rows import (
    ScoredEpisode,
    ScoredEpisodes,
    normal_score,
    to_row,
    to_scored_episode,
)
from ludus.runs.schema import AGREED, BEGUN_HERE, IMPORTED, ended_by_fault, episodes, leases, runs
from ludus.runs.stored_run import Run, check_run_id, make_run_id, select_runs

__all__ = [
    "EpisodeStream",
    "Run",
    "ScoredEpisode",
    "ScoredEpisodes",
    "Store",
    "check_run_id",
    "default_store",
    "make_run_id",
    "normal_score",
]


def default_store() -> str:
    """Return the URL of the default store: LUDUS_STORE, or a file of the user."""
    if url := os.environ.get("LUDUS_STORE"):
        return url
    return f"sqlite:///{_data_folder() / 'ludus.db'}"


def _data_folder() -> Path:
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "ludus"


class Store:
    """A database of runs and their episodes.

    When a call returns, its changes are written. Several processes may use one store at the
    same time.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store())
        self._insert_statement = _insert_statement(self._database.engine)

    @property
    def url(self) -> str:
        """Where the store is."""
        return self._database.url.render_as_string(hide_password=False)

    @property
    def shareable(self) -> bool:
        """Whether other processes can open the store."""
        return self._database.shareable

    @property
    def read_only(self) -> bool:
        """Whether the store can only be read."""
        return self._database.read_only

    def close(self) -> None:
        """Close the connections to the database."""
        self._database.close()

    def transaction(self) -> AbstractContextManager[Connection]:
        """Return a connection whose changes are committed together, or not at all."""
        return self._database.transaction()

    def connection(self) -> AbstractContextManager[Connection]:
        """Return a connection for reading."""
        return self._database.connection()

    def now(self) -> datetime:
        """Return the time by the clock of the store: its server's, or this machine's for a file.

        So everybody who writes to one store goes by one clock.
        """
        with self.connection() as connection:
            if connection.dialect.name != "postgresql":
                return datetime.now(UTC)
            time = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
            return datetime.fromtimestamp(time.timestamp(), UTC)

    # ---- runs

    def add(self, plan: Plan) -> Run:
        """Store the plan as a new run."""
        return self.add_run(make_run_id(plan), datetime.now(UTC), plan, ())

    def add_run(
        self,
        id_: str,
        created: datetime,
        plan: Plan,
        scored: Iterable[ScoredEpisode],
        *,
        imported: bool = False,
    ) -> Run:
        """Store a run with the episodes it has, all of it or nothing.

        Args:
            id_: Its id.
            created: When it was begun.
            plan: Its plan.
            scored: Its episodes; they are looped over again if a connection is lost.
            imported: Whether somebody else planned it.

        Raises:
            RunError: The id is not of the form that :func:`make_run_id` gives.
        """
        check_run_id(id_)
        values = {
            "id": id_,
            "created": created.isoformat(timespec="seconds"),
            "benchmark": plan.benchmark,
            "version": plan.version,
            "seed": str(plan.seed),
            "rules": plan.rules,
            "identity": plan.identity,
            "planned": len(plan.episodes),
            "plan": plan.to_json(),
            "imported": IMPORTED if imported else BEGUN_HERE,
        }
        self._insert_run(values, scored)
        return self.run(id_)

    @retry_when_lost
    def _insert_run(self, values: Mapping[str, Any], scored: Iterable[ScoredEpisode]) -> None:
        """Write a run with its episodes, unless the very same one is there."""
        same = sa.select(runs.c.id).where(runs.c.id == values["id"], runs.c.plan == values["plan"])
        with self.transaction() as connection:
            if connection.scalar(same) is None:
                connection.execute(runs.insert().values(**values))
                rows = (to_row(values["id"], one) for one in scored)
                while chunk := list(islice(rows, ROWS_AT_HAND)):
                    connection.execute(episodes.insert(), chunk)

    @retry_when_lost
    def run(self, id_: str) -> Run:
        """Return the run whose id is, or begins with, this text.

        Raises:
            RunError: There is none, or there are several.
        """
        with self.connection() as connection:
            matches = list(select_runs(connection, runs.c.id.startswith(id_, autoescape=True)))
            empty = not matches and connection.scalar(sa.select(runs.c.id).limit(1)) is None
        exact = [run for run in matches if run.id == id_]
        if empty:
            where = str(self._database.path or self._database.name)
            raise RunError(
                f"no run {id_!r}: the store {where!r} is empty; play one with 'ludus run', or name "
                "another store with --store"
            )
        if not matches:
            raise RunError(f"no run {id_!r} in the store: try 'ludus runs' for those there are")
        if len(matches) > 1 and not exact:
            names = ", ".join(run.id for run in matches[:5])
            raise RunError(f"{len(matches)} runs begin with {id_!r}: {names}; give more of it")
        return (exact or matches)[0]

    @retry_when_lost
    def find_run(self, id_: str) -> Run | None:
        """Return the run of this very id, or None."""
        with self.connection() as connection:
            return next(select_runs(connection, runs.c.id == id_), None)

    @retry_when_lost
    def run_row(self, id_: str) -> Mapping[str, Any]:
        """Return the columns of a run as they are stored, whatever they hold."""
        query = sa.select(runs).where(runs.c.id == id_)
        with self.connection() as connection:
            return dict(connection.execute(query).mappings().one())

    @retry_when_lost
    def runs(self, benchmark: str | None = None) -> list[Run]:
        """Return all runs, or those of one benchmark, the newest first."""
        where = sa.true() if benchmark is None else runs.c.benchmark == benchmark
        with self.connection() as connection:
            return list(select_runs(connection, where))

    @retry_when_lost
    def mark_agreed(self, id_: str) -> None:
        """Write down that the user agrees to the code which a run names."""
        with self.transaction() as connection:
            connection.execute(runs.update().where(runs.c.id == id_).values(imported=AGREED))

    def delete(self, id_: str) -> None:
        """Delete a run and its episodes."""
        run = self.run(id_)
        self._delete_rows(run.id)
        self.inflight(run.id).clear()

    @retry_when_lost
    def _delete_rows(self, run: str) -> None:
        with self.transaction() as connection:
            connection.execute(leases.delete().where(leases.c.run == run))
            connection.execute(episodes.delete().where(episodes.c.run == run))
            connection.execute(runs.delete().where(runs.c.id == run))

    def inflight(self, run: str) -> Inflight:
        """Return the checkpoints of a run's unfinished episodes.

        They are in a folder beside the store, or in the user's data folder if it is not a file.

        Raises:
            RunError: The id could name another folder.
        """
        check_run_id(run)
        return Inflight(self.folder_beside("inflight") / run)

    def folder_beside(self, name: str) -> Path:
        """Return the folder of this name beside the store, or among the user's data."""
        file = self._database.path
        return Path(f"{file}.{name}").absolute() if file else _data_folder() / name

    # ---- episodes

    def add_episodes(self, run: str, scored: Iterable[ScoredEpisode]) -> None:
        """Store finished episodes; episodes that are stored already stay unchanged.

        Raises:
            RunError: Somebody has deleted the run.
        """
        if rows := [to_row(run, one) for one in scored]:
            self._insert_episodes(run, rows)

    @retry_when_lost
    def _insert_episodes(self, run: str, rows: Sequence[dict[str, Any]]) -> None:
        try:
            with self.transaction() as connection:
                connection.exec_driver_sql(self._insert_statement, rows)
        except StoreError as error:
            if isinstance(error.__cause__, IntegrityError):
                raise RunError(f"run {run} was deleted while it was played") from error
            raise

    @retry_when_lost
    def played_numbers(self, run: str, first: int = 0, last: int | None = None) -> set[int]:
        """Return the numbers of a run's stored episodes, or of those from the first to the last."""
        query = sa.select(episodes.c.number).where(episodes.c.run == run)
        if last is not None:
            query = query.where(episodes.c.number.between(first, last))
        with self.connection() as connection:
            return set(connection.scalars(query))

    @retry_when_lost
    def faulty_numbers(self, run: str, agent: int) -> list[int]:
        """Return the numbers of a run's episodes that ended by an agent's fault."""
        query = sa.select(episodes.c.number).where(
            episodes.c.run == run, episodes.c.agent == agent, ended_by_fault
        )
        with self.connection() as connection:
            return sorted(connection.scalars(query))

    @retry_when_lost
    def episodes(self, run: str, numbers: Sequence[int] | None = None) -> list[ScoredEpisode]:
        """Return a run's episodes, or those with these numbers, in the order of their numbers."""
        query = sa.select(episodes).where(episodes.c.run == run).order_by(episodes.c.number)
        if numbers is not None:
            query = query.where(episodes.c.number.in_(numbers))
        with self.connection() as connection:
            return [to_scored_episode(row) for row in connection.execute(query)]

    def stream(self, run: Run) -> EpisodeStream:
        """Return a run's episodes as they are now, to be read a few at a time."""
        return EpisodeStream(self, run)

    def episode_rows(
        self, run: str, numbers: Sequence[int] | None = None
    ) -> Iterator[Mapping[str, Any]]:
        """Yield the columns of a run's episodes as they are stored, whatever they hold.

        Args:
            run: The run's id.
            numbers: Which episodes; all if None.
        """
        query = sa.select(*_RAW_COLUMNS).where(episodes.c.run == run).order_by(episodes.c.number)
        if numbers is not None:
            query = query.where(episodes.c.number.in_(numbers))
        with self.connection() as connection:
            streaming = connection.execution_options(yield_per=ROWS_AT_HAND)
            yield from map(dict, streaming.execute(query).mappings())


#: Columns without the conversion to their types, which fails where they hold something else.
_RAW_COLUMNS = [sa.type_coerce(column, NullType()).label(column.name) for column in episodes.c]
ROWS_AT_HAND = 500


class EpisodeStream:
    """A run's episodes in the order of their numbers, read anew by every loop over them.

    No more than some hundred are in memory at a time. Episodes that are added meanwhile are left
    out, so that their number stays.
    """

    def __init__(self, store: Store, run: Run) -> None:
        self._store = store
        self._run = run.id
        self._numbers = None if run.complete else store.played_numbers(run.id)
        self._count = run.played if self._numbers is None else len(self._numbers)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[ScoredEpisode]:
        query = sa.select(episodes).where(episodes.c.run == self._run).order_by(episodes.c.number)
        with self._store.connection() as connection:
            streaming = connection.execution_options(yield_per=ROWS_AT_HAND)
            for row in streaming.execute(query):
                if self._numbers is None or row.number in self._numbers:
                    yield to_scored_episode(row)


def _insert_statement(engine: sa.Engine) -> str:
    """Return the statement that stores an episode, compiled once for all of them."""
    style = "pyformat" if engine.dialect.name == "postgresql" else "named"
    backend = postgresql if engine.dialect.name == "postgresql" else sqlite
    dialect = backend.dialect(paramstyle=style)
    return str(backend.insert(episodes).on_conflict_do_nothing().compile(dialect=dialect))
