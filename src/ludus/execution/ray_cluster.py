"""Episodes played by a Ray cluster: one on this machine, or one that is there already."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any

from ludus.cluster import joined_cluster
from ludus.context import DEFAULT_CONTEXT, USER_SETTINGS, RunContext
from ludus.errors import OptionError
from ludus.execution.episode import Ending, Episode
from ludus.execution.executor import MOST_TRIES
from ludus.execution.plan import Plan, Task
from ludus.execution.stage import Stage, hear, tell, unplayed

__all__ = ["RayExecutor"]


class RayExecutor:
    """Plays episodes on a Ray cluster.

    Args:
        address: ``ray`` to start a cluster on this machine, ``ray://HOST:PORT`` or ``HOST:PORT`` to
            join one. Its machines need the same Ludus and, at the same paths, the agents' files.
        workers: How many episodes to play at a time; by default as many as the cluster has cores.
    """

    def __init__(self, address: str = "ray", workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise OptionError(f"{workers} workers are too few: give 1 or more")
        self._address = address
        self._workers = workers

    def play(
        self, plan: Plan, tasks: Sequence[Task], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there."""
        with joined_cluster(self._address) as ray:
            workers = self._workers or max(int(ray.cluster_resources().get("CPU", 1)), 1)
            yield from _Field(ray, plan, tasks, min(workers, len(tasks)), context).episodes()


class _Field:
    """The actors of one run, what they are playing, and what is still to be played."""

    def __init__(
        self, ray: Any, plan: Plan, tasks: Sequence[Task], workers: int, context: RunContext
    ) -> None:
        self._ray = ray
        self._context = context
        self._plan = plan
        self._text = ray.put(plan.to_json())
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._waiting = deque(tasks)
        self._tries: dict[int, int] = {}
        self._playing: dict[Any, tuple[Any, Task, float]] = {}
        for _ in range(workers):
            self._give(self._hire())

    def episodes(self) -> Iterator[list[Episode]]:
        """Yield what is finished until nothing is left."""
        while self._playing:
            soonest = min(began for _, _, began in self._playing.values())
            patience = max(soonest + self._plan.limits.seconds - monotonic(), 0.01)
            ready, _ = self._ray.wait(list(self._playing), timeout=patience)
            finished = [episode for call in ready for episode in self._hear(call)]
            yield finished + self._stop_late_ones()

    def _hire(self) -> Any:
        settings = {name: os.environ[name] for name in USER_SETTINGS if name in os.environ}
        return self._actor.remote(self._text, self._context, settings)

    def _give(self, actor: Any) -> None:
        if not self._waiting:
            self._ray.kill(actor)
            return
        task = self._waiting.popleft()
        self._tries[task.number] = self._tries.get(task.number, 0) + 1
        call = actor.play.remote(task.number, task.agent, task.scenario)
        self._playing[call] = (actor, task, monotonic())

    def _hear(self, call: Any) -> list[Episode]:
        actor, task, began = self._playing.pop(call)
        try:
            episode = hear(self._ray.get(call))
        except self._ray.exceptions.RayError:
            return self._try_again(task, began)
        self._give(actor)
        return [episode]

    def _try_again(self, task: Task, began: float) -> list[Episode]:
        """Give the task of an actor that died to a new one, but not for ever."""
        lost = []
        if self._tries[task.number] < MOST_TRIES:
            self._waiting.appendleft(task)
        else:
            reason = f"its process died {MOST_TRIES} times"
            lost = [self._unplayed(task, Ending.CRASHED, reason, monotonic() - began)]
        if self._waiting:
            self._give(self._hire())
        return lost

    def _stop_late_ones(self) -> list[Episode]:
        limit = self._plan.limits.seconds
        late = [
            call for call, (_, _, began) in self._playing.items() if monotonic() - began > limit
        ]
        stopped = []
        for call in late:
            actor, task, began = self._playing.pop(call)
            self._ray.kill(actor)
            reason = f"took longer than {limit:g} seconds"
            seconds = monotonic() - began
            stopped.append(self._unplayed(task, Ending.DISQUALIFIED, reason, seconds))
            if self._waiting:
                self._give(self._hire())
        return stopped

    def _unplayed(self, task: Task, ending: Ending, reason: str, seconds: float) -> Episode:
        return unplayed(self._plan, task, ending, reason, seconds, self._context)


class _Actor:
    """A process of the cluster that plays episodes of one plan."""

    def __init__(self, plan: str, context: RunContext, settings: dict[str, str]) -> None:
        os.environ.update(settings)
        self._stage = Stage(Plan.from_json(plan), context)

    def play(self, number: int, agent: int, scenario: int) -> str:
        """Return the episode as JSON."""
        return tell(self._stage, Task(number, agent, scenario))
