"""Episodes played by processes of this machine."""

from __future__ import annotations

import json
import multiprocessing
import os
import selectors
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic, sleep
from types import ModuleType

from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import OptionError
from ludus.execution.episode import Ending, Episode
from ludus.execution.executor import MOST_TRIES
from ludus.execution.plan import Plan, Task
from ludus.execution.stage import Stage, hear, tell, unplayed

__all__ = ["LocalExecutor"]

AHEAD_SECONDS = 0.1  # work that a process is given beyond the episode it plays
MOST_AHEAD = 64
PAUSE = 0.02  # seconds in which short episodes gather, to be heard of and kept together
MOST_AT_ONCE = 64  # episodes that may wait for the last of them to be kept


class LocalExecutor:
    """Plays episodes in ``workers`` processes, by default one for each core."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise OptionError(f"{workers} workers are too few: give 1 or more")
        self.workers = workers or os.cpu_count() or 1

    def play(
        self, plan: Plan, tasks: Sequence[Task], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there."""
        crew = _Crew(plan, tasks, min(self.workers, len(tasks)), context)
        try:
            while crew.busy:
                yield crew.finished()
        finally:
            crew.dismiss()


@dataclass
class _Worker:
    """A process, the episode that it is playing, and those that it will play next."""

    process: BaseProcess
    link: Connection
    tasks: deque[Task] = field(default_factory=deque)
    deadline: float = 0.0
    began: float = 0.0


@dataclass
class _Crew:
    """The processes of one run, and the tasks that are still to be played."""

    plan: Plan
    tasks: Sequence[Task]
    size: int
    context: RunContext
    waiting: deque[Task] = field(init=False)
    tries: dict[int, int] = field(default_factory=dict)
    pace: float = AHEAD_SECONDS
    links: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    workers: list[_Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.waiting = deque(self.tasks)
        for _ in range(self.size):
            self._hire()

    @property
    def busy(self) -> bool:
        """Whether anything is still to come."""
        return bool(self.waiting) or any(worker.tasks for worker in self.workers)

    def finished(self) -> list[Episode]:
        """Wait until something happens and return the episodes that it finished."""
        soonest = min((w.deadline for w in self.workers if w.tasks), default=monotonic())
        ready = self.links.select(max(soonest - monotonic(), 0))
        if ready and self.waiting and self.pace < AHEAD_SECONDS / 2:  # nobody is out of work
            sleep(min(PAUSE, self.plan.limits.seconds / 20))
            ready = self.links.select(0)
        episodes = []
        while ready:
            for key, _ in ready:
                episodes += self._hear(key.data)
            ready = self.links.select(0) if len(episodes) < MOST_AT_ONCE else []
        for worker in self.workers:
            self._give(worker)
        late = [w for w in self.workers if w.tasks and monotonic() >= w.deadline]
        return [*episodes, *map(self._stop, late)]

    def dismiss(self) -> None:
        """End every process."""
        for worker in self.workers:
            worker.link.close()
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()
        self.workers.clear()
        self.links.close()

    def _hire(self) -> None:
        forkserver = multiprocessing.get_context("forkserver")
        forkserver.set_forkserver_preload(["ludus.execution.local"])
        link, far = forkserver.Pipe()
        arguments = self.plan.to_json(), far, self.context, dict(os.environ)
        process = forkserver.Process(target=_work, args=arguments, daemon=True)
        with _main_left_alone():
            process.start()
        far.close()
        worker = _Worker(process, link)
        self.workers.append(worker)
        self.links.register(link, selectors.EVENT_READ, worker)
        self._start_clock(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        """Give a worker its next episode, and short ones ahead so that it need not wait."""
        ahead = 1 + min(int(AHEAD_SECONDS / self.pace), MOST_AHEAD)
        given = []
        while self.waiting and len(worker.tasks) < min(ahead, 1 + len(self.waiting) // self.size):
            task = self.waiting.popleft()
            worker.tasks.append(task)
            given.append([task.number, task.agent, task.scenario])
        if given:
            with suppress(OSError):  # if it died meanwhile, finished() will hear of it
                worker.link.send_bytes(json.dumps(given).encode())

    def _start_clock(self, worker: _Worker) -> None:
        worker.began = monotonic()
        worker.deadline = worker.began + self.plan.limits.seconds

    def _hear(self, worker: _Worker) -> list[Episode]:
        """Return the episode that a worker has finished, or what became of it instead."""
        try:
            episode = hear(worker.link.recv_bytes())
        except (EOFError, OSError, ValueError, KeyError, TypeError):
            return self._bury(worker)
        if not worker.tasks or episode.number != worker.tasks[0].number:
            return self._bury(worker)
        worker.tasks.popleft()
        self.pace += 0.2 * (max(episode.seconds, 1e-4) - self.pace)
        self._start_clock(worker)
        return [episode]

    def _bury(self, worker: _Worker) -> list[Episode]:
        """Replace a worker that died; its task is tried again, but not for ever."""
        task, began = self._fire(worker), worker.began
        lost = []
        if task:
            self.tries[task.number] = self.tries.get(task.number, 0) + 1
        if task and self.tries[task.number] < MOST_TRIES:
            self.waiting.appendleft(task)
        elif task:
            reason = f"its process died {MOST_TRIES} times"
            lost = [self._unplayed(task, Ending.CRASHED, reason, monotonic() - began)]
        if self.waiting:
            self._hire()
        return lost

    def _stop(self, worker: _Worker) -> Episode:
        """End a worker whose agent takes too long, and replace it."""
        seconds = monotonic() - worker.began
        task = self._fire(worker)
        assert task is not None  # noqa: S101
        if self.waiting:
            self._hire()
        reason = f"took longer than {self.plan.limits.seconds:g} seconds"
        return self._unplayed(task, Ending.DISQUALIFIED, reason, seconds)

    def _unplayed(self, task: Task, ending: Ending, reason: str, seconds: float) -> Episode:
        return unplayed(self.plan, task, ending, reason, seconds, self.context)

    def _fire(self, worker: _Worker) -> Task | None:
        """End a worker, take back what it had not begun, and return what it was playing."""
        self.workers.remove(worker)
        self.links.unregister(worker.link)
        worker.link.close()
        worker.process.kill()
        worker.process.join()
        playing = worker.tasks.popleft() if worker.tasks else None
        self.waiting.extendleft(reversed(worker.tasks))
        return playing


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Keep new processes from running the user's script, as multiprocessing otherwise does."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _die_with_parent() -> None:
    """End this process as soon as the one that gave it its tasks is gone, whatever it is doing.

    Without it an episode that takes long would be played on beside the resumed run.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=watch, name="parent", daemon=True).start()


def _work(plan: str, link: Connection, context: RunContext, environment: dict[str, str]) -> None:
    """Play what comes through the link until it closes, in the caller's environment as it is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal tells the caller too, who ends this
    _die_with_parent()
    os.environ.update(environment)
    stage = Stage(Plan.from_json(plan), context)
    try:
        while True:
            for numbers in json.loads(link.recv_bytes()):
                link.send_bytes(tell(stage, Task(*numbers)).encode())
    except (EOFError, OSError):
        stage.close()
