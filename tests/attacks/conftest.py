from __future__ import annotations

import pytest
from tests.runs.conftest import store
from tests.runs.small import register

__all__ = ["store"]


@pytest.fixture(autouse=True)
def _small_benchmark() -> None:
    register()
