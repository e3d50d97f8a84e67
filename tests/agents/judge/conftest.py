"""The control of the counter of this process, which can be taken once."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ludus.agents.judge import _counter


@cache
def take_control() -> Any:
    """Take the control the first time it is asked for."""
    return _counter.take_control()


@pytest.fixture
def control() -> Any:
    """The control, without a limit before and after the test."""
    taken = take_control()
    taken.reset(None)
    yield taken
    taken.reset(None)
