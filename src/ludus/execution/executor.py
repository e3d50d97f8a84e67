"""How planned episodes are played, wherever that is, and what becomes of those that fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.stage import MAX_TRIES, failed_episode

__all__ = ["MAX_TRIES", "Executor", "FailurePolicy"]


class Executor(Protocol):
    """Plays planned episodes somewhere and yields them as they are finished, in any order.

    What becomes of an episode whose process dies, or that takes too long, is a matter of the
    :class:`FailurePolicy`.
    """

    def play(
        self, plan: Plan, episodes: Iterable[PlannedEpisode], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there.

        Args:
            plan: What is played.
            episodes: Which episodes of it; an :class:`~ludus.execution.queue.EpisodeQueue` is taken
                from as processes become free, since other runners may take from it too.
            context: What the run allows its agents; in its folder, episodes that take long leave
                what it takes to go on after a kill.

        Raises:
            Paused: The run cannot go on now.
        """
        ...


class FailurePolicy:
    """Decides what becomes of episodes that their processes did not bring to an end.

    An episode whose process dies is played anew, :data:`MAX_TRIES` times in all; then it counts as
    crashed. One that takes longer than the plan allows is disqualified.
    """

    def __init__(self, plan: Plan, context: RunContext) -> None:
        self._plan = plan
        self._context = context
        self._deaths: dict[int, int] = {}

    def record_death(self, planned: PlannedEpisode, seconds: float) -> Episode | None:
        """Count a death; return the crashed episode, or None if it is to be played anew."""
        deaths = self._deaths[planned.number] = self._deaths.get(planned.number, 0) + 1
        if deaths < MAX_TRIES:
            return None
        reason = f"its process died {deaths} times"
        return self._fail(planned, EpisodeEnding.CRASHED, reason, seconds)

    def disqualify_late(self, planned: PlannedEpisode, seconds: float) -> Episode:
        """Return the record of an episode that was stopped because it took too long."""
        reason = f"took longer than {self._plan.limits.seconds:g} seconds"
        return self._fail(planned, EpisodeEnding.DISQUALIFIED, reason, seconds)

    def _fail(
        self, planned: PlannedEpisode, ending: EpisodeEnding, reason: str, seconds: float
    ) -> Episode:
        return failed_episode(self._plan, planned, ending, reason, seconds, self._context)
