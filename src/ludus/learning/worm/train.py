"""From a task and a brain to a folder of trainings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus import __version__
from ludus.errors import AgentError, LudusError, OptionError, RunError
from ludus.games.rules import check_rules, recorded_rules
from ludus.games.worm import FIRST_RULES, RULES, find_task
from ludus.games.worm.training import EPISODES
from ludus.learning.extra import require_jax

if TYPE_CHECKING:
    from ludus.learning.worm.folder import Folder

__all__ = ["OnProgress", "Standing", "Trainings", "resume", "train"]

#: An XLA that keeps to one core: the cores are shared out among processes.
ONE_CORE = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the trainings have come.

    Attributes:
        episodes: How many episodes have been played in all.
        total: How many there will be.
        success: The share of them that succeeded.
    """

    episodes: int
    total: int
    success: float


OnProgress = Callable[[Standing], None]
"""Hears how it goes, twice a second or so."""


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

    def read(self) -> list[dict[str, Any]]:
        """Return the trainings as plain values, one by one."""
        return [json.loads(file.read_text(encoding="utf-8")) for file in self.sessions]


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
        on_progress: Hears how it goes.

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
    from ludus.learning.worm.folder import Folder
    from ludus.learning.worm.plan import Plan

    spec = task.removeprefix("nematode/") + (f"+{rules}" if rules == "reference" else "")
    if rules not in (None, "corrected", "reference"):
        raise OptionError(f"no rules {rules!r}; there are corrected and reference")
    found = find_task(spec)
    if found.substrate != "grid":
        raise OptionError(f"{found.id} is no grid: brains are trained on grids only")
    plan = Plan(
        task=found.id,
        brain=_whole(brain),
        trainings=trainings,
        episodes=EPISODES if episodes is None else episodes,
        seed=seed,
        settings=dict(settings or {}),
        evaluation=evaluation,
        engine=RULES,
        version=__version__,
    )
    assert plan.loaded  # noqa: S101  (a wrong brain is told of before a folder is made)
    place = Folder(folder or _default_folder(plan.task, brain, seed))
    place.begin(plan)
    return _bring_to_end(place, workers, on, on_progress)


def resume(
    folder: str | Path,
    *,
    workers: int | None = None,
    on: str = "here",
    on_progress: OnProgress | None = None,
) -> Trainings:
    """Bring the trainings of a folder to their end.

    Raises:
        OptionError: The folder holds none.
        RunError: The world's rules have changed since.
    """
    require_jax()
    from ludus.learning.worm.folder import Folder

    place = Folder(folder)
    check_rules(recorded_rules(place.plan.engine, FIRST_RULES), RULES)
    return _bring_to_end(place, workers, on, on_progress)


def _whole(brain: str) -> str:
    """Return a brain's spec with the whole path of its file."""
    file, colon, name = brain.rpartition(":")
    return f"{Path(file).resolve()}{colon}{name}" if file.endswith(".py") else brain


def _default_folder(task: str, brain: str, seed: int) -> Path:
    words = [brain.rpartition(":")[2], task]
    return Path("runs") / "-".join([*words, str(seed)]).replace("@", "-").replace("+", "-")


def _bring_to_end(
    folder: Folder, workers: int | None, on: str, on_progress: OnProgress | None
) -> Trainings:
    plan, missing = folder.plan, folder.missing()
    if workers is not None and workers < 0:
        raise OptionError(f"{workers} workers are too few: give 1 or more, or 0 for this process")
    board = _Board(plan.trainings, plan.episodes, missing, on_progress)
    if not missing:
        pass
    elif on != "here":
        from ludus.learning.worm.on_ray import train_on_ray

        train_on_ray(folder, on, _chunks(missing, workers or 0), board.hear)
    elif workers == 0:
        from ludus.learning.worm.chunk import train_some

        train_some(folder, missing, lambda *told: board.hear([told]))
    else:
        _in_processes(folder, _chunks(missing, workers or os.cpu_count() or 1), board)
    sessions = tuple(folder.session(k) for k in range(plan.trainings))
    brains = tuple(one.with_suffix(".npz") for one in sessions)
    return Trainings(folder.path, sessions, tuple(one for one in brains if one.is_file()))


def _chunks(numbers: Sequence[int], workers: int) -> list[list[int]]:
    """Return the numbers in as many parts as there are workers, each next to each."""
    parts = max(1, min(workers or len(numbers), len(numbers)))
    bounds = [len(numbers) * k // parts for k in range(parts + 1)]
    return [list(numbers[a:b]) for a, b in pairwise(bounds)]


class _Board:
    """What is known of how the trainings go."""

    def __init__(
        self, trainings: int, episodes: int, missing: list[int], on_progress: OnProgress | None
    ) -> None:
        self._total, self._on_progress = trainings * episodes, on_progress
        self._before = (trainings - len(missing)) * episodes
        self._standing: dict[int, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def hear(self, told: Sequence[Sequence[int]]) -> None:
        """Take in how some trainings stand."""
        with self._lock:
            self._standing.update({k: (played, wins) for k, played, wins in told})
            played = sum(one[0] for one in self._standing.values())
            wins = sum(one[1] for one in self._standing.values())
            if self._on_progress:
                self._on_progress(
                    Standing(self._before + played, self._total, wins / max(played, 1))
                )


def _in_processes(folder: Folder, chunks: list[list[int]], board: _Board) -> None:
    """Train each chunk in a process of its own."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    environment["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {ONE_CORE}".strip()
    module = [sys.executable, "-m", "ludus.learning.worm.worker", str(folder.path)]
    processes = [
        subprocess.Popen(  # noqa: S603  (our own module)
            [*module, ",".join(map(str, chunk))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        for chunk in chunks
    ]
    faults: list[LudusError] = []
    threads = [
        threading.Thread(target=_listen, args=(process, board, faults), daemon=True)
        for process in processes
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for process in processes:
            if process.poll() is None:
                process.terminate()
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()
    if faults:
        raise faults[0]


def _listen(process: subprocess.Popen[str], board: _Board, faults: list[LudusError]) -> None:
    assert process.stdout and process.stderr  # noqa: PT018, S101
    said = False
    for line in process.stdout:
        try:
            message = json.loads(line)
        except ValueError:  # somebody's brain prints
            continue
        if "error" in message:
            said = True
            kinds = {"OptionError": OptionError, "RunError": RunError}
            faults.append(kinds.get(message["kind"], AgentError)(message["error"]))
        else:
            board.hear(message["standing"])
    rest = process.stderr.read()
    if process.wait() and not said:
        last = rest.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        faults.append(RunError(f"a process that trained has died: {last[0]}; take it up again"))
