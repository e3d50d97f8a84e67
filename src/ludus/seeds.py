"""The seeds that people choose: one range, wherever one is given."""

from __future__ import annotations

from ludus.errors import OptionError

__all__ = ["LARGEST_SEED", "check_seed"]

LARGEST_SEED = 2**63 - 1


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
