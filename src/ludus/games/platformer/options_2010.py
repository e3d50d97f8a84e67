"""The options of the benchmark of 2010 that act on its games, or on what its agents see."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ludus.errors import OptionError

__all__ = ["Options2010"]

_FLAGS = {
    "-mm": "mode",
    "-tl": "time_limit",
    "-mgr": "gravity",
    "-cgr": "creature_gravity",
    "-jp": "jump_power",
    "-w": "wind",
    "-ice": "ice",
    "-fc": "frozen_creatures",
    "-i": "invulnerable",
    "-pr": "power_restoration",
    "-stop": "stopped",
    "-ld": "difficulty",
    "-gmm": "green_mushrooms",
    "-mix": "start_x",
    "-miy": "start_y",
    "-vw": "screen_width",
    "-vh": "screen_height",
    "-rfw": "field_width",
    "-rfh": "field_height",
    "-mer": "ego_row",
    "-mec": "ego_column",
    "-zs": "tile_detail",
    "-ze": "entity_detail",
}
_ON = ("on", "true")
_LONGEST = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Options2010:
    """What a game of the rules ``2010`` can be set to; the defaults are the benchmark's.

    Options of the level (``-ls``, ``-le`` …) and of pictures may stand in a text; they change
    nothing here. The level is made before the game.

    Attributes:
        mode: ``-mm``: Mario starts 0 small, 1 large, 2 with fire.
        time_limit: ``-tl``: seconds of 15 ticks; 0 means no limit.
        gravity: ``-mgr``: factor on Mario's fall; jumps get shorter as it grows. 0.1 to 10.
        creature_gravity: ``-cgr``: factor on the fall of creatures and shells. 0 to 10.
        jump_power: ``-jp``: ticks of thrust at gravity 1. 0 to 100.
        wind: ``-w``: added to the share of speed that Mario and walkers keep while they face right,
            taken from it while they face left. -1 to 1.
        ice: ``-ice``: added to that share. -1 to 1.
        frozen_creatures: ``-fc``: walkers, piranhas and wave goombas stay where they are.
        invulnerable: ``-i``: creatures cannot hurt Mario.
        power_restoration: ``-pr``: SPEED gives Mario fire.
        stopped: ``-stop``: nothing moves.
        difficulty: ``-ld``: above 4 one power-up in five is a green mushroom.
        green_mushrooms: ``-gmm``: 0 if they hurt, another number if they kill.
        start_x: ``-mix``: where Mario starts, in pixels.
        start_y: ``-miy``: how high.
        screen_width: ``-vw``: pixels; what is far beside the screen is gone.
        screen_height: ``-vh``: pixels.
        field_width: ``-rfw``: columns that an agent sees.
        field_height: ``-rfh``: rows that an agent sees.
        ego_row: ``-mer``: Mario's row in them. 9 is in the middle, whatever the size.
        ego_column: ``-mec``: Mario's column in them.
        tile_detail: ``-zs``: 0 tells all tiles apart, 2 something from nothing.
        entity_detail: ``-ze``: the same of entities.

    Example:
        >>> Options2010.parse("-ld 3 -mgr 0.5 -i on -ls 12").gravity
        0.5
    """

    mode: int = 2
    time_limit: int = 200
    gravity: float = 1.0
    creature_gravity: float = 1.0
    jump_power: float = 7.0
    wind: float = 0.0
    ice: float = 0.0
    frozen_creatures: bool = False
    invulnerable: bool = False
    power_restoration: bool = False
    stopped: bool = False
    difficulty: int = 0
    green_mushrooms: int = 0
    start_x: int = 32
    start_y: int = 32
    screen_width: int = 320
    screen_height: int = 240
    field_width: int = 19
    field_height: int = 19
    ego_row: int = 9
    ego_column: int = 9
    tile_detail: int = 0
    entity_detail: int = 0

    tick_ms: ClassVar[int] = 30
    """The clock of these rules is not set in milliseconds; worlds ask for the number."""

    @classmethod
    def parse(cls, text: str) -> Options2010:
        """Read a text of the benchmark, such as ``"-ld 3 -mm 0 -ice 0.05"``; later options win.

        Raises:
            OptionError: The text is no pairs of flags and values, or a value is of another kind.
        """
        if not isinstance(text, str):
            raise OptionError(f"options {text!r:.60} are no text: try options='-ld 3 -mm 0'")
        words = text[:_LONGEST].split()
        if len(words) % 2:
            raise OptionError(f"options come in pairs: {words[-1]!r:.60} has no value")
        for flag in words[::2]:
            if not flag.startswith("-"):
                raise OptionError(f"{flag!r:.60} is no flag: give pairs such as -ld 3")
        pairs = zip(words[::2], words[1::2], strict=True)
        return cls(**{_FLAGS[flag]: _read(flag, text) for flag, text in pairs if flag in _FLAGS})

    def to_text(self) -> str:
        """Return the options that are not the defaults as a text that :meth:`parse` reads."""
        names = {name: flag for flag, name in _FLAGS.items()}
        changed = [
            (names[f.name], getattr(self, f.name))
            for f in fields(self)
            if getattr(self, f.name) != f.default
        ]
        return " ".join(f"{flag} {_show(value)}" for flag, value in changed)


def _show(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


_KINDS: dict[str, type] = {f.name: type(f.default) for f in fields(Options2010)}


def _read(flag: str, value: str) -> Any:
    kind = _KINDS[_FLAGS[flag]]
    if kind is bool:
        return value in _ON
    read: Callable[[str], float] = kind
    try:
        number = read(value)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise OptionError(f"{flag} {value!r:.40} is not {wanted}") from None
    if not math.isfinite(number) or abs(number) >= 2**31:
        raise OptionError(f"{flag} {value!r:.40} is out of range")
    return number
