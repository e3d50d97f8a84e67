"""Plans for sticky actions: what is played may begin some ticks later than decided.

Where a tick repeats the buttons before with some probability, a decision that changes the buttons
takes effect now, or a tick later, or two. So every decision is weighed over all of these: from
each of them a search of its own goes on, because the player will see what happened. Within a search
a plan is also followed with one of its next changes late, and a plan that does not survive that
counts as longer. The decision that takes the least ticks on average is made; the end of Mario
counts as many ticks. The next decision is planned anew.

How far it is to the exit, a distance field over the level says. It knows walls, locks and dead
ends, but no creatures.

Where no plan gets on, Mario goes to the nearest place to the exit where he can stand, which may be
where he is, and waits there: for a platform, or for a creature to pass. The longer he waits the
more he dares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludus.games.platformer._native import StickyPlanner
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.view import View
from ludus.games.sticky_actions import StickyActions

__all__ = ["StickyPlans"]

NODES, BUDGET = 3_000, 50_000
"""Decisions that a search plays, and that all searches for a decision play together."""

HORIZON = 26.0
"""Ticks that a plan has to gain."""

GREED = 1.1
"""What progress counts for; 1 finds the fastest plan, more finds a plan sooner."""

REST = 5
"""Decisions after which Mario must still stand where no plan gets on."""

FAULTS, LATE, FOLLOW = 6, 3, 3
"""Changes that are also followed if they come late, by how many ticks, for how many decisions."""

WOUND, WAIT, DEATH = 200.0, 30.0, 3_000.0
"""Ticks that a wound, a plan that does not get on, and the end of Mario count as."""

PROGRESS = 3.0
"""Ticks nearer to the exit that count as getting on."""

STALL, MOST_STALL = 4.0, 60.0
"""Ticks more that a plan that does not begin counts: a decision waited, and at most."""

PATIENCE, HALF_LIFE, PERSISTENCE = 25, 8, 120
"""Decisions after which a Mario who waits dares more, twice as much, and is careful again."""


class _Caution(NamedTuple):
    """What a Mario who has waited for some decisions is careful about."""

    nodes: int
    budget: int
    faults: int
    stall: float
    death: float


def choose_caution(waited: int) -> _Caution:
    """Return what to be careful about after so many decisions without getting on.

    Example:
        >>> choose_caution(0).death, choose_caution(PATIENCE + HALF_LIFE).death
        (3000.0, 1500.0)
    """
    stall = min(STALL * max(0, waited - 3), MOST_STALL)
    death = DEATH / 2 ** (max(0, waited - PATIENCE) / HALF_LIFE)
    if waited <= PATIENCE + 2 * HALF_LIFE:
        return _Caution(NODES, BUDGET, FAULTS, stall, death)
    return _Caution(2 * NODES, BUDGET, 1, stall, death)


class StickyPlans:
    """Weighs every decision over what sticky actions may do to it.

    Attributes:
        plan: The decisions that it means to make after the last one.
    """

    def __init__(self, terms: StickyActions) -> None:
        self._terms = terms
        self._pressed = self._waited = 0
        self._nearest = 0.0
        self._tick = -1
        self._level: Level | None = None
        self._planner: StickyPlanner | None = None
        self.plan: Sequence[int] = ()

    def act(self, view: View) -> int:
        """Return the next decision."""
        planner = self._find_planner(view)
        self._watch(view, planner)
        caution, skip, sticky = choose_caution(self._waited), *self._chance()
        _, decisions, _, _ = planner.plan(
            view.forward_model(),
            self._pressed,
            skip=skip,
            rest=REST,
            late=min(LATE, skip),
            follow=FOLLOW,
            fault=sticky**2,
            sticky=sticky,
            horizon=HORIZON,
            greed=GREED,
            wound=WOUND,
            wait=WAIT,
            **caution._asdict(),
        )
        self._pressed, self.plan = decisions[0], tuple(decisions[1:])
        return self._pressed

    def _chance(self) -> tuple[int, float]:
        return self._terms.frame_skip, self._terms.sticky

    def _find_planner(self, view: View) -> StickyPlanner:
        """Return what plans in this level; a new life begins with a new one."""
        if self._planner is None or view.level is not self._level or view.tick < self._tick:
            self._planner, self._level = StickyPlanner(view.forward_model()), view.level
            self._pressed, self._waited, self._nearest = 0, 0, float("inf")
        self._tick = view.tick
        return self._planner

    def _watch(self, view: View, planner: StickyPlanner) -> None:
        """See whether Mario gets on; who dares a leap does so until he has landed."""
        self._waited = self._waited + 1 if self._waited < PERSISTENCE else 0
        to_go = planner.ticks_to_go(view.forward_model())
        if view.mario.on_ground and to_go < self._nearest - PROGRESS:
            self._nearest, self._waited = to_go, 0
