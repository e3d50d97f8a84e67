"""Episodes played in this process, one after the other."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ludus.agents import Agent
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.execution.checking import EpisodeChecker
from ludus.execution.episode import Episode
from ludus.execution.executor import Executor
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.played_levels import PlayedLevels
from ludus.execution.queue import EpisodeQueue
from ludus.execution.stage import Stage

__all__ = ["InProcessExecutor"]

logger = logging.getLogger("ludus")


class InProcessExecutor:
    """Plays agents that are Python objects of this process, and hands the others on.

    Such an agent shares this process with the engine, so each record is played again before it is
    kept: what it gives is what counts. The agent is not stopped when it takes too long: its episode
    ends with the step that took it over the limit. If it brings the process down, the run ends. In
    a plan in order it stays the same object after a fault, since nobody else could make it anew.

    Args:
        agents: The objects, by the agent's number in the plan.
        others: What plays the agents that have a spec; this process too if None.
    """

    def __init__(
        self,
        agents: Mapping[int, Agent[Any, Any, Any]] | None = None,
        others: Executor | None = None,
    ) -> None:
        self._agents = dict(agents or {})
        self._others = others

    def play(
        self, plan: Plan, episodes: Iterable[PlannedEpisode], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, those of the objects first."""
        waiting = EpisodeQueue.of(episodes)
        planned_all = list(waiting)  # no other process could play the objects
        elsewhere = [one for one in planned_all if self._others and one.agent not in self._agents]
        here = [one for one in planned_all if not self._others or one.agent in self._agents]
        stage, checker = Stage(plan, context, agents=self._agents), EpisodeChecker(plan)
        played = PlayedLevels(plan, waiting)
        try:
            for number, planned in enumerate(here):
                if plan.in_order and (not number or here[number - 1].agent != planned.agent):
                    stage.begin_sequence(planned.agent, played.before(planned))
                episode = stage.play(planned)
                for warning in stage.take_warnings():
                    logger.warning("%s", warning)
                yield [checker.replay(episode)]
        finally:
            stage.close()
        if self._others and elsewhere:
            rest = EpisodeQueue(elsewhere, waiting.read_earlier)
            yield from self._others.play(plan, rest, context)
