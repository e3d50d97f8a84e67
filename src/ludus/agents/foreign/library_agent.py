"""The agent of a shared library, which runs in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludus.agents.foreign.seen import PARTS, describe_scenario, find_shown, pack_observation
from ludus.errors import ActionError
from ludus.games.platformer._native import AgentLibrary, ForwardModel
from ludus.games.platformer.view import View

__all__ = ["LearningLibraryAgent", "LibraryAgent", "open_library"]

MODEL = 1 << len(PARTS)
BUTTONS = ("left", "right", "down", "speed", "jump", "up")
SEEDS = 2**64


class LibraryAgent:
    """The agent of a shared library, which runs in this process.

    Args:
        library: The library.
        name: What it is called if it does not say.

    Attributes:
        name: What tables call it.
        plays: The game that it plays.
        learns: Whether it has training plays.
    """

    plays = "platformer"

    def __init__(self, library: AgentLibrary, name: str) -> None:
        self._library = library
        self._wants = self._library.wants
        self._parts = [part for bit, part in enumerate(PARTS) if self._wants >> bit & 1]
        self._shown: tuple[str, ...] | None = None
        self.name = self._library.name or name
        self.learns = self._library.learns

    def reset(self, scenario: Any) -> None:
        """Let it prepare for a scenario."""
        self._shown = None
        values = describe_scenario(scenario)
        bits = values.pop("buttons")
        buttons = bytes(bits.get(button, 0) for button in BUTTONS)
        values["seed"] %= SEEDS
        self._library.reset(**({"play": 0, "plays": 0} | values), buttons=buttons)

    def act(self, observation: Any) -> int:
        """Return the buttons that it answers."""
        model = self._look_ahead(observation) if self._wants & MODEL else None
        if type(observation) is View:
            return observation.ask_library(self._library, model)
        if self._shown is None:
            self._shown = find_shown(observation, self._parts)
        return self._library.act_on_bytes(pack_observation(observation, self._shown), model)

    def _look_ahead(self, observation: Any) -> ForwardModel | None:
        try:
            model: ForwardModel = observation.forward_model()
        except ActionError:
            return None
        return model


class LearningLibraryAgent(LibraryAgent):
    """The agent of a shared library that learns from training plays."""

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Tell it what came of the training play that has just ended."""
        play, score = int(outcome.get("play", 0)), float(outcome.get("score", 0))
        self._library.learn(play, score, json.dumps(dict(outcome)))


def open_library(file: Path) -> LibraryAgent:
    """Load a library into this process and return its agent.

    Raises:
        AgentError: It is no library with an agent.
    """
    agent = LibraryAgent(AgentLibrary(str(file)), file.stem)
    if agent.learns:
        agent.__class__ = LearningLibraryAgent
    return agent
