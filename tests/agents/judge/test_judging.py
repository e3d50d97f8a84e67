"""What a call of an agent has cost, whether it was too much, and where it went."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents.judge.judging import Judge
from ludus.agents.judge.loading import JudgedCode

SOURCE = """
def think(n):
    total = 0
    for k in range(n):
        total += k * k
    return total


def act(n):
    if n < 0:
        raise ValueError("a number below 0")
    return think(n) + think(10 * n)


def stubborn(n):
    while True:
        try:
            think(n)
        except BaseException:
            return 5
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "agent.py"
    file.write_text(SOURCE)
    return file


def test_units_grow_with_the_work_and_are_the_same_each_time(file: Path) -> None:
    judge = Judge(JudgedCode(file.parent))
    act = judge.code.load(file).act
    once = judge.run(None, act, 100)
    assert once.result == sum(k * k for k in range(100)) + sum(k * k for k in range(1000))
    assert judge.run(None, act, 100) == once
    assert 8 < judge.run(None, act, 1000).units / once.units < 11


def test_call_within_its_budget_is_answered(file: Path) -> None:
    judge = Judge(JudgedCode(file.parent))
    act = judge.code.load(file).act
    needed = judge.run(None, act, 50).units
    assert not judge.run(needed, act, 50).over
    judgement = judge.run(needed - 1, act, 50)
    assert (judgement.result, judgement.over) == (None, True)
    assert judgement.units == pytest.approx(needed, rel=0.1)


def test_agent_that_catches_everything_is_over_its_budget_all_the_same(file: Path) -> None:
    judge = Judge(JudgedCode(file.parent))
    stubborn = judge.code.load(file).stubborn
    judgement = judge.run(1000, stubborn, 10)
    assert judgement.over
    assert judgement.result is None


def test_error_of_the_agent_is_raised(file: Path) -> None:
    judge = Judge(JudgedCode(file.parent))
    act = judge.code.load(file).act
    with pytest.raises(ValueError, match="below 0"):
        judge.run(1000, act, -1)


def test_profile_names_the_loop_that_costs_most(file: Path) -> None:
    judge = Judge(JudgedCode(file.parent, profile=True), profile=True)
    act = judge.code.load(file).act
    used = judge.run(None, act, 100).units
    lines = judge.profile()
    assert (lines[0].function, lines[0].line, lines[0].entered) == ("think", 4, 1100)
    assert sum(line.units for line in lines if line.function != "module") == used


def test_profile_does_not_change_the_count(file: Path) -> None:
    used = []
    for profile in (False, True):
        judge = Judge(JudgedCode(file.parent, profile=profile), profile=profile)
        used.append(judge.run(None, judge.code.load(file).act, 30).units)
    assert used[0] == used[1]
