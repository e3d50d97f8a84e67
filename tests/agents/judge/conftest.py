"""The control of the counter of this process, which can be taken once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludus.agents.judge import _counter
from ludus.agents.judge.preparing import take_control


@pytest.fixture(autouse=True)
def control() -> Iterator[_counter.Control]:
    """The control, without a limit before and after the test."""
    control = take_control()
    control.reset(None)
    yield control
    control.reset(None)
