"""The database under a store: opened, migrated, and described in one line when it fails."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from ludus.distribution import install_command
from ludus.errors import LostConnection, MissingExtra, ReadOnlyStore, StoreError, one_line
from ludus.runs.connection_loss import is_connection_loss
from ludus.runs.schema import REVISION

__all__ = ["Database"]

MOST_OVERFLOW = 50
"""How many connections may be open for a moment: as many as a server has threads, and some more."""

MIGRATION_LOCK = 0x1D05  # any number that all processes agree on
POSTGRESQL_OPTIONS = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
"""A server that is gone without a word is noticed after a minute, not after hours."""

REFUSALS = ("42501", "25006")  # PostgreSQL: no privilege; a transaction or a server to read from
ADVICE = {
    "malformed": "it is damaged: restore a copy of it",
    "not a database": "give the file of a store, or a new name",
    "disk is full": "free some space; nothing that was stored is lost, and 'ludus resume' goes on",
    "database is locked": "another process has been writing for a minute: try again",
}


class Database:
    """A database with the tables of this Ludus.

    Attributes:
        url: Where it is.
        path: Its file, if it is a file of SQLite.
        read_only: Whether it can only be read: the file, its folder or its disk is protected.
    """

    def __init__(self, text: str) -> None:
        self.url = _parse_url(text)
        self.path = _file_of(self.url)
        self.read_only = "mode=ro" in str(self.url) or _is_protected(self.path)
        self.engine = self._connect()
        self._file_id = _file_id(self.path)
        self._bring_up_to_date()

    @property
    def name(self) -> str:
        """The URL without its password."""
        return self.url.render_as_string(hide_password=True)

    @property
    def shareable(self) -> bool:
        """Whether other processes can open it."""
        return self.engine.dialect.name != "sqlite" or self.url.database not in (
            None,
            "",
            ":memory:",
        )

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a connection whose changes are committed together, or not at all."""
        if self.read_only:
            raise ReadOnlyStore(f"the store {self.name} cannot be written: it is read-only here")
        self._check_file()
        with self._one_line_errors("written"), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Yield a connection for reading."""
        self._check_file()
        with self._one_line_errors("read"), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _one_line_errors(self, use: str) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._describe(error, use) from error

    def _describe(self, error: DBAPIError, use: str) -> StoreError:
        cause = one_line(error.orig)
        if is_connection_loss(error):
            return LostConnection(f"the store {self.name} does not answer: {cause}")
        if getattr(error.orig, "sqlstate", None) in REFUSALS or "readonly database" in cause:
            kind = ReadOnlyStore if use == "written" else StoreError
            return kind(f"the store {self.name} cannot be {use}: {cause}")
        advice = next((f"; {text}" for sign, text in ADVICE.items() if sign in cause), "")
        return StoreError(f"the store {self.name} fails: {cause}{advice}")

    def _check_file(self) -> None:
        """Refuse a file that somebody has deleted or replaced: SQLite would write into nothing."""
        if self.path and _file_id(self.path) != self._file_id:
            raise StoreError(
                f"the store {str(self.path)!r} was deleted or replaced while it was open: put it "
                "back, then try 'ludus resume'"
            )

    # ---- opening

    def _connect(self) -> Engine:
        if not (self.read_only and self.path):
            engine = _create_engine(self.url)
            with self._one_line_errors("read"), engine.connect():
                return engine
        return self._connect_read_only(self.path)

    def _connect_read_only(self, path: Path) -> Engine:
        """Open a protected file; without a file of changes beside it, none can be missed."""
        log = Path(f"{path}-wal")
        has_changes = log.exists() and log.stat().st_size > 0
        for mode in ["mode=ro"] if has_changes else ["mode=ro", "immutable=1"]:
            engine = _create_engine(
                sa.make_url(f"sqlite:///file:{path.absolute()}?{mode}&uri=true")
            )
            try:
                with engine.connect() as connection:
                    connection.execute(sa.text("SELECT count(*) FROM sqlite_master"))
                return engine
            except DBAPIError as error:
                engine.dispose()
                problem = self._describe(error, "read")
        if has_changes:
            problem = StoreError(
                f"the store {self.name} cannot be read here: {log.name!r} beside it holds changes "
                "of a process that was killed; open a copy of both files where it can be written"
            )
        raise problem

    def _bring_up_to_date(self) -> None:
        """Migrate the tables, or refuse those of a newer Ludus or those that must stay old."""
        with self.connection() as connection:
            revisions = _read_revisions(connection)
        if revisions == [REVISION]:
            return
        try:
            with self.transaction() as connection:
                _migrate(connection)
        except ReadOnlyStore as error:
            raise ReadOnlyStore(self._describe_old(revisions)) from error

    def _describe_old(self, revisions: Sequence[str]) -> str:
        if not revisions:
            return f"the store {self.name} holds no runs yet and cannot be written"
        return (
            f"the store {self.name} has the older schema {', '.join(revisions)} and cannot be "
            f"written: open it once where it can be, for example a copy of it"
        )


def _parse_url(text: str) -> URL:
    """Return a database's URL; a plain path is a file of SQLite."""
    try:
        url = sa.make_url(text if "://" in text else f"sqlite:///{Path(text).expanduser()}")
    except SQLAlchemyError as error:
        raise StoreError(f"no store at {text!r}: {one_line(error)}") from error
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername.partition("+")[0] not in ("sqlite", "postgresql"):
        raise StoreError(f"no store at {text!r}: give a path, sqlite:///… or postgresql://…")
    return url


def _file_of(url: URL) -> Path | None:
    database = url.database
    if not url.drivername.startswith("sqlite") or not database or database == ":memory:":
        return None
    return None if database.startswith("file:") else Path(database)


def _file_id(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status else None


def _is_protected(path: Path | None) -> bool:
    """Say whether a file, or the folder in which SQLite writes beside it, cannot be written."""
    if path is None or not path.exists():
        return False
    return not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))


def _create_engine(url: URL) -> Engine:
    path = _file_of(url)
    try:
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url, connect_args=_connect_options(url), **_pool_options(url))
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"no driver for {url.drivername}: {install_command('cluster')}"
        ) from error
    except (SQLAlchemyError, NoSuchModuleError) as error:
        raise StoreError(f"no store at {str(url)!r}: {one_line(error)}") from error
    except OSError as error:
        raise StoreError(f"no store at {str(url)!r}: {error.strerror}") from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _pool_options(url: URL) -> dict[str, int]:
    in_memory = not url.database or "memory" in (url.database.strip(":"), url.query.get("mode"))
    return {} if in_memory else {"max_overflow": MOST_OVERFLOW}


def _connect_options(url: URL) -> dict[str, str]:
    if not url.drivername.startswith("postgresql"):
        return {}
    return {name: value for name, value in POSTGRESQL_OPTIONS.items() if name not in url.query}


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Let readers and a writer work side by side, and wait for another writer's turn."""
    cursor = connection.cursor()
    for pragma in ("busy_timeout=60000", "journal_mode=WAL", "synchronous=NORMAL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Bring the tables up to this Ludus, one process at a time, or refuse those of a newer one."""
    from alembic.command import upgrade
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    revisions = _read_revisions(connection)
    if revisions == [REVISION]:
        return  # another process has done it
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
