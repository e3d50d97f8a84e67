"""The simple players of the 2009 competition, as decision rules.

They look at 22 × 22 cells around Mario, who stands at row 11, column 11. The buttons that a player
presses stay down until a rule lets them go.
"""

from __future__ import annotations

from random import Random as Generator

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["Forward", "Random2009", "Scared", "ScaredSpeedy"]

SIDE = 22
MIDDLE = SIDE // 2


def see_blocks(view: View) -> NDArray[np.bool_]:
    """Return which of the cells around Mario hold something, by row and column."""
    blocks: NDArray[np.bool_] = view.grid("scene", detail=1, size=SIDE).T != 0
    return blocks


def see_blocks_before_exit(view: View) -> NDArray[np.bool_]:
    """Return the same without what lies behind the exit's column: the packed bitmap of 2009."""
    blocks = see_blocks(view)
    first = int(view.mario.x) // 16 - MIDDLE
    blocks[:, max(0, view.exit[0] + 1 - first) :] = False
    return blocks


class Player:
    """A player whose buttons live on between its answers, and who counts the ticks of a jump."""

    name = "player"
    longest_jump = 0

    def __init__(self) -> None:
        self.right = self.jump = self.speed = False
        self._jumping = 0

    def answer(self, view: View) -> int:
        """Return the buttons that are down, as the rules of the world number them."""
        button = buttons_of(view.rules)
        return int(self.right * button.RIGHT | self.jump * button.JUMP | self.speed * button.SPEED)

    def jump_over(self, view: View, *, obstacle: bool) -> None:
        """Jump while something is in the way, but not for too long."""
        mario = view.mario
        if not obstacle:
            self.jump, self._jumping = False, 0
            return
        if mario.may_jump or (not mario.on_ground and self.jump):
            self.jump = True
        self._jumping += 1
        if self._jumping > self.longest_jump:
            self.jump, self._jumping = False, 0


class Forward(Player):
    """Walks right, jumps at walls, and runs and jumps at gaps."""

    name = "forward"
    longest_jump = 16

    def reset(self, scenario: Scenario) -> None:
        """Hold right and speed, and forget the last jump."""
        self.right, self.jump, self.speed, self._jumping = True, False, True, 0

    def act(self, observation: View) -> int:
        """Return right, with jump before walls and gaps and with speed at gaps."""
        blocks = see_blocks_before_exit(observation)
        below = blocks[MIDDLE + 1 :]
        gap = bool(below[0, MIDDLE] and not below[:, MIDDLE - 2 : MIDDLE + 2].any(axis=0).all())
        wall = bool(blocks[MIDDLE, MIDDLE + 1 : MIDDLE + 3].any())
        self.jump_over(observation, obstacle=wall or gap)
        self.speed = gap
        return self.answer(observation)


class Scared(Player):
    """Walks right and jumps at walls and at the edge of everything.

    Its jump goes on from level to level, as in the competition: ``reset`` does not let go of the
    button.
    """

    name = "scared"
    longest_jump = 46
    runs = False

    def reset(self, scenario: Scenario) -> None:
        """Hold right and decide about speed; the jump stays as it is."""
        self.right, self.speed = True, self.runs

    def act(self, observation: View) -> int:
        """Return right, with jump if the next cell is full or there is nothing below it."""
        blocks = see_blocks(observation)
        ahead, below = blocks[MIDDLE : MIDDLE + 2, MIDDLE + 1]
        self.jump_over(observation, obstacle=bool(ahead or not below))
        return self.answer(observation)


class ScaredSpeedy(Scared):
    """Does what the scared player does, running."""

    name = "scared-speedy"
    runs = True


class Random2009:
    """Throws a coin for every button in every tick, with more chances for right and speed.

    Chance comes from the scenario's name and seed, so an episode can be played again.
    """

    name = "random-2009"

    def __init__(self) -> None:
        self._chance = Generator(0)  # noqa: S311 (a game, not a secret)

    def reset(self, scenario: Scenario) -> None:
        """Seed the chance from the scenario."""
        self._chance = Generator(f"{scenario.name}/{scenario.seed}")  # noqa: S311

    def act(self, observation: View) -> int:
        """Return buttons by chance: left needs three coins, and right goes before it."""
        toss = self._toss
        right, left = toss(), toss() and toss() and toss()
        speed = toss() or toss() or toss()
        button = buttons_of(observation.rules)
        held = button.RIGHT * right | button.LEFT * (left and not right) | button.SPEED * speed
        return int(held | button.DOWN * toss() | button.JUMP * toss())

    def _toss(self) -> bool:
        return self._chance.random() < 0.5
