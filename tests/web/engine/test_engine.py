"""The engines in WebAssembly do what the native ones do, bit for bit."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from tests.web.engine.node import Node
from tests.web.engine.plays import Play, all_plays, find_difference

from ludus.games.platformer import Level, World
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.levels.metrics import describe
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.pictures import frame, level_picture
from ludus.games.platformer.scenario import level_to_dict
from ludus.games.worm.native_task import native_constants
from ludus.games.worm.world import World as WormWorld

#: One recording in so many is played; ``python -m tests.web.engine.plays`` plays all.
STEP = 60


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    node = Node()
    yield node
    node.close()


@pytest.fixture(scope="module")
def plays() -> list[Play]:
    return list(all_plays(STEP))


def test_recorded_plays_of_every_rule_set_have_the_same_rows(node: Node, plays: list[Play]) -> None:
    assert {play.level.rules for play in plays} == {"framework", "2009", "2010", "ludus"}
    assert not [found for play in plays if (found := find_difference(play, node))]


def test_a_difference_is_found(node: Node, plays: list[Play]) -> None:
    play = plays[0]
    rows = [*play.rows[:3], play.rows[3] ^ 1, *play.rows[4:]]
    changed = replace(play, read_rows=rows.copy)
    assert find_difference(changed, node) == f"{play.name}: row 3 differs"


def test_states_are_saved_loaded_and_cloned(node: Node, plays: list[Play]) -> None:
    for play in plays[::5]:
        at = len(play.actions) // 2
        found = node.ask("branch", **play.question, at=at)
        before = replace(play, actions=play.actions[:at])
        end = f"{play.world.hash():016x}"
        halfway = f"{before.world.hash():016x}"
        assert found == {"first": end, "restored": halfway, "again": end, "copy": end}


def test_a_track_can_be_shown_at_any_tick(node: Node, plays: list[Play]) -> None:
    chance = random.Random(3)
    for play in plays[::8]:
        length = len(play.actions)
        ticks = [chance.randint(0, length) for _ in range(12)] + [length + 99, 0, -5]
        found = node.ask("seek", **play.question, ticks=ticks)
        for tick, digest in zip(ticks, found["digests"], strict=True):
            actions = play.actions[: max(tick, 0)]
            world = replace(play, actions=actions).world
            assert digest == f"{world.hash():016x}", (play.name, tick)
        assert found["ticks"] == length
        assert found["path"][-1] == list(play.world.mario[:2])
        assert not found["equal"], "an empty digest is nobody's"


def test_a_page_sees_what_python_sees(node: Node, plays: list[Play]) -> None:
    for play in plays[::7]:
        world, seen = play.world, node.ask("look", **play.question)
        for name, value in world.mario._asdict().items():
            assert seen["mario"][name] == value, name
        assert [s["kind"] for s in seen["sprites"]] == [s.kind for s in world.sprites]
        assert [s["x"] for s in seen["sprites"]] == [s.x for s in world.sprites]
        assert [tuple(p.values()) for p in seen["platforms"]] == world.platforms
        assert [e["kind"] for e in seen["events"]] == [e.kind for e in world.events]
        facts = seen["facts"]
        assert (facts["camera_x"], facts["camera_y"]) == world.camera
        assert (facts["tick"], facts["timer"], facts["coins"]) == (
            world.tick,
            world.timer,
            world.coins,
        )
        assert seen["result"]["jumps"] == world.result().jumps
        assert seen["tiles"] == world.tiles.ravel().tolist()
        merged = world.observe("merged", detail=(1, 0), size=19)
        assert seen["merged"] == merged.ravel().tolist()


def recipes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield 200 recipes of all native generators."""
    chance = random.Random(5)
    for number in range(50):
        seed = chance.randrange(2**31)
        common = {"seed": seed, "difficulty": chance.randrange(12)}
        yield "notch-2009", {**common, "type": number % 3, "width": chance.randrange(64, 300)}
        yield "notch-framework", {**common, "type": number % 3, "width": chance.randrange(32, 200)}
        creatures = ("off", "", "g:5,rkw", "gk s:2 gww f")[number % 4]
        yield "tunable-2010", {
            **common, "width": chance.randrange(64, 256), "creatures": creatures,
            "dead_ends": number % 2 == 0, "ladders": number % 3 == 0, "hidden_blocks": True,
        }  # fmt: skip
        yield "ludus", {**common, **ludus_knobs(chance, number)}


def ludus_knobs(chance: random.Random, number: int) -> dict[str, Any]:
    """Return knobs of the generator of Ludus, those of physics and looks among them."""
    knobs: dict[str, Any] = {
        "seed": chance.choice((2**53 - 1, number)),
        "length": chance.randrange(60, 240),
        "type": ("overground", "underground", "castle")[number % 3],
        "gaps": chance.randrange(101),
        "creatures": chance.randrange(101),
        "ladders": chance.randrange(40),
    }
    if number % 4 == 1:
        knobs |= {"gravity": round(chance.uniform(0.2, 3), 3), "wind": 0.03}
    if number % 5 == 1:
        knobs |= {"jump_power": 11.5, "height": 24, "ice": 0.05, "spiky_count": 3}
    if number % 6 == 1:
        knobs |= {"impossible": True, "ceiling": False, "exit_row": None, "time_limit": 90}
    return knobs


