from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from tests.learning.small import begin

from ludus.learning.platformer.training import Outcome


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Outcome]:
    """Return a training that nothing disturbed, by its algorithm."""
    return cache(lambda algorithm: begin(tmp_path_factory.mktemp("whole") / "run", algorithm))
