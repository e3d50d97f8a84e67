"""The player that plans: an A* search over what the forward model says will happen.

The search looks for the future that loses the least time. The game has no chance in it and the
forward model is exact, so a plan can be followed with closed eyes; the player still plans anew long
before the plan ends, to let what lies beyond its horizon have a say in time.

Under the rules of the competitions, which allow 40 ms a decision, the next plan is thought out
while the last is followed, and the player copes with dead ends: it notices that it is stuck, finds
the way back on a map of what it has seen, and does not come to the place again. Under the other
rules every search is made at once. Where buttons may take effect late, as in the arena, decisions
are weighed over what chance may do to them. ``astar#plain`` searches to the right and does nothing
more.

The budget is counted in nodes, not in seconds: a level is played the same way on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludus.agents.platformer.planning.search import SearchOptions
from ludus.agents.platformer.planning.sticky_plans import StickyPlans
from ludus.agents.platformer.planning.timed_plans import TimedPlans
from ludus.agents.platformer.planning.whole_plans import WholePlans
from ludus.errors import AgentError
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.games.sticky_actions import StickyActions

__all__ = ["AStar", "SearchOptions"]

COMPETITIONS = ("2009", "2010")


class AStar:
    """Searches the futures of the forward model, the least loss first, and follows the best."""

    def __init__(self, options: SearchOptions | None = None, variant: str = "") -> None:
        if variant not in ("", "plain"):
            raise AgentError(f"there is no variant {variant!r}: it is 'plain', or leave it out")
        self.name = "astar-plain" if variant else "astar"
        self._options = options or SearchOptions()
        self._plain = variant == "plain"
        self._terms: StickyActions | None = None
        self._plans: TimedPlans | WholePlans | StickyPlans | None = None

    def reset(self, scenario: Scenario | ArenaScenario) -> None:
        """Forget the last plan and the last level."""
        self._terms = scenario.terms if isinstance(scenario, ArenaScenario) else None
        self._plans = None

    def act(self, observation: View) -> int:
        """Return the next action of the plan."""
        if self._plans is None:
            self._plans = self._choose_plans(observation.rules)
        return self._plans.act(observation)

    @property
    def plan(self) -> Sequence[int]:
        """The actions that it means to play after the last one."""
        return self._plans.plan if self._plans else ()

    def _choose_plans(self, rules: str) -> TimedPlans | WholePlans | StickyPlans:
        if rules in COMPETITIONS:
            return TimedPlans(plain=self._plain)
        if self._terms and self._terms.sticky > 0 and not self._plain:
            return StickyPlans(self._terms)
        frame_skip = self._terms.frame_skip if self._terms else 1
        return WholePlans(self._options, frame_skip, plain=self._plain)
