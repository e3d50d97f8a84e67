"""Training: from a benchmark to an agent that plays it.

Brains of nematode, and policies of mario-arena by evolution, need the extra ``ludus-arena[learn]``;
policies by PPO and the players of mario-ai need NumPy alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.learning import mario_ai, platformer, worm
from ludus.learning.folder import TrainingFolder
from ludus.learning.platformer import folder_of
from ludus.learning.platformer.settings import Course

__all__ = ["Course", "folder_of", "mario_ai", "platformer", "resume", "train", "worm"]


def train(
    benchmark: str = "mario-arena/1-1",
    *,
    seed: int = 0,
    out: str | Path | None = None,
    on: str = "here",
    on_progress: Callable[[Any], None] | None = None,
    **options: Any,
) -> Any:
    """Train an agent for a benchmark and keep everything in a folder.

    Args:
        benchmark: One of mario-arena, such as ``mario-arena/1-1``, of nematode, such as
            ``nematode/foraging-small``, or of mario-ai, such as ``mario-ai/gameplay-2009-ice``.
        seed: What all chance of the training is made from.
        out: The folder; ``runs/…`` by what is trained if None.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``; players of mario-ai are trained here.
        on_progress: Called with how it goes, some times a second.
        options: Those of :func:`ludus.learning.platformer.train`,
            :func:`ludus.learning.worm.train` or :func:`ludus.learning.mario_ai.train`.

    Returns:
        :class:`ludus.learning.platformer.training.Outcome`,
        :class:`ludus.learning.worm.Trainings` or
        :class:`ludus.learning.mario_ai.training.Outcome`.

    Raises:
        MissingExtra: JAX is not installed.
        OptionError: The benchmark or an option is wrong.
    """
    family = benchmark.partition("/")[0]
    common: dict[str, Any] = {"seed": seed, "on_progress": on_progress, **options}
    if family == "mario-ai":
        _check_here(on)
        return _call(mario_ai.train, benchmark, out=out, **common)
    if family == "nematode":
        return _call(worm.train, benchmark, folder=out, on=on, **common)
    return _call(platformer.train, benchmark, out=out, on=on, **common)


def resume(
    folder: str | Path,
    *,
    on: str = "here",
    on_progress: Callable[[Any], None] | None = None,
    **options: Any,
) -> Any:
    """Bring a training that was stopped to its end; the result is that of one never stopped.

    Args:
        folder: What :func:`train` kept it in.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``.
        on_progress: Called with how it goes, some times a second.
        options: Those of the family's own ``resume``.

    Raises:
        MissingExtra: JAX is not installed.
        OptionError: The folder holds no training.
    """
    family = TrainingFolder(folder).family
    if family == "mario-ai":
        _check_here(on)
        return _call(mario_ai.resume, folder, on_progress=on_progress, **options)
    trainer = worm if family == "nematode" else platformer
    return _call(trainer.resume, folder, on=on, on_progress=on_progress, **options)


def _check_here(on: str) -> None:
    if on != "here":
        raise OptionError(f"on {on!r} no player of mario-ai is trained: leave it out")


def _call(function: Callable[..., Any], *words: Any, **options: Any) -> Any:
    """Call a function; an option that it does not know is told as one."""
    known = function.__annotations__.keys() - {"return"}
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise OptionError(f"no option {unknown!r}: there are {', '.join(sorted(known))}")
    return function(*words, **options)
