"""Worlds of the rules 2009: what they refuse, how they are copied, what they tell."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import ActionError, OptionError
from ludus.games.platformer import (
    EventKind,
    Kind,
    Level,
    Physics,
    Status,
    World,
    evaluate,
    replay,
    trace_row,
)
from ludus.games.platformer.codes import CompetitionButton as Button
from ludus.games.platformer.competition import competition_level

RIGHT, JUMP, SPEED = int(Button.RIGHT), int(Button.JUMP), int(Button.SPEED)
ACTIONS = st.lists(
    st.tuples(st.integers(0, 31), st.integers(1, 30)).map(lambda held: [held[0]] * held[1]),
    max_size=12,
).map(lambda parts: bytes(chain.from_iterable(parts)))


@cache
def level(seed: int = 1, difficulty: int = 10) -> Level:
    return competition_level(seed, difficulty)


def room(*sprites: tuple[int, int, int, int], **cells: int) -> Level:
    """Return a room of 40 columns with a floor; cells are named like ``x5y9``."""
    rows = [bytearray(40) for _ in range(15)]
    rows[13] = bytearray([0x81] * 40)
    rows[14] = bytearray([0x81] * 40)
    for name, byte in cells.items():
        column, row = map(int, name.removeprefix("x").split("y"))
        rows[row][column] = byte
    record = {
        "gen": "soup",
        "type": 0,
        "difficulty": -1,
        "seed": 0,
        "width": 40,
        "height": 15,
        "exit": [38, 12],
        "rows": [row.hex() for row in rows],
        "sprites": [list(sprite) for sprite in sprites],
    }
    return Level.from_record(record)


RED_KOOPA, GREEN_KOOPA, GOOMBA, SPIKY, PIRANHA = range(5)


def settle(world: World, ticks: int = 40) -> World:
    for _ in range(ticks):
        world.step(0)
    return world


# ---- what is refused -----------------------------------------------------------------------------


def test_actions_are_refused_in_the_words_of_these_rules() -> None:
    world = World(level(), 2, 200)
    before = world.hash()
    with pytest.raises(ActionError, match=r"action 32 .* 8 JUMP, 16 SPEED to .* 0 to 31"):
        world.step(32)
    assert world.hash() == before


def test_physics_and_kill_events_are_refused() -> None:
    with pytest.raises(OptionError, match="'2009' have neither physics options nor kill events"):
        World(level(), physics=Physics(gravity=2))
    with pytest.raises(OptionError, match="neither physics options nor kill events"):
        World(level(), kill_events=[(9, 0)])


def test_figures_of_2009_need_its_rules() -> None:
    with pytest.raises(OptionError, match="'framework' are those of no competition"):
        evaluate(World(Level.parse("M--F\nXXXX")))


# ---- copies --------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(ACTIONS, ACTIONS, st.integers(0, 5), st.integers(0, 2))
def test_copies_go_on_alike(first: bytes, then: bytes, seed: int, mode: int) -> None:
    world = replay(level(seed), first, mode, 60)
    copies = [world.clone(), pickle.loads(pickle.dumps(world)), World(world.level, 0, 1)]
    copies[-1].restore_state(world.clone_state())
    model, before = world.forward_model(), world.hash()
    assert model.mario == world.mario
    for action in then:
        if model.status:
            break
        assert {copy.step(action) for copy in copies} == {model.advance(action)}
    assert world.hash() == before, "copies leave the world alone"
    played = world.run(np.frombuffer(then, np.uint8))
    assert played <= len(then)
    assert {copy.hash() for copy in copies} == {world.hash()}
    assert trace_row(model) == trace_row(world)
    assert all(evaluate(copy) == evaluate(world) for copy in copies)


@settings(max_examples=20, deadline=None)
@given(ACTIONS, st.integers(0, 5))
def test_the_digest_changes_with_every_tick_and_only_with_ticks(actions: bytes, seed: int) -> None:
    world = World(level(seed), 2, 100)
    for action in actions:
        if world.status:
            break
        before = world.hash()
        trace_row(world), evaluate(world), world.observe("merged", size=22), world.enemies()
        assert world.hash() == before
        world.step(action)
        assert world.hash() != before


# ---- the game ------------------------------------------------------------------------------------


def test_a_world_begins_with_the_first_row_of_a_recording() -> None:
    row = trace_row(World(level(), 2, 200))
    wanted = {"tick": "1", "timeLeft": "2999", "startTime": "2", "status": "2", "mx": "42000000"}
    assert {name: row[name] for name in wanted} == wanted
    assert row["my"] == "00000000"
    assert row["mya"] == "40400000"
    assert row["h"] == "24"


def test_the_clock_runs_15_ticks_a_second_and_a_time_out_moves_mario_once_more() -> None:
    world = World(room(), 0, 4)
    for _ in range(58):
        assert world.step(RIGHT) == Status.RUNNING
    x, vx = world.mario.x, world.mario.vx
    assert world.step(0) == Status.TIME_OUT
    assert world.mario.x == np.float32(x) + np.float32(vx)
    assert evaluate(world).status == 0
    assert evaluate(world).time_left == 0
    assert evaluate(world).ticks == 60
    assert trace_row(world)["death"] == "26"


def test_without_a_limit_there_is_no_time_out() -> None:
    world = settle(World(room(), 0, 0), 5000)
    assert world.status == Status.RUNNING
    assert world.timer == 0


def test_a_power_loss_stops_the_world_for_one_tick() -> None:
    world = World(room((8, 12, SPIKY, 0)), 2, 0)
    while not world.pause:
        world.step(0)
    tick, sprites = world.tick, world.sprites
    assert world.mario.mode == 1
    assert evaluate(world).collisions == 1
    world.step(0)
    assert (world.tick, world.sprites) == (tick, sprites)
    assert not world.pause
    world.step(0)
    assert world.tick == tick + 1
    assert world.sprites != sprites


def test_mario_slides_down_walls_and_jumps_off_them() -> None:
    wall = {f"x12y{row}": 0x09 for row in range(2, 13)}
    world = settle(World(room(**wall), 0, 0), 30)
    rows = []
    for action in [RIGHT | SPEED] * 18 + [RIGHT | SPEED | JUMP] * 9 + [RIGHT | SPEED] * 12:
        world.step(action)
        rows.append(trace_row(world))
        if rows[-1]["slide"] == "1" and rows[-1]["mayJ"] == "1":
            break
    assert rows[-1]["slide"] == "1", "he slides"
    facing, x = world.mario.facing, world.mario.x
    world.step(RIGHT | JUMP)
    assert trace_row(world)["jumpT"] == "-6"
    assert world.mario.facing == -facing
    for _ in range(6):
        world.step(0)
    assert world.mario.x < x - 30, "the jump goes on without a button"


def test_mario_carries_a_shell_and_kicks_it_off() -> None:
    world = World(room((12, 12, GREEN_KOOPA, 0)), 2, 0)
    settle(world, 12)
    while not any(sprite.kind == Kind.SHELL for sprite in world.sprites):
        near = any(abs(sprite.x - world.mario.x) < 40 for sprite in world.sprites)
        world.step(JUMP if near else 0)
        assert world.status == Status.RUNNING
    for _ in range(120):
        shell = next(s for s in world.sprites if s.kind == Kind.SHELL)
        world.step(SPEED | (RIGHT if shell.x > world.mario.x else int(Button.LEFT)))
        if trace_row(world)["carried"] != "-1":
            break
    assert trace_row(world)["carried"] != "-1"
    assert world.state()[9] == 1, "the state vector tells that he carries something"
    world.step(SPEED)
    shell = next(s for s in world.sprites if s.kind == Kind.SHELL)
    assert shell.x == world.mario.x + 8 * world.mario.facing
    world.step(0)
    assert trace_row(world)["carried"] == "-1"


def test_a_killed_creature_never_comes_back() -> None:
    world = settle(World(room((12, 12, GOOMBA, 0)), 2, 0), 24)
    goomba = world.sprites[0]
    assert goomba.kind == Kind.GOOMBA
    while goomba.x > world.mario.x + 60:
        world.step(0)
        goomba = world.sprites[0]
    world.step(SPEED)
    for _ in range(200):
        world.step(int(Button.LEFT))
    assert evaluate(world).kills_by_fire == 1
    assert evaluate(world).kills_by_kind == {Kind.GOOMBA: 1}
    assert not world.sprites
    assert world.result().kills_by_fire == 1


def test_hidden_blocks_are_counted_and_give_coins() -> None:
    world = settle(World(room(x2y9=0x01), 0, 0))
    for _ in range(12):
        world.step(JUMP)
    found = evaluate(world)
    assert (found.hidden_blocks, found.coins) == (1, 1)
    assert world.tiles[2, 9] == 4
    kinds = [event.kind for event in world.events]
    assert EventKind.BUMP in kinds or world.result().bump_question == 1


def test_the_basic_fitness_adds_up() -> None:
    world = World(level(0, 0), 2, 200)
    while not world.status:
        world.step(
            RIGHT | SPEED | (JUMP if world.mario.may_jump or not world.mario.on_ground else 0)
        )
    e = evaluate(world)
    assert e.basic_fitness == e.distance - e.time_spent + e.coins + 5000 * (e.status == 1)
    assert e.kills_total == sum(e.kills_by_kind.values())
