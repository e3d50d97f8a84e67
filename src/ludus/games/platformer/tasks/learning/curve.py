"""The learning curve: what training plays scored, summed up in at most a hundred parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ludus.errors import OptionError

__all__ = ["MOST_PARTS", "CurvePart", "LearningCurve"]

MOST_PARTS = 100
MOST_SCORE = 2**40


class CurvePart(NamedTuple):
    """Some training plays, one after the other.

    Attributes:
        plays: How many.
        best: The best score among them.
        total: The sum of their scores.
    """

    plays: int
    best: int
    total: int

    @property
    def mean(self) -> float:
        """The mean of their scores."""
        return self.total / self.plays


class LearningCurve:
    """What training plays scored so far.

    Play *i* of *n*, counted from 0, belongs to part *i* · *parts* // *n*, so that the sizes of
    parts differ by one at most.

    Args:
        planned: How many training plays there are to be.

    Attributes:
        planned: The same.
        first: The score of the first play; None before it.
        plays: How many were played.

    Example:
        >>> curve = LearningCurve(200)
        >>> for score in (10, 30, 20):
        ...     curve.add(score)
        >>> curve.parts
        [CurvePart(plays=2, best=30, total=40), CurvePart(plays=1, best=20, total=20)]
        >>> curve.first, curve.best, curve.complete
        (10, 30, False)
    """

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.first: int | None = None
        self.plays = 0
        self._best: list[int] = []
        self._totals: list[int] = []

    def add(self, score: int) -> None:
        """Add the score of the next play."""
        if self.first is None:
            self.first = score
        if self._part_of(self.plays) == len(self._best):
            self._best.append(score)
            self._totals.append(score)
        else:
            self._best[-1] = max(self._best[-1], score)
            self._totals[-1] += score
        self.plays += 1

    @property
    def parts(self) -> list[CurvePart]:
        """The parts so far; the last one may be unfinished."""
        ends = [min(self._end_of(part), self.plays) for part in range(len(self._best))]
        counts = [end - start for start, end in zip([0, *ends], ends, strict=False)]
        return [*map(CurvePart, counts, self._best, self._totals)]

    @property
    def best(self) -> int | None:
        """The best score of all plays; None before the first."""
        return max(self._best, default=None)

    @property
    def complete(self) -> bool:
        """Whether all training plays were played."""
        return self.plays == self.planned

    @property
    def at_end_of_part(self) -> bool:
        """Whether the last play was the last one of its part."""
        return self.plays > 0 and self.plays == self._end_of(len(self._best) - 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as the plain values that :meth:`from_dict` reads."""
        return {
            "plays": self.plays,
            "first": self.first,
            "best": list(self._best),
            "totals": list(self._totals),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], planned: int) -> LearningCurve:
        """Return the curve of plain values, which may be anything.

        Raises:
            OptionError: They are no curve of so many plays.
        """
        curve = cls(planned)
        plays, first = values.get("plays"), values.get("first")
        best, totals = (_numbers(values.get(name), name) for name in ("best", "totals"))
        if type(plays) is not int or not 0 <= plays <= planned:
            raise OptionError(f"{plays!r:.40} training plays are not from 0 to {planned}")
        length = curve._part_of(plays - 1) + 1 if plays else 0
        if not len(best) == len(totals) == length:
            raise OptionError(
                f"a curve of {plays} plays has {length} parts, not {len(best)} and {len(totals)}"
            )
        curve.plays, curve.first, curve._best, curve._totals = plays, first, best, totals
        curve._check_scores()
        return curve

    def _check_scores(self) -> None:
        """Refuse sums that no scores have."""
        if (self.first is None) != (self.plays == 0) or (self.plays and not _is_score(self.first)):
            raise OptionError(f"{self.first!r:.40} is no score of a first play")
        for number, part in enumerate(self.parts, start=1):
            if not part.best <= part.total <= part.plays * part.best:
                raise OptionError(
                    f"part {number} of the curve cannot be: {part.plays} plays of at most "
                    f"{part.best} do not sum up to {part.total}"
                )
        if self.first is not None and self.first > self._best[0]:
            raise OptionError(f"the first play's {self.first} is above the best of its part")

    def _part_of(self, play: int) -> int:
        return play * min(MOST_PARTS, self.planned) // self.planned

    def _end_of(self, part: int) -> int:
        """Return the number of the first play behind a part."""
        return -(-(part + 1) * self.planned // min(MOST_PARTS, self.planned))


def _numbers(values: Any, name: str) -> list[int]:
    if not isinstance(values, list) or not all(map(_is_score, values)):
        raise OptionError(f"{name!r} of a curve is {values!r:.40}, not a list of scores")
    return values


def _is_score(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_SCORE
