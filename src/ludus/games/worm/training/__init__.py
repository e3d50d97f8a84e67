"""The game of learning: a whole training of a worm, dish after dish, as one play."""

from __future__ import annotations

from ludus.games.worm.training.records import Declared, pack_actions, unpack_actions
from ludus.games.worm.training.scenario import EPISODES, TrainingScenario, training_seed

__all__ = [
    "EPISODES",
    "Declared",
    "TrainingScenario",
    "pack_actions",
    "training_seed",
    "unpack_actions",
]
