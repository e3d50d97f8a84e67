"""Which episodes of a submission are done again: those that lift its score most, and a draw."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Sample", "choose_sample"]


class Sample(NamedTuple):
    """The episodes of a submission that are done again.

    Attributes:
        best: Those that lift the score most; whoever forges for a score forges these.
        drawn: Those of the others that were drawn, which nobody can foresee.
        total: How many episodes there are.
    """

    best: tuple[int, ...]
    drawn: tuple[int, ...]
    total: int

    @property
    def numbers(self) -> list[int]:
        """All of them, in their order."""
        return sorted((*self.best, *self.drawn))

    def chance_to_find(self, forged: int) -> float:
        """Return the probability that so many forged episodes, none of the best, are noticed.

        Example:
            >>> round(Sample((), (1, 7, 20, 31, 44), 50).chance_to_find(1), 3)
            0.1
        """
        rest = self.total - len(self.best)
        missed = math.comb(max(rest - forged, 0), len(self.drawn))
        return 1 - missed / math.comb(rest, len(self.drawn))


def choose_sample(scores: Sequence[float], size: int) -> Sample:
    """Return the episodes to do again: one half the best by score, the other drawn by chance.

    The larger half are the best: a sample of one is the best.

    Args:
        scores: What each episode brings to the score.
        size: How many are done again, at most all.
    """
    size = min(size, len(scores))
    ranked = sorted(range(len(scores)), key=lambda number: -scores[number])
    half = (size + 1) // 2
    best, others = ranked[:half], ranked[half:]
    drawn = random.SystemRandom().sample(others, size - len(best))
    return Sample(tuple(sorted(best)), tuple(sorted(drawn)), len(scores))
