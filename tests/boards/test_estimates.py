from __future__ import annotations

from math import nan

import pytest

from ludus.boards.estimates import describe_intervals, format_estimate, interval_values
from ludus.stats import Estimate, best_interval, mean_interval


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(12.34, 11.78, 12.9, 0.95, "t", 30), "12.3 ± 0.6"),
        (Estimate(12.34, 11.0, 12.9, 0.95, "gaffke", 30), "12.3 [11.0, 12.9]"),
        (Estimate(12.34, nan, nan, 0.95, "own", 30), "12.3"),
        (Estimate(19.36, 19.36, 19.36, 0.95, "interquartile mean", 330), "19.4 (no spread)"),
        (mean_interval([5.0] * 10), "5.0 (all 10 equal)"),
        (mean_interval([5.0]), "5.0 (one episode)"),
        (mean_interval([5.0, 7.0], method="t"), "6.0 ± 12.7 (needs 20 episodes)"),
        (best_interval([1.0, 9.0, 5.0, 7.0], bounds=(0, 10)), "9.0 (≥ 5.0)"),
        (best_interval([1.0, 9.0], bounds=(0, 10)), "9.0 (needs 3 episodes)"),
        (best_interval([9.0], bounds=(0, 10)), "9.0 (one episode)"),
        (best_interval([20_000.9] * 3), "20,000.9 (≥ 20,000)"),
    ],
)
def test_tables_show_the_interval_or_why_there_is_none(estimate: Estimate, text: str) -> None:
    assert format_estimate(estimate) == text


def test_captions_explain_the_signs_that_a_table_has() -> None:
    even = Estimate(1, 0, 2, 0.95, "composite", 50)
    uneven = Estimate(1, 0, 3, 0.95, "gaffke", 50)
    best = best_interval([1.0, 2.0, 3.0])
    assert describe_intervals([even]) == "± is half of the 95 % interval (composite)."
    assert describe_intervals([uneven]) == (
        "[ ] is the 95 % interval (Gaffke’s, for scores within bounds)."
    )
    assert describe_intervals([even, uneven, best]).count(".") == 3
    assert describe_intervals([Estimate(1, 1, 1, 0.95, "composite", 50)]) == ""
    assert describe_intervals([Estimate(1, nan, nan, 0.95, "own", 5)]) == ""


def test_programs_get_the_interval_and_its_method() -> None:
    assert interval_values(Estimate(1, 0, 3, 0.95, "gaffke", 50)) == {
        "interval": [0, 3],
        "interval_method": "gaffke",
        "interval_remark": "",
    }
    assert interval_values(mean_interval([5.0]))["interval"] is None
    assert interval_values(best_interval([1.0, 2.0, 3.0]))["interval"] == [1.0, None]
    assert interval_values(best_interval([1.0, 2.0], bounds=(0, 9)))["interval"] is None
