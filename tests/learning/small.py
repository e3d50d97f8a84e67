"""Trainings of a few seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.learning import train
from ludus.learning.platformer.training import Outcome

SETTINGS: dict[str, dict[str, Any]] = {
    "ppo": {"games": 32, "slots": 8, "hidden": (16,)},
    "evolution": {"games": 2, "members": 8, "hidden": (8,), "patience": 15},
}
STEPS = {"ppo": 2048, "evolution": 1500}


def begin(folder: str | Path, algorithm: str = "ppo", **given: Any) -> Outcome:
    options: dict[str, Any] = {
        "steps": STEPS[algorithm],
        "evaluate_every": 1000,
        "evaluation_episodes": 4,
        "checkpoint_every": 700,
        "settings": SETTINGS[algorithm],
    }
    outcome: Outcome = train(
        "mario-arena/1-1,1-4", algorithm=algorithm, out=folder, **{**options, **given}
    )
    return outcome
