"""One search over what the forward model says will happen, the least loss first.

A Mario who runs at full speed the shortest way loses nothing. Every tick spent slower, waiting or
walking back adds to the loss, and a wound counts as a fixed number of ticks.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from typing import NamedTuple, Protocol

from ludus.games.platformer import ForwardModel
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.records import Mario

__all__ = [
    "TICKS_PER_PIXEL",
    "TICKS_PER_SPEED",
    "Direction",
    "Future",
    "Moves",
    "Search",
    "SearchOptions",
    "StraightRight",
]

RUNNING, WIN = 0, 1

TICKS_PER_PIXEL = 0.11 / 1.2
"""What a pixel takes at full running speed."""

TICKS_PER_SPEED = 1 / 1.2
"""What a pixel per tick of speed saves until it has decayed."""

FAST = 3
"""Pixels a tick from which a ducking Mario slides far enough to be of use."""

STOPPING = 10
"""Ticks in which a Mario who runs comes to a stop."""

MOST_ENDS = 50
"""Futures that are tried for a stop before none is taken for safe."""


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


class Future(NamedTuple):
    """One possible future: the game at that point, Mario in it, and how to get there."""

    model: ForwardModel
    mario: Mario
    ticks: int
    action: int
    parent: Future | None
    to_go: float  #: ticks from here, by the direction of the search

    def way(self) -> list[Future]:
        """Return the futures from the first one after the root to this one."""
        way, future = [], self
        while future.parent is not None:
            way.append(future)
            future = future.parent
        return way[::-1]


def list_actions(way: list[Future]) -> list[int]:
    """Return the actions along a way, one a tick."""
    actions: list[int] = []
    for future in way:
        before = future.parent.ticks if future.parent else 0
        actions += [future.action] * (future.ticks - before)
    return actions


class Direction(Protocol):
    """Where a search is to lead."""

    def ticks_to_go(self, mario: Mario) -> float:
        """Return the ticks from here on, against those of other places."""

    def is_far_enough(self, mario: Mario, to_go: float) -> bool:
        """Tell whether a plan may end here."""

    def has_ladder(self, mario: Mario) -> bool:
        """Tell whether Mario is at a ladder."""


class StraightRight:
    """The way that knows no obstacle: to the right, as far as the horizon."""

    def __init__(self, start: Mario, horizon: int) -> None:
        self._start = start
        self._goal = start.x + horizon

    def ticks_to_go(self, mario: Mario) -> float:
        """Return the ticks gained since the start, less than zero."""
        start = self._start
        return -((mario.x - start.x) * TICKS_PER_PIXEL + (mario.vx - start.vx) * TICKS_PER_SPEED)

    def is_far_enough(self, mario: Mario, to_go: float) -> bool:
        """Tell whether Mario is beyond the horizon."""
        return mario.x >= self._goal

    def has_ladder(self, mario: Mario) -> bool:
        """Tell that nothing is known of ladders."""
        return False


class Moves:
    """What a search tries under some rules."""

    def __init__(self, rules: str) -> None:
        button = buttons_of(rules)
        left, right, speed = int(button.LEFT), int(button.RIGHT), int(button.SPEED)
        self.jump, self.duck = int(button.JUMP), int(button.DOWN)
        self.climb = 32 if rules == "2010" else 0
        self.walks = (right | speed, right, 0, left, left | speed)
        self.walks_and_jumps = (*self.walks, *(walk | self.jump for walk in self.walks))

    def choose(self, mario: Mario, *, ducks: bool, ladder: bool) -> tuple[int, ...]:
        """Return the buttons that make sense for this Mario."""
        can_rise = mario.may_jump or mario.jump_time > 0
        moves = self.walks_and_jumps if can_rise else self.walks
        if ducks and mario.mode and abs(mario.vx) > FAST:
            moves += (self.duck | self.jump, self.duck) if can_rise else (self.duck,)
        return (*moves, self.climb) if ladder and self.climb else moves


class Search:
    """A queue of futures, and the states already seen.

    Attributes:
        root: The future in which the search began.
        arrived: The future in which a plan may end, once there is one.
        furthest: The future on the ground that is furthest to the right.
        last: The future with the most ticks, also if it is the end of Mario.
        created: Futures looked at so far.
        coarse: Whether more futures are taken for alike.
    """

    def __init__(
        self,
        model: ForwardModel,
        options: SearchOptions,
        direction: Direction,
        moves: Moves,
        *,
        coarse: bool = False,
        ducks: bool = False,
    ) -> None:
        mario = model.mario
        self.root = Future(model, mario, 0, 0, None, direction.ticks_to_go(mario))
        self.arrived: Future | None = None
        self.furthest = self.last = self.root
        self.created = 0
        self.coarse = coarse
        self._options, self._direction, self._moves = options, direction, moves
        self._ducks = ducks
        self._stride = options.stride * (1 + coarse)
        self._floor = 16 * model.level.height
        self._queue: list[tuple[float, int, Future]] = []
        self._ends: list[tuple[float, int, Future]] = []
        self._visited: set[tuple[int, ...]] = set()

    def run(self, nodes: int) -> None:
        """Look at this many futures more, or until a plan may end."""
        limit = self.created + nodes
        if self.created == 0 < nodes:
            self._expand(self.root)
        while self.arrived is None and self._queue and self.created < limit:
            future = heappop(self._queue)[2]
            if self._is_goal(future):
                self.arrived = future
            else:
                self._expand(future)

    def find_rest(self) -> Future | None:
        """Return the future with the least to go in which Mario can stop unharmed, if any."""
        for _, _, future in nsmallest(MOST_ENDS, self._ends):
            if self.can_stop(future):
                return future
        return None

    def find_survivor(self) -> Future:
        """Return the future that loses the least of those that go on, or the longest life."""
        return self._queue[0][2] if self._queue else self.last

    def _expand(self, future: Future) -> None:
        """Put every state that can be reached next into the queue, unless one like it was."""
        mario = future.mario
        ladder = self._direction.has_ladder(mario)
        for action in self._moves.choose(mario, ducks=self._ducks, ladder=ladder):
            child = self._follow(future, action)
            if child is None:
                continue
            if child.mario.on_ground:
                self._note_ground(child)
            heappush(self._queue, (self.loss(child), self.created, child))

    def _follow(self, future: Future, action: int) -> Future | None:
        """Return what holding these buttons leads to, unless that is known or Mario's end."""
        model = future.model.clone()
        self.created += 1
        ticks, status = future.ticks, RUNNING
        for _ in range(self._stride):
            ticks += 1
            status = model.advance(action)
            if status != RUNNING:
                break
        mario = model.mario
        if ticks > self.last.ticks:
            self.last = Future(model, mario, ticks, action, future, 0.0)
        if status not in (RUNNING, WIN) or mario.y > self._floor:
            return None
        state = self._state_key(mario, ticks)
        if state in self._visited:
            return None
        self._visited.add(state)
        return Future(model, mario, ticks, action, future, self._direction.ticks_to_go(mario))

    def _note_ground(self, future: Future) -> None:
        """Remember where Mario stands."""
        if future.mario.x > self.furthest.mario.x:
            self.furthest = future
        self._ends.append((future.to_go, self.created, future))

    def loss(self, future: Future) -> float:
        """Return the ticks lost against a Mario who runs at full speed from here on."""
        wounds = max(0, self.root.mario.mode - future.mario.mode)
        options = self._options
        return future.ticks + options.wound * wounds + options.greed * future.to_go

    def _is_goal(self, future: Future) -> bool:
        """Tell whether a plan may end here: at the exit, or far enough with firm footing."""
        mario = future.mario
        return future.model.status == WIN or (
            mario.on_ground and self._direction.is_far_enough(mario, future.to_go)
        )

    def _state_key(self, mario: Mario, ticks: int) -> tuple[int, ...]:
        """Return what makes two futures alike enough to follow only the first of them."""
        x, y, vx = int(mario.x), int(mario.y), round(mario.vx)
        if self.coarse:
            rising = mario.jump_time > 0
            return x >> 3, y >> 3, vx >> 2, rising, mario.may_jump, mario.mode, mario.ducking
        return x >> 2, y >> 2, vx, mario.jump_time, mario.may_jump, mario.mode, ticks >> 3

    def can_stop(self, future: Future) -> bool:
        """Tell whether Mario survives braking, unharmed and on the ground, or has won."""
        if future.model.status == WIN:
            return True
        model = future.model.clone()
        walks = self._moves.walks
        for _ in range(STOPPING):
            speed = model.mario.vx
            if model.advance(walks[3] if speed > 1 else walks[1] if speed < -1 else 0) != RUNNING:
                return False
        mario = model.mario
        return mario.on_ground and mario.mode >= future.mario.mode
