"""The seeds that people choose: one range, wherever one is given."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from ludus.errors import OptionError, show_value

__all__ = ["LARGEST_SEED", "check_seed", "check_stream_seed"]

LARGEST_SEED = 2**63 - 1
STREAM_SEEDS = 2**64


def check_seed(seed: int) -> int:
    """Return a seed that is from 0 to 2⁶³ - 1.

    Raises:
        OptionError: It is another.

    Example:
        >>> check_seed(7)
        7
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise OptionError(f"seed {seed} is out of range: give 0 to {LARGEST_SEED}")
    return seed


def check_stream_seed(seed: SupportsIndex) -> int:
    """Return a seed that an environment takes: a whole number of any type, of 64 bits.

    Raises:
        OptionError: It is another, or no whole number.

    Example:
        >>> check_stream_seed(2**63)
        9223372036854775808
    """
    try:
        number = index(seed)
    except TypeError:
        raise OptionError(f"seed {show_value(seed)} is no whole number: give seed=1") from None
    if not 0 <= number < STREAM_SEEDS:
        raise OptionError(f"seed {seed} is out of range: give 0 to {STREAM_SEEDS - 1}")
    return number
