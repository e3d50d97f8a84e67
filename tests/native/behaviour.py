"""Plays a fixed suite under each rule set and digests all that can be seen of it.

    python -m tests.native.behaviour    write the digests to behaviour.json

A rule set whose digest changes behaves differently: give it a new version, then write again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from ludus.games import platformer, worm
from ludus.games.platformer import Level, Physics, World, trace_row
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import bundled_levels
from ludus.games.worm import World as WormWorld
from ludus.games.worm import find_task, tasks

RECORD = Path(__file__).with_name("behaviour.json")
TICKS = 600
STEPS = 200
LOOK_EVERY = 50
#: The fields that all rule sets have; rows of recordings tell the others.
MARIO_FIELDS, SPRITE_FIELDS = 17, 9

ELEMENTS = """\
--------------------------------------------------
-------------------l------------------------------
-----N-------------lXXXXX-----------......==------
-----N----:--------l------------------------------
-----N----:--------l----------HHH-----------------
-----N----v--------l----h-----H-H------n----------
--XXXXX------------l---XXX----HoH---SSS?SS--------
-------------------l----------HHH-----------------
---------n---------l---g--------------------P-----
M-h----XXXX--i-----l------k-----j---y-------P---F-
-------XXXXI-----z-l--..==..----J---T---p---P-----
XXXXXXXXXXXXXXXXXXXXXX------XXXXXXXXXXXXXXXXXXXXXX
"""
"""Every element of the rule set ``ludus`` in a small room."""

SOLID = """\
-------------------------------------------
----2----1------------U---L----------------
-------------------------------------------
---SCQ?S----SSS---%%%------SCS-------------
----------------------------------tT-------
M---g--K---k-R---Y----B--oo-------TT-G---F-
XXXXXXXXXXXXXXXXXXXX--XXXXXXXXXXXXXXXXXXXXX
"""


def held_actions(seed: int, *, eager: bool, buttons: int = 5) -> Iterator[int]:
    """Yield random actions, each held for a while; eager players keep to the right."""
    chance = random.Random(seed)
    while True:
        action = chance.getrandbits(buttons)
        if eager:
            action = (action & ~5) | 2
        yield from [action] * (1 + chance.getrandbits(4))


def scripted_actions() -> Iterator[int]:
    """Yield a run to the right with a long jump every 24 ticks, and back for a while."""
    while True:
        for tick in range(240):
            way = 2 if tick < 192 else 1
            yield way | 8 * (tick % 48 < 40) | 16 * (tick % 24 < 12) | 4 * (tick % 100 == 99)


def levels_of_2009() -> list[Level]:
    """Return levels of all types, most of them full of creatures."""
    generated = (generate("notch-2009", seed=k, difficulty=4 * k, type=k % 3) for k in range(6))
    return [Level.from_reference(level.reference) for level in generated if level.reference]


OPTIONS_2010 = (
    "-ld 2 -le g,gw,gk,gkw,rk,rkw,s,sw,gww",
    "-ld 6 -lde on -lla on -lhb on -le g,rk,gkw,gww -gmm 1",
    "-ld 4 -lt 1 -le gk,s -w 0.1 -ice -0.05 -jp 9",
    "-ld 8 -lt 2 -lla on -mgr 0.6 -cgr 0.5 -le rkw,sw,gww -i on -pr on",
    "-ld 3 -fc on -le g,gk,rk,gww -vw 256 -vh 224 -rfw 11 -rfh 7",
)


def levels_of_2010() -> list[Level]:
    """Return levels with ladders, hidden blocks and all creatures, and options of the physics."""
    generated = (generate("tunable-2010", options=f"{o} -ll 120 -ls 7") for o in OPTIONS_2010)
    return [
        Level.from_reference(level.reference).with_options(options)
        for level, options in zip(generated, OPTIONS_2010, strict=True)
        if level.reference
    ]


def platformer_levels(rules: str) -> list[Level]:
    """Return the levels of the suite for a rule set."""
    if rules == "2009":
        return levels_of_2009()
    if rules == "2010":
        return levels_of_2010()
    physics = Physics(gravity=0.6, ice=0.05, wind=0.02, invulnerable=True, tick_ms=25)
    hand_made = [Level.parse(SOLID, rules=rules), Level.parse(SOLID, rules=rules, physics=physics)]
    if rules == "framework":
        generated = [generate("notch-framework", seed=k, difficulty=3 * k) for k in range(3)]
        return [*hand_made, *generated, *bundled_levels()[:3]]
    odds: dict[str, Any] = dict.fromkeys(
        ("ladders", "moving_platforms", "switches", "keys", "puzzles"), 60
    )
    generated = [
        Level.parse(generate("ludus", seed=k, difficulty=k, **odds).text, rules=rules)
        for k in range(5)
    ]
    frozen = Physics(frozen_creatures=True, jump_power=9)
    return [
        *hand_made,
        Level.parse(ELEMENTS, rules=rules),
        Level.parse(ELEMENTS, rules=rules, physics=frozen),
        *generated,
    ]


def look_at(world: World, *, closely: bool) -> Iterator[object]:
    """Yield what a world shows after a tick."""
    yield world.status, world.tick, world.timer, world.pause, world.coins, world.lives
    yield world.camera, world.keys, tuple(world.mario)[:MARIO_FIELDS]
    yield [tuple(sprite)[:SPRITE_FIELDS] for sprite in world.sprites]
    yield [tuple(event) for event in world.events]
    if world.level.reference:
        yield trace_row(world)
    if closely:
        yield [tuple(platform) for platform in world.platforms]
        yield world.tiles.tobytes(), world.state().tobytes()
        yield world.observe("merged", detail=(0, 1)).tobytes()
        yield world.observe("scene", detail=2, centre="screen").tobytes()
        yield world.enemies().tobytes()
        yield tuple(world.forward_model().mario)[:MARIO_FIELDS]
        yield tuple(world.result())


def play_platformer(level: Level, actions: Iterator[int], mode: int) -> Iterator[object]:
    """Yield what worlds of a level show, one after the other, for the suite's ticks."""
    world = World(level, mode=mode, time_limit=60)
    for tick in range(TICKS):
        if world.status:
            yield tuple(world.result())
            world = World(level, mode=mode, time_limit=60)
        world.step(next(actions))
        yield from look_at(world, closely=tick % LOOK_EVERY == 0)


