"""What holds for every world, whatever level it is on and whatever was played."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludus.errors import ActionError, EpisodeOver, OptionError
from ludus.games.platformer import ForwardModel, Level, Physics, World, replay
from ludus.games.platformer.records import STATE_FIELDS

# ---- games ---------------------------------------------------------------------------------------

FRAMEWORK_CELLS = "MFyYgGEkKrRX#%|*BbQ!?@12DSCULotT<>[]-~"
ELEMENT_CELLS = "lhijHIJnpzNPZ()_=v.:"
ENEMY_KINDS = range(2, 12)


@dataclass(frozen=True)
class Game:
    """How to make a world, and what was played in it before a test begins."""

    text: str
    rules: str
    mode: int
    time_limit: int
    kill_events: tuple[tuple[int, int], ...]
    physics: Physics | None
    played: tuple[int, ...]

    @property
    def level(self) -> Level:
        return Level.parse(self.text, rules=self.rules)

    def start(self) -> World:
        return World(self.level, self.mode, self.time_limit, self.kill_events, physics=self.physics)

    def world(self) -> World:
        world = self.start()
        play(world, self.played)
        return world


def play(world: World, actions: tuple[int, ...]) -> None:
    """Steps until the actions or the game end."""
    for action in actions:
        if world.status:
            return
        world.step(action)


def figures(world: World) -> str:
    """Writes the result; on a level whose exit is in column 0 the completion is not a number."""
    return repr(world.result())


@st.composite
def texts(draw: st.DrawFn, cells: str) -> str:
    """Levels: air, mostly with a floor, and some cells that can be anything."""
    width, height = draw(st.integers(1, 60)), draw(st.integers(1, 24))
    grid = [["-"] * width for _ in range(height)]
    if draw(st.booleans()):
        grid[-1] = ["X"] * width
    place = st.tuples(st.sampled_from(cells), st.integers(0, width - 1), st.integers(0, height - 1))
    for cell, column, row in draw(st.lists(place, max_size=60)):
        grid[row][column] = cell
    return "\n".join("".join(row) for row in grid)


held = st.tuples(st.integers(0, 31), st.integers(1, 25))
actions = st.lists(held, max_size=10).map(
    lambda runs: tuple(action for action, ticks in runs for _ in range(ticks))
)
kill_lists = st.lists(st.tuples(st.integers(1, 12), st.integers(0, 32)), max_size=2).map(tuple)
physics = st.builds(
    Physics,
    gravity=st.floats(0.1, 4),
    creature_gravity=st.floats(0, 4),
    jump_power=st.floats(0, 30),
    ice=st.floats(0, 0.05),
    wind=st.floats(-0.05, 0.05),
    frozen_creatures=st.booleans(),
    invulnerable=st.booleans(),
    tick_ms=st.integers(1, 1000),
)


def games(*rules: str) -> st.SearchStrategy[Game]:
    """Games by one of these rule sets."""

    def by(name: str) -> st.SearchStrategy[Game]:
        cells = FRAMEWORK_CELLS + (ELEMENT_CELLS if name == "ludus" else "")
        return st.builds(
            Game,
            text=texts(cells),
            rules=st.just(name),
            mode=st.integers(0, 2),
            time_limit=st.sampled_from([0, 1, 3, 200]),
            kill_events=kill_lists,
            physics=st.none() | physics,
            played=actions,
        )

    return st.sampled_from(rules).flatmap(by)


any_game = games("framework", "ludus")
framework_game = games("framework")
quick = settings(deadline=None, max_examples=100)

# ---- clones and replays --------------------------------------------------------------------------


@quick
@given(any_game, actions, actions)
def test_a_clone_never_disturbs_its_parent(
    game: Game, of_clone: tuple[int, ...], of_parent: tuple[int, ...]
) -> None:
    world, alone = game.world(), game.world()
    before = world.hash()
    clone = world.clone()
    assert clone.hash() == before
    play(clone, of_clone)
    assert world.hash() == before
    after = clone.hash()
    play(world, of_parent)
    play(alone, of_parent)
    assert world.hash() == alone.hash()
    assert clone.hash() == after


@quick
@given(any_game, actions)
def test_a_clone_plays_as_its_parent_does(game: Game, further: tuple[int, ...]) -> None:
    world = game.world()
    clone = world.clone()
    play(world, further)
    play(clone, further)
    assert clone.hash() == world.hash()
    assert figures(clone) == figures(world)
    assert (clone.mario, clone.sprites, clone.events) == (world.mario, world.sprites, world.events)


@quick
@given(any_game)
def test_the_same_actions_give_the_same_world(game: Game) -> None:
    assert game.world().hash() == game.world().hash()


@quick
@given(any_game)
def test_a_replay_is_what_stepping_gives(game: Game) -> None:
    stepped = game.world()
    replayed = replay(
        game.level,
        np.array(game.played, np.uint8),
        game.mode,
        game.time_limit,
        game.kill_events,
        physics=game.physics,
        rules=game.rules,
    )
    assert replayed.hash() == stepped.hash()
    assert figures(replayed) == figures(stepped)
    assert replayed.result().ticks <= len(game.played)


def rounded(value: float, offset: int) -> float:
    """Gives what the reference's clone rule makes of a place, in single precision."""
    moved = np.float32(value) - np.float32(offset)
    return float(np.float32(moved + np.float32(offset)))


