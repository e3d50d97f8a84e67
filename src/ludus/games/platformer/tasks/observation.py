"""What an agent sees under a task that hides something: values, from which no world is reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError
from ludus.games.media.palette import Picture
from ludus.games.platformer.records import Mario
from ludus.games.platformer.tasks.task import GRIDS, Task

__all__ = ["Observation"]

KIND_OF = {
    "enemy_positions": "positions",
    "mario": "state",
    "timer": "state",
    "coins": "state",
    "numbers": "state",
}


class Observation:
    """What a task shows of a game at one tick, under the names that a ``View`` has.

    Grids are indexed ``[column][row]``. Asking for what the task hides raises an ActionError.

    Args:
        task: What is shown.
        rules: The name of the game's rules.
        tick: Ticks played so far.
        values: What is shown, by name.

    Example:
        >>> from ludus.games.platformer.tasks.environment import Environment
        >>> task = Task(kinds=("scene", "state"), forward_model=False)
        >>> observation = Environment("-ld 0 -ls 3", task).observation
        >>> observation.scene.shape, observation.mario.mode
        ((16, 16), 2)
        >>> observation.enemies
        Traceback (most recent call last):
        ludus.errors.ActionError: the task does not show enemies
    """

    __slots__ = ("_task", "_values", "rules", "tick")

    def __init__(self, task: Task, rules: str, tick: int, values: Mapping[str, Any]) -> None:
        self._task = task
        self._values = values
        self.rules = rules
        self.tick = tick

    @property
    def scene(self) -> NDArray[np.int32]:
        """The blocks around Mario."""
        return self._array("scene")

    @property
    def enemies(self) -> NDArray[np.int32]:
        """The creatures around Mario."""
        return self._array("enemies")

    @property
    def merged(self) -> NDArray[np.int32]:
        """Blocks and creatures around Mario."""
        return self._array("merged")

    def grid(
        self,
        kind: Literal["scene", "enemies", "merged"] = "merged",
        *,
        detail: int | tuple[int, int] | None = None,
        centre: Literal["mario", "screen"] = "mario",
        size: int | tuple[int, int] | None = None,
    ) -> NDArray[np.int32]:
        """Return a grid of the chosen kind: the field of the task, or less of it around Mario.

        Args:
            kind: Blocks, creatures, or both.
            detail: The task's; another is not shown.
            centre: Mario; the middle of the screen is not shown.
            size: Columns and rows, or one number for both; the task's if None.
        """
        shown = self._array(kind)
        field = getattr(self._task, kind)
        if centre != "mario" or detail not in (None, field.detail):
            raise ActionError(
                f"the task shows {kind} around Mario at detail {field.detail}, "
                f"not around the {centre} at {detail}"
            )
        columns, rows = (size, size) if isinstance(size, int) else size or field.size
        left, top = (field.size[0] // 2 - columns // 2, field.size[1] // 2 - rows // 2)
        if left < 0 or top < 0 or left + columns > field.size[0] or top + rows > field.size[1]:
            raise ActionError(
                f"the task shows {field.size[0]} × {field.size[1]} cells of {kind}, "
                f"not {columns} × {rows}"
            )
        return shown[left : left + columns, top : top + rows]

    @property
    def mario(self) -> Mario:
        """Mario: where he is, how fast, what he can do."""
        mario: Mario = self._shown("mario")
        return mario

    @property
    def timer(self) -> int:
        """What is left on the clock, 30 a tick; 0 without a limit."""
        return int(self._shown("timer"))

    @property
    def coins(self) -> int:
        """Coins collected."""
        return int(self._shown("coins"))

    @property
    def enemy_positions(self) -> NDArray[np.float32]:
        """Kind, x and y of every creature in play, one a row."""
        return self._array("enemy_positions")

    def state(self) -> NDArray[np.float32]:
        """Return Mario's state as numbers."""
        return self._array("numbers")

    @property
    def reward(self) -> int:
        """What was paid since the last decision."""
        if "reward" not in self._values:
            raise ActionError("the task pays no intermediate reward")
        return int(self._values["reward"])

    def picture(self) -> Picture:
        """Return the screen."""
        return self._array("picture")

    def forward_model(self) -> NoReturn:
        """Refuse to play ahead.

        Raises:
            ActionError: Always: the task offers no forward model.
        """
        raise ActionError("asked for a forward model, which the task does not offer")

    @property
    def level_size(self) -> NoReturn:
        """Not shown."""
        raise ActionError("the task does not show the size of the level")

    @property
    def exit(self) -> NoReturn:
        """Not shown."""
        raise ActionError("the task does not show the exit")

    def sight_fields(self) -> NoReturn:
        """Refuse to show what learners of the arena see."""
        raise ActionError("the task does not show fields of other sizes: ask for its grids")

    wide_fields = sight_picture = sight_fields

    def _array(self, name: str) -> NDArray[Any]:
        array: NDArray[Any] = self._shown(name)
        return array

    def _shown(self, name: str) -> Any:
        if name not in self._values:
            raise ActionError(f"the task does not show {KIND_OF.get(name, name)!s:.40}")
        return self._values[name]

    def to_values(self) -> list[Any]:
        """Return the observation as plain values, small ones."""
        packed = {name: _pack(value) for name, value in self._values.items()}
        return [self.tick, packed]

    @classmethod
    def from_values(cls, task: Task, rules: str, values: Any) -> Observation:
        """Return the observation that :meth:`to_values` described."""
        tick, packed = values
        return cls(task, rules, tick, {name: _unpack(name, one) for name, one in packed.items()})

    def __repr__(self) -> str:
        return f"<Observation of {', '.join(self._values)} at tick {self.tick}>"


def _pack(value: Any) -> Any:
    if isinstance(value, Mario):
        return list(value)
    if isinstance(value, np.ndarray) and value.dtype == np.int32:
        return value.astype(np.uint8)  # codes are bytes
    return value


def _unpack(name: str, value: Any) -> Any:
    if name == "mario":
        return Mario(*value)
    if name in GRIDS:
        return value.astype(np.int32)
    return value
