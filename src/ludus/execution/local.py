"""Episodes played by processes of this machine."""

from __future__ import annotations

import json
import multiprocessing
import os
import selectors
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic, sleep

from ludus.agents.isolation.nursery import fork_nursery
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import OptionError
from ludus.execution.checking import MOST_EPISODE, EpisodeChecker, read_episode
from ludus.execution.episode import Episode
from ludus.execution.executor import FailurePolicy
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.played_levels import LevelSequence, PlayedLevels
from ludus.execution.queue import EpisodeQueue
from ludus.execution.stage import Stage, play_to_json
from ludus.frames import Channel
from ludus.processes import kill_process, start_process

__all__ = ["LocalExecutor"]

AHEAD_SECONDS = 0.1  # work that a process is given beyond the episode it plays
MOST_AHEAD = 64
PAUSE = 0.02  # seconds in which short episodes gather, to be stored together
MOST_PLAN = 2**31
SENDING = 60.0  # seconds in which a referee has to take its plan or its next episodes
EPISODE = 1
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
        most = len(plan.agents) if plan.in_order else len(waiting)
        pool = _WorkerPool(plan, waiting, min(self.workers, most, len(waiting)), context)
        try:
            while pool.busy:
                yield pool.wait_for_episodes()
        finally:
            pool.close()