def test_generators_make_the_same_levels(node: Node) -> None:
    made = list(recipes())
    assert len(made) == 200
    for generator, options in made:
        wanted = generate(generator, **options)
        found = node.ask("generate", generator=generator, options=options)
        assert found["level"] == level_to_dict(wanted), (generator, options)
        assert found["time_limit"] == wanted.time_limit


def test_measures_are_those_of_python(node: Node) -> None:
    for generator, options in list(recipes())[:16]:
        level = generate(generator, **options)
        found = node.ask("measure", level=level_to_dict(level))
        wanted = describe(level)
        creatures = sum(wanted.creatures.values())
        assert found.pop("creatures") == creatures
        for name, value in found.items():
            assert value == pytest.approx(getattr(wanted, name)), (generator, name)


def test_the_solver_finds_the_same_way(node: Node) -> None:
    level = bundled_level("sprint-01")
    wanted = solve(level, budget=20_000)
    found = node.ask("solve", level=level_to_dict(level), time_limit=0, budget=20_000)
    assert wanted.outcome == "solved"
    assert found == {
        "outcome": wanted.outcome,
        "nodes": wanted.nodes,
        "actions": base64.b64encode(wanted.actions).decode(),
    }


@pytest.mark.parametrize(
    "task", ["foraging-small@head", "oxygen-thermal-pursuit-large@head", "c3-continuous@head"]
)
def test_a_worm_goes_the_same_way(node: Node, task: str) -> None:
    chance = random.Random(task)
    world = WormWorld(task, 2**63 + 7)
    steered = world.task.substrate == "continuous"
    actions: list[Any] = []
    rewards: list[float] = []
    while not world.ended and len(actions) < 300:
        steering = [float(np.float32(chance.random())), float(np.float32(chance.uniform(-1, 1)))]
        actions.append(steering if steered else chance.choice((0, 0, 1, 2, 3)))
        rewards.append(world.step(actions[-1]))
    terms = native_constants(world.task)
    found = node.ask("worm", terms=terms, seed=str(world.seed), actions=actions)
    assert found["digest"] == f"{world.hash():016x}"
    assert found["rewards"] == rewards
    assert {name: float(value) for name, value in found["figures"].items()} == world.figures()
    assert (found["facts"]["x"], found["facts"]["y"]) == world.worm
    assert found["foods"] == world.foods.ravel().tolist()
    assert found["predators"] == world.predators.ravel().tolist()
    grid = np.linspace(0, world.task.size - 1, 5)
    scents = world.concentration(*np.meshgrid(grid, grid))
    assert found["scents"] == pytest.approx(scents.ravel().tolist())


def test_pictures_are_the_same_pixel_for_pixel(node: Node, plays: list[Play]) -> None:
    for number, play in enumerate(plays[::3]):
        theme = (None, "underground", "castle")[number % 3]
        cut = replace(play, actions=play.actions[: number * 47])
        wanted = [frame(cut.world, theme=theme), level_picture(play.level, theme=theme)]
        found = node.ask("picture", **cut.question, theme=theme)
        for picture, rgb in zip(found, wanted, strict=True):
            assert (picture["height"], picture["width"]) == rgb.shape[:2]
            assert picture["crc"] == crc32(rgb.tobytes()), (play.name, theme)


@pytest.mark.parametrize(
    ("level", "options"),
    [
        ({"text": "M-F\nXX", "rules": "framework"}, {}),
        ({"text": "", "rules": "framework"}, {}),
        ({"text": "M-F\nXXX", "rules": "chess"}, {}),
        ({"text": "M-F\nXXX", "rules": "framework"}, {"mode": 7}),
        ({"text": "M-F\nXXX", "rules": "framework"}, {"kill_events": [[99, 0]]}),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(
    node: Node, level: dict[str, Any], options: dict[str, Any]
) -> None:
    reason = node.ask("refuse", level=level, **options)
    assert reason
    assert "\n" not in reason


def test_errors_are_written_as_the_native_engine_writes_them(node: Node) -> None:
    physics = {
        "gravity": 9.25, "creature_gravity": 1, "jump_power": 7, "ice": 0, "wind": 0,
        "frozen_creatures": False, "invulnerable": False, "tick_ms": 30,
    }  # fmt: skip
    level = {"text": "M-F\nXXX", "rules": "framework", "physics": physics}
    assert node.ask("refuse", level=level) == "gravity 9.25 is out of range: give 0.1 to 4"
    with pytest.raises(ValueError, match="mode 7") as native:
        World(Level.parse("M-F\nXXX"), 7)
    assert node.ask("refuse", level={**level, "physics": None}, mode=7) == str(native.value)
