"""What pages draw as SVG: intervals in a table, brackets of groups, spreads of scores.

Everything is numbers for attributes of SVG: the content security policy allows no inline style.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, isnan
from typing import NamedTuple

from ludus.stats import Estimate

__all__ = [
    "Bracket",
    "IntervalDrawing",
    "Scale",
    "Spread",
    "draw_brackets",
    "draw_interval",
    "draw_spread",
    "find_scale",
]

WIDTH = 100.0
MOST_LETTERS = 8
BINS = 12


class IntervalDrawing(NamedTuple):
    """An estimate on a scale from 0 to 100.

    Attributes:
        value: Where the value is.
        low: Where the interval begins; None without one.
        width: How wide it is.
    """

    value: float
    low: float | None
    width: float


class Scale(NamedTuple):
    """The least and the greatest number that a drawing shows."""

    least: float
    most: float

    def to_percent(self, number: float) -> float:
        """Return where a number is, from 0 to 100."""
        within = min(max(number, self.least), self.most) - self.least
        return round(WIDTH * within / (self.most - self.least or 1.0), 1)


def find_scale(estimates: Iterable[Estimate]) -> Scale:
    """Return the scale that holds all values and all ends of their intervals."""
    numbers = [end for one in estimates for end in one[:3] if isfinite(end)]
    return Scale(min(numbers), max(numbers)) if numbers else Scale(0.0, 1.0)


def draw_interval(estimate: Estimate, scale: Scale) -> IntervalDrawing:
    """Return an estimate on a scale.

    Example:
        >>> draw_interval(Estimate(5.0, 0.0, 10.0, 0.95, "t", 9), Scale(0.0, 10.0))
        IntervalDrawing(value=50.0, low=0.0, width=100.0)
    """
    value = scale.to_percent(estimate.value) if isfinite(estimate.value) else 0.0
    if isnan(estimate.low):
        return IntervalDrawing(value, None, 0.0)
    low = scale.to_percent(estimate.low)
    return IntervalDrawing(value, low, round(scale.to_percent(estimate.high) - low, 1))


class Bracket(NamedTuple):
    """One letter of a group beside one row.

    Attributes:
        letter: The group, or empty where the row is not in it.
        first: Whether the row is the first of the group.
        last: Whether it is the last.
    """

    letter: str
    first: bool = False
    last: bool = False


def draw_brackets(groups: Sequence[str]) -> list[list[Bracket]]:
    """Return for every row which brackets pass it; none if there are too many groups to draw.

    Who is alone in a group has no bracket.

    Example:
        >>> [[one.letter for one in row] for row in draw_brackets(["a", "ab", "b"])]
        [['a', ''], ['a', 'b'], ['', 'b']]
    """
    known = sorted({letter for group in groups for letter in group})
    members = {
        letter: [row for row, group in enumerate(groups) if letter in group] for letter in known
    }
    spans = {letter: rows for letter, rows in members.items() if len(rows) > 1}
    letters = list(spans)
    if len(letters) > MOST_LETTERS or not all(letter.isalpha() for letter in letters):
        return [[] for _ in groups]
    return [
        [
            Bracket(letter, row == spans[letter][0], row == spans[letter][-1])
            if letter in group
            else Bracket("")
            for letter in letters
        ]
        for row, group in enumerate(groups)
    ]


class Spread(NamedTuple):
    """How often scores lie where.

    Attributes:
        bars: Left edge, height and width of each bar; heights from 0 to 100, counts as titles.
        counts: How many scores each bar stands for.
        edges: Least and greatest score.
        mean: Where the mean is.
    """

    bars: list[tuple[float, float, float]]
    counts: list[int]
    edges: tuple[float, float]
    mean: float


def draw_spread(scores: Sequence[float]) -> Spread:
    """Return a histogram of scores on a scale from 0 to 100.

    Example:
        >>> draw_spread([1.0, 1.0, 3.0]).edges
        (1.0, 3.0)
    """
    least, most = min(scores), max(scores)
    bins = 1 if least == most else min(BINS, max(4, len(scores) // 2))
    span = most - least or 1.0
    counts = [0] * bins
    for score in scores:
        counts[min(int(bins * (score - least) / span), bins - 1)] += 1
    width = WIDTH / bins
    bars = [
        (round(width * place, 2), round(WIDTH * count / max(counts), 1), round(width, 2))
        for place, count in enumerate(counts)
    ]
    mean = sum(scores) / len(scores)
    centre = WIDTH / 2 if least == most else WIDTH * (mean - least) / span
    return Spread(bars, counts, (least, most), round(centre, 1))
