"""Who plays: specs, classes and instances, in whatever way a caller names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludus.agents import Agent, AgentSource
from ludus.agents.loading import check_agent
from ludus.agents.objects import source_of, spec_of_class
from ludus.errors import AgentError, OptionError, format_error

__all__ = ["Player", "Players", "resolve_players"]

Player: TypeAlias = str | type | Agent[Any, Any, Any]
"""A spec such as ``astar`` or ``file.py:Class``, a class, or an instance."""


@dataclass(frozen=True)
class Players:
    """The agents of a run.

    Attributes:
        sources: Specs, or the sources of agents that have none, in the order of the plan.
        objects: The agents of this process, by their number in the plan.
    """

    sources: Sequence[str | AgentSource]
    objects: Mapping[int, Agent[Any, Any, Any]] = field(default_factory=dict)


def resolve_players(
    players: Player | Sequence[Player], game: str, variants: Sequence[str] = ()
) -> Players:
    """Return the agents that specs, classes and instances name.

    A class that any process can load becomes its spec. Other classes are
    instantiated. Instances play in this process.

    Args:
        players: One or several.
        game: The game that they must play.
        variants: The variants that each agent plays in; for specs only.

    Raises:
        AgentError: An object is not an agent of the game, or a class cannot be instantiated.
        OptionError: An object is to play in a variant.
    """
    several: list[Any] = list(players) if isinstance(players, list | tuple) else [players]
    sources: list[str | AgentSource] = []
    objects: dict[int, Agent[Any, Any, Any]] = {}
    for player in several:
        spec = spec_of_class(player) if isinstance(player, type) else player
        if isinstance(spec, str):
            sources += [f"{spec}#{variant}" for variant in variants] or [spec]
            continue
        if variants:
            raise OptionError(f"{player!r} has no spec, so it cannot play in variants")
        agent = _make(player) if isinstance(player, type) else player
        check_agent(agent, type(agent).__name__, game)
        objects[len(sources)] = agent
        sources.append(source_of(agent))
    return Players(sources, objects)


def _make(kind: type) -> Any:
    try:
        return kind()
    except Exception as error:
        raise AgentError(
            f"agent {kind.__name__!r} cannot be made without arguments: {format_error(error)}; "
            "give an instance"
        ) from error
