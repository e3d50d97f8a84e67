"""Ending a race as soon as it is clear who wins, however often one looks."""

from __future__ import annotations

from itertools import combinations

from ludus.errors import OptionError
from ludus.execution.plan import Plan
from ludus.runs.store import ScoredEpisode
from ludus.stats import StopWhenClear

__all__ = ["ClearWinner"]


class ClearWinner:
    """Watches a race and says when one agent is clearly better than every other.

    Every pair of agents has a confidence sequence over the scenarios that both have played; the
    error is shared out among the pairs, so that the chance of ever naming a winner who is not
    better than all others stays below 1 - ``level``. Scenarios are taken in their order.

    Args:
        plan: The race.
        level: The confidence.

    Raises:
        OptionError: Fewer than two agents race.
    """

    def __init__(self, plan: Plan, level: float = 0.95) -> None:
        n = len(plan.agents)
        if n < 2:
            raise OptionError("one agent alone has nobody to be better than: name another")
        pairs = list(combinations(range(n), 2))
        share = 1 - (1 - level) / len(pairs)
        self._plan = plan
        self._races = {pair: StopWhenClear(len(plan.scenarios), share) for pair in pairs}
        self._totals: dict[int, dict[int, float]] = {}
        self._faults = [0] * n
        self._next = 0

    def add(self, scored: ScoredEpisode) -> bool:
        """Take in an episode and return whether the race is decided."""
        episode = scored.episode
        self._faults[episode.agent] += episode.ending.faulty
        self._totals.setdefault(episode.scenario, {})[episode.agent] = float(scored.score.total)
        n = len(self._plan.agents)
        while self.winner is None and len(self._totals.get(self._next, ())) == n:
            self._take(self._totals[self._next])
            self._next += 1
        return self.winner is not None

    def _take(self, totals: dict[int, float]) -> None:
        for (one, other), race in self._races.items():
            if race.verdict.reason == "running":
                race.add(totals[one] - totals[other])

    @property
    def winner(self) -> str | None:
        """The agent that is clearly better than every other, once there is one."""
        for number, agent in enumerate(self._plan.agents):
            if all(self._beats(number, other) for other in range(len(self._plan.agents))):
                return agent.name
        return None

    def _beats(self, number: int, other: int) -> bool:
        if number == other:
            return True
        if self._faults[number] > self._faults[other]:
            return False  # faulty play is never better than play with fewer faults
        first = min(number, other) == number
        leader = self._races[min(number, other), max(number, other)].verdict.leader
        return leader == ("first" if first else "second")

    @property
    def scenarios(self) -> int:
        """The number of scenarios that were counted so far."""
        return self._next

    @property
    def saved(self) -> int:
        """How many episodes need not be played."""
        return len(self._plan.agents) * (len(self._plan.scenarios) - self._next)
