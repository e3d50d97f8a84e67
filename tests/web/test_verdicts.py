"""Comparisons of two entries, in words."""

from __future__ import annotations

from math import nan

import pytest

from ludus.boards.comparing import Contest
from ludus.stats import Comparison, Estimate, compare_two
from ludus.web.verdicts import describe_contest, describe_strangers

NONE: dict[str, int] = {}
TIED = "ann and bob cannot be told apart on the same 10 scenarios"


def contest(
    difference: Estimate, p: float, faults: tuple[int, int] = (0, 0), scenarios: int = 10
) -> Contest:
    first, second = ({"crashed": number} if number else {} for number in faults)
    comparison = Comparison("", "", difference, p, p, nan, nan)
    return Contest("ann", "bob", scenarios, comparison, first, second)


def estimate(value: float, low: float, high: float, needs: int = 0, n: int = 10) -> Estimate:
    return Estimate(value, low, high, 0.95, "hall", n, needs)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            contest(estimate(9, 7, 12), 0.01),
            "ann is better than bob by 9.0 (95 % interval 7.0 to 12.0).",
        ),
        (
            contest(estimate(-9, -12, -7, needs=20), 0.01),
            (
                "bob is better than ann by 9.0 (95 % interval 7.0 to 12.0, rough until 20 "
                "scenarios are played)."
            ),
        ),
        (
            contest(estimate(24.8, -7, 79.3, needs=20), 0.3),
            (
                f"{TIED}: ann is ahead by 24.8, but "
                "it may be anywhere from 7.0 behind to 79.3 ahead; 20 scenarios would say more."
            ),
        ),
        (
            contest(estimate(-24.8, -79.3, -0.5), 0.06),
            (f"{TIED}: bob is ahead by 24.8, but it may be anywhere from 0.5 to 79.3 ahead."),
        ),
        (
            contest(estimate(3, nan, nan, needs=20, n=1), 1.0, scenarios=1),
            (
                "ann and bob cannot be told apart on the one scenario that both played: ann is "
                "ahead by 3.0, but one scenario says little."
            ),
        ),
        (
            contest(estimate(1_234.5, nan, nan), 0.31),
            (f"{TIED}: ann is ahead by 1,234.5, but that may be chance (p = 0.31)."),
        ),
        (
            contest(estimate(0, nan, nan, needs=20), 1.0),
            "ann and bob are level: they have equal scores on the same 10 scenarios.",
        ),
        (
            contest(estimate(9, 7, 12), 0.01, (1, 0)),
            (
                "bob is better than ann: bob is without a fault, and 1 episode of ann ended "
                "by one. Faults count before scores."
            ),
        ),
        (
            contest(estimate(9, 7, 12), 0.01, (5, 2)),
            (
                f"{TIED}: ann is ahead by 9.0, but "
                "more of its episodes ended by a fault, 5 against 2."
            ),
        ),
    ],
)
def test_a_contest_is_one_plain_sentence(found: Contest, words: str) -> None:
    assert describe_contest(found) == words


def test_real_scores_that_are_equal_are_level() -> None:
    same = {(str(level), 0): 7.0 for level in range(10)}
    found = Contest("ann", "bob", 10, compare_two(same, same), NONE, NONE)
    assert describe_contest(found) == (
        "ann and bob are level: they have equal scores on the same 10 scenarios."
    )


def test_strangers_are_not_compared() -> None:
    assert "no scenario was played by both" in describe_strangers("ann", "bob")
