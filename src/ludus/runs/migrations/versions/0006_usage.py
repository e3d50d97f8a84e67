"""Episodes say what their agents used: units of work, memory, processor time.

Nobody measured it before, so episodes of before have no values there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

COLUMNS = {
    "units": sa.BigInteger,
    "peak_memory": sa.BigInteger,
    "processor_seconds": sa.Float,
    "over_budget": sa.Integer,
}


def upgrade() -> None:
    """Add the columns, empty for the episodes that are there."""
    for name, kind in COLUMNS.items():
        op.add_column("episodes", sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    """Forget what agents used."""
    for name in COLUMNS:
        op.drop_column("episodes", name)
