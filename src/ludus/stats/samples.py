"""What may go into a statistic: finite numbers, and options within their range."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ludus.errors import OptionError
from ludus.stats.distributions import Array

__all__ = ["as_sample", "check_bounds", "check_choice", "check_level", "check_resamples"]


def as_sample(values: ArrayLike, name: str = "sample") -> Array:
    """Return the values as one row of finite floats.

    Raises:
        OptionError: There are none, or one is not a finite number.
    """
    try:
        row = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"the {name} is not a row of numbers: {error}") from error
    if row.ndim != 1:
        raise OptionError(f"the {name} has {row.ndim} dimensions, not one")
    if row.size == 0:
        raise OptionError(f"the {name} is empty; it takes one value at least")
    if not np.isfinite(row).all():
        index = int(np.flatnonzero(~np.isfinite(row))[0])
        raise OptionError(f"the {name} holds {row[index]} at index {index}; leave it out first")
    return row


def check_level(level: float) -> None:
    """Refuse a confidence level that is not between 0 and 1."""
    if not 0 < level < 1:
        raise OptionError(f"confidence level {level} is not between 0 and 1")


def check_bounds(bounds: tuple[float, float]) -> None:
    """Refuse bounds that enclose nothing."""
    low, high = bounds
    if not (low < high and math.isfinite(high - low)):
        raise OptionError(f"bounds {low} and {high} enclose nothing; give the lower first")


def check_choice(value: str, choices: Iterable[str], name: str) -> None:
    """Refuse a word that is none of the choices."""
    allowed = tuple(choices)
    if value not in allowed:
        raise OptionError(f"no {name} {value!r}; choose one of {', '.join(allowed)}")


def check_resamples(resamples: int) -> None:
    """Refuse a bootstrap too small to have tails."""
    if resamples < 100:
        raise OptionError(f"{resamples} resamples are too few; take 100 at least")
