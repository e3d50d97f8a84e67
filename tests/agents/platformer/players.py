"""What the tests of the players share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents import Agent, load
from ludus.games.platformer import Level, World, replay
from ludus.games.platformer.game import PlatformerGame, replay_path
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.records import Result
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View
from ludus.runs import EpisodeEnding, play_match

HEIGHT = 16


@dataclass(frozen=True)
class Played:
    """An episode to look at."""

    actions: bytes
    result: Result
    path: NDArray[np.float32] = field(compare=False, repr=False)


def sprint(number: int, *, mode: int = 0, seed: int = 0) -> Scenario:
    name = f"sprint-{number:02d}"
    return Scenario(name, bundled_level(name), mode=mode, seed=seed)


def scenario(*rows: str, mode: int = 0, seconds: int = 20) -> Scenario:
    """Return a level of 16 rows whose last ones are those given."""
    width = len(rows[0])
    text = "\n".join(["-" * width] * (HEIGHT - len(rows)) + list(rows))
    return Scenario("test", Level.parse(text), mode=mode, time_limit=seconds)


def play(agent: Agent[Any, Any, int], played: Scenario) -> Played:
    match = PlatformerGame().begin(played)
    ending, reason, _ = play_match(agent, played, match)
    assert ending is EpisodeEnding.FINISHED, reason
    record = match.record()
    world = replay(played.level, record, played.mode, played.time_limit)
    return Played(record, world.result(), replay_path(played, record))


def play_world(agent: Agent[Any, Any, int], played: Scenario) -> World:
    """Play a scenario to its end without a referee."""
    world = World(played.level, played.mode, played.time_limit)
    view = View(world)
    agent.reset(played)
    while not world.status:
        world.step(agent.act(view))
    return world


def episode(agent: str, played: Scenario) -> Played:
    return play(load(agent), played)
