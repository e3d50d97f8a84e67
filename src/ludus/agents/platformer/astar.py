"""The player that plans: a best-first search over what the forward model says will happen.

The search looks for the future that loses the least time. A Mario who runs at full speed loses
none; every tick spent slower, waiting or walking back adds to the loss, and a wound counts as a
fixed number of ticks. The game has no chance in it and the forward model is exact, so a plan can be
followed with closed eyes; the player still plans anew long before the plan ends, to let what lies
beyond its horizon have a say in time.

A fine search finds the fast way and slips between creatures, but drowns in small variations where
the way leads back. Then a coarse search, which takes more futures for alike, finds the way out.

The budget is counted in nodes, not in seconds: a level is played the same way on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import NamedTuple

from ludus.games.platformer import ForwardModel
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.records import Mario
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["AStar", "SearchOptions"]

LEFT, RIGHT, SPEED, JUMP = 1, 2, 8, 16
RUNNING, WIN = 0, 1

WALKS = (RIGHT | SPEED, RIGHT, 0, LEFT, LEFT | SPEED)
WALKS_AND_JUMPS = (*WALKS, *(walk | JUMP for walk in WALKS))

TICKS_PER_PIXEL = 0.11 / 1.2
"""What a pixel takes at full running speed."""

TICKS_PER_SPEED = 1 / 1.2
"""What a pixel per tick of speed saves until it has decayed."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How the planner searches.

    Attributes:
        horizon: Pixels to the right at which a plan is long enough.
        nodes: Futures that a search looks at before the best so far must do.
        stride: Ticks the buttons are held from one node to the next; twice that if coarse.
        commitment: Ticks a fine plan is followed before the next is made; a coarse one is followed
            halfway.
        greed: What progress counts for; 1 finds the fastest plan, more finds a plan sooner.
        wound: Ticks of loss that being hurt counts as.
    """

    horizon: int = 320
    nodes: int = 10_000
    stride: int = 2
    commitment: int = 12
    greed: float = 1.05
    wound: int = 80


class _Node(NamedTuple):
    """One possible future: the game at that point, Mario in it, and how to get there."""

    model: ForwardModel
    mario: Mario
    ticks: int
    action: int
    parent: _Node | None


class AStar:
    """Searches the futures of the forward model, the least loss first, and follows the best."""

    name = "astar"

    def __init__(self, options: SearchOptions | None = None) -> None:
        self._options = options or SearchOptions()
        self._plan: list[int] = []
        self._steps_to_follow = 0
        self._frame_skip = 1

    def reset(self, scenario: Scenario | ArenaScenario) -> None:
        """Forget the last plan."""
        self._plan = []
        self._steps_to_follow = 0
        self._frame_skip = scenario.terms.frame_skip if isinstance(scenario, ArenaScenario) else 1

    def act(self, observation: View) -> int:
        """Return the plan's next action, after making a new plan if it is time to."""
        if self._steps_to_follow == 0:
            self._make_plan(observation)
        self._steps_to_follow -= 1
        return self._plan.pop(0)

    def _make_plan(self, view: View) -> None:
        """Plan finely, and coarsely if that leads nowhere; an old plan is better than neither."""
        options = self._search_options()
        arrives, plan = _Search(view.forward_model(), options, coarse=False).run()
        if arrives:
            self._follow(plan, options.commitment if self._frame_skip == 1 else 1)
            return
        arrives, way_out = _Search(view.forward_model(), options, coarse=True).run()
        if arrives or not self._plan:
            self._follow(way_out if arrives else plan, options.commitment)
        half = (len(self._plan) + 1) // 2
        self._steps_to_follow = min(max(options.commitment, half), len(self._plan))

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


class _Search:
    """One search: a queue of futures, and the states already seen."""

    def __init__(self, model: ForwardModel, options: SearchOptions, *, coarse: bool) -> None:
        self._options = options
        self._coarse = coarse
        self._stride = options.stride * (1 + coarse)
        self._root = _Node(model, model.mario, 0, 0, None)
        self._goal = self._root.mario.x + options.horizon
        self._floor = 16 * model.level.height
        self._queue: list[tuple[float, int, _Node]] = []
        self._visited: set[tuple[int, ...]] = set()
        self._created = 0
        self._furthest = self._last = self._root

    def run(self) -> tuple[bool, list[int]]:
        """Return whether the plan gets to the horizon, and the plan: one action a tick."""
        self._expand(self._root)
        while self._queue and self._created < self._options.nodes:
            node = heappop(self._queue)[2]
            if self._is_goal(node):
                return True, self._actions(node)
            self._expand(node)
        return False, self._actions(self._furthest if self._furthest.ticks else self._last)

    def _expand(self, node: _Node) -> None:
        """Put every state that can be reached next into the queue, unless one like it was."""
        mario = node.mario
        can_rise = mario.may_jump or mario.jump_time > 0
        for action in WALKS_AND_JUMPS if can_rise else WALKS:
            child = self._follow(node, action)
            if child is None or (state := self._state_key(child)) in self._visited:
                continue
            self._visited.add(state)
            if child.mario.on_ground and child.mario.x > self._furthest.mario.x:
                self._furthest = child
            heappush(self._queue, (self._loss(child), self._created, child))

    def _follow(self, node: _Node, action: int) -> _Node | None:
        """Return what holding these buttons leads to; None if it is the end of Mario."""
        model = node.model.clone()
        self._created += 1
        ticks = node.ticks
        for _ in range(self._stride):
            ticks += 1
            if model.advance(action) != RUNNING:
                break
        child = _Node(model, model.mario, ticks, action, node)
        if ticks > self._last.ticks:
            self._last = child
        lost = model.status not in (RUNNING, WIN) or child.mario.y > self._floor
        return None if lost else child

    def _loss(self, node: _Node) -> float:
        """Return the ticks lost against a Mario who runs at full speed from here on."""
        mario, start = node.mario, self._root.mario
        gained = (mario.x - start.x) * TICKS_PER_PIXEL + (mario.vx - start.vx) * TICKS_PER_SPEED
        wounds = max(0, start.mode - mario.mode)
        return node.ticks + self._options.wound * wounds - self._options.greed * gained

    def _is_goal(self, node: _Node) -> bool:
        """Tell whether a plan may end here: at the exit, or at the horizon with firm footing."""
        mario = node.mario
        return node.model.status == WIN or (mario.on_ground and mario.x >= self._goal)

    def _state_key(self, node: _Node) -> tuple[int, ...]:
        """Return what makes two futures alike enough to follow only the first of them."""
        mario = node.mario
        x, y, vx = int(mario.x), int(mario.y), round(mario.vx)
        if self._coarse:
            return x >> 3, y >> 3, vx >> 2, mario.jump_time > 0, mario.may_jump, mario.mode
        return x >> 2, y >> 2, vx, mario.jump_time, mario.may_jump, mario.mode, node.ticks >> 3

    def _actions(self, node: _Node) -> list[int]:
        """Return the way from the root to a node, one action a tick."""
        actions: list[int] = []
        while node.parent is not None:
            actions += [node.action] * (node.ticks - node.parent.ticks)
            node = node.parent
        return actions[::-1]
