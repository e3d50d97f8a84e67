"""A play of the platformer in words: what is around Mario, how he moves, which buttons he has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ludus.agents.platformer.surroundings import Creature, find_creatures
from ludus.agents.platformer.text_view import TALL, draw_cells
from ludus.errors import ActionError
from ludus.games.media.png import png_bytes
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.records import Mario
from ludus.games.platformer.view import View
from ludus.games.sticky_actions import StickyActions

__all__ = ["PlatformerWords"]

CELL = 16
NOTHING = "none"
ORDER = ("left", "right", "up", "down", "jump", "speed")
OFFERED = (
    "right",
    "right+speed",
    "right+jump",
    "right+jump+speed",
    "left",
    "left+speed",
    "left+jump",
    "left+jump+speed",
    "jump",
    "down",
    "speed",
    NOTHING,
)
UP_RULES = "2010"
"""The rules that have a button for up, to climb ladders."""

WORDS = {
    **{button: button for button in ORDER},
    "run": "speed",
    "sprint": "speed",
    "fire": "speed",
    "shoot": "speed",
    "a": "jump",
    "b": "speed",
    "duck": "down",
    "crouch": "down",
}
NO_BUTTONS = ("none", "nothing", "noop", "no-op", "wait", "idle", "stay", "stand", "release")
FILLING = ("and", "press", "hold", "button", "buttons", "the", "walk", "go", "move", "")
TICKS_A_SECOND = {"2009": 15, "2010": 15}
USUAL_TICKS = 33
UNITS_A_TICK = 30
MODES = ("small", "large", "large with fire")
MOST_CREATURES = 5
MOST_MOVES = 4

T = TypeVar("T")


class PlatformerWords:
    """One play of the platformer in words.

    Args:
        scenario: What is played, as its agent may know it.

    Attributes:
        names: The combinations of buttons that a model is offered; it may name others.
        nothing: No button.
        ticks_a_step: How many ticks the game plays for each decision.
    """

    nothing = NOTHING

    def __init__(self, scenario: Any) -> None:
        terms = getattr(scenario, "terms", None)
        self.ticks_a_step = int(terms.frame_skip) if terms else 1
        rules = getattr(scenario, "rules", "") or _rules_of_level(scenario)
        self._rules = rules
        self.names = (*OFFERED, "up") if rules == UP_RULES else OFFERED
        self._terms = _describe_terms(terms) if terms else ""
        self._view: Any = None
        self._moves: list[list[Any]] = []  # name, ticks, x and y where it began

    def describe(self, observation: Any) -> Mapping[str, str]:
        """Return the cells around Mario, his state, creatures near him and his last moves."""
        mario = _read_if_visible(lambda: observation.mario)
        cells = draw_cells(observation, tall=mario is not None and mario.height >= TALL)
        return {
            "view": "\n".join(cells.lines) if cells else "(not shown)",
            "legend": "; ".join(cells.legend) if cells else "nothing is shown",
            "state": "\n".join(self._describe_state(observation, mario)),
            "creatures": _describe_creatures(observation, mario),
            "recent": self._describe_moves(mario),
            "ticks_a_second": str(TICKS_A_SECOND.get(self._rules, USUAL_TICKS)),
            "terms": self._terms,
        }

    def draw(self, observation: Any) -> bytes:
        """Return the screen as a PNG; nothing if the task does not show it."""
        picture = _read_if_visible(observation.picture)
        return b"" if picture is None else png_bytes(picture)

    def read_name(self, text: str) -> str | None:
        """Return buttons in their usual order, such as ``right+jump``; None if one is unknown."""
        parts = re.split(r"[\s+,&/|_]+", text.strip().lower())
        words = [part for part in parts if part not in FILLING]
        if words and all(word in NO_BUTTONS for word in words):
            return NOTHING
        pressed = {WORDS.get(word, "") for word in words}
        if not pressed or "" in pressed or ("up" in pressed and self._rules != UP_RULES):
            return None
        return "+".join(button for button in ORDER if button in pressed)

    def find_action(self, name: str) -> int:
        """Return the bits of buttons under the rules that are played."""
        buttons = buttons_of(self._rules)
        pressed = () if name == NOTHING else name.split("+")
        return sum(int(buttons[button.upper()]) for button in pressed)

    def find_name(self, action: Any) -> str:
        """Return the buttons of bits."""
        known = {int(button): button.name for button in buttons_of(self._rules)}
        pressed = {str(name).lower() for bit, name in known.items() if int(action) & bit}
        return "+".join(button for button in ORDER if button in pressed) or NOTHING

    def follow(self, observation: Any, name: str) -> None:
        """Take note of buttons that are now pressed."""
        self._view = observation
        if self._moves and self._moves[-1][0] == name:
            self._moves[-1][1] += self.ticks_a_step
            return
        mario = _read_if_visible(lambda: observation.mario)
        place = (None, None) if mario is None else (round(mario.x, 1), round(mario.y, 1))
        self._moves = [*self._moves[1 - MOST_MOVES :], [name, self.ticks_a_step, *place]]

    def begins_anew(self, observation: Any) -> bool:
        """Return whether another life or level has begun, and forget the moves of the last one."""
        known = self._view is not None and isinstance(observation, View)
        if not known or observation is self._view:
            return False
        self._moves, self._view = [], None
        return True

    def memory(self) -> Any:
        """Return the last moves."""
        return self._moves

    def recall(self, memory: Any) -> None:
        """Take up the last moves."""
        self._moves = [list(move) for move in memory]

    # ---- words

    def _describe_state(self, observation: Any, mario: Mario | None) -> list[str]:
        lines = [] if mario is None else _describe_mario(mario)
        timer = _read_if_visible(lambda: observation.timer)
        if timer:
            ticks = timer if self._rules in TICKS_A_SECOND else timer // UNITS_A_TICK
            lines.append(f"Time left: {ticks} ticks.")
        coins = _read_if_visible(lambda: observation.coins)
        if coins is not None:
            lines.append(f"Coins: {coins}.")
        exit_ = _read_if_visible(lambda: observation.exit)
        if exit_ is not None and mario is not None:
            away = round(exit_[0] - mario.x / CELL)
            lines.append(
                f"The exit is {abs(away)} cells to the {'right' if away >= 0 else 'left'}."
            )
        return lines or ["(not shown)"]

    def _describe_moves(self, mario: Mario | None) -> str:
        """Return the last moves and how far each led, in cells."""
        if not self._moves:
            return "none yet"
        ends = [*(move[2:] for move in self._moves[1:]), [mario.x, mario.y] if mario else None]
        parts = []
        for (name, ticks, x, y), end in zip(self._moves, ends, strict=True):
            led = ""
            if end and None not in (x, y, *end):
                right, up = (end[0] - x) / CELL, (y - end[1]) / CELL
                led = f" ({right:+.1f} right, {up:+.1f} up)"
            parts.append(f"{name} for {ticks} ticks{led}")
        return "; ".join(parts)


def _describe_terms(terms: StickyActions) -> str:
    """Return how decisions become actions, in words; nothing if each is played at once."""
    if terms.frame_skip == 1 and not terms.sticky:
        return ""
    return (
        f"Buttons change every {terms.frame_skip} ticks at most. At each tick, with a probability "
        f"of {terms.sticky:g}, those of the tick before stay pressed instead."
    )


def _rules_of_level(scenario: Any) -> str:
    level = getattr(scenario, "level", None)
    return str(level.rules) if level is not None else "framework"


def _read_if_visible(look: Callable[[], T]) -> T | None:
    """Return what an observation shows, or None if the task hides it."""
    try:
        return look()
    except ActionError:
        return None


def _describe_mario(mario: Mario) -> list[str]:
    ground = "on the ground" if mario.on_ground else "in the air"
    jump = "can jump" if mario.may_jump else "cannot begin a jump"
    if not mario.on_ground and mario.jump_time > 0:
        jump = f"holding jump lifts him for {mario.jump_time} more ticks"
    traits = [MODES[mario.mode], ground, jump]
    traits += ["can shoot"] if mario.can_shoot and mario.mode == len(MODES) - 1 else []
    traits += ["cannot be hurt just now"] if mario.invulnerable else []
    traits += ["climbing"] if mario.climbing else []
    speed = f"{mario.vx:+.1f} right and {-mario.vy:+.1f} up, in pixels a tick"
    return [f"Mario: {', '.join(traits)}. Speed: {speed}."]


def _describe_creatures(observation: Any, mario: Mario | None) -> str:
    if mario is None:
        return "(not shown)"
    near = _read_if_visible(lambda: find_creatures(observation, mario, observation.rules))
    if near is None:
        return "(not shown)"
    return "; ".join(map(_describe_creature, near[:MOST_CREATURES])) or "none"


def _describe_creature(creature: Creature) -> str:
    kind = "one to stomp on" if creature.stompable else "a spiked one"
    return f"{kind} at {creature.dx / CELL:+.1f} right, {-creature.dy / CELL:+.1f} up"
