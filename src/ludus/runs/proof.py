"""How well a result is proven: three words, three proofs."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Proof"]


class Proof(StrEnum):
    """What is known here about a result, the least first.

    Example:
        >>> Proof.CLAIMED < Proof.REPLAYED < Proof.RERUN
        True
    """

    CLAIMED = "claimed"  #: somebody says so; nothing was checked, or the game cannot be replayed
    REPLAYED = "replayed"  #: the recorded actions give these scores
    RERUN = "re-run"  #: the agent, loaded from what its fingerprint is of, played the same actions

    @property
    def strength(self) -> int:
        """How much it says, counted from 0."""
        return list(Proof).index(self)

    def __lt__(self, other: str) -> bool:
        return self.strength < Proof(other).strength

    def __le__(self, other: str) -> bool:
        return self.strength <= Proof(other).strength

    def __gt__(self, other: str) -> bool:
        return self.strength > Proof(other).strength

    def __ge__(self, other: str) -> bool:
        return self.strength >= Proof(other).strength
