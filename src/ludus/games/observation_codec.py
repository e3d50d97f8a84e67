"""How scenarios, observations and actions go from one process to another."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from ludus.games.game import Game

__all__ = ["HasObservationCodec", "ObservationCodec", "PlainCodec", "find_codec"]


class ObservationCodec(Protocol):
    """Makes plain values of what an agent is shown, and the same objects of them elsewhere.

    A referee has one for each agent and so has the agent's process. Each may remember what went
    through it: the referee encodes in the order in which the agent's process decodes.

    Plain are None, truth values, numbers, texts, bytes, arrays of numbers, and lists, tuples and
    mappings of them. Named tuples and dataclasses of importable modules are plain on the way to the
    agent.
    """

    def encode_scenario(self, scenario: Any) -> Any:
        """Return a scenario, as an agent may know it, as plain values. Called in the referee."""
        ...

    def decode_scenario(self, values: Any) -> Any:
        """Return the scenario. Called in the agent's process."""
        ...

    def encode_observation(self, observation: Any) -> Any:
        """Return an observation as plain values. Called in the referee before every decision."""
        ...

    def decode_observation(self, values: Any) -> Any:
        """Return the observation. Called in the agent's process."""
        ...

    def encode_action(self, action: Any) -> Any:
        """Return what the agent gave as plain values. Called in the agent's process."""
        ...

    def decode_action(self, values: Any) -> Any:
        """Return what the match's ``step`` takes; it checks it. Called in the referee."""
        ...


@runtime_checkable
class HasObservationCodec(Protocol):
    """A game whose observations are more than plain values. Optional."""

    def observation_codec(self) -> ObservationCodec:
        """Return a new codec."""
        ...


class PlainCodec:
    """Sends what is plain as it is."""

    def encode_scenario(self, scenario: Any) -> Any:
        """Return the scenario."""
        return scenario

    def decode_scenario(self, values: Any) -> Any:
        """Return the scenario."""
        return values

    def encode_observation(self, observation: Any) -> Any:
        """Return the observation."""
        return observation

    def decode_observation(self, values: Any) -> Any:
        """Return the observation."""
        return values

    def encode_action(self, action: Any) -> Any:
        """Return the action."""
        return action

    def decode_action(self, values: Any) -> Any:
        """Return the action."""
        return values


def find_codec(game: Game) -> ObservationCodec:
    """Return a new codec of a game: its own, or one for plain values."""
    return game.observation_codec() if isinstance(game, HasObservationCodec) else PlainCodec()
