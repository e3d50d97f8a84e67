"""Measures how well a path keeps to food, as worm researchers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError

__all__ = ["Chemotaxis", "chemotaxis", "chemotaxis_index"]

ENOUGH = 10
"""Positions from which on the figures can be relied upon."""


@dataclass(frozen=True, slots=True)
class Chemotaxis:
    """How well a path keeps to food.

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


def chemotaxis_index(near: float, positions: float) -> float:
    """Return (positions near food - positions away) / positions, or 0 without any position.

    Example:
        >>> chemotaxis_index(3, 4)
        0.5
    """
    return (2 * near - positions) / positions if positions else 0.0


def chemotaxis(path: ArrayLike, foods: Sequence[ArrayLike], zone_radius: float = 5.0) -> Chemotaxis:
    """Measure how well a path keeps to the food that is there at each step.

    Args:
        path: x and y, one row a position.
        foods: The places of food at each position; if there are fewer, the last ones stay.
        zone_radius: Within this distance of food counts as near it.

    Raises:
        OptionError: The path is not a list of pairs.

    Example:
        >>> measured = chemotaxis([(0, 0), (1, 0), (2, 0)], [[(2, 0)]], zone_radius=1)
        >>> round(measured.time_in_zone, 3), measured.approach_frequency, measured.reliable
        (0.667, 1.0, False)
    """
    positions = np.asarray(path, np.float64)
    if positions.size == 0:
        return Chemotaxis(0.0, 0.0, 0.0, 0.0, False)
    if positions.ndim != 2 or positions.shape[1] != 2:
        raise OptionError(f"a path has the shape (n, 2), not {positions.shape}")
    food_lists = [np.asarray(places, np.float64).reshape(-1, 2) for places in foods]
    is_near = _near_food(positions, food_lists, zone_radius)
    inside = int(is_near.sum())
    approach, straight = _approach_and_efficiency(positions, food_lists)
    return Chemotaxis(
        index=chemotaxis_index(inside, len(positions)),
        time_in_zone=inside / len(positions),
        approach_frequency=approach,
        path_efficiency=straight,
        reliable=len(positions) >= ENOUGH,
    )


def _near_food(
    positions: NDArray[np.float64], food_lists: Sequence[NDArray[np.float64]], radius: float
) -> NDArray[np.bool_]:
    is_near = np.zeros(len(positions), np.bool_)
    for k, position in enumerate(positions):
        foods = food_lists[min(k, len(food_lists) - 1)] if food_lists else np.zeros((0, 2))
        is_near[k] = bool(len(foods)) and _distances(position[None], foods).min() <= radius
    return is_near


def _approach_and_efficiency(
    positions: NDArray[np.float64], food_lists: Sequence[NDArray[np.float64]]
) -> tuple[float, float]:
    """Return the share of moves that approach food, and how straight the way to the first was."""
    foods = np.unique(np.concatenate(food_lists), axis=0) if food_lists else np.zeros((0, 2))
    if not len(foods):
        return 0.0, 0.0
    nearest = _distances(positions, foods).min(axis=1)
    approach = float((np.diff(nearest) < 0).mean()) if len(positions) > 1 else 0.0
    length = float(np.hypot(*np.diff(positions, axis=0).T).sum())
    return approach, min(1.0, float(nearest[0]) / length) if length > 0 else 1.0


def _distances(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    gaps = first[:, None, :] - second[None, :, :]
    return np.hypot(gaps[..., 0], gaps[..., 1])