def platformer_facts(rules: str) -> Iterator[object]:
    """Yield everything that the suite shows of a rule set of the platformer."""
    buttons = 6 if rules == "2010" else 5
    for number, level in enumerate(platformer_levels(rules)):
        players = (
            held_actions(number, eager=True, buttons=buttons),
            held_actions(-number, eager=False, buttons=buttons),
        )
        for mode, actions in enumerate((*players, scripted_actions())):
            yield from play_platformer(level, actions, mode)


def worm_facts() -> Iterator[object]:
    """Yield everything that the suite shows of the worm's rules."""
    recorded = (name for name in tasks() if not name.endswith("@head2"))  # golden plays guard those
    for number, name in enumerate(sorted(recorded)):
        world, chance = WormWorld(find_task(name), number), random.Random(number)
        for _ in range(STEPS):
            if world.ended:
                break
            yield world.step(chance.randrange(4))
            yield world.worm, world.heading, world.features.tobytes(), world.foods.tobytes()
            yield world.predators.tobytes(), list(world.figures().values())


def digest_of(facts: Iterator[object]) -> str:
    """Return one digest over facts in their order."""
    digest = sha256()
    for fact in facts:
        digest.update(repr(fact).encode())
    return digest.hexdigest()


def digest_levels(rules: str) -> str:
    """Return a digest of what is played: it changes with the generators, not with the rules."""
    return digest_of(level.text for level in platformer_levels(rules))


def measure_behaviour() -> dict[str, dict[str, object]]:
    """Return the version of each rule set, what it was played on, and a digest of its play."""
    measured: dict[str, dict[str, object]] = {}
    for name, version in platformer.rule_sets().items():
        play = digest_of(platformer_facts(name))
        measured[name] = {"version": version, "levels": digest_levels(name), "play": play}
    for name, version in worm.rule_sets().items():
        measured[name] = {"version": version, "play": digest_of(worm_facts())}
    return measured


if __name__ == "__main__":
    RECORD.write_text(json.dumps(measure_behaviour(), indent=2) + "\n")
