from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from tests.learning.small import begin

from ludus.learning.platformer.training import Outcome


@pytest.fixture(scope="session", autouse=True)
def _compile_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all trainings, in other processes too, share what was compiled."""
    import jax

    place = str(tmp_path_factory.mktemp("compiled"))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (
            ("jax_compilation_cache_dir", place),
            ("jax_persistent_cache_min_compile_time_secs", 0),
            ("jax_persistent_cache_min_entry_size_bytes", 0),
        ):
            patch.setenv(name.upper(), str(value))
            jax.config.update(name, value)  # type: ignore[no-untyped-call]
        yield


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Outcome]:
    """Return a training that nothing disturbed, by its algorithm."""
    return cache(lambda algorithm: begin(tmp_path_factory.mktemp("whole") / "run", algorithm))