@quick
@given(any_game, actions)
def test_a_forward_model_is_a_clone_by_the_reference_rule(
    game: Game, further: tuple[int, ...]
) -> None:
    world = game.world()
    before, mario = world.hash(), world.mario
    model = world.forward_model()
    expected = mario._replace(x=rounded(mario.x, 8), y=rounded(mario.y, 15), alive=True)
    assert model.mario == expected
    assert model.events == []
    assert (model.sprites, model.status, model.coins) == (world.sprites, world.status, world.coins)
    np.testing.assert_array_equal(model.tiles, world.tiles)
    assert counters(model) == [0] * 7
    for action in further:
        model.advance(action)
    assert world.hash() == before


def counters(model: ForwardModel) -> list[int]:
    return [
        model.kills_by_fall,
        model.kills_by_fire,
        model.kills_by_shell,
        model.kills_by_stomp,
        model.mushrooms,
        model.flowers,
        model.bricks,
    ]


@quick
@given(any_game, actions, actions)
def test_a_clone_of_a_model_plays_as_the_model_does(
    game: Game, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    model = game.world().forward_model()
    for action in first:
        model.advance(action)
    clone, twin = model.clone(), model.clone()
    assert counters(clone) == counters(model)
    before = model.hash()
    for action in second:
        clone.advance(action)
        twin.advance(action)
    assert clone.hash() == twin.hash()
    assert model.hash() == before


@quick
@given(any_game, actions)
def test_a_model_foresees_the_world(game: Game, further: tuple[int, ...]) -> None:
    world = game.world()
    model = world.forward_model()
    exact = model.mario[:2] == world.mario[:2]
    for action in further:
        if world.status:
            break
        world.step(action)
        model.advance(action)
    if exact and world.tick > 1 and world.status == 0:
        assert model.mario == world.mario
        assert model.sprites == world.sprites
        assert (model.status, model.timer, model.pause) == (0, world.timer, world.pause)


# ---- what is refused -----------------------------------------------------------------------------


def finished(game: Game) -> World:
    """A world of the game that has ended, by its clock if by nothing else."""
    world = World(game.level, game.mode, 1, game.kill_events)
    play(world, game.played)
    while not world.status:
        world.step(0)
    return world


@quick
@given(any_game, st.integers(0, 31))
def test_a_finished_world_refuses_to_go_on(game: Game, action: int) -> None:
    world = finished(game)
    before, result = world.hash(), figures(world)
    with pytest.raises(EpisodeOver):
        world.step(action)
    assert world.run(np.array([action], np.uint8)) == 0
    assert world.hash() == before
    assert figures(world) == result


FLAT = "\n".join(["-" * 30] * 13 + ["M" + "-" * 28 + "F"] + ["X" * 30])
OUT_OF_RANGE = [-1, 32, 255, 2**40]
NO_NUMBERS: list[Any] = ["x", 1.5, None]


def moved_world() -> World:
    return replay(Level.parse(FLAT), [2] * 10)


def steppers() -> list[tuple[World | ForwardModel, Callable[[Any], int]]]:
    world = moved_world()
    model = moved_world().forward_model()
    return [(world, world.step), (model, model.advance)]


@pytest.mark.parametrize("action", OUT_OF_RANGE)
def test_actions_out_of_range_are_refused_and_change_nothing(action: int) -> None:
    for world, step in steppers():
        before = world.hash()
        with pytest.raises(ActionError, match=str(action)):
            step(action)
        assert world.hash() == before


@pytest.mark.parametrize("action", NO_NUMBERS)
def test_actions_that_are_no_numbers_are_refused_and_change_nothing(action: Any) -> None:
    for world, step in steppers():
        before = world.hash()
        with pytest.raises(TypeError):
            step(action)
        assert world.hash() == before


def test_a_run_with_a_bad_action_plays_none_of_them() -> None:
    world = moved_world()
    before = world.hash()
    with pytest.raises(ActionError, match="32"):
        world.run(np.array([2, 2, 32], np.uint8))
    assert world.hash() == before


@pytest.mark.parametrize("bad", [[0, 32], [-1], [2**40], b"\x00\xff"])
def test_a_replay_refuses_bad_actions(bad: Any) -> None:
    with pytest.raises(ActionError):
        replay(Level.parse(FLAT), bad)


@pytest.mark.parametrize(
    "options",
    [
        {"mode": 3},
        {"mode": -1},
        {"time_limit": -1},
        {"time_limit": 2_000_001},
        {"rules": "chess"},
        {"kill_events": [(0, 0)]},
        {"kill_events": [(13, 0)]},
        {"kill_events": [(1, -1)]},
        {"kill_events": [(1, 256)]},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        World(Level.parse(FLAT), **options)


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "small"},
        {"mode": 1.5},
        {"time_limit": "long"},
        {"time_limit": 1.5},
        {"kill_events": 7},
        {"kill_events": [1]},
        {"kill_events": [("jump", 0)]},
        {"kill_events": [(1, 2, 3)]},
        {"physics": 3},
        {"rules": 3},
    ],
)
def test_options_of_the_wrong_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        World(Level.parse(FLAT), **options)


