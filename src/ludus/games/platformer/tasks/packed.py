"""Observations as one piece of bytes, which the engine packs and a process sends as it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from struct import Struct
from typing import Any

import numpy as np

from ludus.games.platformer._native import SensesPacker, WorldView
from ludus.games.platformer.records import STATE_FIELDS, Mario
from ludus.games.platformer.tasks.observation import Observation
from ludus.games.platformer.tasks.task import GRIDS, Task

__all__ = ["Layout", "PackedObservation"]

TICK = Struct("<i")
REWARD = Struct("<i")
CLOCK = Struct("<ii")
MARIO = Struct("<5f12i3i")
NUMBERS = len(STATE_FIELDS)
WORD = 4
PLACE = 3  # kind, x and y


class Layout:
    """Where each part of what a task shows lies in the bytes.

    Only a task without noise and picture has one: see :meth:`fits`.

    Args:
        task: The task.

    Attributes:
        task: The same.
        packer: What packs a world.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self._readers: dict[str, Callable[[bytes], Any]] = {}
        grids = [kind for kind in GRIDS if kind in task.kinds]
        state, positions = "state" in task.kinds, "positions" in task.kinds
        place = self._place_state() if state else TICK.size
        for kind in grids:
            columns, rows = getattr(task, kind).size
            self._readers[kind] = partial(_read_grid, start=place, columns=columns, rows=rows)
            place += columns * rows
        if positions:
            self._readers["enemy_positions"] = partial(_read_places, start=place)
        self.packer = SensesPacker(
            [_describe_field(task, kind) for kind in grids], state, positions
        )

    @staticmethod
    def fits(task: Task) -> bool:
        """Return whether a task can be packed."""
        return not task.noise and "picture" not in task.kinds

    def __contains__(self, name: str) -> bool:
        return name in self._readers

    def read(self, name: str, content: bytes) -> Any:
        """Return one part of the bytes."""
        return self._readers[name](content)

    def _place_state(self) -> int:
        """Note where Mario's state lies, and return where it ends."""
        clock = TICK.size
        mario = clock + CLOCK.size
        numbers = mario + MARIO.size
        self._readers["timer"] = lambda content: CLOCK.unpack_from(content, clock)[0]
        self._readers["coins"] = lambda content: CLOCK.unpack_from(content, clock)[1]
        self._readers["mario"] = partial(_read_mario, start=mario)
        self._readers["numbers"] = partial(_read_numbers, start=numbers)
        return numbers + WORD * NUMBERS


class PackedObservation(Observation):
    """What a task shows, read from bytes when it is asked for.

    Args:
        layout: Where each part lies.
        rules: The name of the game's rules.
        content: The bytes.
        reward: What was paid since the last decision; None if the task does not pay.
    """

    __slots__ = ("_content", "_layout", "_read")

    def __init__(self, layout: Layout, rules: str, content: bytes, reward: int | None) -> None:
        self._layout = layout
        self._content = content
        self._read: dict[str, Any] = {} if reward is None else {"reward": reward}
        super().__init__(layout.task, rules, TICK.unpack_from(content)[0], self._read)

    @classmethod
    def sense(cls, layout: Layout, world: WorldView, reward: int | None) -> PackedObservation:
        """Return what the layout's task shows of a world."""
        return cls(layout, world.rules, layout.packer.pack(world), reward)

    def to_values(self) -> Any:
        """Return the bytes, behind those of the reward."""
        return REWARD.pack(self._values.get("reward", 0)) + self._content

    @classmethod
    def from_content(cls, layout: Layout, rules: str, content: bytes) -> PackedObservation:
        """Return the observation that :meth:`to_values` described."""
        reward = REWARD.unpack_from(content)[0] if layout.task.reward else None
        return cls(layout, rules, content[REWARD.size :], reward)

    def _shown(self, name: str) -> Any:
        if name not in self._read and name in self._layout:
            self._read[name] = self._layout.read(name, self._content)
        return super()._shown(name)

    def __repr__(self) -> str:
        return f"<Observation at tick {self.tick}>"


def _describe_field(task: Task, kind: str) -> tuple[int, int, int, int, int]:
    field = getattr(task, kind)
    details = field.detail if isinstance(field.detail, tuple) else (field.detail, field.detail)
    return GRIDS.index(kind), *field.size, *details


def _read_grid(content: bytes, start: int, columns: int, rows: int) -> Any:
    cells = np.frombuffer(content, np.uint8, columns * rows, start)
    return cells.reshape(columns, rows).astype(np.int32)


def _read_places(content: bytes, start: int) -> Any:
    return np.frombuffer(content, "<f4", offset=start).reshape(-1, PLACE).copy()


def _read_numbers(content: bytes, start: int) -> Any:
    return np.frombuffer(content, "<f4", NUMBERS, start).copy()


def _read_mario(content: bytes, start: int) -> Mario:
    (x, y, vx, vy, jump_start_x, mode, on_ground, was_on_ground, may_jump, ducking, can_shoot,
     jump_time, invulnerable, facing, height, alive, listed, sliding, climbing,
     carrying) = MARIO.unpack_from(content, start)  # fmt: skip
    return Mario(
        x, y, vx, vy, mode, bool(on_ground), bool(was_on_ground), bool(may_jump), bool(ducking),
        bool(can_shoot), jump_time, invulnerable, facing, height, bool(alive), jump_start_x,
        bool(listed), bool(sliding), bool(climbing), bool(carrying),
    )  # fmt: skip
