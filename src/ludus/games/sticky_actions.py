"""Sticky actions: what keeps an agent from winning by a memorised list of actions.

A decision is held for several ticks. At each tick, with some probability, the action of the tick
before continues instead (Machado et al., 2018; the Arcade Learning Environment does the same).
An episode begins with a random number of ticks without any action. All chance comes from the
scenario's seed, through a generator small enough to be written down here, so a record of the
decisions is enough to play an episode again, anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

from ludus.errors import OptionError, show_value
from ludus.field_kinds import check_kinds
from ludus.games.option_kinds import read_whole

__all__ = ["ActionHolder", "SplitMix64", "StickyActions"]

WORD = 2**64 - 1


class SplitMix64:
    """The random number generator SplitMix64, with 64 bits of state.

    Example:
        >>> generator = SplitMix64(0)
        >>> hex(generator.next_word()), hex(generator.next_word())
        ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & WORD

    def next_word(self) -> int:
        """Return 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & WORD
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
        return mixed ^ (mixed >> 31)

    def next_float(self) -> float:
        """Return a float from 0 up to 1, made of the upper 53 bits."""
        return (self.next_word() >> 11) * 2.0**-53

    def next_below(self, bound: int) -> int:
        """Return an integer from 0 up to a bound, made of the upper 32 bits."""
        return ((self.next_word() >> 32) * bound) >> 32


MOST = {"frame_skip": 10_000, "no_ops": 100_000, "step_cap": 10**9, "lives": 10**6}
"""The most of each setting, so that no scenario of a file takes for ever."""


@dataclass(frozen=True, slots=True)
class StickyActions:
    """How decisions become actions in an episode, and how long it lasts.

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
        for name in MOST:
            read_whole(name, getattr(self, name))
        for name in ("frame_skip", "step_cap", "lives"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} {getattr(self, name)} is too small: give 1 or more")
        if not isinstance(self.sticky, Real) or not 0 <= self.sticky < 1:
            raise OptionError(f"sticky {show_value(self.sticky)} is no probability from 0 up to 1")
        if self.no_ops < 0:
            raise OptionError(f"no_ops {self.no_ops} is negative: give 0 for none")
        for name, most in MOST.items():
            if getattr(self, name) > most:
                raise OptionError(f"{name} {getattr(self, name)} is too large: give {most} or less")

    def to_dict(self) -> dict[str, int | float]:
        """Return the attributes by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> StickyActions:
        """Return the record that :meth:`to_dict` described.

        Raises:
            TypeError: The values are of other kinds.
            OptionError: One is out of range.
        """
        check_kinds(cls, values)
        return cls(**values)


class ActionHolder:
    """Turns decisions into the action of every tick.

    It draws, in this order, one number of no-ops for every life, then one float for every tick of
    every decision.

    Attributes:
        pressed: The action of the last tick.
    """

    __slots__ = ("_generator", "_settings", "pressed")

    def __init__(self, settings: StickyActions, seed: int) -> None:
        self._settings = settings
        self._generator = SplitMix64(seed)
        self.pressed = 0

    def draw_no_ops(self) -> int:
        """Draw how many ticks the next life begins without an action, and release all buttons."""
        self.pressed = 0
        return self._generator.next_below(self._settings.no_ops + 1)

    def hold(self, action: int) -> Iterator[int]:
        """Yield the action of each tick of a decision."""
        for _ in range(self._settings.frame_skip):
            if self._generator.next_float() >= self._settings.sticky:
                self.pressed = action
            yield self.pressed
