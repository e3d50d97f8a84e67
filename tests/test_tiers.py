"""The list of what ``make quick`` leaves out speaks of what exists."""

from __future__ import annotations

import pytest
from hypothesis import settings
from tests.conftest import QUICK, SLOW, TESTS


@pytest.mark.parametrize("path", [*SLOW, *QUICK])
def test_what_is_listed_exists(path: str) -> None:
    assert (TESTS / path).exists(), f"tests/conftest.py lists {path}, which is not there"


def test_the_lists_are_sorted() -> None:
    assert sorted(SLOW) == list(SLOW)
    assert sorted(QUICK) == list(QUICK)


@pytest.mark.parametrize("path", QUICK)
def test_what_is_quick_all_the_same_lies_in_a_slow_folder(path: str) -> None:
    assert any(path.startswith(f"{slow}/") for slow in SLOW)


def test_no_property_fails_because_the_machine_is_busy() -> None:
    assert settings().deadline is None
    assert settings(max_examples=5).deadline is None