@dataclass
class _Worker:
    """A process, the episode that it is playing, and those that it will play next."""

    process: BaseProcess
    channel: Channel
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
    checker: EpisodeChecker = field(init=False)
    played: PlayedLevels = field(init=False)
    mean_seconds: float = inf  # of the last episodes
    links: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    workers: list[_Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.failures = FailurePolicy(self.plan, self.context)
        self.played = PlayedLevels(self.plan, self.waiting)
        self.checker = EpisodeChecker(self.plan, self.size)
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
        episodes: list[Episode] = []
        failed: list[Episode] = []
        while events:
            for key, _ in events:
                failed += self._receive(key.data, episodes)
            events = self.links.select(0) if len(episodes) < MOST_AT_ONCE else []
        for worker in self.workers:
            self._send_episodes(worker)
        late = [w for w in self.workers if w.queue and monotonic() >= w.deadline]
        failed += map(self._replace_late_worker, late)
        return [*self.checker.replay_all(episodes), *failed]

    def close(self) -> None:
        """End every process."""
        for worker in self.workers:
            worker.channel.close()
        for worker in self.workers:
            kill_process(worker.process)
        self.workers.clear()
        self.links.close()
        self.checker.close()

    def _start_worker(self) -> None:
        near, far = multiprocessing.Pipe()
        foreign = self.failures.any_foreign
        process = start_process(_work, far, self.context, dict(os.environ), foreign)
        far.close()
        channel = Channel(os.dup(near.fileno()), os.dup(near.fileno()))
        near.close()
        worker = _Worker(process, channel)
        self.workers.append(worker)
        self.links.register(channel, selectors.EVENT_READ, worker)
        self._send(worker, self.plan.to_json(opened=True))
        self._send_episodes(worker)

    def _send_episodes(self, worker: _Worker) -> None:
        """Send a worker its next episode, and short ones ahead so that it need not wait."""
        if self.plan.in_order:
            self._send_sequence(worker)
            return
        ahead = 1 + min(int(AHEAD_SECONDS / self.mean_seconds), MOST_AHEAD)
        count = min(ahead, 1 + len(self.waiting) // self.size) - len(worker.queue)
        if taken := self.waiting.take(count):
            idle = not worker.queue
            worker.queue.extend(taken)
            if idle:
                self._start_clock(worker)
            self._send_values(worker, LevelSequence(taken, []))

    def _send_sequence(self, worker: _Worker) -> None:
        """Send a worker that has nothing to play all levels of the next agent."""
        if worker.queue or (sequence := self.played.take_sequence()) is None:
            return
        worker.queue.extend(sequence.episodes)
        self._start_clock(worker, taken_up=True)
        self._send_values(worker, sequence)

    def _send_values(self, worker: _Worker, sequence: LevelSequence) -> None:
        self._send(worker, json.dumps(sequence.to_values()))

    def _send(self, worker: _Worker, text: str) -> None:
        with suppress(OSError):  # if it died meanwhile, its channel says so
            worker.channel.send(0, 0, text.encode(), SENDING)

    def _start_clock(self, worker: _Worker, *, taken_up: bool = False) -> None:
        worker.started = monotonic()
        if worker.queue:
            seconds = self.failures.most_seconds(worker.queue[0], taken_up=taken_up)
            worker.deadline = worker.started + seconds

    def _receive(self, worker: _Worker, episodes: list[Episode]) -> list[Episode]:
        """Add the episodes that a worker has finished, and return what became of one instead."""
        try:
            frames = worker.channel.receive_now(MOST_EPISODE)
            episodes.extend(self._check_in(worker, frame.content) for frame in frames)
        except (EOFError, OSError, ValueError, KeyError, TypeError):
            return self._replace_dead_worker(worker)
        return []

    def _check_in(self, worker: _Worker, content: bytes) -> Episode:
        """Return the episode that a worker has finished, once it is known to be the right one.

        Raises:
            ValueError: It is not.
        """
        if not worker.queue:
            raise ValueError("nothing was asked for")
        episode = read_episode(content, worker.queue[0])
        worker.queue.popleft()
        self.played.add(episode)
        seconds = max(episode.seconds, 1e-4)
        older = seconds if self.mean_seconds == inf else self.mean_seconds
        self.mean_seconds = older + 0.2 * (seconds - older)
        self._start_clock(worker)
        return episode

    def _replace_dead_worker(self, worker: _Worker) -> list[Episode]:
        """Replace a worker that died; what it was playing is tried again, but not for ever."""
        planned, seconds = self._stop_worker(worker), worker.seconds
        crashed = self.failures.record_death(planned, seconds) if planned else None
        if crashed:
            self.played.add(crashed)
        elif planned:
            self.waiting.give_back([planned])
        if self.waiting:
            self._start_worker()
        return [crashed] if crashed else []

    def _replace_late_worker(self, worker: _Worker) -> Episode:
        """Replace a worker whose agent takes too long, and return the disqualified episode."""
        seconds, planned = worker.seconds, worker.queue[0]
        self._stop_worker(worker)
        late = self.failures.disqualify_late(planned, seconds)
        self.played.add(late)
        if self.waiting:
            self._start_worker()
        return late

    def _stop_worker(self, worker: _Worker) -> PlannedEpisode | None:
        """End a worker, take back what it had not begun, and return what it was playing."""
        self.workers.remove(worker)
        self.links.unregister(worker.channel)
        worker.channel.close()
        kill_process(worker.process)
        playing = worker.queue.popleft() if worker.queue else None
        self.waiting.give_back(worker.queue)
        return playing


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


def _work(
    link: Connection, context: RunContext, environment: dict[str, str], foreign: bool
) -> None:
    """Be a referee: play what comes through the link until it closes.

    The nursery of agents is forked off before the plan arrives, so that no agent can find it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal signals the caller too, who ends this
    os.environ.update(environment)
    if foreign:
        fork_nursery()
    _die_with_parent()
    channel = Channel(os.dup(link.fileno()), os.dup(link.fileno()))
    link.close()
    stage = None
    try:
        stage = Stage(Plan.from_json(channel.receive(MOST_PLAN).content.decode()), context)
        while True:
            content = channel.receive(MOST_PLAN).content
            episodes, earlier = LevelSequence.from_values(json.loads(content))
            if stage.in_order:
                stage.begin_sequence(episodes[0].agent, earlier)
            for planned in episodes:
                played = play_to_json(stage, planned)
                channel.send(planned.number, EPISODE, played.encode())
    except (EOFError, OSError):
        if stage:
            stage.close()
