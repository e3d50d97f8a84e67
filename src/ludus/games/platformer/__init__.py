r"""The platformer: levels, worlds, forward models, environments and pictures.

Example:
    >>> from ludus.games.platformer import Level, World
    >>> world = World(Level.parse("M-------F\nXXXXXXXXX"), time_limit=20)
    >>> while world.status == 0:
    ...     _ = world.step(2 + 8)  # RIGHT + SPEED
    >>> world.result().completion
    1.0

    A forward model plays ahead and leaves the world as it is:

    >>> world = World(Level.parse("M-------F\nXXXXXXXXX"))
    >>> model = world.forward_model()
    >>> for _ in range(10):
    ...     _ = model.advance(Button.RIGHT)
    >>> model.mario.x > world.mario.x, model.tick - world.tick
    (True, 10)
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError, show_value
from ludus.games.platformer import codes, records
from ludus.games.platformer._native import (
    ForwardModel,
    World,
    build_info,
    digest_version,
    rule_sets,
)
from ludus.games.platformer.codes import Button, EventKind, Kind, Status
from ludus.games.platformer.evaluation import (
    WEIGHTS_2010,
    Evaluation2009,
    Evaluation2010,
    evaluate,
    trace_row,
)
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.records import Event, Mario, Platform, Result, Sprite

__all__ = [
    "WEIGHTS_2010",
    "Button",
    "Evaluation2009",
    "Evaluation2010",
    "Event",
    "EventKind",
    "ForwardModel",
    "Kind",
    "Level",
    "Mario",
    "Options2010",
    "Physics",
    "Platform",
    "Result",
    "Sprite",
    "Status",
    "World",
    "build_info",
    "codes",
    "digest_version",
    "engine_hash",
    "evaluate",
    "records",
    "replay",
    "rule_sets",
    "trace_row",
]


def replay(
    level: Level,
    actions: bytes | Iterable[int] | NDArray[np.uint8],
    mode: int | None = None,
    time_limit: int | None = None,
    kill_events: Iterable[tuple[int, int]] = (),
    *,
    physics: Physics | None = None,
    rules: str | None = None,
    options: str | Options2010 | None = None,
) -> World:
    r"""Play a whole sequence of actions in one native call and return the world as it then is.

    The options are those of a World, and None stands for what the level says. Actions after the end
    of the game are ignored; ``world.result().ticks`` tells how many counted.

    Raises:
        ActionError: An action is out of range; nothing is played then.

    Example:
        >>> world = replay(Level.parse("M---F\nXXXXX"), bytes([Button.RIGHT] * 99))
        >>> world.status == Status.WIN, world.result().ticks
        (True, 18)
    """
    world = World(
        level, mode, time_limit, kill_events, physics=physics, rules=rules, options=options
    )
    world.run(_action_array(actions))
    return world


def _action_array(actions: bytes | Iterable[int] | NDArray[np.uint8]) -> NDArray[np.uint8]:
    if isinstance(actions, bytes | bytearray | memoryview):
        return np.frombuffer(actions, np.uint8)
    numbers = np.asarray(actions if isinstance(actions, np.ndarray) else list(actions))
    if numbers.size == 0:
        return np.zeros(0, np.uint8)
    if numbers.dtype.kind not in "biu" or numbers.ndim != 1:
        raise ActionError(
            f"{show_value(numbers.flat[0])} is not a sum of buttons: give whole numbers"
        )
    wrong = numbers[(numbers < 0) | (numbers > 255)]
    if wrong.size:
        raise ActionError(f"action {wrong[0]} is out of range: give sums of buttons")
    return np.ascontiguousarray(numbers, dtype=np.uint8)


def engine_hash() -> str:
    """Return the digest of the sources that the engine was built from."""
    return str(build_info()["source_hash"])
