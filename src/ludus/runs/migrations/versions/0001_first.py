"""The first tables: runs, episodes and the board's ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("benchmark", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("engine", sa.String(64), nullable=False),
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("planned", sa.Integer, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
    )
    op.create_index("runs_by_benchmark", "runs", ["benchmark", "version"])
    op.create_table(
        "episodes",
        sa.Column(
            "run", sa.String(40), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("agent", sa.Integer, nullable=False),
        sa.Column("scenario", sa.Integer, nullable=False),
        sa.Column("ending", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("total", sa.Float, nullable=False),
        sa.Column("parts", sa.Text, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
    )
    op.create_index("episodes_by_agent", "episodes", ["run", "agent", "scenario", "total"])
    op.create_table(
        "events",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("benchmark", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("events", "episodes", "runs"):
        op.drop_table(table)
