"""Is a mean above zero? Bets against it, which may be looked at after every value.

A gambler who stakes a share of the capital on the next value being above zero cannot expect to
gain if the mean is zero or below. The capital exceeds 1 / α only with probability α then, ever
(Ville 1939). It holds for any values within bounds, however they are distributed, if each has the
same mean given those before: so for values in an exchangeable order.
"""

from __future__ import annotations

import numpy as np

from ludus.stats.distributions import Array

__all__ = ["BettingTest"]

GAMBLERS = 20


class BettingTest:
    """The capital of gamblers who bet on values from −1 to 1, for many rows of values at once.

    Twenty gamblers share the capital. They stake 2.5 %, 7.5 %, … 97.5 % of it each time, so that
    some stake well whatever the mean is (Waudby-Smith and Ramdas, *Estimating means of bounded
    random variables by betting*, 2023).

    Args:
        rows: How many rows of values there are.

    Example:
        >>> test = BettingTest(1)
        >>> for _ in range(9):
        ...     test.add(np.array([0.9]))
        >>> bool(test.evidence[0] > np.log(1 / 0.05))
        True
    """

    def __init__(self, rows: int) -> None:
        self._stakes = (np.arange(GAMBLERS)[:, np.newaxis] + 0.5) / GAMBLERS
        self._capitals = np.zeros((GAMBLERS, rows))

    def add(self, values: Array) -> None:
        """Take in the next value of each row."""
        self._capitals += np.log1p(self._stakes * values)

    @property
    def evidence(self) -> Array:
        """The logarithm of each row's capital: of 1 / α or more it is at level 1 − α."""
        most = self._capitals.max(axis=0)
        shares = np.exp(self._capitals - most).mean(axis=0)
        return np.asarray(most + np.log(shares))
