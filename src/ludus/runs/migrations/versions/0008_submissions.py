"""Submissions to events wait in a queue for workers; accounts say who may submit."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

FINAL: sa.ColumnClause[bool] = sa.literal_column("kind = 'final'")


def upgrade() -> None:
    """Make the tables of accounts and jobs."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("key", sa.String(200), nullable=False, unique=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("organiser", sa.String(16), nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("entry_key", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("revoked", sa.String(32), nullable=True),
    )
    op.create_table(
        "jobs",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("event", sa.String(200), nullable=False),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("entrant", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("history", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("planned", sa.Integer, nullable=False),
        sa.Column("score", sa.Float, nullable=True),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("run", sa.String(40), nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("runner", sa.String(32), nullable=False),
        sa.Column("machine", sa.String(64), nullable=False),
        sa.Column("process", sa.Integer, nullable=False),
        sa.Column("started", sa.String(64), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "number"])
    op.create_index("jobs_by_event", "jobs", ["event", "account"])
    op.create_index(
        "jobs_final", "jobs", ["event"], unique=True, sqlite_where=FINAL, postgresql_where=FINAL
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("jobs")
    op.drop_table("accounts")
