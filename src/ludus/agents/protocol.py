"""What it takes to be an agent: a name and two methods."""

from __future__ import annotations

from typing import Protocol, TypeVar

__all__ = ["Agent"]

ScenarioT = TypeVar("ScenarioT", contravariant=True)
ObservationT = TypeVar("ObservationT", contravariant=True)


class Agent(Protocol[ScenarioT, ObservationT]):
    """Anything that can be told what to play and then, tick by tick, asked what to do.

    The same agent plays one episode after another; :meth:`reset` must forget the last one, so that
    an episode depends on its scenario alone and can be played again. An agent may also have
    ``learn(…)``, which trainers call, and ``close()``, called when no more is to be played.

    Attributes:
        name: What tables call the agent.
    """

    @property
    def name(self) -> str:
        """What tables call the agent."""
        ...

    def reset(self, scenario: ScenarioT) -> None:
        """Get ready to play the scenario from its start."""
        ...

    def act(self, observation: ObservationT) -> int:
        """Return the action for the next tick."""
        ...
