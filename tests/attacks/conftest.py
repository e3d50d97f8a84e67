from __future__ import annotations

import pytest
from tests.cli.conftest import ludus
from tests.runs.conftest import store
from tests.runs.small import register

__all__ = ["ludus", "store"]


@pytest.fixture(autouse=True)
def _small_benchmark() -> None:
    register()
