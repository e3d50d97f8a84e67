"""Recordings from short scripts such as ``R20 RJ5 -3``: keys, then for how many ticks."""

from __future__ import annotations

import re

from ludus.games.platformer import Level, Status, World
from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.recordings import PlayerRecord, Recording
from ludus.games.platformer.scenario import Scenario

KEYS = {"L": "LEFT", "R": "RIGHT", "D": "DOWN", "S": "SPEED", "J": "JUMP"}


def press(script: str, rules: str) -> bytes:
    """Return the buttons of a script."""
    buttons, actions = buttons_of(rules), bytearray()
    for word in script.split():
        keys, ticks = re.fullmatch(r"([LRDSJ-]+)(\d+)", word).groups()  # type: ignore[union-attr]
        held = sum(buttons[KEYS[key]] for key in keys if key != "-")
        actions += bytes([held] * int(ticks))
    return bytes(actions)


def make_scenario(text: str, rules: str = "2009", mode: int = 0, time_limit: int = 200) -> Scenario:
    """Return a scenario of a level's text, whose rows are filled up to 15 with air above."""
    rows = text.split()
    rows = ["-" * len(rows[0])] * (15 - len(rows)) + rows
    return Scenario("tiny", Level.parse("\n".join(rows), rules=rules), mode, time_limit)


def record_play(
    text: str, *scripts: str, rules: str = "2009", mode: int = 0, time_limit: int = 200
) -> Recording:
    """Return the recording of a script for each life, each cut where the life ends."""
    scenario = make_scenario(text, rules, mode, time_limit)
    lives = [cut(scenario, press(script, rules)) for script in scripts]
    return Recording(scenario, tuple(lives))


def cut(scenario: Scenario, actions: bytes) -> bytes:
    """Return the actions up to the end of the game."""
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    for played, action in enumerate(actions, start=1):
        if world.step(action) != Status.RUNNING:
            return actions[:played]
    return actions


def count(text: str, *scripts: str, **settings: object) -> PlayerRecord:
    """Return the record of play by scripts."""
    return PlayerRecord.of(record_play(text, *scripts, **settings))  # type: ignore[arg-type]
