"""What a submitted brain is, by the catalogue and by its weights, whatever its folder says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brain import TrainedBrain
from ludus.agents.worm.brains import settings_to_dict
from ludus.array_files import read_arrays
from ludus.benchmarks.nematode.submission import TrainingSubmission
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.errors import AgentError, one_line
from ludus.games.worm import ACTIONS, feature_names, find_task
from ludus.games.worm.training import Declaration

__all__ = ["MOST_WEIGHTS", "find_false_claims", "find_weights_problems", "have_equal_weights"]

MOST_WEIGHTS = 256 * 2**20
CLOSE = 1e-3


def find_false_claims(submission: TrainingSubmission, truth: Declaration) -> Iterator[str]:
    """Yield where the sessions say of their brain what its catalogue does not."""
    first = submission.sessions[0]
    for name, value in asdict(truth).items():
        claim = getattr(submission.declaration, name)
        if claim != value:
            yield f"{first.name}: {name} is said to be {claim!r}; {submission.brain} has {value!r}"


def find_weights_problems(submission: TrainingSubmission, truth: Declaration) -> Iterator[str]:
    """Yield the trainings that come without weights, or with those of another brain or training."""
    owners: dict[bytes, str] = {}
    for session in submission.sessions:
        file = submission.weights_file(int(session.training or 0))
        if not file.is_file():
            yield f"{session.name}: its weights are missing: {file.name} belongs to it"
            continue
        try:
            arrays = read_arrays(file, MOST_WEIGHTS)
            steps = sum(session.steps) + truth.pretraining_steps
            _check_brain(submission, arrays, steps)
        except (OSError, ValueError, AgentError) as error:
            yield f"{file}: holds no weights of {submission.brain}: {one_line(error)}"
            continue
        owner = owners.setdefault(_digest(arrays), file.name)
        if truth.learning and owner != file.name:
            yield f"{file}: holds the weights of {owner}; no two trainings end with the same"


def have_equal_weights(file: Path, again: Mapping[str, NDArray[Any]]) -> bool:
    """Return whether a file holds the very weights that a training gave when it was done again."""
    arrays = read_arrays(file, MOST_WEIGHTS)
    names = {name for name in again if name.startswith("weight.")}
    return names == {name for name in arrays if name.startswith("weight.")} and all(
        arrays[name].shape == again[name].shape
        and np.allclose(arrays[name], again[name], rtol=CLOSE, atol=CLOSE)
        for name in names
    )


def _check_brain(
    submission: TrainingSubmission, arrays: Mapping[str, NDArray[Any]], steps: int
) -> None:
    """Refuse weights of a brain that is built otherwise, senses otherwise or learned otherwise.

    Raises:
        AgentError: They are no brain.
        ValueError: They are another one's.
    """
    player = TrainedBrain.from_checkpoint(dict(arrays))
    built = json.loads(json.dumps(settings_to_dict(player.brain)))
    if built != submission.config.get("brain"):
        raise ValueError(f"it is built as {one_line(json.dumps(built))[:120]}")
    features = feature_names(find_task(task_spec(submission.task, **submission.options)))
    if player.features != tuple(features):
        raise ValueError(f"it senses {', '.join(player.features)}, the task has other features")
    if player.steps != steps:
        raise ValueError(f"it has learned from {player.steps:,} steps, the session has {steps:,}")
    fresh = player.brain.init(np.random.default_rng(0), features, len(ACTIONS))
    shapes = {name: np.shape(value) for name, value in fresh.items()}
    if {name: np.shape(value) for name, value in player.weights.items()} != shapes:
        raise ValueError("its arrays have other names or shapes")


def _digest(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    return b"".join(arrays[name].tobytes() for name in sorted(arrays) if name.startswith("weight."))
