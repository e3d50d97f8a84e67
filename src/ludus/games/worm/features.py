"""Names the features that a worm senses, in the engine's order."""

from __future__ import annotations

from ludus.games.worm.task import Task

__all__ = ["SCALARS", "feature_names"]

SCALARS = {
    "temporal": ("concentration",),
    "derivative": ("concentration", "derivative"),
    "klinotaxis": ("concentration", "lateral", "derivative"),
}
"""What a scent becomes in the modes that sense no direction."""
_ORACLES = {
    "aerotaxis": ("strength", "angle", "level"),
    "food_chemotaxis": ("strength", "angle"),
    "nociception": ("strength", "angle"),
    "thermotaxis": ("strength", "angle", "level"),
}
_FIXED = {
    "gradient": ("strength", "angle"),
    "mechanosensation": ("wall", "predator"),
    "proprioception": ("moved", "heading"),
}
_LEVELS = ("aerotaxis", "thermotaxis")


def _parts(sense: str, sensing: str) -> tuple[str, ...]:
    if sense in _FIXED:
        return _FIXED[sense]
    if sensing == "oracle":
        return _ORACLES[sense]
    return tuple(
        "level" if part == "concentration" and sense in _LEVELS else part
        for part in SCALARS[sensing]
    )


_CHANNELS = {
    "food_chemotaxis": "food",
    "gradient": "food",
    "nociception": "predators",
    "thermotaxis": "temperature",
    "aerotaxis": "oxygen",
}


def feature_names(task: Task) -> tuple[str, ...]:
    """Return the name of every feature, in their order: senses by the alphabet, then memory.

    Example:
        >>> feature_names(Task(name="my-dish"))
        ('food_chemotaxis.strength', 'food_chemotaxis.angle')
    """
    names = [
        f"{sense}.{part}" for sense in sorted(task.senses) for part in _parts(sense, task.sensing)
    ]
    if task.remembers:
        order = ("food_chemotaxis", "gradient", "nociception", "thermotaxis", "aerotaxis")
        channels = [_CHANNELS[sense] for sense in order if sense in task.senses]
        names += [f"stam.{channel}.mean" for channel in dict.fromkeys(channels)]
        names += [f"stam.{channel}.change" for channel in dict.fromkeys(channels)]
        names += ["stam.move_x", "stam.move_y", "stam.entropy"]
    return tuple(names)
