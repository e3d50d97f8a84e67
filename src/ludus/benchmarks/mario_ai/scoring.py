"""The scores of the competitions of 2009 and 2010, from the figures of played levels.

A played level is a mapping of figures by name: ``difficulty``, ``distance``, ``status`` (1 for a
win), ``mode``, ``time_left``, ``kills_total`` and so on. Nothing but the standard library is
needed.

Example:
    >>> levels = [
    ...     {"difficulty": 0, "distance": 100.0}, {"difficulty": 0, "distance": 200.0},
    ...     {"difficulty": 3, "distance": 50.0},
    ... ]
    >>> sum_of_means(levels)
    200.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

__all__ = [
    "WEIGHTS_2010",
    "WEIGHTS_2010_12",
    "WEIGHTS_EVOSTAR",
    "CigTotals",
    "Figures",
    "capped_distance",
    "rank_cig",
    "sum_of_means",
    "weigh",
    "weighted_parts",
]

Figures: TypeAlias = Mapping[str, Any]

WIN = 1

WEIGHTS_EVOSTAR: Mapping[str, int] = {
    "distance": 1,
    "status": 1024,
    "mode": 32,
    "coins": 16,
    "hidden_blocks": 24,
    "kills_total": 42,
    "kills_by_fire": 4,
    "kills_by_shell": 17,
    "kills_by_stomp": 12,
    "time_left": 8,
}
"""The weights of April 2010."""

WEIGHTS_2010: Mapping[str, int] = {**WEIGHTS_EVOSTAR, "flowers": 64, "mushrooms": 58}
"""The weights of summer 2010: items count as well."""

WEIGHTS_2010_12: Mapping[str, int] = {**WEIGHTS_2010, "green_mushrooms": 58}
"""The weights of December 2010, and of the benchmark ever since."""


def sum_of_means(levels: Iterable[Figures]) -> float:
    """Return the score of the first competition of 2009: mean distances, summed over difficulties.

    A difficulty of which no level was played adds nothing.
    """
    distances: dict[int, list[float]] = {}
    for level in levels:
        distances.setdefault(level["difficulty"], []).append(level["distance"])
    return sum(map(fmean, distances.values()))


def capped_distance(level: Figures) -> float:
    """Return how far Mario got towards the exit: who has passed it has reached it.

    Example:
        >>> capped_distance({"distance": 1004.5, "exit_x": 992})
        992.0
    """
    return float(min(level["distance"], level["exit_x"]))


class CigTotals(NamedTuple):
    """What players of the second competition of 2009 are ranked by, more being better.

    Attributes:
        distance: Pixels, over all levels.
        time_left: Seconds of the game, at the end of all levels.
        kills: Creatures killed.
        mode_sum: Sum of the modes at the end of levels: 0 small, 1 large, 2 fire.
    """

    distance: float
    time_left: int
    kills: int
    mode_sum: int

    @classmethod
    def of(cls, levels: Iterable[Figures]) -> CigTotals:
        """Return the totals of played levels."""
        listed = list(levels)
        return cls(
            float(sum(Fraction(capped_distance(level)) for level in listed)),
            sum(level["time_left"] for level in listed),
            sum(level["kills_total"] for level in listed),
            sum(level["mode"] for level in listed),
        )


def rank_cig(players: Mapping[str, CigTotals]) -> list[tuple[int, str]]:
    """Return rank and name of each player, the best first; equals share a rank.

    Example:
        >>> rank_cig({
        ...     "Lawford": CigTotals(46564.8, 4841, 421, 69),
        ...     "Baumgarten": CigTotals(46564.8, 4878, 373, 76),
        ...     "Sloane": CigTotals(44735.5, 4822, 294, 67),
        ... })
        [(1, 'Baumgarten'), (2, 'Lawford'), (3, 'Sloane')]
    """
    ranks = [
        (1 + sum(other > totals for other in players.values()), name)
        for name, totals in players.items()
    ]
    return sorted(ranks)


def weighted_parts(level: Figures, weights: Mapping[str, int] = WEIGHTS_2010_12) -> dict[str, int]:
    """Return what each figure of a level is worth; a game that still runs is no win.

    Example:
        >>> weighted_parts({"distance": 32, "status": 0, "mode": 2}, {"distance": 1, "mode": 32})
        {'distance': 32, 'mode': 64}
    """
    figures = {**level, "status": int(level["status"] == WIN)}
    return {name: weight * int(figures[name]) for name, weight in weights.items()}


def weigh(level: Figures, weights: Mapping[str, int] = WEIGHTS_2010_12) -> int:
    """Return the weighted fitness of a level."""
    return sum(weighted_parts(level, weights).values())
