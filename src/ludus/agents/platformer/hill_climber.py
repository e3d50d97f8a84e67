"""A learner that knows nothing but the buttons it pressed: it keeps the best play and changes it.

The worlds of the platformer have no chance in them, so the same buttons lead to the same place.
Each training play is the best one so far with one change. If it scores at least as much, it is the
best one from then on. The play that counts is the best one again, button by button.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.view import View

__all__ = ["HillClimber"]

MOVES = {
    "right speed jump": 8,
    "right speed": 6,
    "right jump": 3,
    "right": 2,
    "left speed jump": 1,
    "left": 1,
    "jump": 1,
    "down": 1,
    "": 1,
}
"""The moves it draws from, as the buttons that are held, and how often each is drawn."""

WEIGHTS = tuple(MOVES.values())
LONGEST = 24
REACH = 40.0


class HillClimber:
    """Learns one level by heart. Without training plays it presses buttons by chance."""

    name = "hill-climber"

    def __init__(self) -> None:
        self._score = -1.0
        self._best = b""
        self._plan = bytearray()
        self._buttons: tuple[int, ...] = ()

    def reset(self, scenario: Any) -> None:
        """Take the best play so far and, unless this is the play that counts, change it."""
        play, plays = getattr(scenario, "play", 1), getattr(scenario, "plays", 1)
        if play == 1:
            self._score, self._best = -1.0, b""
        self._chance_of_play, self._counts = scenario.seed << 32 | play, play >= plays
        self._begin_play()

    def act(self, view: View) -> int:
        """Return the buttons that the plan has for this tick; behind its end, draw more."""
        if not self._buttons:
            self._buttons = _find_buttons(view.rules)
        while self._tick >= len(self._plan):
            self._plan += self._draw_stretch()
        move = self._plan[self._tick]
        self._tick += 1
        return self._buttons[move]

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Keep the play if it is as good as the best one."""
        if outcome["score"] >= self._score:
            self._score, self._best = outcome["score"], bytes(self._plan[: self._tick])

    def memory(self) -> dict[str, Any]:
        """Return the best play and its score."""
        return {"score": self._score, "best": self._best.hex()}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Remember what :meth:`memory` returned, and begin the play with it."""
        self._score, self._best = memory["score"], bytes.fromhex(memory["best"])
        self._begin_play()

    def _begin_play(self) -> None:
        self._chance = Random(self._chance_of_play)  # noqa: S311 (a game, not a secret)
        self._plan, self._tick, self._buttons = bytearray(self._best), 0, ()
        if self._plan and not self._counts:
            self._change_plan()

    def _change_plan(self) -> None:
        """Change the plan in one place, mostly shortly before it ended."""
        plan, chance = self._plan, self._chance
        back = int(chance.expovariate(1 / REACH)) if chance.random() < 0.75 else len(plan)
        place = len(plan) - 1 - back if back < len(plan) else chance.randrange(len(plan))
        stretch = self._draw_stretch()
        kind = chance.randrange(4)
        if kind == 0:  # go on otherwise from here
            plan[place:] = stretch
        elif kind == 1:  # do something else for a while
            plan[place : place + len(stretch)] = stretch
        elif kind == 2:  # do the rest later
            plan[place:place] = stretch[:8]
        else:  # do the rest sooner
            del plan[place : place + len(stretch) // 3 + 1]

    def _draw_stretch(self) -> bytes:
        """Return a move, held for some ticks."""
        (move,) = self._chance.choices(range(len(MOVES)), WEIGHTS)
        return bytes([move]) * self._chance.randint(1, LONGEST)


def _find_buttons(rules: str) -> tuple[int, ...]:
    """Return the buttons of every move as one number each."""
    button = buttons_of(rules)
    return tuple(sum(int(button[name.upper()]) for name in move.split()) for move in MOVES)
