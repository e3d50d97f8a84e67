"""How tasks become episodes, wherever they are played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.execution.episode import Episode
from ludus.execution.plan import Plan, Task

__all__ = ["MOST_TRIES", "Executor"]

#: How often an episode is begun if the process that plays it dies.
MOST_TRIES = 3


class Executor(Protocol):
    """Plays tasks somewhere and hands out the episodes as they are finished, in any order.

    An episode whose process dies is begun anew, :data:`MOST_TRIES` times; then it is crashed. One
    that takes longer than the plan allows is stopped and disqualified.
    """

    def play(
        self, plan: Plan, tasks: Sequence[Task], context: RunContext = DEFAULT_CONTEXT
    ) -> Iterator[list[Episode]]:
        """Yield the finished episodes, as many at a time as are there.

        Args:
            plan: What is played.
            tasks: The episodes of it.
            context: What the run allows its agents; in its folder, episodes that take long leave
                what it takes to go on after a kill.

        Raises:
            Paused: The run cannot go on now.
        """
        ...
