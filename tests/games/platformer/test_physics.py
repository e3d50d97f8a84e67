from __future__ import annotations

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, Physics, World, replay

FLAT = Level.parse("\n".join(["-" * 60] * 14 + ["-M" + "-" * 56 + "F-", "X" * 60]))
CREATURES = Level.parse(
    "\n".join(["-" * 40] * 6 + ["-M---g----k-----y---TT--F" + "-" * 15, "X" * 40])
)
RIGHT, RUN, JUMP = 2, 10, 16


def highest(physics: Physics) -> float:
    world = World(FLAT, physics=physics)
    top = world.mario.y
    for action in [0] * 3 + [JUMP] * 40:
        world.step(action)
        top = min(top, world.mario.y)
    return top


def test_the_defaults_change_no_bit() -> None:
    actions = bytes([0, 0, *[RUN] * 10, *[RUN | JUMP] * 9, *[RUN] * 100])
    plain, neutral = replay(CREATURES, actions), replay(CREATURES, actions, physics=Physics())
    assert plain.hash() == neutral.hash()


def test_less_gravity_and_more_power_jump_higher() -> None:
    normal = highest(Physics())
    assert highest(Physics(gravity=0.5)) < normal < highest(Physics(gravity=2))
    assert highest(Physics(jump_power=10)) < normal < highest(Physics(jump_power=3))


def distance(physics: Physics, action: int = RIGHT) -> float:
    world = replay(FLAT, bytes([action] * 30 + [0] * 20), physics=physics)
    return world.mario.x


def test_ice_slides_and_wind_pushes() -> None:
    normal = distance(Physics())
    assert distance(Physics(ice=0.08)) > normal
    assert distance(Physics(wind=0.05)) > normal > distance(Physics(wind=-0.05))


def test_frozen_creatures_stay_where_they_are() -> None:
    world = World(CREATURES, physics=Physics(frozen_creatures=True))
    before = [(s.kind, s.x) for s in world.sprites]
    for _ in range(50):
        world.step(0)
    assert before
    assert [(s.kind, s.x) for s in world.sprites] == before


def test_nobody_hurts_an_invulnerable_mario_but_falls_do() -> None:
    run = bytes([RUN] * 200)
    assert replay(CREATURES, run).status == 2
    spared = replay(CREATURES, run, physics=Physics(invulnerable=True))
    assert spared.status != 2
    assert spared.result().hurts > 0
    pit = Level.parse("M---F\nX----")
    assert replay(pit, run, physics=Physics(invulnerable=True)).status in (1, 2)


def test_creature_gravity_acts_on_creatures_alone() -> None:
    air = Level.parse(
        "\n".join(
            ["-" * 20, "------g-------------", *["-" * 20] * 12, "M------------------F", "X" * 20]
        )
    )
    light, heavy = (World(air, physics=Physics(creature_gravity=g)) for g in (0.5, 2))
    for world in (light, heavy):
        for _ in range(8):
            world.step(0)
    assert light.sprites[0].y < heavy.sprites[0].y
    assert light.mario == heavy.mario


@pytest.mark.parametrize(("tick_ms", "ticks"), [(30, 34), (100, 10), (1000, 1)])
def test_a_clock_second_lasts_as_many_ticks_as_asked_for(tick_ms: int, ticks: int) -> None:
    world = replay(FLAT, bytes(100), time_limit=1, physics=Physics(tick_ms=tick_ms))
    assert world.status == 3
    assert world.result().ticks == max(ticks - 1, 0)


@pytest.mark.parametrize(
    "options",
    [
        {"gravity": 0},
        {"gravity": float("nan")},
        {"creature_gravity": -1},
        {"jump_power": 31},
        {"ice": 0.2},
        {"wind": -0.2},
        {"ice": 0.08, "wind": 0.08},
        {"tick_ms": 0},
        {"tick_ms": 2.5},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        Physics(**options)  # type: ignore[arg-type]
