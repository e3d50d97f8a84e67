"""What tests of the Diplomacy benchmark share."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.diplomacy.saving import unpack


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(tmp_path_factory.mktemp("diplomacy") / "games")
