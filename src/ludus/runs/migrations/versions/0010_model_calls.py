"""Episodes say what language models were asked, and what that took.

Calls in games whose records hold them stay there, so episodes of before have no values here.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

COLUMNS = {
    "calls": sa.Integer,
    "failed_calls": sa.Integer,
    "tokens": sa.BigInteger,
    "usd": sa.Float,
    "model_calls": sa.Text,
}


def upgrade() -> None:
    """Add the columns, empty for the episodes that are there."""
    for name, kind in COLUMNS.items():
        op.add_column("episodes", sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    """Forget the calls."""
    for name in COLUMNS:
        op.drop_column("episodes", name)
