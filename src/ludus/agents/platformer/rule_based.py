"""The player that looks before it leaps: rules over what it sees, no forward model.

On the ground it runs until a wall, a gap or a creature is in its way; then it jumps, if the jump
ends somewhere safe, and waits for a better moment if not. In the air it steers for a safe landing.
Where a jump ends it reckons from Mario's own speed and the 16 × 16 blocks around him; a creature it
takes to go on as it did in the last tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludus.games.platformer.codes import renumber_buttons
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["RuleBased"]

LEFT, RIGHT, SPEED, JUMP = 1, 2, 8, 16
RUN = RIGHT | SPEED
STEERS = (RUN, RIGHT, 0, LEFT, LEFT | SPEED)

SOLID = frozenset((17, 19, 22, 24, 34))
FOOTING = SOLID | {59}
BILL, PIRANHA = 10, 11
KOOPAS = (4, 5, 6, 7)
SPIKED = (8, 9, PIRANHA)

BLOCKS = {
    "2009": {246: 17, 16: 22, 21: 24, 20: 34, 245: 59},
    "2010": {196: 17, 232: 22, 171: 34, 1: 17, 194: 59},
}
"""What blocks of other rules are in the numbers of the framework; the rest is empty."""

WALKERS = {
    "2009": {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: BILL, 9: 8, 10: 9, 12: PIRANHA, 13: 14},
    "2010": {
        80: 2, 95: 3, 82: 4, 97: 5, 81: 6, 96: 7, 84: BILL, 93: 8, 99: 9, 91: PIRANHA, 13: 14,
        98: 17,
    },
}  # fmt: skip
"""What creatures of other rules are in the numbers of the framework; others do no harm."""

LOOK_AHEAD = 9
"""Ticks of running that must be free."""

BRAKING = 6
"""Ticks after a landing that must be safe while Mario slows down."""

LONGEST = 50
"""Ticks that are looked ahead at most; whoever is not down by then has fallen."""

PATIENCE = 100
"""Ticks to wait for a safe moment before going anyway."""


class _Creature(NamedTuple):
    """A creature in sight: its kind, where it is and how fast it goes."""

    kind: int
    x: float
    y: float
    vx: float
    vy: float


class _Outcome(NamedTuple):
    """What holding some buttons is expected to lead to."""

    safe: bool
    blocked: bool
    x: float
    ticks: int


class RuleBased:
    """Runs, jumps what is in the way, steers in the air, waits where nothing is safe."""

    name = "rule-based"

    def __init__(self) -> None:
        self._waited = 0
        self._creatures: list[_Creature] = []

    def reset(self, scenario: Scenario) -> None:
        """Forget the last level's creatures and how long Mario has waited."""
        self._waited = 0
        self._creatures = []

    def act(self, observation: View) -> int:
        """Return the buttons of the first rule that applies."""
        self._creatures = _creatures(observation, self._creatures)
        sight = _Sight(observation, self._creatures)
        buttons = self._walk(sight) if sight.mario.on_ground else self._steer(sight)
        return renumber_buttons(buttons, observation.rules)

    def _steer(self, sight: _Sight) -> int:
        """Return the first direction in which the flight ends well, rising as long as it does."""
        rising = [steer | JUMP for steer in STEERS] if sight.mario.jump_time else []
        return _first_safe(sight, [*rising, *STEERS])

    def _walk(self, sight: _Sight) -> int:
        """Run if the way is free; otherwise jump, run closer or wait."""
        run = sight.foresee(RUN)
        if run.safe and not run.blocked:
            self._waited = 0
            return RUN
        if sight.mario.may_jump:
            jumps = [(sight.foresee(steer | JUMP), steer | JUMP) for steer in STEERS[:3]]
            landings = [(jump.x, buttons) for jump, buttons in jumps if jump.safe]
            if landings and (best := max(landings))[0] > run.x:
                return best[1]
        if run.ticks > BRAKING and sight.foresee(RUN, 1).safe:
            return RUN
        self._waited += 1
        if self._waited > PATIENCE and sight.mario.may_jump:
            return RUN | JUMP
        return _first_safe(sight, STEERS[2:])


def _first_safe(sight: _Sight, choices: Sequence[int]) -> int:
    """Return the first choice that ends well, or the one that goes well for longest."""
    outcomes = [(sight.foresee(buttons), buttons) for buttons in choices]
    for outcome, buttons in outcomes:
        if outcome.safe:
            return buttons
    return max(outcomes, key=lambda pair: pair[0].ticks)[1]


def _creatures(view: View, before: list[_Creature]) -> list[_Creature]:
    """Return the creatures in sight, with the speed they had since the tick before."""
    creatures = []
    numbers = WALKERS.get(view.rules)
    for code, x, y in view.enemy_positions.tolist():
        kind = int(code) if numbers is None else numbers.get(int(code))
        if kind is None:
            continue
        near = [other for other in before if other.kind == kind and abs(other.x - x) < 6]
        last = min(near, key=lambda other: abs(other.y - y), default=None)
        if last is None:
            creatures.append(_Creature(kind, x, y, 0.0, 0.0))
        else:
            creatures.append(_Creature(kind, x, y, x - last.x, y - last.y))
    return creatures


