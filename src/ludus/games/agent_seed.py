"""Seeds of agents: each draws from one of its own, which tells nothing about the world's chance."""

from __future__ import annotations

import hashlib

__all__ = ["derive_agent_seed"]

DOMAIN = "ludus agent seed"
BYTES = 4  # what NumPy, PyTorch and Java take as a seed


def derive_agent_seed(world_seed: object, seat: str = "") -> int:
    """Return the seed from which an agent draws, from 0 to 2³² - 1.

    It is a digest of the world's seed, so it does not lead back to it.

    Args:
        world_seed: What the world draws its chance from.
        seat: Which of several players it is for, where they must not know each other's.

    Example:
        >>> derive_agent_seed(7), derive_agent_seed(7, "FRANCE")
        (183823962, 2542748527)
    """
    digest = hashlib.sha256(f"{DOMAIN}/{seat}/{world_seed}".encode()).digest()
    return int.from_bytes(digest[:BYTES], "big")
