"""Plans that survive sticky actions: what is played may begin some ticks later than decided.

Where a tick repeats the buttons before with some probability, a decision that changes the buttons
takes effect now, or a tick later, or two. A plan is therefore made for several outcomes at once,
in each of which changes come late by other numbers of ticks. A plan counts only if Mario survives
all of them. It is made anew for every decision, so what really happens is the start of the next.

Where no plan gets on, Mario goes to the furthest place where he can stand in all outcomes, which
may be where he is, and waits there: for a platform, or for a creature to pass. After a while the
plans of a game without chance have to do, which also find the way out of dead ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from ludus.agents.platformer.planning.search import (
    TICKS_PER_PIXEL,
    TICKS_PER_SPEED,
    Moves,
    SearchOptions,
)
from ludus.agents.platformer.planning.whole_plans import WholePlans
from ludus.games.platformer import ForwardModel
from ludus.games.platformer.records import Mario
from ludus.games.platformer.view import View

__all__ = ["StickyPlans"]

RUNNING, WIN = 0, 1

LATE = ((0, 0), (1, 1), (2, 2), (0, 2))
"""By how many ticks the first change of buttons comes late, and every later one, by outcome."""

LIKELY = LATE[:2]
"""The outcomes that have to do where no plan survives all of them."""

NODES = 3000
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


class _Node(NamedTuple):
    """The outcomes of a sequence of decisions."""

    models: tuple[ForwardModel, ...]
    marios: tuple[Mario, ...]
    ticks: int
    action: int  #: the buttons of the last of them
    decisions: tuple[int, ...]


class _StickySearch:
    """Looks for decisions after which Mario is far enough in all outcomes."""

    def __init__(
        self, view: View, pressed: int, skip: int, late: tuple[tuple[int, int], ...]
    ) -> None:
        model = view.forward_model()
        self._moves, self._skip, self._late = Moves(view.rules), skip, late
        self._start = model.mario
        self._floor = 16 * model.level.height
        outcomes = len(late)
        self._root = _Node((model,) * outcomes, (self._start,) * outcomes, 0, pressed, ())
        self._queue: list[tuple[float, int, _Node]] = []
        self._seen: set[tuple[int, ...]] = set()
        self._created = 0
        self._rest: tuple[float, tuple[int, ...]] | None = None

    def find(self) -> tuple[int, ...]:
        """Return the decisions of a plan that gets on, or of one that survives; else none."""
        self._expand(self._root)
        while self._queue and self._created < NODES:
            node = heappop(self._queue)[2]
            if self._arrives(node):
                return node.decisions
            self._note_rest(node)
            self._expand(node)
        return self._rest[1] if self._rest else ()

    def _note_rest(self, node: _Node) -> None:
        """Remember the decision that leads furthest with firm footing."""
        if node.ticks < REST * self._skip or not all(mario.on_ground for mario in node.marios):
            return
        x = min(mario.x for mario in node.marios)
        if self._rest is None or x > self._rest[0]:
            self._rest = x, node.decisions

    def _expand(self, node: _Node) -> None:
        """Put what can be reached next into the queue, unless something like it was."""
        for action in self._moves.choose(node.marios[0], ducks=False, ladder=False):
            child = self._follow(node, action)
            if child is None:
                continue
            key = _alike(child)
            if key not in self._seen:
                self._seen.add(key)
                heappush(self._queue, (self._loss(child), self._created, child))

    def _follow(self, node: _Node, action: int) -> _Node | None:
        """Return what a decision leads to, unless Mario dies or is hurt in one of the outcomes."""
        self._created += 1
        models, marios = [], []
        for model, late in zip(node.models, self._late, strict=True):
            ticks = 0 if action == node.action else late[node.ticks > 0]
            after = self._advance(model, [node.action] * ticks + [action] * (self._skip - ticks))
            mario = after.mario
            if after.status not in (RUNNING, WIN) or mario.y > self._floor:
                return None
            if mario.mode < self._start.mode:
                return None
            models.append(after)
            marios.append(mario)
        decisions = (*node.decisions, action)
        return _Node(tuple(models), tuple(marios), node.ticks + self._skip, action, decisions)

    def _advance(self, model: ForwardModel, buttons: list[int]) -> ForwardModel:
        after = model.clone()
        if model.status == RUNNING:
            for pressed in buttons:
                if after.advance(pressed) != RUNNING:
                    break
        return after

    def _arrives(self, node: _Node) -> bool:
        """Tell whether Mario is far enough and stands, or has won, in all outcomes."""
        return all(
            model.status == WIN or (mario.on_ground and mario.x >= self._start.x + HORIZON)
            for model, mario in zip(node.models, node.marios, strict=True)
        )

    def _loss(self, node: _Node) -> float:
        """Return the ticks lost in the slowest outcome against a Mario at full speed."""
        start = self._start
        gains = [
            (mario.x - start.x) * TICKS_PER_PIXEL + (mario.vx - start.vx) * TICKS_PER_SPEED
            for mario in node.marios
        ]
        return node.ticks - GREED * min(gains)


def _alike(node: _Node) -> tuple[int, ...]:
    """Return what makes two nodes alike enough to follow only the first of them."""
    first, last = node.marios[0], node.marios[-1]
    return (
        int(first.x) >> 2, int(first.y) >> 2, round(first.vx), first.jump_time, first.may_jump,
        int(last.x) >> 3, int(last.y) >> 3, node.action, node.ticks >> 4,
    )  # fmt: skip


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
        for late in (LATE, LIKELY):
            decisions = _StickySearch(view, self._pressed, self._frame_skip, late).find()
            if decisions:
                self.plan = decisions[1:]
                return decisions[0]
        self.plan = ()
        return self._make_other_plans().act(view)

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
