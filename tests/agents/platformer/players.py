"""What the tests of the players share."""

from __future__ import annotations

from ludus.agents import load
from ludus.games.platformer import Level
from ludus.games.platformer.bundled import bundled_level
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Episode, play

HEIGHT = 16


def sprint(number: int, *, mode: int = 0, seed: int = 0) -> Scenario:
    name = f"sprint-{number:02d}"
    return Scenario(name, bundled_level(name), mode=mode, seed=seed)


def scenario(*rows: str, mode: int = 0, seconds: int = 20) -> Scenario:
    """Return a level of 16 rows whose last ones are those given."""
    width = len(rows[0])
    text = "\n".join(["-" * width] * (HEIGHT - len(rows)) + list(rows))
    return Scenario("test", Level.parse(text), mode=mode, time_limit=seconds)


def episode(agent: str, played: Scenario) -> Episode:
    return play(load(agent), played)
