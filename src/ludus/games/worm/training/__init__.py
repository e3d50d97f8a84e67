"""The game of learning: a whole training of a worm, dish after dish, as one play."""

from __future__ import annotations

from ludus.games.worm.training.records import Declaration, pack_actions, unpack_actions
from ludus.games.worm.training.replay import EpisodeResult
from ludus.games.worm.training.scenario import EPISODES, TrainingScenario, training_seed
from ludus.games.worm.training.session import Session, read_session, session_from_dict

__all__ = [
    "EPISODES",
    "Declaration",
    "EpisodeResult",
    "Session",
    "TrainingScenario",
    "pack_actions",
    "read_session",
    "session_from_dict",
    "training_seed",
    "unpack_actions",
]
