"""The terms that keep a player from playing by heart: held, sticky and late actions.

A decision is held for several ticks. At each of them, with some probability, the action of the tick
before goes on instead, as Machado et al. (2018) have it and the Arcade Learning Environment does.
An episode begins with a random number of ticks without any action. All chance comes from the
scenario's seed through a generator small enough to be written down here, so that a record of the
decisions is enough to play an episode again, anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ludus.errors import OptionError

__all__ = ["Chance", "Holding", "Terms"]

WORD = 2**64 - 1


class Chance:
    """The generator SplitMix64: 64 bits of state, which a draw moves on by a fixed odd number.

    Example:
        >>> chance = Chance(0)
        >>> hex(chance.word()), hex(chance.word())
        ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & WORD

    def word(self) -> int:
        """Return 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & WORD
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
        return mixed ^ (mixed >> 31)

    def share(self) -> float:
        """Return a number from 0 up to 1, from the upper 53 bits."""
        return (self.word() >> 11) * 2.0**-53

    def below(self, bound: int) -> int:
        """Return a whole number from 0 up to a bound, from the upper 32 bits."""
        return ((self.word() >> 32) * bound) >> 32


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of an episode.

    Attributes:
        frame_skip: Ticks that a decision is held.
        sticky: The probability that a tick repeats the action of the tick before.
        no_ops: The most ticks without an action at the start of a life.
        step_cap: Decisions after which the episode ends.
        lives: Lives at the start.
    """

    frame_skip: int = 4
    sticky: float = 0.25
    no_ops: int = 30
    step_cap: int = 5_000
    lives: int = 1

    def __post_init__(self) -> None:
        for name in ("frame_skip", "step_cap", "lives"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} {getattr(self, name)} is too small: give 1 or more")
        if not 0 <= self.sticky < 1:
            raise OptionError(f"sticky {self.sticky} is no probability from 0 up to 1")
        if self.no_ops < 0:
            raise OptionError(f"no_ops {self.no_ops} is negative: give 0 for none")

    def plain(self) -> dict[str, int | float]:
        """Return the terms as plain values."""
        return asdict(self)

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Terms:
        """Return the terms that :meth:`plain` described."""
        return cls(**values)


class Holding:
    """What is pressed, tick by tick, whatever the player decides.

    The draws are, in this order: one number of no-ops for every life, then one share for every
    tick of every decision.
    """

    __slots__ = ("_chance", "_terms", "pressed")

    def __init__(self, terms: Terms, seed: int) -> None:
        self._terms = terms
        self._chance = Chance(seed)
        self.pressed = 0

    def no_ops(self) -> int:
        """Return how many ticks the next life begins without an action; nothing is pressed then."""
        self.pressed = 0
        return self._chance.below(self._terms.no_ops + 1)

    def hold(self, action: int) -> Iterator[int]:
        """Yield what is pressed at each tick of a decision."""
        for _ in range(self._terms.frame_skip):
            if self._chance.share() >= self._terms.sticky:
                self.pressed = action
            yield self.pressed
