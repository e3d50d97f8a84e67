"""How well a path keeps to food, as worm researchers measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError

__all__ = ["Chemotaxis", "chemotaxis"]

ENOUGH = 10
"""Positions from which on the figures can be relied upon."""


@dataclass(frozen=True, slots=True)
class Chemotaxis:
    """What a path says about the worm's sense of smell.

    Attributes:
        index: (positions near food - positions away) / positions, -1 to 1.
        time_in_zone: The fraction of positions near food.
        approach_frequency: The fraction of moves towards the nearest of all places that ever had
            food in the episode.
        path_efficiency: The straight way from the start to the nearest of them over the way made,
            at most 1.
        reliable: Whether there are enough positions to tell.
    """

    index: float
    time_in_zone: float
    approach_frequency: float
    path_efficiency: float
    reliable: bool


def chemotaxis(path: ArrayLike, foods: Sequence[ArrayLike], zone_radius: float = 5.0) -> Chemotaxis:
    """Measure a path against the food that lay about at every step of it.

    Args:
        path: x and y, one row a position.
        foods: The places of food at each position; if there are fewer, the last ones stay.
        zone_radius: Within this distance of food counts as near it.

    Raises:
        OptionError: The path is not a list of pairs.
    """
    way = np.asarray(path, np.float64)
    if way.size == 0:
        return Chemotaxis(0.0, 0.0, 0.0, 0.0, False)
    if way.ndim != 2 or way.shape[1] != 2:
        raise OptionError(f"a path has the shape (n, 2), not {way.shape}")
    lists = [np.asarray(one, np.float64).reshape(-1, 2) for one in foods]
    near = _near_food(way, lists, zone_radius)
    inside = int(near.sum())
    approach, straight = _towards(way, lists)
    return Chemotaxis(
        index=(2 * inside - len(way)) / len(way),
        time_in_zone=inside / len(way),
        approach_frequency=approach,
        path_efficiency=straight,
        reliable=len(way) >= ENOUGH,
    )


def _near_food(
    way: NDArray[np.float64], lists: Sequence[NDArray[np.float64]], radius: float
) -> NDArray[np.bool_]:
    near = np.zeros(len(way), np.bool_)
    for k, place in enumerate(way):
        foods = lists[min(k, len(lists) - 1)] if lists else np.zeros((0, 2))
        near[k] = bool(len(foods)) and _distances(place[None], foods).min() <= radius
    return near


def _towards(way: NDArray[np.float64], lists: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """Return the share of moves that approach food, and how straight the way to the first was."""
    ever = np.unique(np.concatenate(lists), axis=0) if lists else np.zeros((0, 2))
    if not len(ever):
        return 0.0, 0.0
    nearest = _distances(way, ever).min(axis=1)
    approach = float((np.diff(nearest) < 0).mean()) if len(way) > 1 else 0.0
    length = float(np.hypot(*np.diff(way, axis=0).T).sum())
    return approach, min(1.0, float(nearest[0]) / length) if length > 0 else 1.0


def _distances(ones: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    gaps = ones[:, None, :] - others[None, :, :]
    return np.hypot(gaps[..., 0], gaps[..., 1])
