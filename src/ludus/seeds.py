"""The seeds that people choose: one range, wherever one is given."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from ludus.errors import OptionError, show_value

__all__ = ["LARGEST_SEED", "check_seed", "check_stream_seed"]

LARGEST_SEED = 2**63 - 1
STREAM_SEEDS = 2**64


def check_seed(seed: SupportsIndex) -> int:
    """Return a seed that is from 0 to 2⁶³ - 1, a whole number of any type.

    Raises:
        OptionError: It is another, or no whole number.

    Example:
        >>> check_seed(7)
        7
    """
    return _check_below(LARGEST_SEED + 1, seed)


def check_stream_seed(seed: SupportsIndex) -> int:
    """Return a seed that an environment takes: a whole number of any type, of 64 bits.

    Raises:
        OptionError: It is another, or no whole number.

    Example:
        >>> check_stream_seed(2**63)
        9223372036854775808
    """
    return _check_below(STREAM_SEEDS, seed)


def _check_below(bound: int, seed: SupportsIndex) -> int:
    try:
        number = index(seed)
    except TypeError:
        raise OptionError(f"seed {show_value(seed)} is no whole number: give seed=1") from None
    if not 0 <= number < bound:
        raise OptionError(f"seed {number} is out of range: give 0 to {bound - 1}")
    return number
