"""Who is ahead, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from ludus.runs import Episode
from ludus.stats import Estimate, mean_interval

__all__ = ["Standing", "rank"]

WIN = 1


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's line in the table.

    Attributes:
        rank: Its place, counted from 1; equals share it and the next place stays empty.
        agent: Its name.
        completion: The mean share of a level it got through, with a 95 % interval.
        wins: Levels it finished.
        episodes: Levels it played.
        ticks: Mean ticks an episode took.
        coins: Mean coins an episode brought.
        kills: Mean kills an episode brought.
        seconds: Time all its episodes took on this machine.
    """

    rank: int
    agent: str
    completion: Estimate
    wins: int
    episodes: int
    ticks: float
    coins: float
    kills: float
    seconds: float


def rank(episodes: Iterable[Episode]) -> tuple[Standing, ...]:
    """Return the agents' standings, the best first: by mean completion, then by wins.

    Agents equal in both share a rank and stand in the order of their names.
    """
    by_agent: dict[str, list[Episode]] = {}
    for episode in episodes:
        by_agent.setdefault(episode.agent, []).append(episode)
    keys = {agent: _merit(played) for agent, played in by_agent.items()}
    order = sorted(keys, key=lambda agent: (-keys[agent][0], -keys[agent][1], agent))
    return tuple(
        _standing(1 + sum(other > keys[agent] for other in keys.values()), agent, by_agent[agent])
        for agent in order
    )


def _merit(played: list[Episode]) -> tuple[float, int]:
    """Return what an agent is ranked by; beyond nine decimals a difference is rounding."""
    completion = fmean(episode.result.completion for episode in played)
    return round(completion, 9), _wins(played)


def _wins(played: list[Episode]) -> int:
    """Count the levels finished."""
    return sum(episode.result.status == WIN for episode in played)


def _standing(place: int, agent: str, played: list[Episode]) -> Standing:
    """Sum up one agent's episodes."""
    results = [episode.result for episode in played]
    return Standing(
        rank=place,
        agent=agent,
        completion=mean_interval([result.completion for result in results]),
        wins=_wins(played),
        episodes=len(played),
        ticks=fmean(result.ticks for result in results),
        coins=fmean(result.coins for result in results),
        kills=fmean(result.kills_total for result in results),
        seconds=sum(episode.seconds for episode in played),
    )
