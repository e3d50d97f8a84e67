"""States of worlds: kept as bytes, put back, pickled, copied; the game goes on as it would have."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from tests.games.platformer.test_world_properties import (
    Game,
    actions,
    any_game,
    figures,
    play,
    quick,
)

from ludus.errors import OptionError
from ludus.games.platformer import Level, Physics, World

LEVEL = Level.parse("--------------\nM--S-g---k--oF\nXXXXXXXXXXXXXX")
STATE = World(LEVEL).clone_state()


@quick
@given(any_game, actions)
def test_a_restored_world_goes_on_as_the_first_does(game: Game, further: tuple[int, ...]) -> None:
    world, other = game.world(), game.start()
    other.restore_state(world.clone_state())
    assert other.hash() == world.hash()
    assert (other.mario, other.sprites, other.events) == (world.mario, world.sprites, world.events)
    play(world, further)
    play(other, further)
    assert other.hash() == world.hash()
    assert figures(other) == figures(world)
    assert other.clone_state() == world.clone_state()


@quick
@given(any_game, actions)
def test_a_pickled_world_goes_on_as_the_first_does(game: Game, further: tuple[int, ...]) -> None:
    world = game.world()
    other = pickle.loads(pickle.dumps(world))
    assert (other.level, other.physics, other.rules) == (world.level, world.physics, world.rules)
    play(world, further)
    play(other, further)
    assert other.hash() == world.hash()


@quick
@given(any_game, actions)
def test_a_forward_model_is_pickled_and_copied_exactly(
    game: Game, further: tuple[int, ...]
) -> None:
    model = game.world().forward_model()
    for action in further:
        model.advance(action)
    copies = [pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)]
    model.advance(17)
    for other in copies:
        assert other.advance(17) == model.status
        assert other.hash() == model.hash()


def test_a_model_takes_the_state_of_a_model() -> None:
    world = World(LEVEL)
    model, other = world.forward_model(), world.forward_model()
    model.advance(10)
    other.restore_state(model.clone_state())
    assert other.hash() == model.hash()


def test_a_crowd_goes_on_in_a_world_that_has_seen_none() -> None:
    rows = ["M" + "K" * 120 + "F", *["-" + "gT" * 60 + "-"] * 9, "X" * 122]
    level, physics = Level.parse("\n".join(rows)), Physics(invulnerable=True)
    world, other = World(level, physics=physics), World(level, physics=physics)
    play(world, (2,) * 60)
    assert len(world.sprites) > 64
    other.restore_state(world.clone_state())
    play(world, (10,) * 60)
    play(other, (10,) * 60)
    assert other.hash() == world.hash()


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (b"", "these 0 bytes are no state of this world: it is too short"),
        (b"x" * 1000, "it begins with other bytes"),
        (STATE[:-1], "it is cut off"),
        (STATE + b"x", "bytes behind its end"),
        (STATE[:4] + b"\xff" + STATE[5:], "another version"),
        (STATE[:100] + b"\xff" + STATE[101:], "its checksum is wrong"),
    ],
)
def test_a_wrong_state_is_refused_and_nothing_changes(state: bytes, reason: str) -> None:
    world = World(LEVEL)
    world.step(10)
    before = world.hash()
    with pytest.raises(OptionError, match=reason):
        world.restore_state(state)
    assert world.hash() == before


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (World(Level.parse(LEVEL.text.replace("k", "g"))), "on another level or task"),
        (World(Level.parse(LEVEL.text, rules="ludus")), "under other rules"),
        (World(LEVEL, physics=Physics(gravity=0.5)), "with other physics"),
        (World(LEVEL, kill_events=[(9, 0)]), "with other kill events"),
    ],
)
def test_a_state_of_another_game_is_refused(other: World, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        World(LEVEL).restore_state(other.clone_state())


def test_a_state_is_bytes() -> None:
    with pytest.raises(TypeError):
        World(LEVEL).restore_state("state")  # type: ignore[arg-type]


def test_a_state_holds_no_address() -> None:
    first, second = World(LEVEL), World(Level.parse(LEVEL.text))
    assert first.clone_state() == second.clone_state()
