"""Worlds of the rules 2010: their options, how they are copied, what they tell."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import ActionError, OptionError
from ludus.games.platformer import (
    WEIGHTS_2010,
    Evaluation2010,
    Kind,
    Level,
    Options2010,
    Physics,
    Status,
    World,
    evaluate,
    replay,
    trace_row,
)
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.codes import CompetitionButton as Button
from ludus.games.platformer.game import PlatformerGame
from ludus.games.platformer.scenario import Scenario

RIGHT, JUMP, SPEED, UP = (int(b) for b in (Button.RIGHT, Button.JUMP, Button.SPEED, Button.UP))
ACTIONS = st.lists(
    st.tuples(st.integers(0, 63), st.integers(1, 30)).map(lambda held: [held[0]] * held[1]),
    max_size=12,
).map(lambda parts: bytes(chain.from_iterable(parts)))
TEXTS = (
    "-ld 2 -le g,gw,gk,rkw,s,gww -ll 90",
    "-ld 6 -lla on -lhb on -le gk,rk -ll 90 -mm 0 -gmm 1",
    "-ld 3 -le g,gk -ll 90 -mgr 0.6 -cgr 0.4 -w 0.2 -ice 0.11 -pr on",
    "-ld 3 -le g,gww -ll 90 -fc on -i on -vw 256 -vh 224",
)


@cache
def level(text: str) -> Level:
    return benchmark_scenario(text).level


def room(
    *sprites: tuple[int, int, int], data: tuple[tuple[int, int, int], ...] = (), **cells: int
) -> Level:
    """Return a room of 40 columns with a floor; cells are named like ``x5y9``."""
    rows = [bytearray(40) for _ in range(15)]
    rows[13] = bytearray([0x81] * 40)
    rows[14] = bytearray([0x81] * 40)
    for name, byte in cells.items():
        column, row = map(int, name.removeprefix("x").split("y"))
        rows[row][column] = byte
    return Level.from_record(
        {
            "gen": "marioai4j",
            "width": 40,
            "height": 15,
            "exit": [38, 12],
            "rows": [row.hex() for row in rows],
            "data": [list(numbers) for numbers in data],
            "sprites": [list(sprite) for sprite in sprites],
        }
    )


def figures(world: World) -> Evaluation2010:
    return Evaluation2010.of(world)


def settle(world: World, ticks: int = 40) -> World:
    for _ in range(ticks):
        world.step(0)
    return world


# ---- options -------------------------------------------------------------------------------------


def test_a_text_of_options_sets_everything_and_arguments_go_before_it() -> None:
    text = "-mm 1 -tl 12 -mix 100 -miy 60 -jp 4 -mgr 0.5 -ls 3 -vis off -ld 9"
    world = World(room(), options=text)
    assert world.mario.mode == 1
    assert (world.timer, world.mario.x, world.mario.y) == (12 * 15 - 1, 100, 60)
    assert world.options == Options2010.parse(text)
    assert world.physics is None
    other = World(room(), 0, 3, options=text)
    assert (other.mario.mode, other.timer) == (0, 3 * 15 - 1)
    usual = World(room(), options="")
    assert (usual.mario.mode, usual.timer, usual.mario.x) == (2, 2999, 32)
    plain = World(room())
    assert (plain.mario.mode, plain.timer, plain.options) == (0, -1, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-mgr 0", "gravity 0 is out of range: give 0.1 to 10"),
        ("-mgr nan", "-mgr 'nan' is out of range"),
        ("-jp 1e9", "jump_power 1e"),
        ("-w 2", "wind 2 is out of range"),
        ("-vw 0", "screen_width 0 is out of range"),
        ("-zs 3", "tile_detail 3 is out of range"),
        ("-rfw 500", "field_width 500 is out of range"),
        ("-mm 7", "mode 7 is unknown"),
        ("-mm", "'-mm' has no value"),
        ("mm 2", "'mm' is no flag"),
        ("-tl soon", "-tl 'soon' is not a whole number"),
    ],
)
def test_bad_options_are_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(OptionError, match=words.replace("(", r"\(")) as refused:
        World(room(), options=text)
    assert "\n" not in str(refused.value)


def test_options_are_those_of_these_rules_alone() -> None:
    other = Level.parse("M--F\nXXXX")
    with pytest.raises(OptionError, match="options are those of the rules '2010'"):
        World(other, options="-mm 0")
    with pytest.raises(OptionError, match="options are those of the rules '2010'"):
        other.with_options("-mm 0")
    unreadable: Any = 5
    with pytest.raises(OptionError, match="options 5 are no text"):
        World(room(), options=unreadable)


def test_options_belong_to_a_scenario() -> None:
    scenario = benchmark_scenario(TEXTS[2] + " -mm 1 -tl 30")
    again = Scenario.from_dict(scenario.to_dict())
    assert again == scenario
    assert again.level.options == scenario.level.options
    assert scenario.level.with_options(None) != scenario.level
    game = PlatformerGame()
    match = game.begin(again)
    for _ in range(120):
        if not match.over:
            match.step(RIGHT | SPEED | JUMP)
    assert game.replay(scenario, match.record()) == match.facts()
    assert game.rules([scenario.to_dict()]) == "2010@1"


def test_actions_are_refused_in_the_words_of_these_rules() -> None:
    world = World(room())
    before = world.hash()
    with pytest.raises(ActionError, match=r"action 64 .* 16 SPEED, 32 UP to .* 0 to 63"):
        world.step(64)
    assert world.hash() == before


def test_power_is_restored_under_every_rule_set_that_has_physics() -> None:
    restoring = Physics(power_restoration=True)
    for world, speed in (
        (World(room(), physics=restoring), SPEED),
        (World(Level.parse("M----F\nXXXXXX"), physics=restoring), 8),
        (World(Level.parse("M----F\nXXXXXX", rules="ludus", physics=restoring)), 8),
    ):
        world.step(0)
        assert world.mario.mode == 0
        world.step(speed)
        assert world.mario.mode == 2
    usual = World(Level.parse("M----F\nXXXXXX"))
    assert usual.hash() == World(usual.level, physics=Physics()).hash()
    assert usual.hash() != World(usual.level, physics=restoring).hash()
    assert "power_restoration" not in Physics().to_dict()
    with pytest.raises(OptionError):
        usual.restore_state(World(usual.level, physics=restoring).clone_state())


# ---- copies --------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(ACTIONS, ACTIONS, st.sampled_from(TEXTS), st.integers(0, 2))
def test_copies_go_on_alike(first: bytes, then: bytes, text: str, mode: int) -> None:
    world = replay(level(text), first, mode, 60)
    copies = [world.clone(), pickle.loads(pickle.dumps(world)), World(world.level, 0, 1)]
    copies[-1].restore_state(world.clone_state())
    assert copies[1].options == world.options
    model, before = world.forward_model(), world.hash()
    assert model.mario == world.mario
    for action in then:
        if model.status:
            break
        assert {copy.step(action) for copy in copies} == {model.advance(action)}
    assert world.hash() == before, "copies leave the world alone"
    assert world.run(np.frombuffer(then, np.uint8)) <= len(then)
    assert {copy.hash() for copy in copies} == {world.hash()}
    assert trace_row(model) == trace_row(world)
    assert all(evaluate(copy) == evaluate(world) for copy in copies)


@settings(max_examples=20, deadline=None)
@given(ACTIONS, st.sampled_from(TEXTS))
def test_the_digest_changes_with_every_tick_and_only_with_ticks(actions: bytes, text: str) -> None:
    world = World(level(text))
    for action in actions:
        if world.status:
            break
        before = world.hash()
        trace_row(world), evaluate(world), world.observe("merged", size=19), world.enemies()
        assert world.hash() == before
        world.step(action)
        assert world.hash() != before


def test_a_state_of_other_options_is_refused() -> None:
    world = World(room(), options="-ld 3")
    with pytest.raises(OptionError, match="other physics"):
        world.restore_state(World(room(), options="-ld 6").clone_state())


# ---- the game ------------------------------------------------------------------------------------


def test_a_multi_coin_block_gives_one_coin_more_than_its_data_say() -> None:
    world = settle(World(room(x2y9=0x17, data=((2, 9, -2),)), options="-mm 0 -miy 200"))
    for _ in range(6):
        for action in [JUMP] * 9 + [0] * 20:
            world.step(action)
    assert world.coins == 3
    assert figures(world).coins == 3
    assert world.tiles[2, 9] == 4


def test_hidden_blocks_pay_and_count_each_time() -> None:
    world = settle(World(room(x2y9=0x01, data=((2, 9, -1),)), options="-mm 0"))
    for _ in range(4):
        for action in [JUMP] * 9 + [0] * 20:
            world.step(action)
    assert figures(world).hidden_blocks == 2
    assert figures(world).reward == -1 + 2 * (24 + 16)


def test_green_mushrooms_come_by_difficulty_and_hurt_or_kill() -> None:
    def kinds(options: str) -> set[int]:
        world = settle(World(room(x2y9=0x16), options=f"{options} -miy 200"))
        for _ in range(10):
            world.step(JUMP)
        return {sprite.kind for sprite in world.sprites}

    assert kinds("-mm 0 -ld 5") == {Kind.GREEN_MUSHROOM}
    assert kinds("-mm 0 -ld 4") == {Kind.MUSHROOM}
    assert kinds("-mm 2 -ld 4") == {Kind.FIRE_FLOWER}


def test_mario_climbs_ladders() -> None:
    ladder: dict[str, Any] = {f"x2y{row}": 0x3D for row in range(6, 13)}
    world = settle(World(room(x2y5=0x5D, **ladder), options="-mm 0 -miy 200"), 30)
    low = world.mario.y
    for _ in range(8):
        world.step(UP)
    assert trace_row(world)["ol"] == "1"
    assert world.mario.y < low - 60
    held = world.mario.y
    settle(world, 3)
    assert world.mario.y > held - 1
    assert world.mario.climbing
    fallen = settle(World(room(x2y5=0x5D, **ladder), options="-mm 0"), 30)
    fallen.step(UP)
    assert trace_row(fallen)["ot"] == "1", "whoever fell past the top is held to be on it"


def test_creatures_obey_gravity_wind_and_ice_only_where_the_options_say() -> None:
    goomba = (20, 5, 80)
    heavy = World(room(goomba), options="-cgr 2")
    usual, light = World(room(goomba), options=""), World(room(goomba), options="-cgr 0.5")
    for world in (heavy, usual, light):
        settle(world, 6)
    assert heavy.sprites[-1].y > usual.sprites[-1].y > light.sprites[-1].y
    frozen = World(room(goomba), options="-fc on")
    x = frozen.sprites[-1].x
    settle(frozen, 20)
    assert frozen.sprites[-1].x == x


def test_the_weighted_fitness_adds_up_and_takes_other_weights() -> None:
    world = World(level(TEXTS[0]), 2, 200)
    while not world.status:
        m = world.mario
        world.step(RIGHT | (SPEED | JUMP if m.may_jump or not m.on_ground else 0))
    e = figures(world)
    assert e.weighted_fitness == sum(w * getattr(e, name) for name, w in WEIGHTS_2010.items())
    assert e.weigh({"distance": 1}) == e.distance
    assert e.basic_fitness == e.distance - e.time_spent + e.coins + 1024 * e.status
    assert e.death or e.status == Status.WIN
    assert e.kills_total >= e.kills_by_stomp + e.kills_by_fire + e.kills_by_shell
    assert sum(e.kills_by_kind.values()) == e.kills_by_stomp + e.kills_by_fire + e.kills_by_shell


def test_kill_events_end_the_game_here_too() -> None:
    world = settle(World(room(), kill_events=[(6, 0)]))
    assert world.step(JUMP) == Status.LOSE
    assert figures(world).death == "Kill event"
