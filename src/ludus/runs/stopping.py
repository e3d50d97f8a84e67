"""Ending a race as soon as it is clear who wins, however often one looks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.errors import OptionError
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.runs.store import ScoredEpisode
from ludus.stats import BettingTest
from ludus.stats.bounded import Bounds

__all__ = ["ClearWinner"]


class ClearWinner:
    """Watches a race and says when one agent is clearly better than every other.

    Every ordered pair of agents has a bet that the first has the higher mean, over the scenarios
    that all have played. A bet that gains n / (1 - ``level``) times its stake is won, and an agent
    that has won all its bets is the winner. Naming a wrong one takes a bet that had no chance, and
    among n agents at most n of those could name one: each agent's against the best of the others.
    So the chance of ever naming a winner who is not better than all others stays below
    1 - ``level``, however the scores are distributed within the benchmark's bounds.

    Levels of a benchmark can differ in their order, so scenarios are played and counted in an order
    that is drawn from the plan's seed, never in that in which they are finished.

    Args:
        plan: The race.
        level: The confidence.

    Raises:
        OptionError: Fewer than two agents race, or the benchmark does not rank by the mean of
            scores within bounds, or is played in its order.
    """

    def __init__(self, plan: Plan, level: float = 0.95) -> None:
        n = len(plan.agents)
        if n < 2:
            raise OptionError("one agent alone has nobody to be better than: name another")
        self._plan = plan
        benchmark = find_benchmark(plan.benchmark)
        self._bounds = _check_benchmark(benchmark, plan)
        self._ranks_faults_last = benchmark.ranks_faults_last
        self._pairs = [(one, other) for one in range(n) for other in range(n) if one != other]
        self._bets = BettingTest(len(self._pairs))
        self._hurdle = math.log(n / (1 - level))
        self._won: set[tuple[int, int]] = set()
        self._order = _draw_order(plan)
        self._totals: dict[int, dict[int, float]] = {}
        self._faults = [0] * n
        self._next = 0

    def sort(self, episodes: Sequence[PlannedEpisode]) -> list[PlannedEpisode]:
        """Return episodes in the order in which they are to be played."""
        place = {scenario: number for number, scenario in enumerate(self._order)}
        return sorted(episodes, key=lambda planned: (place[planned.scenario], planned.number))

    def add(self, scored: ScoredEpisode) -> bool:
        """Take in an episode and return whether the race is decided.

        Raises:
            OptionError: Its score is beyond the benchmark's bounds.
        """
        episode, total = scored.episode, float(scored.score.total)
        low, high = self._bounds
        if not low <= total <= high:
            raise OptionError(
                f"the score {total:g} is beyond the bounds {low:g} and {high:g} that "
                f"{self._plan.benchmark} states, so no early stop holds: leave --stop-when-clear "
                "out"
            )
        self._faults[episode.agent] += episode.ending.faulty
        self._totals.setdefault(episode.scenario, {})[episode.agent] = total
        while self.winner is None and self._is_played(self._next):
            self._take(self._totals[self._order[self._next]])
            self._next += 1
        return self.winner is not None

    def _is_played(self, number: int) -> bool:
        if number == len(self._order):
            return False
        return len(self._totals.get(self._order[number], ())) == len(self._plan.agents)

    def _take(self, totals: dict[int, float]) -> None:
        low, high = self._bounds
        leads = [totals[one] - totals[other] for one, other in self._pairs]
        self._bets.add(np.array(leads) / (high - low))
        won = np.flatnonzero(self._bets.evidence >= self._hurdle)
        self._won.update(self._pairs[number] for number in won)

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
        if self._ranks_faults_last and self._faults[number] > self._faults[other]:
            return False  # faulty play is never better than play with fewer faults
        return (number, other) in self._won

    @property
    def scenarios(self) -> int:
        """The number of scenarios that were counted so far."""
        return self._next

    @property
    def saved(self) -> int:
        """How many episodes need not be played."""
        return len(self._plan.agents) * (len(self._plan.scenarios) - self._next)

    def select(self, scored: Sequence[ScoredEpisode]) -> list[ScoredEpisode]:
        """Return the episodes of the scenarios that were counted.

        Those that happened to be finished besides are the short ones, so they would mislead.
        """
        counted = set(self._order[: self._next])
        return [one for one in scored if one.episode.scenario in counted]


def _check_benchmark(benchmark: Benchmark, plan: Plan) -> Bounds:
    """Return the bounds of a benchmark's scores; refuse one whose races nobody can stop early."""
    if plan.in_order:
        raise OptionError(
            f"{benchmark.id} is played in its order, and an early stop needs one by chance: leave "
            "--stop-when-clear out"
        )
    if benchmark.aggregate or benchmark.statistic != "mean":
        raise OptionError(
            f"{benchmark.id} ranks by the {benchmark.aggregate_name}, and only means can be clear "
            "early: leave --stop-when-clear out"
        )
    bounds = benchmark.score_bounds(plan.options)
    if bounds is None:
        raise OptionError(
            f"{benchmark.id} states no bounds of its scores, and without them no early stop holds: "
            "leave --stop-when-clear out, or give the benchmark bounds=(least, greatest)"
        )
    return bounds


def _draw_order(plan: Plan) -> list[int]:
    """Return the plan's scenarios in an order that neither their levels nor the agents decide."""
    order = list(range(len(plan.scenarios)))
    random.Random(f"order of {plan.benchmark} {plan.seed}").shuffle(order)  # noqa: S311
    return order
