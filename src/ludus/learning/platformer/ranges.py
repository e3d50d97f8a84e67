"""What settings of an algorithm may be, so that no training of nonsense begins."""

from __future__ import annotations

from dataclasses import fields
from math import isfinite
from typing import Any

from ludus.errors import OptionError

__all__ = ["check_ranges"]

ANY = 1_000_000
"""Rewards and weights beyond this overflow in what is computed from them."""

RANGES: dict[str, tuple[float, float]] = {
    "progress": (-ANY, ANY),
    "win": (-ANY, ANY),
    "loss": (-ANY, ANY),
    "decision": (-ANY, ANY),
    "patience": (1, 2**31 - 1),
    "retry": (0, 1),
    "gamma": (0, 1),
    "trace": (0, 1),
    "rate": (0, 1),
    "clip": (0, 1),
    "entropy": (0, ANY),
    "value": (0, ANY),
    "longest": (0, ANY),
    "spread": (0, ANY),
    "decay": (0, 1),
}
"""The least and the most that each setting can be that measures something."""


def check_ranges(settings: Any) -> None:
    """Refuse settings with which nothing can be learned.

    Raises:
        OptionError: A setting is no number, or out of its range.

    Example:
        >>> from ludus.learning.platformer.settings import Ppo
        >>> check_ranges(Ppo(gamma=0.9))
    """
    for field in fields(settings):
        if field.name in RANGES:
            value, (least, most) = getattr(settings, field.name), RANGES[field.name]
            if not isfinite(value) or not least <= value <= most:
                raise OptionError(
                    f"{field.name} {value:g} is out of range: give {least:,} to {most:,}"
                )
