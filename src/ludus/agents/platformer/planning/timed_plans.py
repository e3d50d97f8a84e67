"""Plans of a player who has milliseconds: the next plan is thought out while the last is followed.

The search begins in the future in which the plan will end, and looks at a few futures in every
tick. So no decision takes long, and a plan has all the ticks before it to ripen.

A player who copes with dead ends goes along a map of what it has seen. It does more where its
searches lead nowhere:

1. It finds a way out by a coarse search, which takes more futures for alike.
2. It knows that it is stuck: no search gets on, or several in a row did not arrive. Then it stands
   still and thinks for a second or two, longer each time, if nothing threatens it there.
3. If that finds nothing either, it puts a toll on the place, so that the way over the map leads
   elsewhere, back if need be, and does not come here again.
4. When too little time is left for any of this, or the thinking has come to nothing too often, it
   goes to the right as far as it can: levels may be impossible.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludus.agents.platformer.planning.search import (
    Direction,
    Future,
    Moves,
    Search,
    SearchOptions,
    StraightRight,
    list_actions,
)
from ludus.agents.platformer.planning.way_map import AlongTheMap, WayMap
from ludus.games.platformer import ForwardModel
from ludus.games.platformer.view import View

__all__ = ["TimedOptions", "TimedPlans"]

LAST_TICKS = 90
"""Ticks before the end of the time in which only distance counts."""


@dataclass(frozen=True, slots=True)
class TimedOptions:
    """How much is thought, and when.

    Attributes:
        search: How searches are made; ``nodes`` is the most that a search may look at.
        nodes_a_tick: Futures looked at in a tick in which a plan is followed.
        coarse_nodes: Futures that a coarse search looks at, in one tick.
        share: How much of a coarse plan is followed.
        pause: Ticks that the player stands still to think; twice and three times that later on.
        nodes_a_pause: Futures looked at in each of these ticks.
        patience: Futures looked at in the pauses of a level, in all.
        progress: Ticks to go that a search must gain, or it leads nowhere.
        streak: Searches in a row that may fail to arrive.
        toll: Ticks that are put on a place from which no way leads on.
    """

    search: SearchOptions = field(
        default_factory=lambda: SearchOptions(horizon=240, nodes=800, commitment=10)
    )
    nodes_a_tick: int = 60
    coarse_nodes: int = 600
    share: float = 0.6
    pause: int = 12
    nodes_a_pause: int = 500
    patience: int = 100_000
    progress: float = 2.0
    streak: int = 3
    toll: float = 6.0


class TimedPlans:
    """Follows a plan and searches for the next one, a few futures a tick."""

    def __init__(self, options: TimedOptions | None = None, *, plain: bool = False) -> None:
        self._options = options or TimedOptions()
        self._plain = plain
        self._plan: list[int] = []
        self._beyond: list[Future] = []
        self._search: Search | None = None
        self._map: WayMap | None = None
        self._pausing = False
        self._pauses = 1
        self._failures = 0
        self._patience = self._options.patience

    def act(self, view: View) -> int:
        """Return the plan's next action, and think a little ahead."""
        search = self._search
        if not self._plan or search is None:
            self._make_plan(view)
        elif self._pausing:
            search.run(self._options.nodes_a_pause)
        else:
            self._think(search, self._options.nodes_a_tick)
        return self._plan.pop(0)

    def _think(self, search: Search, nodes: int) -> None:
        """Go on with a search, as far as it may go."""
        search.run(min(nodes, self._options.search.nodes - search.created))

    @property
    def plan(self) -> tuple[int, ...]:
        """What is left of the plan, and what the search has found beyond it."""
        return (*self._plan, *list_actions(self._beyond))

    def _make_plan(self, view: View) -> None:
        """Set out on what the search has found; begin anew if the world is not as foreseen."""
        search = self._search
        if search is None or search.root.mario != view.mario:
            search = self._begin(view.forward_model(), view)
            self._pausing, self._beyond = False, []
        if not self._pausing:
            self._think(search, self._options.search.nodes)
        if self._plain or self._patience <= 0:
            end = search.furthest if search.furthest.ticks else search.last
            self._follow(search, search.arrived or end, view)
        else:
            self._choose_plan(search, view)

    def _choose_plan(self, search: Search, view: View) -> None:
        """Follow a plan that arrives; without one, cope."""
        if search.arrived is None and not search.coarse:
            search = self._begin(search.root.model, view, coarse=True)
            search.run(self._options.coarse_nodes)
        self._patience -= search.created if self._pausing else 0
        if search.arrived is not None:
            self._failures, self._pauses, self._pausing = 0, 1, False
            self._follow(search, search.arrived, view)
        else:
            self._failures += 1
            self._cope(search, view)

    def _cope(self, search: Search, view: View) -> None:
        """Get on somehow: by the old plan, by a pause to think, or by the best there is."""
        rest = search.find_rest()
        goal = search.root.to_go - self._options.progress
        old = self._beyond[-1] if self._beyond else None
        if old and (rest is None or (old.to_go <= rest.to_go + 1 and search.can_stop(old))):
            self._go_on(view)
            return
        if rest is None or rest.to_go > goal or self._failures >= self._options.streak:
            if not self._pausing and self._patience > 0 and self._pause(search.root.model, view):
                return
            self._add_toll(rest or search.root)
        self._pausing = False
        self._follow(search, rest or search.find_survivor(), view)

    def _add_toll(self, future: Future) -> None:
        if self._map:
            self._map.add_toll(future.mario, self._options.toll)

    def _pause(self, model: ForwardModel, view: View) -> bool:
        """Stand still and think about what comes after; tell whether that is safe."""
        ticks = self._options.pause * self._pauses
        later = model.clone()
        for _ in range(ticks):
            later.advance(0)
        unharmed = later.status == 0 and later.mario.mode >= model.mario.mode
        if not unharmed or not later.mario.on_ground:
            return False
        self._begin(later, view, coarse=True)
        self._plan, self._beyond, self._pausing = [0] * ticks, [], True
        self._pauses = min(self._pauses + 1, 3)
        return True

    def _follow(self, search: Search, end: Future, view: View) -> None:
        """Set out on the way to a future; a coarse one is followed further."""
        way, ticks = end.way(), self._options.search.commitment
        if search.coarse and search.arrived:
            ticks = max(ticks, int(end.ticks * self._options.share))
        self._set_out(way, ticks, search.root, view)

    def _go_on(self, view: View) -> None:
        """Go on with what is left of the last plan."""
        start = self._beyond[0].parent
        assert start is not None, "only the root has no parent"  # noqa: S101
        self._pausing = False
        self._set_out(self._beyond, start.ticks + self._options.search.commitment, start, view)

    def _set_out(self, way: list[Future], ticks: int, start: Future, view: View) -> None:
        """Follow the first ticks of a way, and search on from where they end."""
        steps = next((k for k, future in enumerate(way, 1) if future.ticks >= ticks), len(way))
        self._plan, self._beyond = list_actions(way[:steps]) or [0], way[steps:]
        self._begin(way[steps - 1].model if way else start.model, view)

    def _begin(self, model: ForwardModel, view: View, *, coarse: bool = False) -> Search:
        """Begin a search from this model."""
        direction = self._choose_direction(model, view)
        moves, options = Moves(view.rules), self._options.search
        search = Search(model, options, direction, moves, coarse=coarse, ducks=coarse)
        self._search = search
        return search

    def _choose_direction(self, model: ForwardModel, view: View) -> Direction:
        horizon = self._options.search.horizon
        if self._plain or self._patience <= 0 or 0 < model.timer < LAST_TICKS:
            return StraightRight(model.mario, horizon)
        self._map = self._map or WayMap(view.exit)
        self._map.look(model)
        return AlongTheMap(self._map, model.mario, horizon)
