"""Training: from a benchmark to an agent that plays it, with the extra ``ludus-arena[learn]``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.learning import platformer, worm
from ludus.learning.folder import TrainingFolder
from ludus.learning.platformer import folder_of
from ludus.learning.platformer.settings import Course

__all__ = ["Course", "folder_of", "platformer", "resume", "train", "worm"]


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
        benchmark: One of mario-arena, such as ``mario-arena/1-1``, or of nematode, such as
            ``nematode/foraging-small``.
        seed: What all chance of the training is made from.
        out: The folder; ``runs/…`` by what is trained if None.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``.
        on_progress: Called with how it goes, some times a second.
        options: Those of :func:`ludus.learning.platformer.train` or
            :func:`ludus.learning.worm.train`.

    Returns:
        :class:`ludus.learning.platformer.training.Outcome` or
        :class:`ludus.learning.worm.Trainings`.

    Raises:
        MissingExtra: JAX is not installed.
        OptionError: The benchmark or an option is wrong.
    """
    common: dict[str, Any] = {"seed": seed, "on": on, "on_progress": on_progress, **options}
    if benchmark.partition("/")[0] == "nematode":
        return _call(worm.train, benchmark, folder=out, **common)
    return _call(platformer.train, benchmark, out=out, **common)


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
    family = worm if TrainingFolder(folder).family == "nematode" else platformer
    return _call(family.resume, folder, on=on, on_progress=on_progress, **options)


def _call(function: Callable[..., Any], *words: Any, **options: Any) -> Any:
    """Call a function; an option that it does not know is told as one."""
    known = function.__annotations__
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise OptionError(f"no option {unknown!r}: there are {', '.join(sorted(known))}")
    return function(*words, **options)
