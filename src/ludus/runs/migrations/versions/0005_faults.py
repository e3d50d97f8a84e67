"""Episodes that ended by an agent's fault are counted without reading the others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the index."""
    condition = sa.text("ending != 'finished'")
    op.create_index(
        "episodes_with_faults",
        "episodes",
        ["run", "agent", "ending"],
        sqlite_where=condition,
        postgresql_where=condition,
    )


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("episodes_with_faults", "episodes")