@pytest.mark.parametrize("level", [FLAT, None, 3])
def test_a_world_needs_a_level(level: Any) -> None:
    with pytest.raises(TypeError):
        World(level)


@pytest.mark.parametrize(
    "field", ["gravity", "creature_gravity", "jump_power", "ice", "wind", "tick_ms"]
)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e9, -1e9])
def test_physics_out_of_range_are_refused(field: str, value: float) -> None:
    with pytest.raises(OptionError, match=field):
        Physics(**{field: value})  # type: ignore[arg-type]


# ---- what is seen --------------------------------------------------------------------------------
#
# The grids once more, cell by cell from the description of the reference.

CENTRES = ("mario", "screen")


def scene_code(tile: int, detail: int) -> int:
    """What a tile looks like at this detail."""
    if tile in (0, 48, 49):
        return 0
    if detail == 2:
        return 0 if tile == 47 else 100
    if tile in (6, 7, 50, 51):
        return 22
    if tile in (8, 11):
        return 24
    if detail == 0:
        return tile + 16
    general = {17: (1, 2, 14), 19: (3, 4, 5), 34: (18, 19, 20, 21), 31: (15,), 59: (44, 45, 46)}
    return next((code for code, tiles in general.items() if tile in tiles), 0)


def enemy_code(kind: int, detail: int) -> int:
    """What a sprite looks like at this detail; details 0 and 1 are the same."""
    if kind in (12, 13, 15, 16):
        return 0 if detail == 2 else (16 if kind == 16 else 12)
    if detail == 2:
        return 1
    return 8 if kind in (8, 9, 11) else 2


