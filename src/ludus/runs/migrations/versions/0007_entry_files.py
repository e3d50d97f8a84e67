"""What is entered for an event is kept as data: its files, by the digest of all of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table of entries' files."""
    op.create_table(
        "entry_files",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("path", sa.String(200), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("entry_files")
