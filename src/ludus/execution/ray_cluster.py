"""Episodes played by a Ray cluster: one on this machine, or one that is there already."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, NamedTuple

from ludus.cluster import joined_cluster
from ludus.context import DEFAULT_CONTEXT, RunContext, settings_for_workers
from ludus.errors import OptionError
from ludus.execution.checking import MOST_EPISODE, EpisodeChecker, read_episode
from ludus.execution.episode import Episode
from ludus.execution.executor import FailurePolicy
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.played_levels import LevelSequence, PlayedLevels
from ludus.execution.queue import EpisodeQueue
from ludus.execution.stage import Stage, play_to_json
from ludus.parallel import count_cores

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
        self, plan: Plan, episodes: Iterable[PlannedEpisode], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there."""
        with joined_cluster(self._address) as ray:
            workers = self._workers or max(int(ray.cluster_resources().get("CPU", 1)), 1)
            waiting = EpisodeQueue.of(episodes)
            most = len(plan.agents) if plan.in_order else len(waiting)
            pool = _ActorPool(ray, plan, waiting, min(workers, most, len(waiting)), context)
            try:
                yield from pool.play()
            finally:
                pool.close()


class _Call(NamedTuple):
    """An episode that an actor is playing, and what it has to play after that."""

    actor: Any
    planned: PlannedEpisode
    started: float
    deadline: float
    rest: list[PlannedEpisode]

    @property
    def seconds(self) -> float:
        """How long it has been playing."""
        return monotonic() - self.started


class _ActorPool:
    """The actors of one run, what they are playing, and what is still to be played."""

    def __init__(
        self,
        ray: Any,
        plan: Plan,
        waiting: EpisodeQueue,
        workers: int,
        context: RunContext,
    ) -> None:
        self._ray = ray
        self._context = context
        self._text = ray.put(plan.to_json(opened=True))
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._waiting = waiting
        self._in_order = plan.in_order
        self._played = PlayedLevels(plan, waiting)
        self._failures = FailurePolicy(plan, context)
        self._checker = EpisodeChecker(plan, count_cores())
        self._calls: dict[Any, _Call] = {}
        for _ in range(workers):
            self._send_episode(self._start_actor())

    def play(self) -> Iterator[list[Episode]]:
        """Yield what is finished until nothing is left."""
        while self._calls:
            soonest = min(call.deadline for call in self._calls.values())
            patience = max(soonest - monotonic(), 0.01)
            self._ray.wait(list(self._calls), timeout=patience)
            results, _ = self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            finished: list[Episode] = []
            failed = [one for result in results for one in self._receive(result, finished)]
            failed += self._replace_late_actors()
            yield [*self._checker.replay_all(finished), *failed]

    def close(self) -> None:
        """End every actor; the processes of its agents end with it."""
        for call in self._calls.values():
            self._ray.kill(call.actor)
        self._calls.clear()
        self._checker.close()

    def _start_actor(self) -> Any:
        return self._actor.remote(self._text, self._context, settings_for_workers(os.environ))

    def _send_episode(self, actor: Any) -> None:
        """Let an actor play the next episode, or go if there is none."""
        sequence = self._take()
        if sequence is None:
            self._ray.kill(actor)
        else:
            self._call(actor, sequence, taken_up=True)

    def _take(self) -> LevelSequence | None:
        """Return what an actor plays next: an episode, or all levels of an agent."""
        if self._in_order:
            return self._played.take_sequence()
        taken = self._waiting.take(1)
        return LevelSequence(taken, []) if taken else None

    def _call(self, actor: Any, sequence: LevelSequence, *, taken_up: bool) -> None:
        """Let an actor play the first of a sequence."""
        planned, *rest = sequence.episodes
        result = actor.play.remote(sequence._replace(episodes=[planned]).to_values(), taken_up)
        now = monotonic()
        deadline = now + self._failures.most_seconds(planned, taken_up=taken_up)
        self._calls[result] = _Call(actor, planned, now, deadline, rest)

    def _receive(self, result: Any, finished: list[Episode]) -> list[Episode]:
        """Add the episode that an actor has finished, or return what became of it instead."""
        call = self._calls.pop(result)
        try:
            episode = read_episode(_content(self._ray.get(result)), call.planned)
        except (self._ray.exceptions.RayError, ValueError, KeyError, TypeError):
            self._ray.kill(call.actor)
            return self._replace_dead_actor(call)
        finished.append(episode)
        self._played.add(episode)
        if call.rest:
            self._call(call.actor, LevelSequence(call.rest, []), taken_up=False)
        else:
            self._send_episode(call.actor)
        return []

    def _replace_dead_actor(self, call: _Call) -> list[Episode]:
        """Give the episode of an actor that died to a new one, but not for ever."""
        crashed = self._failures.record_death(call.planned, call.seconds)
        self._waiting.give_back(call.rest)
        if crashed is None:
            self._waiting.give_back([call.planned])
        else:
            self._played.add(crashed)
        self._replace_actor()
        return [crashed] if crashed else []

    def _replace_late_actors(self) -> list[Episode]:
        """Replace actors whose agents take too long; return the disqualified episodes."""
        now = monotonic()
        late = [result for result, call in self._calls.items() if now > call.deadline]
        return [self._replace_late_actor(self._calls.pop(result)) for result in late]

    def _replace_late_actor(self, call: _Call) -> Episode:
        self._ray.kill(call.actor)
        late = self._failures.disqualify_late(call.planned, call.seconds)
        self._played.add(late)
        self._waiting.give_back(call.rest)
        self._replace_actor()
        return late

    def _replace_actor(self) -> None:
        if self._waiting:
            self._send_episode(self._start_actor())


def _content(answer: Any) -> bytes:
    """Return what an actor has answered, if it is of a kind and length that actors answer with."""
    if not isinstance(answer, str) or len(answer) > MOST_EPISODE:
        raise ValueError("an actor has answered with no episode")
    return answer.encode()


class _Actor:
    """A process of the cluster that referees episodes of one plan."""

    def __init__(self, plan: str, context: RunContext, settings: dict[str, str]) -> None:
        os.environ.update(settings)
        self._stage = Stage(Plan.from_json(plan), context)

    def play(self, values: dict[str, Any], taken_up: bool) -> str:
        """Return the episode as JSON; one that is taken up begins a sequence."""
        (planned,), earlier = LevelSequence.from_values(values)
        if taken_up and self._stage.in_order:
            self._stage.begin_sequence(planned.agent, earlier)
        return play_to_json(self._stage, planned)
