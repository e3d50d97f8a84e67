"""Writes a game as readable text, so that a change of the engine shows as a diff.

`python -m tests.golden.transcripts` writes the transcripts anew; look at the diff then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ludus.games.platformer import EventKind, Kind, Level, Status, World, trace_row
from ludus.games.platformer.codes import buttons_of

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


#: The bytes of a map and the creatures of 2009 (kind, wings) by the characters of MAPS.
MAP_BYTES = {"X": 0x81, "S": 0x10, "@": 0x16, "Q": 0x15, "o": 0x22, "#": 0x09, "%": 0x85, "B": 0x0E}
CREATURES = {"r": (0, 0), "k": (1, 0), "g": (2, 0), "G": (2, 1), "y": (3, 0), "T": (4, 0)}

#: The same as GAMES, of the rules 2009; the rows are the lowest of fifteen
MAPS: dict[str, tuple[int, int, list[str], str]] = {
    "walls_and_shells": (
        1,
        20,
        [
            "---------------------------------",
            "----------o----------------------",
            "---------SQ@---------------------",
            "-----------------%%%-------------",
            "-----------------------#---------",
            "-----------------------#---------",
            "------------k---g--r---#---------",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
        ],
        "9RS 12J 12LJ 1LSJ 15LJ 8RS 2RS 4L 16LSJ 8LS 10L 4SJ 8. 7LS 11RS 9RS 7SJ 7RS 7RJ 15RS 2RJ",
    ),
    "out_of_time": (
        0,
        2,
        ["-----", "-----", "XXXXX", "XXXXX"],
        "60R",
    ),
}


#: Bytes and creatures of 2010 by the characters of OPTIONS; a multi-coin block gives three coins
BYTES_2010 = MAP_BYTES | {"l": 0x3D, "^": 0x5D, "m": 0x17, "h": 0x01}
CREATURES_2010 = {"g": 80, "k": 81, "r": 82, "w": 98, "T": 91, "K": 96, "F": 49}

#: Options of the benchmark of 2010, the lowest rows of fifteen, and the buttons held
OPTIONS: dict[str, tuple[str, list[str], str]] = {
    "ladder_and_green_mushroom": (
        "-mm 1 -tl 30 -ld 7 -jp 8 -w 0.02",
        [
            "---------------------------------",
            "----------------^----------------",
            "----------------l----w-----------",
            "-----h-m@-------l----------------",
            "----------------l----------------",
            "----------------l----------------",
            "----------------l----------r---F-",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
            "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
        ],
        "12. 8R 6. 9J 9. 5R 9J 7. 9J 8. 9J 9. 6R 6. 9J 16. 16R 5. 6RU 12U 5D 8U 9. 20RSJ 9RS",
    ),
}


def script(text: str, rules: str) -> Iterator[int]:
    """Yields the action of every tick."""
    for held, buttons in re.findall(r"(\d+)([LRDSJU.]+)", text):
        for _ in range(int(held)):
            yield sum(int(button) for button in buttons_of(rules) if str(button.name)[0] in buttons)


def map_level(rows: list[str]) -> Level:
    """Return the level of 2009 that ends with these rows."""
    rows = ["-" * len(rows[0])] * (15 - len(rows)) + rows
    return Level.from_record(
        {
            "gen": "soup",
            "width": len(rows[0]),
            "height": len(rows),
            "exit": [len(rows[0]) - 2, 12],
            "rows": [bytes(MAP_BYTES.get(cell, 0) for cell in row).hex() for row in rows],
            "sprites": [
                [column, row, *CREATURES[cell]]
                for row, cells in enumerate(rows)
                for column, cell in enumerate(cells)
                if cell in CREATURES
            ],
        }
    )


def level_2010(rows: list[str]) -> Level:
    """Return the level of 2010 that ends with these rows; the exit is where the princess is."""
    rows = ["-" * len(rows[0])] * (15 - len(rows)) + rows
    cells = [
        (column, row, cell) for row, line in enumerate(rows) for column, cell in enumerate(line)
    ]
    return Level.from_record(
        {
            "gen": "marioai4j+edits",
            "width": len(rows[0]),
            "height": len(rows),
            "exit": next([column, row] for column, row, cell in cells if cell == "F"),
            "rows": [bytes(BYTES_2010.get(cell, 0) for cell in row).hex() for row in rows],
            "data": [[column, row, -2] for column, row, cell in cells if cell == "m"],
            "sprites": [[x, y, CREATURES_2010[c]] for x, y, c in cells if c in CREATURES_2010],
        }
    )


def game(name: str) -> tuple[World, list[str], str]:
    """Return the world of a game at its start, its rows and the buttons to hold."""
    if name in OPTIONS:
        options, rows, held = OPTIONS[name]
        return World(level_2010(rows), options=options), rows, held
    mode, time_limit, rows, held = GAMES[name] if name in GAMES else MAPS[name]
    level = Level.parse("\n".join(rows)) if name in GAMES else map_level(rows)
    return World(level, mode, time_limit), rows, held


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
    names = [str(button.name) for button in buttons_of(world.rules) if act & button]
    buttons = "".join(name[0] for name in names)
    return (
        f"{world.tick:4} {buttons or '.':5} x {number(m.x)} y {number(m.y)} vx {number(m.vx)} "
        f"vy {number(m.vy)} mode {m.mode} {flags} inv {m.invulnerable} pause {world.pause} "
        f"timer {world.timer} coins {world.coins}{competition_words(world)}"
    )


def competition_words(world: World) -> str:
    """Return what only worlds of a competition know of Mario."""
    if world.rules == "framework":
        return ""
    row = trace_row(world)
    if world.rules == "2010":
        names = {"jt": "jump", "sl": "slide", "car": "carrying", "ol": "ladder", "rew": "reward"}
        return "".join(f" {word} {row[column]}" for column, word in names.items())
    return f" jump {row['jumpT']} slide {row['slide']} carried {row['carried']}"


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
    world, rows, held = game(name)
    lines = [*rows, "", mario_line(world, 0), *extra_lines(world)]
    for act in script(held, world.rules):
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
    for name in (*GAMES, *MAPS, *OPTIONS):
        (HERE / f"{name}.txt").write_text(transcript(name), encoding="utf-8")
