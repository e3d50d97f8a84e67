"""A play of the worm in words: what it senses, what it may do, what it did."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ludus.games.worm.codes import ACTIONS
from ludus.games.worm.observation import Observation

__all__ = ["WormWords", "describe_senses"]

WORDS = {
    **{action: action for action in ACTIONS},
    "straight": "forward",
    "ahead": "forward",
    "run": "forward",
    "stop": "stay",
    "wait": "stay",
    "none": "stay",
    "rest": "stay",
}
FILLING = ("turn", "go", "move", "crawl", "and", "to", "the", "then", "")
MOST_STEPS = 8

SENSES = {
    "food_chemotaxis": "Smell of food",
    "nociception": "Smell of predators",
    "thermotaxis": "Temperature",
    "aerotaxis": "Oxygen",
    "gradient": "Smell of food minus that of predators",
    "mechanosensation": "Touch",
    "proprioception": "Own movement",
    "stam": "Short-term memory",
}
SIDES = ("ahead", "ahead to the {}", "to the {}", "behind to the {}", "behind")
"""Where something is, by steps of 45 degrees from the heading."""
STEEP = 0.05
"""A change or a difference of sides that is worth a word; the sensor gives up to 1."""
WARMTH = (20.0, 15.0)
OXYGEN = (8.5, 8.5)


class WormWords:
    """One episode of the worm in words.

    Args:
        scenario: What is played, as its agent may know it.

    Attributes:
        names: The actions.
        nothing: To stay.
        ticks_a_step: 1: a tick is a step.
    """

    names = ACTIONS
    nothing = "stay"
    ticks_a_step = 1

    def __init__(self, scenario: Any) -> None:
        self._steps = 0
        self._recent: list[list[str]] = []  # an action, and what was sensed before it

    def describe(self, observation: Observation) -> Mapping[str, str]:
        """Return the senses, the last actions and what the task is."""
        task = observation.task
        return {
            "senses": "\n".join(describe_senses(observation)),
            "recent": self._describe_recent(),
            "target": str(task.target),
            "size": str(task.size),
            "unit": "mm" if task.substrate == "continuous" else "cells",
            "steps_left": str(max(0, task.max_steps - self._steps)),
            "dangers": _describe_dangers(observation),
        }

    def draw(self, observation: Observation) -> bytes:
        """Return nothing: a worm does not see."""
        return b""

    def read_name(self, text: str) -> str | None:
        """Return one of the four actions, or None if the text names none or several."""
        words = {word for word in re.split(r"[^a-z]+", text.lower()) if word not in FILLING}
        named = {WORDS.get(word, "") for word in words}
        return named.pop() if len(named) == 1 and "" not in named else None

    def find_action(self, name: str) -> int:
        """Return the number of an action."""
        return ACTIONS.index(name)

    def find_name(self, action: Any) -> str:
        """Return the name of an action; of speed and turn on a dish, the nearest one."""
        if isinstance(action, int):
            return ACTIONS[action]
        speed, turn = action
        if speed < 0.5:
            return "stay"
        return "left" if turn > 0.5 else "right" if turn < -0.5 else "forward"

    def follow(self, observation: Observation, name: str) -> None:
        """Take note of an action that is now played."""
        self._steps += 1
        self._recent = [*self._recent[1 - MOST_STEPS :], [name, _list_values(observation)]]

    def begins_anew(self, observation: Observation) -> bool:
        """Return False: an episode has one life."""
        return False

    def memory(self) -> Any:
        """Return the last actions, and how many there were."""
        return {"steps": self._steps, "recent": self._recent}

    def recall(self, memory: Any) -> None:
        """Take up what was taken note of."""
        self._steps = int(memory["steps"])
        self._recent = [list(step) for step in memory["recent"]]

    def _describe_recent(self) -> str:
        steps = [f"{values}, then {name}" for name, values in self._recent]
        return "\n".join(steps) or "none yet"


def describe_senses(observation: Observation) -> list[str]:
    """Return a line for each sense, with everything that it tells."""
    parts: dict[str, list[str]] = {}
    for name, value in observation.items():
        sense, _, part = name.partition(".")
        parts.setdefault(sense, []).append(_describe_part(sense, part, float(value)))
    return [f"{SENSES.get(sense, sense)}: {', '.join(words)}." for sense, words in parts.items()]


def _describe_part(sense: str, part: str, value: float) -> str:
    if part == "angle":
        return _describe_angle(value)
    if part == "lateral":
        return _compare(
            value, "stronger on the right", "stronger on the left", "alike on both sides"
        )
    if part in ("derivative", "change"):
        return _compare(value, "rising", "falling", "steady")
    if part == "level":
        return _describe_level(sense, value)
    if sense == "mechanosensation":
        return f"{'touching' if value else 'not touching'} a {part}"
    if part == "moved":
        return "moved in the last step" if value else "did not move in the last step"
    if part == "heading":
        return f"heading {180 * value:.0f} degrees"
    return f"{part.replace('.', ' ').replace('_', ' ')} {value:.3f}".strip()


def _describe_angle(value: float) -> str:
    """Return a direction relative to the heading; angles are over pi, left is positive."""
    degrees = 180.0 * value
    side = "left" if degrees > 0 else "right"
    words = SIDES[min(len(SIDES) - 1, round(abs(degrees) / 45.0))].format(side)
    return f"{words} ({abs(degrees):.0f} degrees {side})" if round(degrees) else words


def _describe_level(sense: str, value: float) -> str:
    middle, half = OXYGEN if sense == "aerotaxis" else WARMTH
    unit = "%" if sense == "aerotaxis" else "°C"
    return f"{middle + half * value:.1f} {unit}"


def _compare(value: float, more: str, less: str, alike: str) -> str:
    word = alike if abs(value) < STEEP else more if value > 0 else less
    return f"{word} ({value:+.2f})"


def _list_values(observation: Observation) -> str:
    """Return what was sensed, in short; the memory is left out."""
    shown = {name: value for name, value in observation.items() if not name.startswith("stam")}
    return ", ".join(_shorten(*name.partition(".")[::2], value) for name, value in shown.items())


def _shorten(sense: str, part: str, value: float) -> str:
    if part == "angle":
        return f"{abs(180 * value):.0f} degrees {'left' if value > 0 else 'right'}"
    if part in ("strength", "concentration"):
        return f"{SENSES.get(sense, sense).lower()} {value:.3f}"
    return _describe_part(sense, part, value)


def _describe_dangers(observation: Observation) -> str:
    """Return what else there is on the dish, as far as the task tells."""
    task = observation.task
    dangers = []
    if task.predators is not None:
        dangers.append("Predators hunt you.")
    if task.temperature is not None:
        dangers.append("Too much heat or cold hurts; about 20 °C is comfortable.")
    if task.oxygen is not None:
        dangers.append("Too little or too much oxygen hurts.")
    return " ".join(dangers)
