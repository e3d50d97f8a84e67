"""The game of the learning track: a level is played many times, and the play after those counts."""

from __future__ import annotations

from ludus.games.platformer.tasks.learning.curve import CurvePart, LearningCurve
from ludus.games.platformer.tasks.learning.scenario import (
    LEARNING_TASK,
    TRAINING_PLAYS,
    LearningScenario,
    Play,
)

__all__ = [
    "LEARNING_TASK",
    "TRAINING_PLAYS",
    "CurvePart",
    "LearningCurve",
    "LearningScenario",
    "Play",
]
