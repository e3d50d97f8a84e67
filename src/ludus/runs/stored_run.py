"""A run as the store knows it: its columns, its id, and how it is read."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ludus.errors import RunError
from ludus.execution.plan import Plan
from ludus.runs.schema import AGREED, BEGUN_HERE, episodes, runs

__all__ = ["Run", "check_run_id", "make_run_id", "select_runs"]

_RUN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{8}")


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
        from_outside: Whether a file brought it, or nobody knows; the user may have agreed to it.
            Whatever it names that is not Ludus's own plays in the sandbox.
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
    from_outside: bool = field(default=False, compare=False)

    @cached_property
    def plan(self) -> Plan:
        """The plan of the run."""
        return Plan.from_json(self.text)

    @property
    def complete(self) -> bool:
        """Whether the store has every episode of the plan."""
        return self.played == self.planned


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


def select_runs(connection: Connection, where: Any) -> Iterator[Run]:
    """Yield the runs that a condition on their columns holds for, the newest first.

    Raises:
        RunError: The time of one is stored as something else.
    """
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
            created=_parse_time(row.id, row.created),
            benchmark=row.benchmark,
            version=row.version,
            identity=row.identity,
            planned=row.planned,
            played=row.played,
            text=row.plan,
            imported=row.imported not in (BEGUN_HERE, AGREED),
            from_outside=row.imported != BEGUN_HERE,
        )


def _parse_time(run: str, text: Any) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise RunError(f"run {run}: created is stored as {text!r:.60}, which is no time") from None
