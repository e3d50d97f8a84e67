"""From scenarios and agents to episodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludus.agents import Agent
from ludus.games.platformer import World
from ludus.games.platformer.records import Result
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["Episode", "Player", "play", "race"]

Player: TypeAlias = Agent[Scenario, View]
"""An agent that plays the platformer."""


@dataclass(frozen=True, slots=True)
class Episode:
    """The record of one play: enough to play it again and to show it.

    Attributes:
        scenario: What was played.
        agent: The name of the agent that played it.
        actions: One byte a tick: the buttons it pressed.
        result: What came of it.
        path: Mario's x and y before the first tick and after each, one row a tick.
        seconds: Time the agent took to play it, on this machine.
    """

    scenario: Scenario
    agent: str
    actions: bytes
    result: Result
    path: NDArray[np.float32] = field(compare=False, repr=False)
    seconds: float = field(compare=False)


def play(agent: Player, scenario: Scenario) -> Episode:
    """Let an agent play a scenario to its end and return the record.

    Example:
        >>> from ludus.agents import load
        >>> from ludus.games.platformer.bundled import bundled_level
        >>> play(load("idle"), Scenario("stroll", bundled_level("sprint-01"))).result.coins
        0
    """
    started = perf_counter()
    world = World(scenario.level, mode=scenario.mode, time_limit=scenario.time_limit)
    view = View(world)
    actions = bytearray()
    path = [_position(world)]
    agent.reset(scenario)
    while world.status == 0:
        action = agent.act(view)
        world.step(action)
        actions.append(action)
        path.append(_position(world))
    steps = np.array(path, dtype=np.float32)
    steps.flags.writeable = False
    return Episode(
        scenario=scenario,
        agent=agent.name,
        actions=bytes(actions),
        result=world.result(),
        path=steps,
        seconds=perf_counter() - started,
    )


def race(
    agents: Sequence[Player],
    scenarios: Sequence[Scenario],
    *,
    on_episode: Callable[[Episode], None] | None = None,
) -> tuple[Episode, ...]:
    """Let every agent play every scenario, scenario by scenario, and return the records.

    Args:
        agents: Who plays, in this order within a scenario.
        scenarios: What is played.
        on_episode: Called with each record as soon as it is there.
    """
    episodes = []
    for scenario in scenarios:
        for agent in agents:
            episode = play(agent, scenario)
            episodes.append(episode)
            if on_episode is not None:
                on_episode(episode)
    return tuple(episodes)


def _position(world: World) -> tuple[float, float]:
    """Return where Mario's feet are."""
    return world.mario[:2]
