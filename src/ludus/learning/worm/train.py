"""From a task and a brain to a folder of trainings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.agents.locating import LocatedAgent
from ludus.errors import OptionError
from ludus.games.worm import find_task
from ludus.games.worm.training import EPISODES, Session, read_session
from ludus.learning.extra import require_jax
from ludus.learning.worm.journal import keep_journal
from ludus.learning.worm.standing import OnProgress, Standing

if TYPE_CHECKING:
    from ludus.learning.worm.session_folder import SessionFolder

__all__ = ["Trainings", "resume", "train"]

BrainConsent = Callable[[str, LocatedAgent], bool]
"""Is shown the spec and the file of a folder's brain and returns whether the user agrees."""


@dataclass(frozen=True)
class Trainings:
    """A folder of finished trainings.

    Attributes:
        folder: Where they are.
        sessions: Their files.
        brains: The brains that came of them, agents for ``ludus run``.
    """

    folder: Path
    sessions: tuple[Path, ...]
    brains: tuple[Path, ...]

    def read(self) -> list[Session]:
        """Return the trainings, one by one."""
        return [read_session(file) for file in self.sessions]


def train(
    task: str,
    brain: str = "mlp-ppo",
    *,
    trainings: int = 50,
    episodes: int | None = None,
    seed: int = 0,
    folder: str | Path | None = None,
    rules: str | None = None,
    settings: Mapping[str, Any] | None = None,
    evaluation: int = 20,
    workers: int | None = None,
    on: str = "here",
    on_progress: OnProgress | None = None,
) -> Trainings:
    """Train a brain on a task, many times over, and keep everything in a folder.

    A folder that holds the same trainings, broken off, is taken up where it was; the result is
    the same as if they had never been.

    Args:
        task: The task's spec, such as ``foraging-small`` or ``nematode/foraging-small``.
        brain: A name of the catalogue, ``file.py:Class`` or ``package.module:Class``.
        trainings: How many brains are trained, each from its own beginning.
        episodes: How many episodes each has; as many as the board asks for if None.
        seed: What the seeds of all trainings are made from.
        folder: Where the files go; ``runs/…`` by task, brain and seed if None.
        rules: ``reference`` for the rules of the original, with their faults.
        settings: Settings of brain or learner that are to be others.
        evaluation: Episodes without exploration, on unseen worlds, after each training.
        workers: How many processes; one for each core if None, this process if 0.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``.
        on_progress: Called with how it goes.

    Raises:
        MissingExtra: JAX is not installed.
        AgentError: There is no such brain, or it fails.
        OptionError: The task or an option is wrong, or the folder holds other trainings.

    Example:
        >>> done = train("foraging-small", "mlp-ppo", trainings=2, episodes=3, workers=0)
        >>> len(done.sessions)
        2
    """
    require_jax()
    from ludus.learning.worm.experiment import Experiment
    from ludus.learning.worm.session_folder import SessionFolder

    spec = task.removeprefix("nematode/") + (f"+{rules}" if rules == "reference" else "")
    if rules not in (None, "corrected", "reference"):
        raise OptionError(f"no rules {rules!r}; there are corrected and reference")
    experiment = Experiment(
        task=find_task(spec).id,
        brain=_absolute_spec(brain),
        trainings=trainings,
        episodes=EPISODES if episodes is None else episodes,
        seed=seed,
        settings=dict(settings or {}),
        evaluation=evaluation,
    )
    experiment.check()
    _check_workers(workers)
    files = SessionFolder(folder or _default_folder(experiment.task, brain, seed))
    files.begin(experiment)
    return _bring_to_end(files, workers, on, on_progress)


