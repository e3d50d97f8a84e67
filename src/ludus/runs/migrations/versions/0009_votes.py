"""Visitors vote in a browser: ballots, clips, visits and votes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

TABLES = ("votes", "sittings", "clips", "ballots")


def upgrade() -> None:
    """Make the tables of votes."""
    op.create_table(
        "ballots",
        sa.Column("track", sa.String(16), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("visits", sa.Integer, nullable=False),
        sa.Column("choice", sa.Text, nullable=False),
    )
    op.create_table(
        "clips",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("level", sa.String(64), nullable=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("human", sa.Integer, nullable=False),
        sa.Column("recording", sa.Text, nullable=False),
        sa.Column("added", sa.String(32), nullable=False),
    )
    op.create_table(
        "sittings",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("track", sa.String(16), sa.ForeignKey("ballots.track"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("begun", sa.String(32), nullable=False),
    )
    op.create_table(
        "votes",
        sa.Column("sitting", sa.String(32), sa.ForeignKey("sittings.id"), primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in TABLES:
        op.drop_table(name)
