"""The simple players of 2009 score what was published, level by level."""

from __future__ import annotations

import csv
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludus.agents import load
from ludus.games.platformer import World
from ludus.games.platformer.codes import CompetitionButton
from ludus.games.platformer.competition import PlayedLevel, play_competition, score
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

SCORES = Path(__file__).with_name("scores-2009.csv")
PLAYERS = {
    "ForwardAgent": "forward",
    "ForwardJumpingAgent": "forward-jumping",
    "ScaredAgent": "scared",
    "ScaredSpeedyAgent": "scared-speedy",
    "NoAction": "idle",
}
PUBLISHED = {
    ("0", "ForwardAgent"): 5942.33,
    ("0", "ForwardJumpingAgent"): 8823.09,
    ("0", "ScaredAgent"): 6742.37,
    ("0", "ScaredSpeedyAgent"): 7573.89,
    ("0", "NoAction"): 128.00,
    ("1", "ForwardAgent"): 5890.50,
    ("1", "ForwardJumpingAgent"): 8777.70,
    ("1", "ScaredAgent"): 6688.72,
    ("1", "ScaredSpeedyAgent"): 7570.98,
    ("1", "NoAction"): 128.00,
}


def published_levels(start_seed: str, agent: str) -> list[dict[str, str]]:
    with SCORES.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if (row["start_seed"], row["agent"]) == (start_seed, agent)]


def as_published(played: PlayedLevel) -> dict[str, str]:
    e = played.evaluation
    numbers = {
        "difficulty": played.difficulty,
        "seed": played.seed,
        "cells": e.cells,
        "status": e.status,
        "time_left": e.time_left,
        "time_spent": e.time_spent,
        "ticks": e.ticks,
        "mode": e.mode,
        "coins": e.coins,
        "actions": played.answers,
        "kills_total": e.kills_total,
        "k_stomp": e.kills_by_stomp,
        "k_shell": e.kills_by_shell,
        "k_fire": e.kills_by_fire,
        "k_bump": e.kills_by_bump,
        "bill_stomp": e.bills_by_stomp,
        "bill_shell": e.bills_by_shell,
        "shell_fire": e.shells_by_fire,
        "shell_die": e.shells_broken,
    }
    bits = struct.pack(">f", e.distance).hex()
    return {"distance_bits": bits} | {name: str(value) for name, value in numbers.items()}


@pytest.mark.parametrize(("start_seed", "agent"), PUBLISHED)
def test_players_score_what_was_published(start_seed: str, agent: str) -> None:
    played = list(play_competition(load(PLAYERS[agent], "platformer"), int(start_seed)))
    assert round(score(played), 2) == PUBLISHED[start_seed, agent]
    for row, level in zip(published_levels(start_seed, agent), played, strict=True):
        assert as_published(level).items() <= row.items()


def views(rules: str) -> Iterator[tuple[World, View]]:
    """Yield a world before every tick, in which the player answers and the buttons are held."""
    level = generated(rules)
    world = World(level, 2, 200)
    while not world.status and world.tick < 400:
        yield world, View(world)


def generated(rules: str) -> Level:
    level = generate("notch-2009", seed=3, difficulty=0)
    assert level.reference
    return Level.from_reference(level.reference) if rules == "2009" else Level.parse(level.text)


@pytest.mark.parametrize("rules", ["2009", "framework"])
@pytest.mark.parametrize("name", ["forward", "scared", "scared-speedy"])
def test_players_get_along_under_other_rules_too(name: str, rules: str) -> None:
    player: Any = load(name, "platformer")
    player.reset(Scenario("level", generated(rules)))
    for world, view in views(rules):
        world.step(player.act(view))
    assert world.mario.x > 1200


def test_a_scared_player_keeps_its_jump_from_level_to_level() -> None:
    player: Any = load("scared", "platformer")
    scenario = Scenario("level", generated("2009"))
    player.reset(scenario)
    for world, view in views("2009"):
        answer = player.act(view)
        world.step(answer)
        if answer & CompetitionButton.JUMP:
            break
    player.reset(scenario)
    assert player.jump
    calm: Any = load("forward", "platformer")
    calm.jump = True
    calm.reset(scenario)
    assert not calm.jump


def test_the_random_player_never_presses_left_with_right_and_likes_speed() -> None:
    player: Any = load("random-2009", "platformer")
    scenario = Scenario("level", generated("2009"))
    view = View(World(scenario.level, 2, 200))
    player.reset(scenario)
    answers = [player.act(view) for _ in range(2000)]
    player.reset(scenario)
    assert [player.act(view) for _ in range(50)] == answers[:50]
    held = {button: sum(bool(a & button) for a in answers) for button in CompetitionButton}
    assert not any(a & 3 == 3 for a in answers)
    assert held[CompetitionButton.UP] == 0
    shares = {"LEFT": 1 / 16, "RIGHT": 1 / 2, "DOWN": 1 / 2, "JUMP": 1 / 2, "SPEED": 7 / 8}
    for name, share in shares.items():
        assert abs(held[CompetitionButton[name]] / 2000 - share) < 0.05
