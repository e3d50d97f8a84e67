"""The interval of a composite holds, also where some trainings fail."""

from __future__ import annotations

import numpy as np
import pytest

from ludus.benchmarks.nematode.intervals import jackknife_interval
from ludus.benchmarks.nematode.scoring import stability


def draw(generator: np.random.Generator, size: int) -> tuple[list[float], list[float]]:
    """Return sums and final success rates of trainings, three in ten of which fail."""
    failed = generator.random(size) < 0.3
    finals = np.where(failed, generator.beta(2, 6, size), generator.beta(40, 2, size))
    sums = np.where(failed, 0.25, 0.72) + generator.normal(0, 0.03, size)
    return sums.tolist(), finals.tolist()


def test_it_covers_the_composite_of_fifty_trainings() -> None:
    generator = np.random.default_rng(1)
    sums, finals = draw(generator, 200_000)
    truth = float(np.mean(sums)) + 0.1 * stability(finals)
    found = [jackknife_interval(*draw(generator, 50)) for _ in range(300)]
    covered = [one is not None and one[0] <= truth <= one[1] for one in found]
    assert np.mean(covered) >= 0.93


def test_equal_trainings_have_no_spread_and_two_no_interval() -> None:
    assert jackknife_interval([0.5] * 5, [1.0] * 5) == pytest.approx((0.6, 0.6))
    assert jackknife_interval([0.5, 0.6], [1.0, 0.9]) is None
