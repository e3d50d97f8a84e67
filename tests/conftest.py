from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True)
if os.environ.get("CI"):  # a merge is judged by what it changed, not by a new draw of examples
    settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes to the store of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_STORE", str(tmp_path_factory.mktemp("store") / "ludus.db"))
        yield
