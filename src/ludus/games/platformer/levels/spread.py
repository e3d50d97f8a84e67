r"""Features of levels that were held against fun, and how evenly things are spread.

H says how unevenly things lie in ten segments of equal width: ``1 + (1 / ln G) Σ (G_i / G) ln
(G_i / G)`` with G things of which segment i has G_i; 0 if every thing is alone in its segment, 1 if
all are in one. Fewer than two things have none. It is probably the measure of Pedersen et al. that
the track's report calls entropy: the report does not give a formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import log

import numpy as np

from ludus.errors import OptionError
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.metrics import describe, find_gap_columns

__all__ = ["FunCorrelation", "LevelFeatures", "correlate_with_fun", "measure_spread"]

SEGMENTS = 10


def measure_spread(places: Iterable[float], width: float) -> float | None:
    """Return H of places along a level: 0 evenly spread, 1 all in one segment.

    Example:
        >>> measure_spread([5, 15, 25, 35], 100), measure_spread([1, 2, 3, 4], 100)
        (0.0, 1.0)
    """
    segments = Counter(min(SEGMENTS - 1, int(SEGMENTS * x / width)) for x in places)
    total = segments.total()
    if total < 2:
        return None
    return 1 + sum(n / total * log(n / total) for n in segments.values()) / log(total)


@dataclass(frozen=True, slots=True)
class LevelFeatures:
    """The features of a level that the report of the track looks at.

    Attributes:
        coins: Coins that lie there or wait in blocks.
        bricks: Bricks that hold nothing; what the report calls rocks.
        power_ups: Blocks that hold a mushroom or a flower.
        enemies: Creatures.
        gaps: Gaps.
        gap_width: Columns of a gap, mean; None without gaps.
        enemy_spread: H of the creatures.
        gap_spread: H of the gaps, each by its first column.
    """

    coins: int
    bricks: int
    power_ups: int
    enemies: int
    gaps: int
    gap_width: float | None
    enemy_spread: float | None
    gap_spread: float | None

    @classmethod
    def of(cls, level: Level) -> LevelFeatures:
        """Return the features of a level."""
        found, level = describe(level), level.tile_level
        columns = np.concatenate([[False], find_gap_columns(level)])
        starts = np.flatnonzero(columns[1:] & ~columns[:-1])
        return cls(
            coins=found.coins,
            bricks=int((level.tiles == 6).sum()),
            power_ups=found.power_ups,
            enemies=len(level.templates),
            gaps=found.gaps,
            gap_width=found.gap_columns / found.gaps if found.gaps else None,
            enemy_spread=measure_spread((x for x, _, _ in level.templates), level.width),
            gap_spread=measure_spread(starts.tolist(), level.width),
        )


@dataclass(frozen=True, slots=True)
class FunCorrelation:
    """How a feature goes with fun.

    Attributes:
        c: The mean over pairs of 1 where the level that was more fun has more of it, -1 where it
            has less, 0 where both have as much.
        pairs: How many pairs of levels have the feature.
    """

    c: float
    pairs: int


def correlate_with_fun(pairs: Sequence[tuple[Level, Level]]) -> dict[str, FunCorrelation]:
    """Return how each feature goes with fun, over pairs of levels, the preferred one first.

    Raises:
        OptionError: There are no pairs.
    """
    if not pairs:
        raise OptionError("no pairs of levels to compare; give one at least")
    features = [tuple(asdict(LevelFeatures.of(level)) for level in pair) for pair in pairs]
    return {
        name: _correlate([(one[name], two[name]) for one, two in features])
        for name in features[0][0]
    }


def _correlate(values: Sequence[tuple[float | None, float | None]]) -> FunCorrelation:
    known = [(one, two) for one, two in values if one is not None and two is not None]
    signs = [(one > two) - (one < two) for one, two in known]
    return FunCorrelation(sum(signs) / len(signs) if signs else 0.0, len(signs))
