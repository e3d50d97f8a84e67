"""From levels of the arena to a folder with a policy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.errors import OptionError
from ludus.learning.platformer.settings import Course, settings_for

if TYPE_CHECKING:
    from ludus.learning.platformer.training import OnProgress, Outcome

__all__ = ["folder_of", "resume", "train"]


def train(
    benchmark: str = "mario-arena/1-1",
    *,
    algorithm: str = "ppo",
    steps: int = 1_000_000,
    seed: int = 0,
    seeds: int = 1,
    levels: int = 1000,
    name: str = "",
    observe: str = "fields",
    start: str | Path = "",
    out: str | Path | None = None,
    evaluate_every: int = 100_000,
    evaluation_episodes: int = 100,
    checkpoint_every: int = 100_000,
    settings: Mapping[str, Any] | None = None,
    on: str = "here",
    on_progress: OnProgress | None = None,
) -> Outcome:
    """Train a policy for a benchmark of mario-arena and keep everything in a folder.

    Args:
        benchmark: ``mario-arena/1-1`` to ``8-4``, several as in ``mario-arena/1-1,1-2``,
            ``mario-arena/all`` for one policy over all 32 levels, ``mario-arena/unseen`` for
            generated levels, or a generator with its options in place of the track, as in
            ``mario-arena/ludus?difficulty=3``.
        algorithm: ``ppo`` or ``evolution``.
        steps: Decisions that each seed learns from.
        seed: The first seed.
        seeds: How many seeds learn side by side.
        levels: Levels to train on, where they are generated.
        name: What the policy is called, in files and tables.
        observe: ``fields``, a grid around Mario with his state; ``wide``, the same with the ground
            further ahead and moving platforms; or ``pixels``.
        start: The file of a policy to go on from, of the same or a smaller network.
        out: The folder; ``runs/NAME``, or ``runs/…`` by benchmark, algorithm and seed if None.
        evaluate_every: Decisions between two evaluations.
        evaluation_episodes: Episodes of an evaluation on each level; of generated levels, how many
            held-out ones are played once.
        checkpoint_every: Decisions between two checkpoints.
        settings: Settings of the algorithm that are to be others.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``.
        on_progress: Called with how it goes, some times a second.

    Raises:
        MissingExtra: Evolution is asked for, and JAX is not installed.
        OptionError: An option is unknown or out of range, or the folder holds a training already.
    """
    course = Course(
        benchmark=benchmark,
        algorithm=algorithm,
        steps=steps,
        seed=seed,
        seeds=seeds,
        levels=levels,
        name=name,
        observe=observe,
        start=str(start),
        evaluate_every=evaluate_every,
        evaluation_episodes=evaluation_episodes,
        checkpoint_every=checkpoint_every,
        settings=settings_for(algorithm, observe, settings),
    )
    if levels != Course.levels and not course.generated:
        raise OptionError(
            f"levels {levels:,} are not for {benchmark}, which has its own: leave them out, or "
            "train for mario-arena/unseen"
        )
    from ludus.learning.platformer.training import start as start_training

    folder = out or folder_of(benchmark, algorithm, observe, seed, name)
    return start_training(course, folder, on_progress, on=on)


def resume(
    folder: str | Path, *, on: str = "here", on_progress: OnProgress | None = None
) -> Outcome:
    """Bring a training that was stopped to its end; its curve is that of one never stopped.

    Raises:
        MissingExtra: Evolution is asked for, and JAX is not installed.
        OptionError: The folder holds no training.
    """
    from ludus.learning.platformer.training import continue_training

    return continue_training(folder, on_progress, on=on)


def folder_of(
    benchmark: str, algorithm: str, observe: str = "fields", seed: int = 0, name: str = ""
) -> Path:
    """Return the folder that a training is kept in unless another is named.

    Example:
        >>> folder_of("mario-arena/1-1", "ppo").as_posix()
        'runs/mario-arena-1-1-ppo-0'
    """
    track = "".join(letter if letter.isalnum() else "-" for letter in benchmark)
    kind = "" if observe == "fields" else f"-{observe}"
    return Path("runs") / (name or f"{track}-{algorithm}{kind}-{seed}")
