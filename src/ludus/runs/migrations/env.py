"""Called by alembic: migrates over the connection that the store has open."""

from __future__ import annotations

from alembic import context

from ludus.runs.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
