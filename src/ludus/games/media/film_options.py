"""How people want a film: its size, its speed, its frames a second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from ludus.errors import OptionError

__all__ = ["AS_DRAWN", "FPS", "SPEEDS", "FilmOptions"]

Frame = TypeVar("Frame")

FPS = 30
"""Frames a second at which people watch."""
MAX_SCALE = 8
SPEEDS = (0.1, 100.0)
"""The least and the most times that a film goes faster than its game."""
RATES = (1.0, 120.0)


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """What is asked of a film; what is None is as the game's own films are.

    Attributes:
        scale: How many times larger every pixel of the game is, from 1 to 8.
        speed: How many times faster than the game it goes, from 0.1 to 100.
        fps: Frames a second, from 1 to 120.
        on_frame: Called after every frame with how many are written.

    Raises:
        OptionError: A value is out of its range.
    """

    scale: int | None = None
    speed: float | None = None
    fps: float | None = None
    on_frame: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        _check("scale", self.scale, (1, MAX_SCALE))
        _check("speed", self.speed, SPEEDS)
        _check("fps", self.fps, RATES)

    def rate(self, natural: float) -> float:
        """Return the frames a second of the film of a game that draws ``natural`` frames a second.

        Example:
            >>> FilmOptions(speed=0.5).rate(30), FilmOptions(speed=4).rate(30)
            (15.0, 30)
        """
        if self.fps is not None:
            return self.fps
        return min(natural * (self.speed or 1), max(natural, FPS))

    def choose(self, frames: Iterable[Frame], natural: float) -> Iterator[Frame]:
        """Yield the frames that the film shows, of those of a game; slow films repeat some.

        Example:
            >>> list(FilmOptions(speed=3).choose(range(8), 30))
            [0, 3, 6]
        """
        step = natural * (self.speed or 1) / self.rate(natural)
        shown = 0
        for number, frame in enumerate(frames):
            while shown * step < number + 1 - 1e-9:
                shown += 1
                yield frame
                if self.on_frame is not None:
                    self.on_frame(shown)


def _check(name: str, value: float | None, limits: tuple[float, float]) -> None:
    lowest, highest = limits
    if value is not None and not lowest <= value <= highest:
        raise OptionError(f"{name} must be from {lowest:g} to {highest:g}: {value:g}")


AS_DRAWN = FilmOptions()
"""As the game's own films are."""
