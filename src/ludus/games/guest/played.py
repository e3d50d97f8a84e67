"""What an environment reports of the frames it has played: plain values, checked by the referee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MOST_TEXT",
    "MOST_VALUES",
    "USUAL_FRAME_RATE",
    "Environment",
    "GuestFrame",
    "PlainValue",
    "Played",
    "is_frame_rate",
]

MOST_VALUES = 1_000
"""So many values an ``info`` may have."""

MOST_NAME = 200
MOST_TEXT = 10_000
"""The most signs of a text in an ``info``."""

MOST_SIDE = 4096
"""The most rows, and the most columns, of a picture."""

USUAL_FRAME_RATE = 30.0
"""Frames a second of a game that tells no number."""

FRAME_RATES = (1, 240)

PlainValue = int | float | str


class GuestFrame(NamedTuple):
    """What is known after one frame.

    Attributes:
        info: The plain values of its ``info``.
        over: Whether the environment has ended the episode.
        truncated: Whether it has cut the episode short.
        picture: What it draws, if it is filmed and draws.
    """

    info: Mapping[str, PlainValue]
    over: bool
    truncated: bool
    picture: NDArray[np.uint8] | None = None

    @classmethod
    def from_values(cls, values: Any) -> GuestFrame:
        """Return the frame of a process that may have sent anything.

        Raises:
            ValueError: It is none.
        """
        info, over, truncated, picture = _check_list(values, 4)
        if type(over) is not bool or type(truncated) is not bool:
            raise ValueError(f"an end is True or False, not {over!r:.40} and {truncated!r:.40}")
        return cls(_check_info(info), over, truncated, _check_picture(picture))


class Played(NamedTuple):
    """What came of playing some frames.

    Attributes:
        frames: What is known after each of them, up to the end of the episode.
        observation: What the environment shows after the last of them.
        fault: Why there are no more frames; empty if nothing failed.
    """

    frames: tuple[GuestFrame, ...]
    observation: Any = None
    fault: str = ""

    def to_values(self) -> list[Any]:
        """Return it as plain values."""
        return [[list(frame) for frame in self.frames], self.observation, self.fault]

    @classmethod
    def from_values(cls, values: Any, most: int) -> Played:
        """Return what a process reports that may have sent anything.

        Args:
            values: What it has sent.
            most: How many frames it was asked for.

        Raises:
            ValueError: It is no report of that many frames.
        """
        frames, observation, fault = _check_list(values, 3)
        if not isinstance(frames, list) or not isinstance(fault, str):
            raise ValueError("frames are a list, a fault is a text")
        if len(frames) > most or (not frames and not fault):
            raise ValueError(f"{len(frames)} frames came of {most}")
        played = cls(tuple(map(GuestFrame.from_values, frames)), observation, fault)
        if any(frame.over for frame in played.frames[:-1]):
            raise ValueError("frames came after the end")
        if not fault and len(frames) < most and not played.frames[-1].over:
            raise ValueError(f"{len(frames)} frames came of {most}")
        return played


def is_frame_rate(value: Any) -> bool:
    """Tell whether a value is a number of frames a second that a film can have."""
    lowest, highest = FRAME_RATES
    return isinstance(value, int | float) and lowest <= value <= highest


class Environment(Protocol):
    """An environment of somebody else's, as a match plays it.

    Attributes:
        actions: How many actions there are, numbered from 0.
        frame_rate: How many frames it plays in a second of its game.
    """

    actions: int
    frame_rate: float

    def reset(self, seed: int) -> Played:
        """Begin an episode; the first frame is the only one.

        Raises:
            EnvironmentFault: Its process is gone, or sent nonsense.
        """
        ...

    def step(self, actions: list[int]) -> Played:
        """Play a frame with each action, up to the end of the episode.

        Raises:
            EnvironmentFault: Its process is gone, or sent nonsense.
        """
        ...

    def close(self) -> None:
        """Close the environment."""
        ...


def _check_list(values: Any, length: int) -> list[Any]:
    if not isinstance(values, list) or len(values) != length:
        raise ValueError(f"a report is a list of {length}, not {values!r:.60}")
    return values


def _check_info(info: Any) -> dict[str, PlainValue]:
    if not isinstance(info, dict):
        raise ValueError(f"an info is a mapping, not {info!r:.40}")
    if len(info) > MOST_VALUES:
        raise ValueError(f"an info has {len(info)} values, more than {MOST_VALUES}")
    for name, value in info.items():
        if not isinstance(name, str) or len(name) > MOST_NAME:
            raise ValueError(f"an info has a value by the name of {name!r:.40}")
        if type(value) not in (bool, int, float, str):
            raise ValueError(f"{name!r:.40} of an info is {value!r:.40}, no plain value")
        if isinstance(value, str) and len(value) > MOST_TEXT:
            raise ValueError(f"{name!r:.40} of an info has more than {MOST_TEXT} signs")
    return info


def _check_picture(picture: Any) -> NDArray[np.uint8] | None:
    if picture is None:
        return None
    if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8:
        raise ValueError("a picture is an array of bytes")
    if picture.ndim != 3 or picture.shape[2] != 3 or not picture.size:
        raise ValueError(f"a picture has rows, columns and 3 colours, not {picture.shape}")
    if max(picture.shape) > MOST_SIDE:
        raise ValueError(f"a picture has {picture.shape} points, more than {MOST_SIDE} on a side")
    return picture
