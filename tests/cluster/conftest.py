"""One local Ray cluster for all tests of this folder: to start one takes many seconds."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.agents.conftest import server
from tests.runs.conftest import store
from tests.runs.small import register

__all__ = ["server", "store"]


@pytest.fixture(autouse=True)
def _small_benchmark() -> None:
    register()


@pytest.fixture
def ray() -> Any:
    """A cluster that was there before every run and knows nothing of its settings."""
    import ray as started

    if not started.is_initialized():
        started.init(
            num_cpus=2, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False
        )
    return started


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """End the cluster where the next test is none of this folder's."""
    if "ray" in sys.modules and (
        nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent)
    ):
        sys.modules["ray"].shutdown()
