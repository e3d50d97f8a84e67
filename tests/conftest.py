from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes to the store of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_STORE", str(tmp_path_factory.mktemp("store") / "ludus.db"))
        yield
