"""Writes a game as readable text, so that a change of the engine shows as a diff.

`python -m tests.golden.transcripts` writes the transcripts anew; look at the diff then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ludus.games.platformer import Button, EventKind, Kind, Level, Status, World

HERE = Path(__file__).parent

#: name: mode, time limit, rows, and the buttons held for so many ticks ("." for none)
GAMES: dict[str, tuple[int, int, list[str], str]] = {
    "walkers": (
        1,
        20,
        [
            "--------------------------------",
            "--------------------------------",
            "--------------------------------",
            "-M----g---k---R---y---G-------F-",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
        ],
        "3. 12R 9RJ 10R 8RSJ 40RS",
    ),
    "blocks": (
        0,
        0,
        [
            "--------------------------------",
            "-----o------------1-------------",
            "----SS@CUL------2---------------",
            "--------------------------------",
            "--------------------------------",
            "-M---------------------TT-----F-",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
        ],
        "3. 9R 9J 6. 9R 3. 9J 20. 6R 9J 8. 5R 9J 8. 6R 9J 30. 12R 9J 9. 8R 9J 20. 30RS 12RSJ 20RS",
    ),
    "fire": (
        2,
        6,
        [
            "--------------------------------------",
            "----------------%%%%%%%---------------",
            "----------------||||||||--------------",
            "-M---k--g----B--||||||||---#-y--K---F-",
            "XXXXXXXXXXXXXXXXXXXXX--XXXXXXXXXXXXXXX",
        ],
        "3. 1S 1. 1S 10R 6D 9RJ 12RS 10RSJ 16RS 8L 9RSJ 20RS 200.",
    ),
    "fall": (0, 0, ["-M----g----", "XXXX----XXX"], "60R"),
}


def script(text: str) -> Iterator[int]:
    """Yields the action of every tick."""
    for held, buttons in re.findall(r"(\d+)([LRDSJ.]+)", text):
        for _ in range(int(held)):
            yield sum(int(button) for button in Button if str(button.name)[0] in buttons)


def number(value: float) -> str:
    """Return the shortest text that gives the same single-precision number."""
    return str(np.float32(value))


def mario_line(world: World, act: int) -> str:
    m = world.mario
    flags = "".join(
        letter if on else "-"
        for letter, on in zip(
            "gjdsa", (m.on_ground, m.may_jump, m.ducking, m.can_shoot, m.alive), strict=True
        )
    )
    buttons = "".join(str(button.name)[0] for button in Button if act & button)
    return (
        f"{world.tick:4} {buttons or '.':5} x {number(m.x)} y {number(m.y)} vx {number(m.vx)} "
        f"vy {number(m.vy)} mode {m.mode} {flags} inv {m.invulnerable} pause {world.pause} "
        f"timer {world.timer} coins {world.coins}"
    )


def extra_lines(world: World) -> list[str]:
    lines = [
        f"       {Kind(s.kind).name.lower()}{' winged' if s.winged else ''} x {number(s.x)} "
        f"y {number(s.y)} vx {number(s.vx)} vy {number(s.vy)} facing {s.facing} aux {s.aux}"
        for s in world.sprites
    ]
    return lines + [
        f"     ! {EventKind(e.kind).name} {e.param} at {number(e.x)} {number(e.y)}"
        for e in world.events
    ]


def transcript(name: str) -> str:
    mode, time_limit, rows, held = GAMES[name]
    world = World(Level.parse("\n".join(rows)), mode, time_limit)
    lines = [*rows, "", mario_line(world, 0), *extra_lines(world)]
    for act in script(held):
        if world.status == Status.RUNNING:
            world.step(act)
            lines += [mario_line(world, act), *extra_lines(world)]
    result = world.result()._asdict()
    lines += [
        "",
        *(f"{key} {number(v) if isinstance(v, float) else v}" for key, v in result.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in GAMES:
        (HERE / f"{name}.txt").write_text(transcript(name), encoding="utf-8")
