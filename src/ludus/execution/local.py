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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic, sleep
from types import ModuleType

from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import OptionError
from ludus.execution.episode import Episode
from ludus.execution.executor import FailurePolicy
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.queue import EpisodeQueue
from ludus.execution.stage import Stage, parse_episode, play_to_json

__all__ = ["LocalExecutor"]

AHEAD_SECONDS = 0.1  # work that a process is given beyond the episode it plays
MOST_AHEAD = 64
PAUSE = 0.02  # seconds in which short episodes gather, to be stored together
MOST_AT_ONCE = 64  # episodes that may wait for the last of them to be stored


class LocalExecutor:
    """Plays episodes in ``workers`` processes, by default one for each core."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise OptionError(f"{workers} workers are too few: give 1 or more")
        self.workers = workers or os.cpu_count() or 1

    def play(
        self, plan: Plan, episodes: Iterable[PlannedEpisode], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there."""
        waiting = EpisodeQueue.of(episodes)
        pool = _WorkerPool(plan, waiting, min(self.workers, len(waiting)), context)
        try:
            while pool.busy:
                yield pool.wait_for_episodes()
        finally:
            pool.close()


@dataclass
class _Worker:
    """A process, the episode that it is playing, and those that it will play next."""

    process: BaseProcess
    link: Connection
    queue: deque[PlannedEpisode] = field(default_factory=deque)
    deadline: float = 0.0
    started: float = 0.0

    @property
    def seconds(self) -> float:
        """How long it has been playing its episode."""
        return monotonic() - self.started


@dataclass
class _WorkerPool:
    """The processes of one run, and the episodes that are still to be played."""

    plan: Plan
    waiting: EpisodeQueue
    size: int
    context: RunContext
    failures: FailurePolicy = field(init=False)
    mean_seconds: float = inf  # of the last episodes
    links: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    workers: list[_Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.failures = FailurePolicy(self.plan, self.context)
        for _ in range(self.size):
            self._start_worker()

    @property
    def busy(self) -> bool:
        """Whether anything is still to come."""
        return any(worker.queue for worker in self.workers) or bool(self.waiting)

    def wait_for_episodes(self) -> list[Episode]:
        """Wait until something happens and return the episodes that it finished."""
        soonest = min((w.deadline for w in self.workers if w.queue), default=monotonic())
        events = self.links.select(max(soonest - monotonic(), 0))
        if events and self.waiting and self.mean_seconds < AHEAD_SECONDS / 2:  # all have work
            sleep(min(PAUSE, self.plan.limits.seconds / 20))
            events = self.links.select(0)
        episodes = []
        while events:
            for key, _ in events:
                episodes += self._receive(key.data)
            events = self.links.select(0) if len(episodes) < MOST_AT_ONCE else []
        for worker in self.workers:
            self._send_episodes(worker)
        late = [w for w in self.workers if w.queue and monotonic() >= w.deadline]
        return [*episodes, *map(self._replace_late_worker, late)]

    def close(self) -> None:
        """End every process."""
        for worker in self.workers:
            worker.link.close()
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()
        self.workers.clear()
        self.links.close()

    def _start_worker(self) -> None:
        forkserver = multiprocessing.get_context("forkserver")
        forkserver.set_forkserver_preload(["ludus.execution.local"])
        link, far = forkserver.Pipe()
        arguments = self.plan.to_json(opened=True), far, self.context, dict(os.environ)
        process = forkserver.Process(target=_work, args=arguments, daemon=True)
        with _main_left_alone():
            process.start()
        far.close()
        worker = _Worker(process, link)
        self.workers.append(worker)
        self.links.register(link, selectors.EVENT_READ, worker)
        self._start_clock(worker)
        self._send_episodes(worker)

    def _send_episodes(self, worker: _Worker) -> None:
        """Send a worker its next episode, and short ones ahead so that it need not wait."""
        ahead = 1 + min(int(AHEAD_SECONDS / self.mean_seconds), MOST_AHEAD)
        count = min(ahead, 1 + len(self.waiting) // self.size) - len(worker.queue)
        if taken := self.waiting.take(count):
            worker.queue.extend(taken)
            sent = [[planned.number, planned.agent, planned.scenario] for planned in taken]
            with suppress(OSError):  # if it died meanwhile, its link says so
                worker.link.send_bytes(json.dumps(sent).encode())

    def _start_clock(self, worker: _Worker) -> None:
        worker.started = monotonic()
        worker.deadline = worker.started + self.plan.limits.seconds

    def _receive(self, worker: _Worker) -> list[Episode]:
        """Return the episode that a worker has finished, or what became of it instead."""
        try:
            episode = parse_episode(worker.link.recv_bytes())
        except (EOFError, OSError, ValueError, KeyError, TypeError):
            return self._replace_dead_worker(worker)
        if not worker.queue or episode.number != worker.queue[0].number:
            return self._replace_dead_worker(worker)
        worker.queue.popleft()
        seconds = max(episode.seconds, 1e-4)
        older = seconds if self.mean_seconds == inf else self.mean_seconds
        self.mean_seconds = older + 0.2 * (seconds - older)
        self._start_clock(worker)
        return [episode]

    def _replace_dead_worker(self, worker: _Worker) -> list[Episode]:
        """Replace a worker that died; what it was playing is tried again, but not for ever."""
        planned, seconds = self._stop_worker(worker), worker.seconds
        crashed = self.failures.record_death(planned, seconds) if planned else None
        if planned and crashed is None:
            self.waiting.give_back([planned])
        if self.waiting:
            self._start_worker()
        return [crashed] if crashed else []

    def _replace_late_worker(self, worker: _Worker) -> Episode:
        """Replace a worker whose agent takes too long, and return the disqualified episode."""
        seconds, planned = worker.seconds, worker.queue[0]
        self._stop_worker(worker)
        if self.waiting:
            self._start_worker()
        return self.failures.disqualify_late(planned, seconds)

    def _stop_worker(self, worker: _Worker) -> PlannedEpisode | None:
        """End a worker, take back what it had not begun, and return what it was playing."""
        self.workers.remove(worker)
        self.links.unregister(worker.link)
        worker.link.close()
        worker.process.kill()
        worker.process.join()
        playing = worker.queue.popleft() if worker.queue else None
        self.waiting.give_back(worker.queue)
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal signals the caller too, who ends this
    _die_with_parent()
    os.environ.update(environment)
    stage = Stage(Plan.from_json(plan), context)
    try:
        while True:
            for numbers in json.loads(link.recv_bytes()):
                link.send_bytes(play_to_json(stage, PlannedEpisode(*numbers)).encode())
    except (EOFError, OSError):
        stage.close()
