"""The seeds that people choose: one range, wherever one is given."""

from __future__ import annotations

from ludus.errors import OptionError

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


def check_stream_seed(seed: int) -> int:
    """Return a seed that an environment takes: one of 64 bits, as scenarios have.

    Raises:
        OptionError: It is another.

    Example:
        >>> check_stream_seed(2**63)
        9223372036854775808
    """
    if not 0 <= seed < STREAM_SEEDS:
        raise OptionError(f"seed {seed} is out of range: give 0 to {STREAM_SEEDS - 1}")
    return seed
