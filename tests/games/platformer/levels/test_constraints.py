"""What may be demanded of a level, and how evenly things are spread in it."""

from __future__ import annotations

from math import log

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.constraints import (
    DEMANDED_2011,
    Constraints,
    Counts,
    count_demanded,
)
from ludus.games.platformer.levels.spread import (
    LevelFeatures,
    correlate_with_fun,
    measure_spread,
)

LEVEL = Level.parse("--QC2?SU--\n-krgKy----\nM--------F\nX-XX--XXX-")


def test_counts() -> None:
    """Gaps: columns 1, 4-5 and 9. Turtles: k, r, K, y. Coin blocks: Q, C and the hidden 2."""
    assert count_demanded(LEVEL) == Counts(width=10, gaps=3, turtles=4, coin_blocks=3)


def test_counts_of_maps_are_those_of_their_text() -> None:
    level = generate("notch-2009", seed=3, difficulty=5)
    assert count_demanded(level) == count_demanded(level.for_rules("framework"))


def test_faults_name_what_is_there_and_what_is_demanded() -> None:
    assert Constraints(width=10, gaps=3, turtles=4, coin_blocks=3).find_faults(LEVEL) == []
    assert DEMANDED_2011.find_faults(LEVEL) == [
        "10 width, 320 are demanded",
        "3 gaps, 10 are demanded",
        "4 turtles, 7 are demanded",
        "3 coin blocks, 10 are demanded",
    ]
    with pytest.raises(OptionError, match="gaps -1"):
        Constraints(gaps=-1)


def test_spread_by_hand() -> None:
    """Of four things three are in one segment: 1 + (0.75 ln 0.75 + 0.25 ln 0.25) / ln 4."""
    expected = 1 + (0.75 * log(0.75) + 0.25 * log(0.25)) / log(4)
    assert measure_spread([1, 2, 3, 55], 100) == pytest.approx(expected)
    assert measure_spread([], 100) is measure_spread([5], 100) is None
    assert measure_spread([99.9, 100], 100) == 1


def test_features() -> None:
    found = LevelFeatures.of(LEVEL)
    assert (found.coins, found.bricks, found.power_ups, found.enemies) == (3, 1, 2, 5)
    assert found.gaps == 3
    assert found.gap_width == pytest.approx(4 / 3)
    assert found.gap_spread == pytest.approx(0, abs=1e-12)


def test_correlation_with_fun_is_the_mean_of_signs() -> None:
    """More coins were less fun twice and more fun once: c is -1/3."""
    none, one, two = (Level.parse(f"{coins}--\nM---F\nXXXXX") for coins in ("---", "o--", "oo-"))
    found = correlate_with_fun([(none, one), (one, two), (two, none), (one, one)])
    assert (found["coins"].c, found["coins"].pairs) == (-0.25, 4)
    assert (found["gap_width"].c, found["gap_width"].pairs) == (0, 0)
    with pytest.raises(OptionError, match="no pairs"):
        correlate_with_fun([])
