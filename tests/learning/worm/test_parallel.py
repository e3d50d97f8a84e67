"""Trainings side by side: what JAX is given stays as it is while it may still be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.learning.worm import parallel, train


def test_arrays_that_jax_was_given_are_not_changed_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call may return before its arguments were read, so nobody may write to them."""
    monkeypatch.setattr(parallel, "LANES", 4)
    given: list[tuple[np.ndarray, np.ndarray]] = []
    compile_ = parallel.ParallelTrainings._compile

    def compile_and_watch(self: Any, *arguments: Any) -> None:
        compile_(self, *arguments)
        for name in ("_reset", "_draw"):
            setattr(self, name, watch(getattr(self, name)))

    def watch(function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            arrays = [one for one in arguments if isinstance(one, np.ndarray)]
            given.extend((array, array.copy()) for array in arrays)
            return function(*arguments)

        return call

    monkeypatch.setattr(parallel.ParallelTrainings, "_compile", compile_and_watch)
    settings = {"units": 4, "horizon": 32, "epochs": 1, "chunk": 8}
    train(
        "foraging-small", "lstm-ppo", trainings=1, episodes=2, folder=tmp_path / "lstm",
        settings=settings, evaluation=0, workers=0,
    )  # fmt: skip
    assert len(given) > 4
    assert all(np.array_equal(array, before) for array, before in given)
