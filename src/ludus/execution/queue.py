"""Episodes that wait to be played: executors take them from the front, a few at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from ludus.execution.episode import Episode
from ludus.execution.plan import PlannedEpisode

__all__ = ["EpisodeQueue"]

ReadEarlier: TypeAlias = Callable[[PlannedEpisode], Sequence[Episode]]


class EpisodeQueue(Iterable[PlannedEpisode]):
    """The episodes that an executor plays, in their order.

    A queue may share its episodes with other processes that play the same run. Therefore it is
    asked for an episode when somebody can play it, not before.
    """

    def __init__(
        self, episodes: Iterable[PlannedEpisode] = (), read_earlier: ReadEarlier | None = None
    ) -> None:
        """Queue episodes.

        Args:
            episodes: The episodes; those of a plan in order come agent by agent.
            read_earlier: What :meth:`read_earlier` calls; nothing was played before if None.
        """
        self._waiting = deque(episodes)
        self._read_earlier = read_earlier

    @classmethod
    def of(cls, episodes: Iterable[PlannedEpisode]) -> EpisodeQueue:
        """Return episodes as a queue; a queue is returned as it is."""
        return episodes if isinstance(episodes, EpisodeQueue) else cls(episodes)

    def take(self, count: int) -> list[PlannedEpisode]:
        """Return the next episodes, at most so many; none if there are none for now."""
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def take_sequence(self) -> list[PlannedEpisode]:
        """Return the next episode with all that its agent has to play after it."""
        taken = self.take(1)
        while taken and self._waiting and self._waiting[0].agent == taken[0].agent:
            taken.append(self._waiting.popleft())
        return taken

    def read_earlier(self, planned: PlannedEpisode) -> Sequence[Episode]:
        """Return what the agent of an episode has played before it, as far as that is stored."""
        return self._read_earlier(planned) if self._read_earlier else ()

    def give_back(self, episodes: Iterable[PlannedEpisode]) -> None:
        """Put episodes that were taken, but not played, to the front again."""
        self._waiting.extendleft(reversed(list(episodes)))

    def __iter__(self) -> Iterator[PlannedEpisode]:
        while episodes := self.take(1):
            yield from episodes

    def __len__(self) -> int:
        """Return how many may still come; another process may play some of them."""
        return len(self._waiting)

    def __bool__(self) -> bool:
        """Say whether there is an episode to take now."""
        return bool(self._waiting)
