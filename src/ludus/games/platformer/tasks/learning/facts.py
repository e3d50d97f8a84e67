"""What a learning match came to: the play that counts, and the training before it."""

from __future__ import annotations

from typing import Any

from ludus.games.game import Facts
from ludus.games.platformer.tasks.learning.curve import LearningCurve
from ludus.games.platformer.tasks.match import TaskMatch

__all__ = ["describe_outcome", "learning_facts"]

TOLD = (
    "status", "distance", "mode", "coins", "hidden_blocks", "mushrooms", "green_mushrooms",
    "flowers", "kills_total", "kills_by_stomp", "kills_by_fire", "kills_by_shell", "collisions",
    "time_left", "time_spent", "ticks", "reward", "death",
)  # fmt: skip
"""The figures of a training play that its agent is told: what it did, nothing of the level."""


def describe_outcome(facts: Facts, play: int) -> dict[str, Any]:
    """Return what an agent is told of a training play.

    Args:
        facts: Those of the play.
        play: Its number.
    """
    return {"score": score_of(facts), "play": play, **{name: facts[name] for name in TOLD}}


def score_of(facts: Facts) -> int:
    """Return the weighted fitness, a whole number."""
    return int(facts["fitness"] or 0)


def learning_facts(counted: TaskMatch, curve: LearningCurve) -> Facts:
    """Return the facts of the play that counts, and those of the training.

    Args:
        counted: The play that counts, as far as it was played.
        curve: What the training plays scored.
    """
    parts = curve.parts
    return {
        **counted.facts(),
        "training_plays": curve.plays,
        "first_score": curve.first,
        "best_score": curve.best,
        "curve_best": " ".join(str(part.best) for part in parts),
        "curve_mean": " ".join(f"{part.mean:.1f}" for part in parts),
    }
