"""Episodes played by processes of this machine."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from types import ModuleType

from ludus.errors import OptionError
from ludus.runs.episode import Ending, Episode
from ludus.runs.executor import MOST_TRIES
from ludus.runs.plan import Plan, Task
from ludus.runs.playing import Stage, unplayed

__all__ = ["LocalExecutor"]


class LocalExecutor:
    """Plays episodes in ``workers`` processes, by default one for each core."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise OptionError(f"{workers} workers are too few: give 1 or more")
        self.workers = workers or os.cpu_count() or 1

    def play(self, plan: Plan, tasks: Sequence[Task]) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there."""
        crew = _Crew(plan, tasks, min(self.workers, len(tasks)))
        try:
            while crew.busy:
                yield crew.finished()
        finally:
            crew.dismiss()


@dataclass
class _Worker:
    """A process and what it is playing."""

    process: BaseProcess
    link: Connection
    task: Task | None = None
    deadline: float = 0.0
    began: float = 0.0


@dataclass
class _Crew:
    """The processes of one run, and the tasks that are still to be played."""

    plan: Plan
    tasks: Sequence[Task]
    size: int
    waiting: deque[Task] = field(init=False)
    tries: dict[int, int] = field(default_factory=dict)
    workers: list[_Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.waiting = deque(self.tasks)
        for _ in range(self.size):
            self._hire()

    @property
    def busy(self) -> bool:
        """Whether anything is still to come."""
        return bool(self.waiting) or any(worker.task for worker in self.workers)

    def finished(self) -> list[Episode]:
        """Wait until something happens and return the episodes that it finished."""
        soonest = min((w.deadline for w in self.workers if w.task), default=monotonic())
        ready = wait([w.link for w in self.workers], timeout=max(soonest - monotonic(), 0))
        episodes = []
        for worker in list(self.workers):
            if worker.link in ready:
                episodes += self._hear(worker)
            elif worker.task and monotonic() >= worker.deadline:
                episodes.append(self._stop(worker))
        return episodes

    def dismiss(self) -> None:
        """End every process."""
        for worker in self.workers:
            worker.link.close()
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()
        self.workers.clear()

    def _hire(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["ludus.runs.local"])
        link, far = context.Pipe()
        process = context.Process(target=_work, args=(self.plan.to_json(), far), daemon=True)
        with _main_left_alone():
            process.start()
        far.close()
        worker = _Worker(process, link)
        self.workers.append(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        worker.task = self.waiting.popleft() if self.waiting else None
        if worker.task is None:
            return
        task = worker.task
        self.tries[task.number] = self.tries.get(task.number, 0) + 1
        worker.began = monotonic()
        worker.deadline = worker.began + self.plan.limits.seconds
        with suppress(OSError):  # if it died meanwhile, finished() will hear of it
            worker.link.send_bytes(json.dumps([task.number, task.agent, task.scenario]).encode())

    def _hear(self, worker: _Worker) -> list[Episode]:
        try:
            episode = Episode.from_json(worker.link.recv_bytes())
        except (EOFError, OSError, ValueError, KeyError, TypeError):
            return self._bury(worker)
        if worker.task is None or episode.number != worker.task.number:
            return self._bury(worker)
        self._give(worker)
        return [episode]

    def _bury(self, worker: _Worker) -> list[Episode]:
        """Replace a worker that died; its task is tried again, but not for ever."""
        task, began = worker.task, worker.began
        self._fire(worker)
        lost = []
        if task and self.tries[task.number] < MOST_TRIES:
            self.waiting.appendleft(task)
        elif task:
            reason = f"its process died {MOST_TRIES} times"
            lost = [unplayed(self.plan, task, Ending.CRASHED, reason, monotonic() - began)]
        if self.waiting:
            self._hire()
        return lost

    def _stop(self, worker: _Worker) -> Episode:
        """End a worker whose agent takes too long, and replace it."""
        task = worker.task
        assert task is not None  # noqa: S101
        seconds = monotonic() - worker.began
        self._fire(worker)
        if self.waiting:
            self._hire()
        reason = f"took longer than {self.plan.limits.seconds:g} seconds"
        return unplayed(self.plan, task, Ending.DISQUALIFIED, reason, seconds)

    def _fire(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.link.close()
        worker.process.kill()
        worker.process.join()


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Keep new processes from running the user's script, as multiprocessing otherwise does."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _work(plan: str, link: Connection) -> None:
    """Play what comes through the link until it closes."""
    stage = Stage(Plan.from_json(plan))
    try:
        while True:
            task = Task(*json.loads(link.recv_bytes()))
            link.send_bytes(stage.play(task).to_json().encode())
    except (EOFError, OSError, KeyboardInterrupt):
        stage.close()