def cell_of(pixel: float) -> int:
    """The cell of a centre: two divisions of which each rounds toward zero."""
    return int(math.trunc(pixel) / 16)


def first_cell(world: World, centre: str, size: tuple[int, int]) -> tuple[int, int]:
    """Column and row of the level that the field's first cell shows."""
    x, y = world.mario.x, world.mario.y
    if centre == "screen":
        x, y = float(np.float32(world.camera[0]) + np.float32(128)), 128
    return cell_of(x) - size[0] // 2, cell_of(y) - size[1] // 2


def clamped(value: int, length: int) -> int:
    return min(max(value, 0), length - 1)


def scene_of(
    world: World, detail: int, first: tuple[int, int], size: tuple[int, int], *, repeat_rows: bool
) -> NDArray[np.int32]:
    tiles = world.tiles
    width, height = tiles.shape
    seen = np.zeros(size, np.int32)
    for column in range(size[0]):
        for row in range(size[1]):
            i, j = first[0] + column, first[1] + row
            if repeat_rows or 0 <= j < height:
                tile = int(tiles[clamped(i, width), clamped(j, height)])
                seen[column, row] = scene_code(tile, detail)
    return seen


def put_sprites(
    world: World, detail: int, first: tuple[int, int], seen: NDArray[np.int32], *, over_zero: bool
) -> None:
    """Enters every sprite but Mario; the first column and the first row never show one."""
    for sprite in world.sprites:
        i, j = math.trunc(sprite.x / 16), math.trunc(sprite.y / 16)
        column, row = i - first[0], j - first[1]
        code = enemy_code(sprite.kind, detail)
        if i < 0 or j < 0 or not (0 < column < seen.shape[0] and 0 < row < seen.shape[1]):
            continue
        if code or over_zero:
            seen[column, row] = code


def naive(
    world: World, kind: str, detail: tuple[int, int], centre: str, size: tuple[int, int]
) -> NDArray[np.int32]:
    """A receptive field, made the slow way."""
    first = first_cell(world, centre, size)
    if kind == "scene":
        return scene_of(world, detail[0], first, size, repeat_rows=True)
    if kind == "enemies":
        seen = np.zeros(size, np.int32)
        put_sprites(world, detail[1], first, seen, over_zero=True)
        return seen
    seen = scene_of(world, detail[0], first, size, repeat_rows=False)
    put_sprites(world, detail[1], first, seen, over_zero=False)
    return seen


details = st.tuples(st.integers(0, 2), st.integers(0, 2))
sizes = st.just((16, 16)) | st.tuples(st.integers(1, 40), st.integers(1, 40))


@settings(deadline=None, max_examples=250)
@given(framework_game, details, st.sampled_from(CENTRES), sizes)
def test_grids_are_those_of_the_naive_model(
    game: Game, detail: tuple[int, int], centre: Any, size: tuple[int, int]
) -> None:
    world = game.world()
    before = world.hash()
    scene = world.observe("scene", detail=detail[0], centre=centre, size=size)
    enemies = world.observe("enemies", detail=detail[1], centre=centre, size=size)
    merged = world.observe("merged", detail=detail, centre=centre, size=size)
    np.testing.assert_array_equal(scene, naive(world, "scene", detail, centre, size))
    np.testing.assert_array_equal(enemies, naive(world, "enemies", detail, centre, size))
    np.testing.assert_array_equal(merged, naive(world, "merged", detail, centre, size))
    assert world.hash() == before


def edge_sizes(world: World, centre: str) -> list[tuple[int, int]]:
    """Sizes of fields whose first column or first row holds a sprite."""
    cx, cy = first_cell(world, centre, (1, 1))
    places = [(math.trunc(s.x / 16), math.trunc(s.y / 16)) for s in world.sprites]
    sizes = [(2 * (cx - i), 40) for i, _ in places] + [(40, 2 * (cy - j)) for _, j in places]
    return [size for size in sizes if min(size) > 0 and max(size) <= 128]


