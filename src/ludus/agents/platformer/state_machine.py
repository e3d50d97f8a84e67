"""A player that is always in one of five states, in the spirit of Tulacek's entry of 2009.

::

    run ──obstacle, gap or creature──▶ jump ──at the top──▶ fall ──on the ground──▶ run
     └──no progress──▶ retreat ──far enough back──▶ charge ──progress──▶ run

It looks at the blocks and creatures around Mario and has no forward model.
"""

from __future__ import annotations

from enum import Enum

from ludus.agents.platformer.surroundings import Surroundings, look_around
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["State", "StateMachine"]

STUCK_TICKS = 30
"""Ticks without progress after which Mario goes back."""

RETREAT_TICKS = 25
CHARGE_TICKS = 60
LONGEST_JUMP = 24
"""Ticks for which a jump may rise."""

SAFE_REACH = 70.0
"""Pixels to the right in which a creature matters."""


class State(Enum):
    """What the player is about."""

    RUN = "run"
    JUMP = "jump"
    FALL = "fall"
    RETREAT = "retreat"
    CHARGE = "charge"


class StateMachine:
    """Runs, jumps, falls, and goes back for a run-up where it is stuck.

    Attributes:
        state: The state that it is in.
    """

    name = "state-machine"

    def __init__(self) -> None:
        self.state = State.RUN
        self._ticks_in_state = 0
        self._furthest = 0.0
        self._idle_ticks = 0

    def reset(self, scenario: Scenario) -> None:
        """Run, and forget what the last level was like."""
        self._enter(State.RUN)
        self._furthest, self._idle_ticks = 0.0, 0

    def act(self, observation: View) -> int:
        """Return the buttons of the state, after changing it if something asks for another."""
        around = look_around(observation)
        self._watch_progress(around.mario.x)
        following = self._choose_state(around)
        if following is not self.state:
            self._enter(following)
        self._ticks_in_state += 1
        return self._press(observation.rules, around)

    def _enter(self, state: State) -> None:
        self.state, self._ticks_in_state = state, 0

    def _watch_progress(self, x: float) -> None:
        self._idle_ticks += 1
        if x > self._furthest + 1:
            self._furthest, self._idle_ticks = x, 0

    def _choose_state(self, around: Surroundings) -> State:
        """Return the state that what is seen asks for."""
        mario, ticks = around.mario, self._ticks_in_state
        if self.state is State.RETREAT:
            return State.CHARGE if ticks >= RETREAT_TICKS else State.RETREAT
        if self.state is State.CHARGE and self._idle_ticks > 0 and ticks < CHARGE_TICKS:
            return State.CHARGE
        if self._idle_ticks > STUCK_TICKS and mario.on_ground:
            self._idle_ticks = 0
            return State.RETREAT
        if self.state is State.JUMP:
            return State.FALL if ticks > LONGEST_JUMP or mario.vy > 0 else State.JUMP
        if not mario.on_ground:
            return State.FALL
        return State.JUMP if mario.may_jump and _must_jump(around) else State.RUN

    def _press(self, rules: str, around: Surroundings) -> int:
        """Return the buttons of the state."""
        button = buttons_of(rules)
        run = button.RIGHT | button.SPEED
        if self.state is State.RETREAT:
            return int(button.LEFT)
        if self.state is State.FALL:
            return int(_land(around, button.LEFT, button.RIGHT, run))
        jumps = self.state is not State.RUN
        held = jumps and (around.mario.may_jump or not around.mario.on_ground)
        return int(run | (button.JUMP if held else 0))


def _must_jump(around: Surroundings) -> bool:
    """Say whether something ahead has to be jumped over."""
    reach = SAFE_REACH if around.mario.vx > 4 else SAFE_REACH / 2
    return bool(
        around.gap_width(2) or around.wall_height(2) or around.creature_ahead(reach) is not None
    )


def _land(around: Surroundings, left: int, right: int, run: int) -> int:
    """Return where to steer in a fall: not onto what hurts, and not into a gap."""
    below = around.creature_ahead(24.0, above=0.0, below=80.0)
    if below is not None and not below.stompable:
        return left
    return run if around.over_gap or around.gap_width(3) else right
