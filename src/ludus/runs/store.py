"""Where runs are kept: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from ludus.benchmarks import Score
from ludus.distribution import install_command
from ludus.errors import MissingExtra, RunError, StoreError, one_line
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.inflight import Inflight
from ludus.execution.plan import Plan
from ludus.runs.schema import REVISION, episodes, leases, runs

__all__ = [
    "Run",
    "ScoredEpisode",
    "Store",
    "check_run_id",
    "default_store",
    "make_run_id",
    "normal_score",
]


@dataclass(frozen=True, slots=True)
class ScoredEpisode:
    """An episode and its score."""

    episode: Episode
    score: Score


@dataclass(frozen=True)
class Run:
    """A run as the store knows it.

    Attributes:
        id: Its name, unique in the store.
        created: When it was begun, UTC.
        benchmark: The benchmark's id.
        version: The benchmark's version.
        identity: The digest of its plan.
        planned: How many episodes it has when it is complete.
        played: How many are there.
        text: Its plan as JSON.
        imported: Whether the code that it names is somebody else's choice: a file brought the run,
            or nobody knows, and the user has not agreed to it.
    """

    id: str
    created: datetime
    benchmark: str
    version: int
    identity: str
    planned: int
    played: int
    text: str
    imported: bool = field(default=False, compare=False)

    @cached_property
    def plan(self) -> Plan:
        """The plan of the run."""
        return Plan.from_json(self.text)

    @property
    def complete(self) -> bool:
        """Whether the store has every episode of the plan."""
        return self.played == self.planned


def default_store() -> str:
    """Return the URL of the default store: LUDUS_STORE, or a file of the user."""
    if url := os.environ.get("LUDUS_STORE"):
        return url
    return f"sqlite:///{_data_folder() / 'ludus.db'}"


def _data_folder() -> Path:
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "ludus"


_RUN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{8}")


def make_run_id(plan: Plan) -> str:
    """Return a new id for a run of the plan: the beginning of its identity and eight digits."""
    return f"{plan.identity[:8]}-{secrets.token_hex(4)}"


def check_run_id(id_: str) -> None:
    """Make sure that an id is one of Ludus: folders are named by it, and files of others hold it.

    Raises:
        RunError: It is not.

    Example:
        >>> check_run_id("1a2b3c4d-5e6f7081")
    """
    if not _RUN_ID.fullmatch(id_):
        raise RunError(f"{id_[:40]!r} is no id of a run: an id is like 1a2b3c4d-5e6f7081")


class Store:
    """A database of runs and their episodes.

    When a call returns, its changes are written. Several processes may use one store at the
    same time.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = _as_url(url or default_store())
        self._engine = _create_engine(self.url)
        self._insert_statement = _insert_statement(self._engine)
        with self.transaction() as connection:
            _migrate(connection)

    def close(self) -> None:
        """Close the connections to the database."""
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a connection whose changes are committed together, or not at all."""
        with self._one_line_errors(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Yield a connection for reading."""
        with self._one_line_errors(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _one_line_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            cause = one_line(error.orig)
            raise StoreError(f"the store {self._shown_url} fails: {cause}") from error

    @property
    def _shown_url(self) -> str:
        return self._engine.url.render_as_string(hide_password=True)

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
            scored: Its episodes.
            imported: Whether somebody else planned it.

        Raises:
            RunError: The id is not of the form that :func:`make_run_id` gives.
        """
        check_run_id(id_)
        rows = [_to_row(id_, one) for one in scored]
        with self.transaction() as connection:
            connection.execute(
                runs.insert().values(
                    id=id_,
                    created=created.isoformat(timespec="seconds"),
                    benchmark=plan.benchmark,
                    version=plan.version,
                    seed=str(plan.seed),
                    rules=plan.rules,
                    identity=plan.identity,
                    planned=len(plan.episodes),
                    plan=plan.to_json(),
                    imported=int(imported),
                )
            )
            if rows:
                connection.execute(episodes.insert(), rows)
        return self.run(id_)

    def run(self, id_: str) -> Run:
        """Return the run whose id is, or begins with, this text.

        Raises:
            RunError: There is none, or there are several.
        """
        with self.connection() as connection:
            matches = list(_select_runs(connection, runs.c.id.startswith(id_, autoescape=True)))
        exact = [run for run in matches if run.id == id_]
        if not matches:
            raise RunError(f"no run {id_!r} in the store: try 'ludus runs' for those there are")
        if len(matches) > 1 and not exact:
            names = ", ".join(run.id for run in matches[:5])
            raise RunError(f"{len(matches)} runs begin with {id_!r}: {names}; give more of it")
        return (exact or matches)[0]

    def runs(self, benchmark: str | None = None) -> list[Run]:
        """Return all runs, or those of one benchmark, the newest first."""
        where = sa.true() if benchmark is None else runs.c.benchmark == benchmark
        with self.connection() as connection:
            return list(_select_runs(connection, where))

    def mark_agreed(self, id_: str) -> None:
        """Write down that the user agrees to the code which a run names."""
        with self.transaction() as connection:
            connection.execute(runs.update().where(runs.c.id == id_).values(imported=0))

    def delete(self, id_: str) -> None:
        """Delete a run and its episodes."""
        run = self.run(id_)
        with self.transaction() as connection:
            connection.execute(leases.delete().where(leases.c.run == run.id))
            connection.execute(episodes.delete().where(episodes.c.run == run.id))
            connection.execute(runs.delete().where(runs.c.id == run.id))
        self.inflight(run.id).clear()

    def inflight(self, run: str) -> Inflight:
        """Return the checkpoints of a run's unfinished episodes.

        They are in a folder beside the store, or in the user's data folder if it is not a file.

        Raises:
            RunError: The id could name another folder.
        """
        check_run_id(run)
        database = self._engine.url.database
        if self._engine.dialect.name == "sqlite" and _is_path(database):
            return Inflight(Path(f"{database}.inflight").absolute() / run)
        return Inflight(_data_folder() / "inflight" / run)

    # ---- episodes

    def add_episodes(self, run: str, scored: Iterable[ScoredEpisode]) -> None:
        """Store finished episodes; episodes that are stored already stay unchanged."""
        rows = [_to_row(run, one) for one in scored]
        if not rows:
            return
        with self.transaction() as connection:
            connection.exec_driver_sql(self._insert_statement, rows)

    def played_numbers(self, run: str) -> set[int]:
        """Return the numbers of a run's stored episodes."""
        query = sa.select(episodes.c.number).where(episodes.c.run == run)
        with self.connection() as connection:
            return set(connection.scalars(query))

    def episodes(self, run: str) -> list[ScoredEpisode]:
        """Return a run's episodes in the order of their numbers."""
        query = sa.select(episodes).where(episodes.c.run == run).order_by(episodes.c.number)
        with self.connection() as connection:
            return [_to_scored_episode(row) for row in connection.execute(query)]


def _insert_statement(engine: sa.Engine) -> str:
    """Return the statement that stores an episode, compiled once for all of them."""
    style = "pyformat" if engine.dialect.name == "postgresql" else "named"
    backend = postgresql if engine.dialect.name == "postgresql" else sqlite
    dialect = backend.dialect(paramstyle=style)
    return str(backend.insert(episodes).on_conflict_do_nothing().compile(dialect=dialect))


def _select_runs(connection: Connection, where: Any) -> Iterator[Run]:
    played = (
        sa.select(sa.func.count())
        .where(episodes.c.run == runs.c.id)
        .scalar_subquery()
        .label("played")
    )
    query = sa.select(runs, played).where(where).order_by(runs.c.created.desc(), runs.c.id)
    for row in connection.execute(query):
        yield Run(
            id=row.id,
            created=datetime.fromisoformat(row.created),
            benchmark=row.benchmark,
            version=row.version,
            identity=row.identity,
            planned=row.planned,
            played=row.played,
            text=row.plan,
            imported=row.imported != 0,
        )


def _to_row(run: str, scored: ScoredEpisode) -> dict[str, Any]:
    episode, score = scored.episode, scored.score
    return {
        "run": run,
        "number": episode.number,
        "agent": episode.agent,
        "scenario": episode.scenario,
        "ending": str(episode.ending),
        "reason": episode.reason,
        "record": episode.record,
        "facts": json.dumps(episode.facts),
        "total": score.total,
        "parts": json.dumps(score.parts),
        "steps": episode.steps,
        "seconds": episode.seconds,
    }


def normal_score(score: Score) -> Score:
    """Return a score whose total is an integer if it is a whole number: a column has one type."""
    total = score.total
    return Score(int(total) if float(total).is_integer() else total, score.parts)


def _to_scored_episode(row: Any) -> ScoredEpisode:
    return ScoredEpisode(
        Episode(
            number=row.number,
            agent=row.agent,
            scenario=row.scenario,
            ending=EpisodeEnding(row.ending),
            reason=row.reason,
            record=bytes(row.record),
            facts=json.loads(row.facts),
            steps=row.steps,
            seconds=row.seconds,
        ),
        normal_score(Score(row.total, json.loads(row.parts))),
    )


# ---- opening


def _as_url(text: str) -> str:
    """Return a database's URL; a plain path is a file of SQLite."""
    return text if "://" in text else f"sqlite:///{Path(text).expanduser()}"


def _is_path(database: str | None) -> bool:
    return bool(database) and database != ":memory:" and not str(database).startswith("file:")


def _create_engine(text: str) -> Engine:
    try:
        url = sa.make_url(text)
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise StoreError(f"no store at {text!r}: give a path, sqlite:///… or postgresql://…")
        if url.get_backend_name() == "sqlite" and _is_path(url.database):
            Path(str(url.database)).expanduser().parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url)
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"no driver for {text.split(':')[0]}: {install_command('cluster')}"
        ) from error
    except (SQLAlchemyError, NoSuchModuleError) as error:
        raise StoreError(f"no store at {text!r}: {one_line(error)}") from error
    except OSError as error:
        raise StoreError(f"no store at {text!r}: {error.strerror}") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Let readers and a writer work side by side, and wait for another writer's turn."""
    cursor = connection.cursor()
    for pragma in ("busy_timeout=60000", "journal_mode=WAL", "synchronous=NORMAL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Bring the tables up to this Ludus, or refuse those of a newer one."""
    revisions = _read_revisions(connection)
    if revisions == [REVISION]:
        return
    from alembic.command import upgrade
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "ludus.runs:migrations")
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if not set(revisions) <= known:
        raise StoreError(
            f"the store was written by a newer Ludus (its schema is {', '.join(revisions)}, this "
            f"one knows {REVISION}): update Ludus"
        )
    upgrade(config, "head")


def _read_revisions(connection: Connection) -> Sequence[str]:
    if not sa.inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.scalars(sa.text("SELECT version_num FROM alembic_version")))
