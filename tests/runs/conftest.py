from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.runs.postgres_server import PostgresServer
from tests.runs.small import register

from ludus.runs.store import Store


@pytest.fixture(autouse=True)
def _small_benchmark() -> None:
    register()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(str(tmp_path / "runs.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A real PostgreSQL server of the tests' own on a free port."""
    server = PostgresServer()
    yield server.url
    server.remove()
