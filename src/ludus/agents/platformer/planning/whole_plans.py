"""Plans of a player whom no clock rushes: every search is made at once.

A fine search finds the fast way and slips between creatures, but drowns in small variations where
the way leads back. Then a coarse search, which takes more futures for alike, finds the way out.
"""

from __future__ import annotations

from dataclasses import replace

from ludus.agents.platformer.planning.search import (
    Moves,
    Search,
    SearchOptions,
    StraightRight,
    list_actions,
)
from ludus.games.platformer.view import View

__all__ = ["WholePlans"]


class WholePlans:
    """Makes a plan, follows it for a while, and makes the next one."""

    def __init__(self, options: SearchOptions, frame_skip: int, *, plain: bool) -> None:
        self._options = options
        self._frame_skip = frame_skip
        self._plain = plain
        self._plan: list[int] = []
        self._steps_to_follow = 0

    def act(self, view: View) -> int:
        """Return the plan's next action, after making a new plan if it is time to."""
        if self._steps_to_follow == 0:
            self._make_plan(view)
        self._steps_to_follow -= 1
        return self._plan.pop(0)

    @property
    def plan(self) -> tuple[int, ...]:
        """What is left of the plan: an action a decision."""
        return tuple(self._plan)

    def _make_plan(self, view: View) -> None:
        """Plan finely, and coarsely if that leads nowhere; an old plan is better than neither."""
        options = self._search_options()
        arrives, plan = self._search(view, options, coarse=False)
        if arrives or self._plain:
            self._follow(plan, options.commitment if self._frame_skip == 1 else 1)
            return
        arrives, way_out = self._search(view, options, coarse=True)
        if arrives or not self._plan:
            self._follow(way_out if arrives else plan, options.commitment)
        half = (len(self._plan) + 1) // 2
        self._steps_to_follow = min(max(options.commitment, half), len(self._plan))

    def _search(
        self, view: View, options: SearchOptions, *, coarse: bool
    ) -> tuple[bool, list[int]]:
        """Return whether the plan gets to the horizon, and the plan: one action a tick."""
        model = view.forward_model()
        direction = StraightRight(model.mario, options.horizon)
        search = Search(model, options, direction, Moves(view.rules), coarse=coarse)
        search.run(options.nodes)
        end = search.arrived or (search.furthest if search.furthest.ticks else search.last)
        return search.arrived is not None, list_actions(end.way())

    def _search_options(self) -> SearchOptions:
        """Return how to search; where decisions are held, chance may spoil a plan any time."""
        options, skip = self._options, self._frame_skip
        if skip == 1:
            return options
        commitment = max(options.commitment // skip, 1)
        return replace(options, stride=skip, nodes=options.nodes // 2, commitment=commitment)

    def _follow(self, plan: list[int], steps: int) -> None:
        """Set out on a plan of ticks, of which every held one is a step."""
        self._plan = plan[:: self._frame_skip]
        self._steps_to_follow = min(steps, len(self._plan))
