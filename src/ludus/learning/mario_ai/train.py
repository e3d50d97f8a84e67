"""From a track of mario-ai to a folder with a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.games.platformer.recordings import Recording
from ludus.learning.mario_ai.settings import Curriculum
from ludus.learning.mario_ai.training import OnProgress, Outcome, continue_training, start

__all__ = ["folder_of", "resume", "train"]


def train(
    benchmark: str = "mario-ai/gameplay-2009-ice",
    *,
    method: str = "neuro-evolution",
    rounds: int | None = None,
    levels: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    evaluate_every: int | None = None,
    evaluation_levels: int | None = None,
    settings: Mapping[str, Any] | None = None,
    recordings: Sequence[Recording] = (),
    workers: int | None = None,
    on_progress: OnProgress | None = None,
) -> Outcome:
    """Train a player for a track of mario-ai and keep everything in a folder.

    Args:
        benchmark: A gameplay track of 2009 or 2010, such as ``mario-ai/gameplay-2009-ice``.
        method: ``q-learning``, ``neuro-evolution``, ``genetic-programming``, ``cuckoo-search``,
            ``imitation``, ``behaviour-tree`` or ``realm``.
        rounds: How often candidates are asked for; as usual for the method if None.
        levels: Levels that each candidate plays in a round; as usual for the method if None.
        seed: What all chance of the training is made from.
        out: The folder; ``runs/…`` by benchmark, method and seed if None.
        evaluate_every: Rounds between two evaluations.
        evaluation_levels: Levels of an evaluation.
        settings: Settings of the method that are to be others.
        recordings: Recorded play that ``imitation`` begins with.
        workers: Processes that play; one for each core if None. The result is the same.
        on_progress: Called after every round.

    Raises:
        OptionError: An option is unknown or out of range, or the folder holds a training already.
    """
    curriculum = Curriculum.for_method(
        benchmark,
        method,
        settings,
        rounds=rounds,
        levels=levels,
        seed=seed,
        evaluate_every=evaluate_every,
        evaluation_levels=evaluation_levels,
    )
    folder = out or folder_of(benchmark, method, seed)
    return start(curriculum, folder, on_progress, recordings=recordings, workers=workers)


def resume(
    folder: str | Path, *, workers: int | None = None, on_progress: OnProgress | None = None
) -> Outcome:
    """Bring a training that was stopped to its end; its player is that of one never stopped.

    Raises:
        OptionError: The folder holds no training.
    """
    return continue_training(folder, on_progress, workers=workers)


def folder_of(benchmark: str, method: str, seed: int = 0) -> Path:
    """Return the folder that a training is kept in unless another is named.

    Example:
        >>> folder_of("mario-ai/gameplay-2009-ice", "q-learning").as_posix()
        'runs/mario-ai-gameplay-2009-ice-q-learning-0'
    """
    return Path("runs") / f"{benchmark.replace('/', '-')}-{method}-{seed}"
