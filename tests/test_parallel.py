from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import pytest

from ludus.errors import OptionError, RunError, StoreError
from ludus.parallel import WAITING, count_cores, map_in_processes


def prepare(word: str) -> Callable[[int], str]:
    def answer(number: int) -> str:
        if word == "late" and number % 3 == 0:
            time.sleep(0.02)
        if word == "fails" and number == 5:
            raise RunError(f"{number} is odd")
        if word == "dies" and number == 5:
            os._exit(1)
        return f"{word} {number}"

    return answer


def fail_to_prepare() -> Callable[[int], str]:
    raise RunError("not today")


@pytest.mark.parametrize("word", ["soon", "late"])
def test_results_come_in_the_order_of_the_items(word: str) -> None:
    answers = map_in_processes(prepare, [word], range(40), 2)
    assert list(answers) == [f"{word} {number}" for number in range(40)]


def test_nothing_to_do() -> None:
    assert list(map_in_processes(prepare, ["x"], [], 2)) == []


def test_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1_000):
            taken.append(number)
            yield number

    answers = map_in_processes(prepare, ["x"], items(), 2)
    assert next(answers) == "x 0"
    assert len(taken) <= 2 * WAITING + 2
    answers.close()  # type: ignore[attr-defined]


def test_long_items_and_results_do_not_block_each_other() -> None:
    answers = map_in_processes(prepare, ["x" * 10**6], range(10), 2)
    assert [len(answer) for answer in answers] == [10**6 + 2] * 10


@pytest.mark.parametrize("word", ["fails", "dies"])
def test_an_error_ends_it(word: str) -> None:
    kind, message = (RunError, "5 is odd") if word == "fails" else (StoreError, "died: try again")
    with pytest.raises(kind, match=message):
        list(map_in_processes(prepare, [word], range(40), 2))


def test_a_process_that_cannot_prepare_says_why() -> None:
    with pytest.raises(RunError, match="not today"):
        list(map_in_processes(fail_to_prepare, [], range(4), 2))


def test_cores_are_counted() -> None:
    assert count_cores() >= 1
    assert count_cores(3) == 3
    with pytest.raises(OptionError, match="0 workers are too few"):
        count_cores(0)
