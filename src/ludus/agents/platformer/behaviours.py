"""The nodes of behaviour trees: what a player can do, ask and put together.

A node is asked once a tick. It succeeds, fails, or is still running; a node that acts says which
buttons it holds. A sequence runs its parts until one fails, a selector until one does not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from ludus.agents.platformer.cell_paths import Hop, find_next_hop
from ludus.agents.platformer.surroundings import Surroundings

__all__ = [
    "ACTIONS",
    "CONDITIONS",
    "Act",
    "Check",
    "GoRight",
    "Moment",
    "Node",
    "Outcome",
    "Repeat",
    "Selector",
    "Steps",
]

LOOK = 64.0
"""Pixels within which creatures matter."""

BEHIND = 6
"""Columns of what is seen that lie too far behind for a way to the right."""

FIRE = 2
WIDE_GAP = 4
HIGH_WALL = 4


class Outcome(Enum):
    """What comes of asking a node."""

    SUCCESS = "success"
    FAILURE = "failure"
    RUNNING = "running"


@dataclass(slots=True)
class Moment:
    """One tick, as the nodes see it.

    Attributes:
        around: What is around Mario.
        stuck: Whether he has not got further for long.
        move: The names of the buttons to hold; the node that acts sets them.
    """

    around: Surroundings
    stuck: bool
    move: str | None = None


class Node(ABC):
    """A part of a tree."""

    @abstractmethod
    def tick(self, now: Moment) -> Outcome:
        """Do or ask what the node is for."""

    def restart(self) -> None:  # noqa: B027 (many remember nothing)
        """Forget what was under way."""


class Check(Node):
    """Succeeds if a condition holds.

    Args:
        condition: A name of :data:`CONDITIONS`.
        wanted: Whether it shall hold or shall not.
    """

    def __init__(self, condition: str, *, wanted: bool = True) -> None:
        self._holds, self._wanted = CONDITIONS[condition], wanted

    def tick(self, now: Moment) -> Outcome:
        """Ask."""
        return Outcome.SUCCESS if self._holds(now) is self._wanted else Outcome.FAILURE


class Act(Node):
    """Holds buttons for some ticks, one move after the other.

    Args:
        action: A name of :data:`ACTIONS`.
    """

    def __init__(self, action: str) -> None:
        self._moves = [move for move, ticks in ACTIONS[action] for _ in range(ticks)]
        self._done = 0

    def tick(self, now: Moment) -> Outcome:
        """Hold the buttons of the next tick."""
        if self._done == len(self._moves):
            self._done = 0
            return Outcome.SUCCESS
        now.move = self._moves[self._done]
        self._done += 1
        return Outcome.RUNNING

    def restart(self) -> None:
        """Begin with the first move."""
        self._done = 0


class Steps(Node):
    """Runs its parts one after the other, until one fails.

    Args:
        parts: The parts.
    """

    def __init__(self, parts: Sequence[Node]) -> None:
        self._parts, self._next = list(parts), 0

    def tick(self, now: Moment) -> Outcome:
        """Run on with the part that is under way."""
        while self._next < len(self._parts):
            outcome = self._parts[self._next].tick(now)
            if outcome is Outcome.RUNNING:
                return outcome
            if outcome is Outcome.FAILURE:
                self.restart()
                return outcome
            self._next += 1
        self.restart()
        return Outcome.SUCCESS

    def restart(self) -> None:
        """Begin with the first part."""
        self._next = 0
        for part in self._parts:
            part.restart()


class Selector(Node):
    """Runs the first of its parts that does not fail, until that is done.

    Args:
        parts: The parts, the most urgent first.
    """

    def __init__(self, parts: Sequence[Node]) -> None:
        self._parts = list(parts)
        self._running: Node | None = None

    def tick(self, now: Moment) -> Outcome:
        """Run on with the part that is under way, or look for one."""
        waiting = self._parts if self._running is None else [self._running, *self._parts]
        self._running = None
        for part in waiting:
            outcome = part.tick(now)
            if outcome is Outcome.RUNNING:
                self._running = part
                return outcome
            if outcome is Outcome.SUCCESS and now.move is not None:
                return outcome
        return Outcome.FAILURE

    def restart(self) -> None:
        """Look for a part anew."""
        self._running = None
        for part in self._parts:
            part.restart()


class Repeat(Node):
    """Runs a part several times.

    Args:
        part: The part.
        times: How often at most.
        until_fails: Whether a failure ends it well.
    """

    def __init__(self, part: Node, times: int, *, until_fails: bool = False) -> None:
        self._part, self._times, self._until_fails, self._done = part, times, until_fails, 0

    def tick(self, now: Moment) -> Outcome:
        """Run the part on, or begin it once more."""
        while self._done < self._times:
            outcome = self._part.tick(now)
            if outcome is Outcome.RUNNING:
                return outcome
            if outcome is Outcome.FAILURE:
                self.restart()
                return Outcome.SUCCESS if self._until_fails else Outcome.FAILURE
            self._done += 1
        self.restart()
        return Outcome.SUCCESS

    def restart(self) -> None:
        """Count from the beginning."""
        self._done = 0
        self._part.restart()


class GoRight(Node):
    """Finds a way over the cells that can be stood on, and takes its next step; never fails."""

    def __init__(self) -> None:
        self._hold = 0
        self._seen = b""
        self._hop: Hop | None = None

    def tick(self, now: Moment) -> Outcome:
        """Walk, fall or jump towards the rightmost cell that can be reached; else jump right."""
        mario = now.around.mario
        if not mario.on_ground:
            self._hold -= 1
            falls = mario.vy > 0 and now.around.over_gap
            now.move = "right speed jump" if self._hold > 0 or falls else "right speed"
            return Outcome.SUCCESS
        hop = self._find_hop(now.around)
        jumps = hop is None or hop.rise > 0 or hop.columns > 1 or now.around.gap_width(2) > 0
        side = "left" if hop is not None and hop.columns < 0 else "right"
        self._hold = 9 if hop is None or hop.rise > 1 or hop.columns > 1 else 4
        now.move = f"{side} speed jump" if jumps and mario.may_jump else f"{side} speed"
        return Outcome.SUCCESS

    def restart(self) -> None:
        """Forget the jump."""
        self._hold = 0

    def _find_hop(self, around: Surroundings) -> Hop | None:
        """Return the next step; what looks as in the tick before is not searched again."""
        seen = around.blocks.tobytes()
        if seen != self._seen:
            self._seen = seen
            self._hop = find_next_hop(around.blocks[:, BEHIND:], around.walls[:, BEHIND:])
        return self._hop


ACTIONS: dict[str, tuple[tuple[str, int], ...]] = {
    "stand": (("", 2),),
    "walk right": (("right", 3),),
    "walk left": (("left", 3),),
    "run right": (("right speed", 3),),
    "run left": (("left speed", 3),),
    "jump up": (("", 1), ("jump", 9)),
    "jump right": (("right", 1), ("right jump", 9)),
    "jump left": (("left", 1), ("left jump", 9)),
    "long jump right": (("right speed", 1), ("right speed jump", 9)),
    "long jump left": (("left speed", 1), ("left speed jump", 9)),
    "short jump right": (("right speed", 1), ("right speed jump", 3)),
    "short jump left": (("left speed", 1), ("left speed jump", 3)),
    "fire": (("right", 1), ("right speed", 1)),
    "duck": (("down", 3),),
    "back up": (("left speed", 12),),
}
"""What a tree can do: moves, each with the ticks for which it is held."""


def _creature(now: Moment, *, above: float, below: float) -> bool:
    return now.around.creature_ahead(LOOK, above=above, below=below) is not None


def _stompable(now: Moment, wanted: bool) -> bool:
    creature = now.around.creature_ahead(LOOK)
    return creature is not None and creature.stompable is wanted


CONDITIONS: dict[str, Callable[[Moment], bool]] = {
    "creature ahead": lambda now: _creature(now, above=24.0, below=24.0),
    "creature above": lambda now: _creature(now, above=80.0, below=-24.0),
    "creature below": lambda now: _creature(now, above=-24.0, below=80.0),
    "creature behind": lambda now: any(
        -LOOK < creature.dx < -8.0 for creature in now.around.creatures
    ),
    "creature close": lambda now: now.around.creature_ahead(LOOK / 2) is not None,
    "creature stompable": lambda now: _stompable(now, True),
    "creature spiked": lambda now: _stompable(now, False),
    "hole next": lambda now: now.around.gap_width(1) > 0,
    "hole near": lambda now: now.around.gap_width(3) > 0,
    "hole wide": lambda now: now.around.gap_width(3) >= WIDE_GAP,
    "over a hole": lambda now: now.around.over_gap,
    "wall next": lambda now: now.around.wall_height(1) > 0,
    "wall near": lambda now: now.around.wall_height(3) > 0,
    "wall high": lambda now: now.around.wall_height(3) >= HIGH_WALL,
    "may jump": lambda now: now.around.mario.may_jump,
    "on the ground": lambda now: now.around.mario.on_ground,
    "falling": lambda now: not now.around.mario.on_ground and now.around.mario.vy > 0,
    "stuck": lambda now: now.stuck,
    "has fire": lambda now: now.around.mario.mode == FIRE,
}
"""What a tree can ask."""
