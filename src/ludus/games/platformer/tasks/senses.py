"""Makes observations of a world, as much of it as a task shows, and as wrongly."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer._native import World
from ludus.games.platformer.records import Mario
from ludus.games.platformer.tasks.observation import Observation
from ludus.games.platformer.tasks.packed import Layout, PackedObservation
from ludus.games.platformer.tasks.task import GRIDS, Noise, Task

__all__ = ["Senses"]

SOMETHING = {
    "framework": ((17, 17, 100), (2, 2, 1)),
    "ludus": ((17, 17, 100), (2, 2, 1)),
    "2009": ((129, 246, 1), (2, 2, 1)),
    "2010": ((196, 196, 196), (80, 80, 80)),
}
"""The codes of a common block and a common creature under each rules, detail by detail."""

TICK_BITS = 64


class Senses:
    """What an agent senses of a world.

    The same seed gives the same noise, tick by tick, whatever the agent does.

    Args:
        task: What it shows.
        seed: What noise is drawn from.
    """

    def __init__(self, task: Task, seed: int) -> None:
        self._task = task
        self._layout = Layout(task) if Layout.fits(task) else None
        digest = hashlib.sha256(f"ludus mario-ai noise 1/{seed}".encode()).digest()
        self._key = int.from_bytes(digest[:16], "big")
        fields = [getattr(task, kind).size for kind in GRIDS if kind in task.kinds]
        self._columns = max([columns for columns, _ in fields], default=0)
        self._rows = max([rows for _, rows in fields], default=0)

    def sense(self, world: World, reward: int | None) -> Observation:
        """Return what the agent sees of a world now."""
        if self._layout is not None:
            return PackedObservation.sense(self._layout, world, reward)
        task = self._task
        values: dict[str, Any] = {
            kind: world.observe(kind, getattr(task, kind).detail, "mario", getattr(task, kind).size)
            for kind in GRIDS
            if kind in task.kinds
        }
        if "positions" in task.kinds:
            values["enemy_positions"] = world.enemies()
        if "state" in task.kinds:
            values |= {"mario": world.mario, "timer": world.timer, "coins": world.coins}
            values["numbers"] = world.state()
        if "picture" in task.kinds:
            from ludus.games.platformer.pictures import frame

            values["picture"] = frame(world)
        if task.noise:
            self._disturb(values, world)
        if reward is not None:
            values["reward"] = reward
        return Observation(task, world.rules, world.tick, values)

    def _disturb(self, values: dict[str, Any], world: World) -> None:
        """Put noise on grids and places."""
        noise, creatures = self._task.noise, values.get("enemy_positions", ())
        cells = self._columns * self._rows
        chance = self._draw(world.tick, cells + 2 + 2 * len(creatures))
        wrong = chance[:cells].reshape(self._columns, self._rows)
        for kind in GRIDS:
            if kind in values:
                something = _something(world.rules, kind, getattr(self._task, kind).detail)
                values[kind] = _disturb_cells(values[kind], wrong, noise, something)
        offsets = ((2 * chance[cells:] - 1) * noise.jitter).astype(np.float32)
        if "mario" in values:
            values["mario"] = _move(values["mario"], float(offsets[0]), float(offsets[1]))
            values["numbers"][:2] = values["mario"][:2]
        if len(creatures):
            values["enemy_positions"][:, 1:] += offsets[2:].reshape(-1, 2)

    def _draw(self, tick: int, count: int) -> NDArray[np.float64]:
        """Return numbers from 0 up to 1, the same for the same tick."""
        bits = np.random.Philox(key=self._key, counter=tick << TICK_BITS).random_raw(count)
        return np.asarray((bits >> np.uint64(11)) * 2.0**-53, np.float64)


def _something(rules: str, kind: str, detail: int | tuple[int, int]) -> int:
    """Return the code that a grid shows where it is wrong about nothing."""
    blocks, creatures = SOMETHING[rules]
    if isinstance(detail, tuple):
        return blocks[detail[0]]
    return (creatures if kind == "enemies" else blocks)[detail]


def _disturb_cells(
    grid: NDArray[np.int32], wrong: NDArray[np.float64], noise: Noise, something: int
) -> NDArray[np.int32]:
    """Return the grid with cells dropped and flipped; the grids share their middles."""
    columns, rows = grid.shape
    left, top = wrong.shape[0] // 2 - columns // 2, wrong.shape[1] // 2 - rows // 2
    chance = wrong[left : left + columns, top : top + rows]
    flipped = np.where(grid == 0, something, 0)
    dropped = np.where(chance < noise.drop, 0, grid)
    turned = (chance >= noise.drop) & (chance < noise.drop + noise.flip)
    return np.where(turned, flipped, dropped).astype(np.int32)


def _move(mario: Mario, dx: float, dy: float) -> Mario:
    """Return Mario at another place; where his jump began moves with him."""
    start = mario.jump_start_x + dx if mario.jump_start_x >= 0 else mario.jump_start_x
    return mario._replace(x=mario.x + dx, y=mario.y + dy, jump_start_x=start)
