"""Runs are of rule sets with versions, no more of engines with digests of their sources.

The plans stay as they were written, since boards have sealed them. What they name by a digest is
the first version of the rules that their scenarios are played by.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from ludus.errors import LudusError
from ludus.execution.plan import Plan

revision = "0002"
down_revision = "0001"

runs = sa.table("runs", sa.column("id"), sa.column("rules"), sa.column("plan"))


def upgrade() -> None:
    """Let the column hold rule sets of any number, and fill it from the plans."""
    op.execute("ALTER TABLE runs RENAME COLUMN engine TO rules")
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":  # SQLite has no lengths to change
        op.alter_column("runs", "rules", type_=sa.Text)
    for id_, text in connection.execute(sa.select(runs.c.id, runs.c.plan)).all():
        connection.execute(runs.update().where(runs.c.id == id_).values(rules=_rules(text)))


def _rules(plan: str) -> str:
    """Return the rules of a plan, or the text it has if its game is not installed."""
    try:
        return Plan.from_json(plan).rules
    except LudusError:
        return str(json.loads(plan)["engine"])


def downgrade() -> None:
    """Name engines by the texts in the plans again."""
    connection = op.get_bind()
    for id_, text in connection.execute(sa.select(runs.c.id, runs.c.plan)).all():
        engine = json.loads(text).get("engine", "")[:64]
        connection.execute(runs.update().where(runs.c.id == id_).values(rules=engine))
    if connection.dialect.name == "postgresql":
        op.alter_column("runs", "rules", type_=sa.String(64))
    op.execute("ALTER TABLE runs RENAME COLUMN rules TO engine")
