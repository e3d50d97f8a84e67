"""Plans that survive sticky actions: what is played may begin some ticks later than decided.

Where a tick repeats the buttons before with some probability, a decision that changes the buttons
takes effect now, or a tick later, or two. A plan is therefore made for several outcomes at once,
in each of which changes come late by other numbers of ticks. A plan counts only if Mario survives
all of them. It is made anew for every decision, so what really happens is the start of the next.

Where no plan gets on, Mario goes to the furthest place where he can stand in all outcomes, which
may be where he is, and waits there: for a platform, or for a creature to pass. The longer he waits
the more he dares: he takes plans that survive fewer outcomes. In the end the plans of a game
without chance have to do, which also find the way out of dead ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludus.agents.platformer.planning.search import SearchOptions
from ludus.agents.platformer.planning.whole_plans import WholePlans
from ludus.games.platformer._native import plan_sticky
from ludus.games.platformer.view import View

__all__ = ["StickyPlans"]

NONE, RESTS, ARRIVES = 0, 1, 2

Outcomes = tuple[tuple[int, int], ...]
"""By how many ticks the first change of buttons comes late, and every later one, by outcome."""


class _Caution(NamedTuple):
    """What a plan has to survive, once Mario has waited for so many decisions."""

    outcomes: Outcomes
    waited: int


CAUTIONS = (
    _Caution(((0, 0), (1, 1), (2, 2), (0, 2), (3, 0), (4, 1)), 0),
    _Caution(((0, 0), (1, 1), (2, 2), (0, 2)), 10),
    _Caution(((0, 0), (1, 1)), 25),
)

NODES = 6000
HORIZON = 208
"""Pixels to the right at which a plan is long enough."""

GREED = 1.3
"""What progress counts for; 1 finds the fastest plan, more finds a plan sooner."""

REST = 5
"""Decisions after which Mario must still be unharmed where no plan gets on."""

PATIENCE = 40
"""Decisions without progress after which plans of a game without chance have to do."""

IMPATIENCE = 16
"""Decisions that these are followed before Mario is careful again."""

PROGRESS = 32
"""Pixels that count as getting on."""


class StickyPlans:
    """Makes a plan for every decision that survives what sticky actions may do to it.

    Attributes:
        plan: The decisions that it means to make after the last one.
    """

    def __init__(self, options: SearchOptions, frame_skip: int) -> None:
        self._options, self._frame_skip = options, frame_skip
        self._pressed = self._waited = 0
        self._furthest = 0.0
        self._other_plans: WholePlans | None = None
        self.plan: Sequence[int] = ()

    def act(self, view: View) -> int:
        """Return the next decision."""
        self._watch(view.mario.x)
        if self._other_plans is None:
            self._pressed = self._find(view)
        else:
            self._pressed, self.plan = self._other_plans.act(view), self._other_plans.plan
        return self._pressed

    def _find(self, view: View) -> int:
        """Return the first decision of the most careful plan that gets on, or that rests."""
        rest = b""
        for caution in CAUTIONS:
            if rest and self._waited < caution.waited:
                break
            verdict, decisions = self._search(view, caution.outcomes)
            if verdict == ARRIVES:
                return self._follow(decisions)
            rest = rest or decisions
        if rest:
            return self._follow(rest)
        self.plan = ()
        return self._make_other_plans().act(view)

    def _search(self, view: View, outcomes: Outcomes) -> tuple[int, bytes]:
        model = view.forward_model()
        verdict, decisions, _ = plan_sticky(
            model, self._pressed, outcomes, self._frame_skip, NODES, HORIZON, REST, GREED
        )
        return verdict, decisions

    def _follow(self, decisions: bytes) -> int:
        self.plan = tuple(decisions[1:])
        return decisions[0]

    def _watch(self, x: float) -> None:
        """See whether Mario gets on; a new level begins far behind the last."""
        self._waited += 1
        if x > self._furthest + PROGRESS or x < self._furthest - 20 * PROGRESS:
            self._furthest, self._waited = x, 0
        if self._waited == PATIENCE:
            self._other_plans = self._make_other_plans()
        elif self._waited >= PATIENCE + IMPATIENCE or self._waited == 0:
            self._waited, self._other_plans = 0, None

    def _make_other_plans(self) -> WholePlans:
        return WholePlans(self._options, self._frame_skip, plain=False)
