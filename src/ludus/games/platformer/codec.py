"""The platformer in an agent's process: a world of its own that plays the same ticks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludus.games.observation_codec import PlainCodec
from ludus.games.platformer._native import World
from ludus.games.platformer.arena.levels import arena_level
from ludus.games.platformer.view import Tape, View

__all__ = ["PlatformerCodec"]


class PlatformerCodec(PlainCodec):
    """Sends the buttons of the ticks since the last decision: the engine has no chance in it.

    What the agent's process does to its world changes nothing in the referee's.

    Args:
        parse_scenario: Makes a scenario of its plain values.
    """

    def __init__(self, parse_scenario: Callable[[Mapping[str, Any]], Any]) -> None:
        self._parse_scenario = parse_scenario
        self._scenario: Any = None
        self._view: View | None = None
        self._sent = 0
        self._world: World
        self._shown: View
        self._ticks: bytearray

    def encode_scenario(self, scenario: Any) -> Any:
        """Return the scenario's plain values."""
        self._view = None
        return scenario.to_dict()

    def decode_scenario(self, values: Any) -> Any:
        """Return the scenario."""
        self._scenario = self._parse_scenario(values)
        return self._scenario

    def encode_observation(self, observation: View) -> Any:
        """Return the new ticks, and with a new world how it begins."""
        tape = observation.tape
        if tape is None:
            raise ValueError("the view of a world without a tape stays in its process")
        sent = self._sent if observation is self._view else 0
        self._sent = len(tape.ticks)
        ticks = bytes(tape.ticks[sent:])
        if observation is self._view:
            return ticks
        self._view = observation
        return [tape.stage, tape.mode, tape.time_limit, ticks]

    def decode_observation(self, values: Any) -> View:
        """Return the view of a world that has played the ticks."""
        if isinstance(values, bytes):
            ticks = values
        else:
            stage, mode, time_limit, ticks = values
            level = arena_level(stage) if stage else self._scenario.level
            self._world = World(level, mode, time_limit)
            self._ticks = bytearray()
            self._shown = self._make_view(Tape(stage, mode, time_limit, self._ticks))
        self._play(ticks)
        return self._shown

    def _make_view(self, tape: Tape) -> View:
        """Return the view of the new world."""
        return View(self._world, tape)

    def _play(self, ticks: bytes) -> None:
        """Play the ticks since the last decision."""
        for buttons in ticks:
            self._world.step(buttons)
        self._ticks += ticks
