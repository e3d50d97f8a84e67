"""What players make of a worm's senses, whichever of them the task has."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, atanh, cos, pi, sin

from ludus.errors import AgentError

__all__ = ["bearing", "scent", "side"]

_FULL = 1 - 1e-7


def scent(senses: Mapping[str, float]) -> float:
    """Return how strongly it smells of food here."""
    for name in ("food_chemotaxis.concentration", "food_chemotaxis.strength", "gradient.strength"):
        if name in senses:
            return senses[name]
    raise AgentError(f"there is no smell of food among {', '.join(senses)}: try another task")


def side(senses: Mapping[str, float]) -> float:
    """Return to which side it smells more of food: left above 0, right below, 0 if unknown."""
    for name in ("food_chemotaxis.angle", "gradient.angle"):
        if name in senses:
            return senses[name]
    return -senses.get("food_chemotaxis.lateral", 0.0)


def bearing(senses: Mapping[str, float]) -> float:
    """Return where food is, away from predators, from -1 (behind, by the right) to 1.

    Raises:
        AgentError: The senses do not tell directions.
    """
    if "gradient.angle" in senses:
        return senses["gradient.angle"]
    if "food_chemotaxis.angle" not in senses:
        raise AgentError("no direction is sensed; try the mode oracle, or the agent run-and-tumble")
    ahead, left = _vector(senses, "food_chemotaxis")
    if "nociception.angle" in senses:
        danger_ahead, danger_left = _vector(senses, "nociception")
        ahead, left = ahead - danger_ahead, left - danger_left
    return atan2(left, ahead) / pi


def _vector(senses: Mapping[str, float], sense: str) -> tuple[float, float]:
    size = atanh(min(senses[f"{sense}.strength"], _FULL))
    angle = pi * senses[f"{sense}.angle"]
    return size * cos(angle), size * sin(angle)
