"""Runs say whether a file of somebody else brought them.

Nobody wrote that down before, so runs of before have no value there and count as imported.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column, empty for the runs that are there."""
    op.add_column("runs", sa.Column("imported", sa.Integer, nullable=True))


def downgrade() -> None:
    """Forget where runs came from."""
    op.drop_column("runs", "imported")
