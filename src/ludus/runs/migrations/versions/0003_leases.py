"""Processes that play the same run share its episodes by leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of leases."""
    op.create_table(
        "leases",
        sa.Column(
            "run", sa.String(40), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("runner", sa.String(32), nullable=False),
        sa.Column("machine", sa.String(64), nullable=False),
        sa.Column("process", sa.Integer, nullable=False),
        sa.Column("started", sa.String(64), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("leases")
