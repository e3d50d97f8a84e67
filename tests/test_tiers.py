"""The list of what ``make quick`` leaves out speaks of what exists."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from tests.conftest import LONGEST, QUICK, SLOW, TESTS, deal


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


class Dealt:
    """A test that stands in a file and is slow or quick."""

    def __init__(self, file: str, *, slow: bool) -> None:
        self.path, self.slow = TESTS / file, slow

    def get_closest_marker(self, name: str) -> bool:
        return self.slow and name == "slow"


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_every_worker_begins_with_slow_tests(workers: int) -> None:
    folders = ["agents", "attacks", "boards", "cluster", "web"]
    tests: Any = [Dealt(f"{name}/test_{k}.py", slow=k < 2) for name in folders for k in range(8)]
    dealt: Any = deal(tests, workers)
    assert sorted(map(id, dealt)) == sorted(map(id, tests))
    length = len(tests) // workers
    for first in range(0, len(tests), length):
        part = [one.slow for one in dealt[first : first + length]]
        assert part == sorted(part, reverse=True)
        assert part[0]
    assert dealt[0].path.is_relative_to(TESTS / "cluster")


def test_slow_tests_of_a_folder_stay_together() -> None:
    tests: Any = [Dealt(f"{'ab'[k % 2]}/test_{k}.py", slow=True) for k in range(6)]
    dealt: Any = deal(tests, 2)
    assert [one.path.parent.name for one in dealt] == ["a"] * 3 + ["b"] * 3


def test_a_long_file_is_a_part_of_its_own() -> None:
    names = ("test_playing.py", "test_budget.py", "test_own_clusters.py")
    tests: Any = [Dealt(f"cluster/{name}", slow=True) for name in names]
    dealt: Any = deal(tests, 3)
    assert [one.path.name for one in dealt] == [names[2], names[0], names[1]]


def test_the_longest_are_there() -> None:
    assert [name for name in LONGEST if not (TESTS / name).exists()] == []