def _blocks(view: View) -> list[list[int]]:
    """Return the 16 × 16 blocks around Mario, in the numbers of the framework."""
    scene: list[list[int]] = view.grid("scene", detail=1, size=16).tolist()
    numbers = BLOCKS.get(view.rules)
    if numbers is None:
        return scene
    return [[numbers.get(block, 0) for block in column] for column in scene]


class _Sight:
    """What can be seen in one tick, and what may be expected from it."""

    def __init__(self, view: View, creatures: list[_Creature]) -> None:
        self.mario = view.mario
        self._scene: list[list[int]] = _blocks(view)
        self._left = (int(self.mario.x) >> 4) - 8
        self._top = (int(self.mario.y) >> 4) - 8
        self._bottom = view.level_size[1]
        self._creatures = creatures

    def foresee(self, buttons: int, ahead: int = LOOK_AHEAD) -> _Outcome:
        """Return what comes of holding the buttons and slowing down afterwards.

        They are held until Mario lands if he flies, and for some ticks if he walks.
        """
        body = _Body(self, buttons)
        flying = not self.mario.on_ground or bool(buttons & JUMP)
        braked = 0
        for tick in range(1, LONGEST + 1):
            body.move(braking=braked > 0)
            if body.y > self._bottom or self._hurts(body, tick):
                return _Outcome(False, body.blocked, body.x, tick)
            if braked or (body.grounded and (flying or tick >= ahead)):
                braked += 1
            if braked > BRAKING and body.grounded:
                return _Outcome(True, body.blocked, body.x, tick)
        return _Outcome(False, body.blocked, body.x, LONGEST)

    def block(self, x: float, y: float) -> int:
        """Return the block at a place; beyond what can be seen there is nothing."""
        column, row = (int(x) >> 4) - self._left, (int(y) >> 4) - self._top
        return self._scene[column][row] if 0 <= column < 16 and 0 <= row < 16 else 0

    def ground(self, x: float, above: float, below: float) -> int | None:
        """Return the top of the first footing between two heights, if there is one."""
        for row in range((int(above) >> 4) + 1, (int(below + 1) >> 4) + 1):
            if self.block(x - 4, 16 * row) in FOOTING or self.block(x + 4, 16 * row) in FOOTING:
                return 16 * row
        return None

    def _hurts(self, body: _Body, tick: int) -> bool:
        """Tell whether a creature would hurt Mario there at that tick."""
        for creature in self._creatures:
            dx = body.x - creature.x - creature.vx * tick
            dy = body.y - creature.y - creature.vy * tick
            reach = 18 if creature.kind == BILL else 14
            height = 26 if creature.kind in KOOPAS else 14
            if abs(dx) < reach and -height < dy < body.height + 2:
                stomped = body.vy > 0 and dy <= 0 and not body.grounded
                return creature.kind in SPIKED or not stomped
        return False


class _Body:
    """Mario as he is expected to move: his own laws of motion, among the blocks in sight."""

    def __init__(self, sight: _Sight, buttons: int) -> None:
        mario = sight.mario
        self._sight = sight
        self._push = (1.2 if buttons & SPEED else 0.6) * (
            bool(buttons & RIGHT) - bool(buttons & LEFT)
        )
        self.x, self.y, self.vx, self.vy = mario.x, mario.y, mario.vx, mario.vy
        self.height = mario.height
        self.grounded = mario.on_ground
        self.blocked = False
        self._takes_off = bool(buttons & JUMP) and mario.may_jump
        self._rise = mario.jump_time if buttons & JUMP else 0

    def move(self, *, braking: bool) -> None:
        """Go on for one tick, pushing on or slowing down."""
        if self._takes_off:
            self.vy, self._rise, self._takes_off = -13.3, 7, False
        elif self._rise > 0:
            self.vy = -1.9 * self._rise
            self._rise -= 1
        if braking:
            self.vx -= max(-1.2, min(1.2, self.vx))
        else:
            self.vx += self._push
        self._move_sideways()
        self._move_vertically()
        self.vx *= 0.89
        self.vy = max(0.85 * self.vy, 0.1) if self.grounded else 0.85 * self.vy + 3

    def _move_sideways(self) -> None:
        """Go sideways, up to a wall."""
        edge = self.x + self.vx + (4 if self.vx > 0 else -4)
        block = self._sight.block
        if block(edge, self.y) in SOLID or block(edge, self.y - self.height) in SOLID:
            self.vx = 0.0
            self.blocked = True
        self.x += self.vx

    def _move_vertically(self) -> None:
        """Rise up to a ceiling, or fall down to a footing."""
        self.grounded = False
        if self.vy < 0 and self._sight.block(self.x, self.y + self.vy - self.height) in SOLID:
            self.vy, self._rise = 0.0, 0
            return
        ground = self._sight.ground(self.x, self.y, self.y + self.vy) if self.vy > 0 else None
        if ground is None:
            self.y += self.vy
        else:
            self.y, self.grounded = ground - 1.0, True
