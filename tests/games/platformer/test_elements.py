"""Ladders, keys, locks, switches, doors and moving platforms of the rule set ``ludus``."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, World

LEFT, RIGHT, DOWN, SPEED, JUMP = 1, 2, 4, 8, 16


def world(*rows: str, mode: int = 0) -> World:
    return World(Level.parse("\n".join(rows), rules="ludus"), mode)


def hold(w: World, action: int, ticks: int) -> World:
    for _ in range(ticks):
        if w.status == 0:
            w.step(action)
    return w


def tile(w: World, column: int, row: int) -> int:
    return int(w.tiles[column, row])


def test_under_the_framework_s_rules_the_characters_are_empty_cells() -> None:
    text = "M-lhijHIJnpzNPZ()_=.v:F\n" + "X" * 23
    plain = Level.parse(text)
    assert not plain.tiles[1:22, 0].any()
    assert plain.platforms == []
    assert Level.parse(text, rules="ludus") != plain


def test_a_level_is_played_by_the_rules_it_was_read_for() -> None:
    level = Level.parse("M-l-F\nXXXXX", rules="ludus")
    assert World(level).rules == "ludus"
    with pytest.raises(OptionError, match="with rules 'framework'"):
        World(level, rules="framework")
    with pytest.raises(OptionError, match="chess"):
        Level.parse("M-F\nXXX", rules="chess")


def test_without_elements_both_rule_sets_play_alike() -> None:
    rows = ["-" * 40] * 8 + ["-M---g--SS@---k----TT---o--R---y------F-", "X" * 40]
    text = "\n".join(rows)
    plain, ludus = World(Level.parse(text), 1), World(Level.parse(text, rules="ludus"), 1)
    for tick in range(300):
        action = (tick * 7 // 5) % 32
        if plain.status == 0:
            plain.step(action)
            ludus.step(action)
        assert plain.mario == ludus.mario
        assert plain.sprites == ludus.sprites
        assert plain.events == ludus.events


LADDER = ("------XXXF", "-----lXXXX", "-----lXXXX", "-----lXXXX", "M----lXXXX", "XXXXXXXXXX")


def at_the_ladder() -> World:
    w = world(*LADDER)
    while w.mario.x < 84:
        w.step(RIGHT)
    return hold(w, 0, 10)


def test_a_ladder_is_climbed_with_jump_and_its_top_can_be_stood_on() -> None:
    w = hold(at_the_ladder(), JUMP, 8)
    assert w.mario.y < 79 - 4 * 6
    hold(w, JUMP, 20)
    hold(w, 0, 5)
    assert w.mario.on_ground
    assert w.mario.y == 15
    hold(w, DOWN, 30)
    assert w.mario.on_ground
    assert w.mario.y == 79


def test_whoever_holds_on_to_a_ladder_does_not_fall() -> None:
    w = hold(at_the_ladder(), JUMP, 8)
    y = w.mario.y
    hold(w, 0, 20)
    assert w.mario.y == y
    hold(w, LEFT, 15)
    assert w.mario.y > y


def test_without_jump_one_walks_past_a_ladder() -> None:
    w = hold(world("-------F", "M--l----", "XXXXXXXX"), RIGHT, 60)
    assert w.status == 1


LOCKED = (
    "---------XX------F",
    "---------II-------",
    "---------II-------",
    "M--i--i--II--I----",
    "X" * 18,
)


def test_a_key_opens_one_lock_of_its_colour_wholly() -> None:
    w = world(*LOCKED)
    assert w.keys == (0, 0, 0)
    while w.keys[1] < 2:
        w.step(RIGHT)
    while tile(w, 9, 3):
        w.step(RIGHT)
    assert w.keys[1] == 1
    assert not w.tiles[9:11, 1:4].any()
    assert tile(w, 13, 3) == 70
    hold(w, RIGHT, 60)
    assert w.status == 1
    assert w.keys == (0, 0, 0)


def test_a_lock_stops_whoever_has_no_key_or_one_of_another_colour() -> None:
    for key in "-hj":
        w = hold(world("-----XX---F", f"M-{key}--II----", "X" * 11), RIGHT | SPEED, 100)
        assert w.mario.x < 16 * 5
        assert tile(w, 5, 1) == 70


def test_a_switch_toggles_its_doors_when_it_is_touched_anew() -> None:
    w = world("----------XX---F", "M--n---p--NP-(--", "X" * 16)
    assert [tile(w, c, 1) for c in (3, 7, 10, 11, 13)] == [72, 73, 78, 79, 81]
    while tile(w, 3, 1) == 72:
        w.step(RIGHT)
    assert [tile(w, c, 1) for c in (3, 7, 10, 11, 13)] == [75, 73, 81, 79, 78]
    hold(w, 0, 30)
    assert tile(w, 10, 1) == 81
    hold(w, RIGHT, 20)
    assert tile(w, 11, 1) == 82
    hold(w, LEFT, 40)
    assert tile(w, 10, 1) == 78


def test_doors_are_solid_while_closed() -> None:
    shut = hold(world("-----XX--F", "M----N----", "X" * 10), RIGHT, 80)
    free = hold(world("-----XX--F", "M----(----", "X" * 10), RIGHT, 80)
    assert shut.mario.x < 16 * 5
    assert free.status == 1


def test_a_platform_moves_over_its_track_and_back() -> None:
    w = world("M---------F", "--..==..---", "XX-------XX")
    xs = [w.platforms[0].x]
    for _ in range(200):
        w.step(0)
        xs.append(w.platforms[0].x)
    assert xs[0] == 16 * 4 + 1
    assert (min(xs), max(xs)) == (16 * 2, 16 * 6)
    assert {abs(a - b) for a, b in pairwise(xs)} == {1}


def test_mario_rides_sideways() -> None:
    w = world("----M--------F", "--------------", "---===......--", "XX----------XX")
    while not w.mario.on_ground:
        w.step(0)
    offset = w.mario.x - w.platforms[0].x
    hold(w, 0, 60)
    assert w.mario.on_ground
    assert w.mario.x - w.platforms[0].x == offset
    hold(w, 0, 200)
    assert w.mario.on_ground
    assert w.mario.x - w.platforms[0].x == offset


def test_mario_rides_up_and_down_and_jumps_off() -> None:
    rows = (
        "---M---F",
        "-------X",
        "---:----",
        "---:----",
        "---vv---",
        "---:----",
        "---:----",
        "XX----XX",
    )
    w = hold(world(*rows), 0, 30)
    seen = set()
    for _ in range(200):
        w.step(0)
        assert w.mario.on_ground
        assert w.mario.y == w.platforms[0].y - 1
        seen.add(w.mario.y)
    assert (min(seen), max(seen)) == (16 * 2 - 1, 16 * 6 - 1)
    w.step(JUMP)
    assert w.mario.vy < 0
    assert not w.mario.on_ground


def test_a_rising_platform_does_not_push_mario_into_the_ceiling() -> None:
    track = ["---:----"] * 3
    w = world("-------F", "XXXXXXXX", *track, "---:M---", "---vv---", "X------X")
    heads = []
    while w.status == 0 and w.tick < 200:
        w.step(0)
        heads.append(w.mario.y - w.mario.height)
    assert min(heads) >= 16 * 2 - 1
    assert min(heads) < 16 * 3


def test_platforms_let_pass_from_below() -> None:
    w = world(
        "--------F", "---------", "---------", "-===-----", "---------", "-M-------", "XXXXXXXXX"
    )
    hold(w, 0, 5)
    hold(w, JUMP, 30)
    hold(w, 0, 30)
    assert w.mario.on_ground
    assert w.mario.y == 16 * 3 - 1


def test_the_forward_model_knows_the_elements() -> None:
    w = world(*LOCKED)
    model = w.forward_model()
    for _ in range(120):
        if w.status == 0:
            w.step(RIGHT)
            model.advance(RIGHT)
    assert model.status == w.status == 1
    assert (model.tiles == w.tiles).all()
    assert model.mario == w.mario


def test_observations_show_the_elements() -> None:
    w = world("---------------F", "Ml-hHn-N-(--==--", "X" * 16)
    exact, general, coarse = (w.observe("scene", detail)[:, 8] for detail in (0, 1, 2))
    mario = 8
    seen = {1: (81, 80), 3: (82, 82), 4: (85, 85), 5: (88, 88), 7: (94, 94)}
    for column, (fine, rough) in seen.items():
        assert (exact[mario + column], general[mario + column]) == (fine, rough)
        assert coarse[mario + column] == 100
    wide = w.observe("scene", 1, size=(40, 3))
    assert wide[20 + 12, 1] == 59
    assert wide[20 + 9, 1] == 0
    assert w.state()[-1] == 0