@quick
@given(framework_game, st.sampled_from(CENTRES))
def test_the_first_column_and_row_never_show_a_creature(game: Game, centre: Any) -> None:
    world = game.world()
    for size in edge_sizes(world, centre):
        seen = world.observe("enemies", detail=1, centre=centre, size=size)
        assert not seen[0].any()
        assert not seen[:, 0].any()
        np.testing.assert_array_equal(seen, naive(world, "enemies", (1, 1), centre, size))


CANNON_AND_FLOWER = """\
--------------------
--------------------
-B--?---------------
--------------------
----M--------------F
XXXXXXXXXXXXXXXXXXXX"""


def test_a_later_sprite_hides_an_earlier_one_even_where_it_shows_nothing() -> None:
    # Large Mario bumps out a fire flower; the bill of tick 100 comes before it in the list.
    world = World(Level.parse(CANNON_AND_FLOWER), mode=1)
    play(world, (0, 0, 0, *(16,) * 8, *(0,) * 90))
    hidden = 0
    while world.tick < 140:
        world.step(0)
        cells = [(math.trunc(s.x / 16), math.trunc(s.y / 16)) for s in world.sprites]
        for kind in ("enemies", "merged"):
            seen = world.observe(kind, detail=2 if kind == "enemies" else (0, 2))
            expected = naive(world, kind, (0, 2), "mario", (16, 16))
            np.testing.assert_array_equal(seen, expected)
        if len(set(cells)) < len(cells):
            hidden += 1
            assert not world.observe("enemies", detail=2).any()
    assert hidden == 4


@quick
@given(framework_game)
def test_the_default_grids_have_scene_detail_1_and_enemy_detail_0(game: Game) -> None:
    world = game.world()
    for kind in ("scene", "enemies", "merged"):
        expected = naive(world, kind, (1, 0), "mario", (16, 16))
        np.testing.assert_array_equal(world.observe(kind), expected)


@quick
@given(any_game)
def test_enemies_are_the_sprites_that_can_hurt(game: Game) -> None:
    world = game.world()
    mario = world.mario
    absolute, relative = world.enemies(), world.enemies(relative=True)
    listed = [(s.kind, s.x, s.y) for s in world.sprites if s.kind in ENEMY_KINDS]
    expected = np.array(listed, np.float32).reshape(-1, 3)
    np.testing.assert_array_equal(absolute, expected)
    expected[:, 1] -= np.float32(mario.x)
    expected[:, 2] -= np.float32(mario.y)
    np.testing.assert_array_equal(relative, expected)
    assert absolute.dtype == relative.dtype == np.float32


@quick
@given(framework_game)
def test_state_agrees_with_mario_and_result(game: Game) -> None:
    world = game.world()
    mario, result = world.mario, world.result()
    state = world.state()
    assert state.shape == (len(STATE_FIELDS),)
    expected = {
        **{name: getattr(mario, name) for name in ("x", "y", "vx", "vy", "mode", "on_ground")},
        **{name: getattr(mario, name) for name in ("may_jump", "ducking", "invulnerable")},
        **{name: getattr(result, name) for name in STATE_FIELDS if name.startswith("kills_")},
        "status": world.status,
        "may_shoot": mario.mode == 2 and mario.can_shoot and world.fireballs < 2,
        "carrying": False,
        "can_jump_higher": mario.jump_time > 0,
        "timer": world.timer,
        "coins": result.coins,
        "keys": 0,
    }
    assert set(expected) == set(STATE_FIELDS)
    for name, value in zip(STATE_FIELDS, state.tolist(), strict=True):
        assert value == float(np.float32(expected[name])), name


@quick
@given(any_game)
def test_result_agrees_with_the_world(game: Game) -> None:
    world = game.world()
    result = world.result()
    assert result.status == world.status
    assert result.remaining_time == world.timer
    assert result.mode == world.mario.mode
    assert (result.coins, result.lives) == (world.coins, world.lives)
    assert result.total_coins == world.level.total_coins
    assert result.ticks <= len(game.played)
    by_means = result.kills_by_fire + result.kills_by_stomp + result.kills_by_shell
    assert result.kills_total == by_means + result.kills_by_fall
    assert sum(result.kills_by_kind.values()) == by_means
