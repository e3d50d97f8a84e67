"""The simple players of 2009: what they press, and what they carry over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ludus.agents import load
from ludus.games.platformer import World
from ludus.games.platformer.codes import CompetitionButton
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View


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