def resume(
    folder: str | Path,
    *,
    workers: int | None = None,
    on: str = "here",
    consent: bool | BrainConsent = False,
    on_progress: OnProgress | None = None,
) -> Trainings:
    """Bring the trainings of a folder to their end.

    Args:
        folder: The folder, which may be somebody else's.
        workers: How many processes; one for each core if None, this process if 0.
        on: ``here``, ``ray`` or ``ray://HOST:PORT``.
        consent: Whether code that the folder names as its brain may run, or a function that is
            given its spec, file and fingerprint and decides. Brains of the catalogue need none.
        on_progress: Called with how it goes.

    Raises:
        OptionError: The folder holds none, or names code and there is no consent.
        RunError: The world's rules have changed since.
    """
    require_jax()
    from ludus.learning.worm.session_folder import SessionFolder

    files = SessionFolder(folder)
    _check_consent(files, consent)
    files.experiment.check()
    _check_workers(workers)
    return _bring_to_end(files, workers, on, on_progress)


def _check_consent(files: SessionFolder, consent: bool | BrainConsent) -> None:
    """Make sure that the user agrees to the code that a folder names, before any of it runs."""
    located = files.locate_code()
    if located is None:
        return
    brain = files.experiment.brain
    if not (consent(brain, located) if callable(consent) else consent):
        raise OptionError(
            f"{str(files.path)!r} trains code, {brain[:200]!r} with fingerprint "
            f"{located.fingerprint}: if you trust it, say --yes"
        )


def _check_workers(workers: int | None) -> None:
    if workers is not None and workers < 0:
        raise OptionError(f"{workers} workers are too few: give 1 or more, or 0 for this process")


def _absolute_spec(brain: str) -> str:
    """Return a brain's spec with the absolute path of its file."""
    file, colon, name = brain.rpartition(":")
    return f"{Path(file).resolve()}{colon}{name}" if file.endswith(".py") else brain


def _default_folder(task: str, brain: str, seed: int) -> Path:
    words = [brain.rpartition(":")[2], task]
    return Path("runs") / "-".join([*words, str(seed)]).replace("@", "-").replace("+", "-")


def _bring_to_end(
    folder: SessionFolder, workers: int | None, on: str, on_progress: OnProgress | None
) -> Trainings:
    from ludus.learning.pool import train_in_pool
    from ludus.learning.worm.trainings import run_trainings

    experiment, missing = folder.experiment, folder.missing()
    cores = 0 if on != "here" else os.cpu_count() or 1
    if missing:
        with keep_journal(folder.path, experiment.describe(), on_progress) as report:
            tally = _Tally(experiment.trainings, experiment.episodes, len(missing), report)
            if workers == 0 and on == "here":
                run_trainings(folder.path, missing, lambda number, now: tally.add({number: now}))
            else:
                train_in_pool(folder.path, _split(missing, workers or cores), tally.add, on=on)
    sessions = tuple(folder.session_file(number) for number in range(experiment.trainings))
    brains = (file.with_suffix(".npz") for file in sessions)
    return Trainings(folder.path, sessions, tuple(file for file in brains if file.is_file()))


def _split(numbers: Sequence[int], workers: int) -> list[list[int]]:
    """Return the numbers in as many parts as there are workers, or one each for no worker."""
    parts = max(1, min(workers or len(numbers), len(numbers)))
    bounds = [len(numbers) * k // parts for k in range(parts + 1)]
    return [list(numbers[a:b]) for a, b in pairwise(bounds)]


class _Tally:
    """How the trainings stand, from the last report of each."""

    def __init__(
        self, trainings: int, episodes: int, missing: int, on_progress: OnProgress
    ) -> None:
        self._total, self._on_progress = trainings * episodes, on_progress
        self._before = (trainings - missing) * episodes
        self._reports: dict[int, Sequence[int]] = {}

    def add(self, reports: Mapping[int, Sequence[int]]) -> None:
        """Take in how some trainings stand: episodes and wins."""
        self._reports.update(reports)
        episodes = sum(played for played, _ in self._reports.values())
        wins = sum(won for _, won in self._reports.values())
        share = wins / max(episodes, 1)
        self._on_progress(Standing(self._before + episodes, self._total, share))
