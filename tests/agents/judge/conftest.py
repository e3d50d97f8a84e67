"""The control of the counter of this process, which can be taken once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from ludus.agents.judge import _counter


@cache
def take_control() -> _counter.Control:
    """Take the control the first time it is asked for."""
    return _counter.take_control()


@pytest.fixture
def control() -> Iterator[_counter.Control]:
    """The control, without a limit before and after the test."""
    taken = take_control()
    taken.reset(None)
    yield taken
    taken.reset(None)
