"""What programs are shown of the platformer: scenarios and observations as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from struct import Struct
from typing import Any

import numpy as np

from ludus.errors import ActionError
from ludus.games.platformer.codes import buttons_of

__all__ = [
    "PARTS",
    "describe_observation",
    "describe_scenario",
    "find_bits",
    "find_shown",
    "pack_observation",
]

GRIDS = ("scene", "enemies", "merged")
PARTS = ("timer", "coins", "reward", "mario", *GRIDS, "enemy_positions")
"""What an observation can hold besides its tick; the number of a part is its bit in frames."""

HEAD = Struct("<Ii")
NUMBER = Struct("<i")
SIZE = Struct("<HH")
COUNT = Struct("<I")
MARIO = Struct("<5f15i")
CLIMBS = "2010"


def describe_scenario(scenario: Any) -> dict[str, Any]:
    """Return what the agent may know of a scenario; the level is None where the task hides it."""
    level = scenario.level
    rules = level.rules if level is not None else scenario.rules
    values = {
        "name": scenario.name,
        "seed": scenario.seed,
        "rules": rules,
        "mode": scenario.mode,
        "time_limit": scenario.time_limit,
        "buttons": _describe_buttons(rules),
        "level": None if level is None else level.text,
    }
    for name in ("play", "plays"):
        if hasattr(scenario, name):
            values[name] = getattr(scenario, name)
    return values


def _describe_buttons(rules: str) -> dict[str, int]:
    buttons = {str(button.name).lower(): int(button) for button in buttons_of(rules)}
    return buttons if rules == CLIMBS else {k: v for k, v in buttons.items() if k != "up"}


def find_shown(observation: Any, wanted: Sequence[str] = PARTS) -> tuple[str, ...]:
    """Return which of the wanted parts an observation shows, in the order of :data:`PARTS`."""
    return tuple(part for part in PARTS if part in wanted and _is_shown(observation, part))


def _is_shown(observation: Any, part: str) -> bool:
    try:
        getattr(observation, part)
    except (ActionError, AttributeError):
        return False
    return True


def describe_observation(observation: Any, shown: Sequence[str]) -> dict[str, Any]:
    """Return the tick and the parts that are shown, as values that JSON can hold."""
    values: dict[str, Any] = {"tick": observation.tick}
    for part in shown:
        value = getattr(observation, part)
        if part == "mario":
            value = value._asdict()
        values[part] = value.tolist() if isinstance(value, np.ndarray) else value
    return values


@cache
def find_bits(shown: Sequence[str]) -> int:
    """Return the bits of some parts."""
    return sum(1 << PARTS.index(part) for part in shown)


def pack_observation(observation: Any, shown: Sequence[str]) -> bytes:
    """Return the tick and the parts that are shown, as the bytes of a frame."""
    packed = [HEAD.pack(find_bits(tuple(shown)), observation.tick)]
    packed += [_PACKERS[part](getattr(observation, part)) for part in shown]
    return b"".join(packed)


def _pack_mario(mario: Any) -> bytes:
    (x, y, vx, vy, mode, on_ground, was_on_ground, may_jump, ducking, can_shoot, jump_time,
     invulnerable, facing, height, alive, jump_start_x, listed, *pose) = mario  # fmt: skip
    return MARIO.pack(
        x, y, vx, vy, jump_start_x, mode, on_ground, was_on_ground, may_jump, ducking, can_shoot,
        jump_time, invulnerable, facing, height, alive, listed, *pose,
    )  # fmt: skip


def _pack_grid(grid: Any) -> bytes:
    return SIZE.pack(*grid.shape) + np.ascontiguousarray(grid, np.uint8).tobytes()


def _pack_places(places: Any) -> bytes:
    return COUNT.pack(len(places)) + np.ascontiguousarray(places, "<f4").tobytes()


_PACKERS: Mapping[str, Callable[[Any], bytes]] = {
    **dict.fromkeys(("timer", "coins", "reward"), NUMBER.pack),
    **dict.fromkeys(GRIDS, _pack_grid),
    "mario": _pack_mario,
    "enemy_positions": _pack_places,
}
