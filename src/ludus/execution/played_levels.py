"""What an agent has played before a level of a plan whose levels are played in order.

One agent object plays such a plan level by level, and may carry something over from one level to
the next. Whoever takes up its levels in the middle brings a new object to where the old one was:
it plays the levels before again. After a level that ended by its fault, an agent begins anew.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ludus.execution.episode import Episode
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.queue import EpisodeQueue

__all__ = ["LevelSequence", "PlayedLevel", "PlayedLevels", "levels_since_fault"]


class PlayedLevel(NamedTuple):
    """A level that an agent has finished.

    Attributes:
        scenario: The scenario, counted in the plan.
        record: The actions.
    """

    scenario: int
    record: bytes


class LevelSequence(NamedTuple):
    """Levels that one agent is to play one after the other.

    Attributes:
        episodes: The levels, in their order.
        earlier: What the agent has played since it began, before the first of them.
    """

    episodes: list[PlannedEpisode]
    earlier: list[PlayedLevel]

    def to_values(self) -> dict[str, Any]:
        """Return the sequence as plain values, to be sent to a referee."""
        return {
            "episodes": [[one.number, one.agent, one.scenario] for one in self.episodes],
            "earlier": [
                [level.scenario, base64.b64encode(level.record).decode("ascii")]
                for level in self.earlier
            ],
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> LevelSequence:
        """Return the sequence that :meth:`to_values` described."""
        return cls(
            [PlannedEpisode(*numbers) for numbers in values["episodes"]],
            [
                PlayedLevel(scenario, base64.b64decode(record))
                for scenario, record in values["earlier"]
            ],
        )


class PlayedLevels:
    """The levels of a plan in order that are finished, here or before.

    Args:
        plan: What is played.
        waiting: The episodes still to be played; knows those that were played before.
    """

    def __init__(self, plan: Plan, waiting: EpisodeQueue) -> None:
        self._in_order = plan.in_order
        self._waiting = waiting
        self._finished: dict[int, Episode] = {}  # the caller may not have stored the last of them
        self._behind: dict[int, list[PlannedEpisode]] = {}  # what has to wait for an episode

    def add(self, episode: Episode) -> None:
        """Take note of an episode that is over."""
        if self._in_order:
            self._finished[episode.number] = episode
            self._waiting.give_back(self._behind.pop(episode.number, ()))

    def take_sequence(self) -> LevelSequence | None:
        """Return the levels that the next agent has to play, if one waits.

        What lies behind levels that were played before has to wait until the sequence is over.
        """
        episodes = self._waiting.take_sequence()
        if not episodes:
            return None
        gaps = (
            k for k in range(1, len(episodes)) if episodes[k].number > episodes[k - 1].number + 1
        )
        end = next(gaps, len(episodes))
        if episodes[end:]:
            self._behind[episodes[end - 1].number] = episodes[end:]
        return LevelSequence(episodes[:end], self.before(episodes[0]))

    def before(self, planned: PlannedEpisode) -> list[PlayedLevel]:
        """Return what the agent has played since it began, before this level."""
        finished = [one for one in self._finished.values() if one.agent == planned.agent]
        known = {one.number: one for one in [*self._waiting.read_earlier(planned), *finished]}
        earlier = {number: one for number, one in known.items() if number < planned.number}
        return levels_since_fault(earlier[number] for number in sorted(earlier))


def levels_since_fault(episodes: Iterable[Episode]) -> list[PlayedLevel]:
    """Return the levels that an agent has finished since its last fault, or since its start."""
    levels: list[PlayedLevel] = []
    for episode in episodes:
        if episode.ending.faulty:
            levels.clear()
        else:
            levels.append(PlayedLevel(episode.scenario, episode.record))
    return levels
