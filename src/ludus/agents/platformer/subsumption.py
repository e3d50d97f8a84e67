"""A player of layers, in the spirit of Perez's entry of 2009 and of Brooks' robots.

Every layer looks at the same surroundings and may take over the buttons. A higher layer subsumes
the lower ones: where it has an opinion on a button, theirs does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ludus.agents.platformer.surroundings import Surroundings, look_around
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["LAYERS", "Opinion", "Subsumption"]

STUCK_TICKS = 40
BACK_TICKS = 30


class Opinion(NamedTuple):
    """What a layer wants: True presses, False releases, None leaves it to the layers below."""

    left: bool | None = None
    right: bool | None = None
    jump: bool | None = None
    speed: bool | None = None


NONE = Opinion()


class Situation(NamedTuple):
    """What the layers decide from."""

    around: Surroundings
    stuck: bool
    fired: bool


def advance(now: Situation) -> Opinion:
    """Go right and run."""
    return Opinion(left=False, right=True, jump=False, speed=True)


def shoot(now: Situation) -> Opinion:
    """Press SPEED anew where a fireball would hit something."""
    mario = now.around.mario
    if mario.mode == 2 and now.around.creature_ahead(120.0) is not None:
        return Opinion(speed=not now.fired)
    return NONE


def rise(now: Situation) -> Opinion:
    """Make every jump a long one."""
    mario = now.around.mario
    return Opinion(jump=True) if not mario.on_ground and mario.vy < 0 else NONE


def jump_walls(now: Situation) -> Opinion:
    """Jump at a wall, and keep on rising until its top."""
    return Opinion(jump=True) if now.around.wall_height(2) else NONE


def stomp(now: Situation) -> Opinion:
    """Jump at creatures, the sooner the faster Mario is."""
    reach = 30.0 + 8.0 * max(now.around.mario.vx, 0.0)
    return NONE if now.around.creature_ahead(reach) is None else Opinion(jump=True)


def cross_gaps(now: Situation) -> Opinion:
    """Jump before a gap, run, and stay in the air until it is behind."""
    around = now.around
    gap = around.gap_width(2) if around.mario.on_ground else around.gap_width(3) or around.over_gap
    return Opinion(right=True, jump=True, speed=True) if gap else NONE


def avoid_spikes(now: Situation) -> Opinion:
    """Steer back in the air before landing on what hurts."""
    around = now.around
    if around.mario.on_ground or around.mario.vy <= 0:
        return NONE
    below = around.creature_ahead(32.0, above=0.0, below=64.0)
    if below is None or below.stompable:
        return NONE
    return Opinion(left=True, right=False)


def back_out(now: Situation) -> Opinion:
    """Walk back where nothing else helps."""
    return Opinion(left=True, right=False, jump=False, speed=False) if now.stuck else NONE


LAYERS: tuple[Callable[[Situation], Opinion], ...] = (
    advance,
    shoot,
    rise,
    jump_walls,
    stomp,
    cross_gaps,
    avoid_spikes,
    back_out,
)
"""The layers, the lowest first."""


class Subsumption:
    """Asks all layers and lets the higher ones overrule the lower ones."""

    name = "subsumption"

    def __init__(self) -> None:
        self._furthest = 0.0
        self._idle_ticks = 0
        self._fired = False

    def reset(self, scenario: Scenario) -> None:
        """Forget where Mario has been."""
        self._furthest, self._idle_ticks, self._fired = 0.0, 0, False

    def act(self, observation: View) -> int:
        """Return the buttons that the layers agree on."""
        around = look_around(observation)
        wanted = self._ask_layers(Situation(around, self._is_stuck(around.mario.x), self._fired))
        mario, button = around.mario, buttons_of(observation.rules)
        jump = bool(wanted.jump) and (mario.may_jump or not mario.on_ground)
        self._fired = bool(wanted.speed)
        held = (
            (button.LEFT, wanted.left),
            (button.RIGHT, wanted.right),
            (button.JUMP, jump),
            (button.SPEED, wanted.speed),
        )
        return sum(int(bit) for bit, pressed in held if pressed)

    def _ask_layers(self, now: Situation) -> Opinion:
        wanted = NONE
        for layer in LAYERS:
            opinion = layer(now)
            pairs = zip(wanted, opinion, strict=True)
            wanted = Opinion(*(low if high is None else high for low, high in pairs))
        return wanted

    def _is_stuck(self, x: float) -> bool:
        """Say whether Mario has not got further for so long that he should go back for a while."""
        self._idle_ticks += 1
        if x > self._furthest + 1:
            self._furthest, self._idle_ticks = x, 0
        if self._idle_ticks > STUCK_TICKS + BACK_TICKS:
            self._idle_ticks = 0
        return self._idle_ticks > STUCK_TICKS
