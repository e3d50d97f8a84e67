"""The greedy planner, in the spirit of a best-first entry of the 2009 competition.

It always looks next at the future that has come furthest for its speed, without a thought for the
ticks that went into it. So it needs few futures to find a way, and not the fastest one. It plans
anew every few ticks from where it is, and remembers nothing: in a dead end it stays.

Settings, our own: 500 futures a plan, buttons held for 2 ticks, a plan is long enough at 160 pixels
and is followed for 6 ticks, a wound counts as 80 ticks.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludus.agents.platformer.planning.search import (
    Future,
    Moves,
    Search,
    SearchOptions,
    StraightRight,
    list_actions,
)
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["BestFirst"]

OPTIONS = SearchOptions(horizon=160, nodes=500, stride=2, commitment=6)


class GreedySearch(Search):
    """A search that counts what is still to go, not what it took to get there."""

    def loss(self, future: Future) -> float:
        """Return the ticks to go, and those that wounds count as."""
        wounds = max(0, self.root.mario.mode - future.mario.mode)
        return future.to_go + OPTIONS.wound * wounds


class BestFirst:
    """Makes short plans by greedy searches, one after the other."""

    name = "best-first"

    def __init__(self) -> None:
        self._plan: list[int] = []
        self._beyond: list[int] = []
        self._frame_skip = 1

    def reset(self, scenario: Scenario | ArenaScenario) -> None:
        """Forget the last plan."""
        self._frame_skip = scenario.terms.frame_skip if isinstance(scenario, ArenaScenario) else 1
        self._plan, self._beyond = [], []

    def act(self, observation: View) -> int:
        """Return the plan's next action, after making a new plan if the last is done."""
        if not self._plan:
            actions = self._make_plan(observation)
            self._plan = actions[: OPTIONS.commitment : self._frame_skip]
            self._beyond = actions[OPTIONS.commitment :: self._frame_skip]
        return self._plan.pop(0)

    @property
    def plan(self) -> Sequence[int]:
        """What is left of the plan, and what was found beyond the part that it follows."""
        return (*self._plan, *self._beyond)

    def _make_plan(self, view: View) -> list[int]:
        """Return the way to the horizon, or to the safest place found, one action a tick."""
        model = view.forward_model()
        direction = StraightRight(model.mario, OPTIONS.horizon)
        search = GreedySearch(model, OPTIONS, direction, Moves(view.rules))
        search.run(OPTIONS.nodes)
        end = search.arrived or search.find_rest() or search.find_survivor()
        return list_actions(end.way())
