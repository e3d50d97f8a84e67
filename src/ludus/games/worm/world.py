"""One worm in its world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import ActionError, show_value
from ludus.games.worm import _native
from ludus.games.worm.codes import FIGURES, Ending
from ludus.games.worm.frozen_tasks import find_task
from ludus.games.worm.native_task import native_task
from ludus.games.worm.task import Task

__all__ = ["World", "replay"]


class World:
    """A worm, its food and its dangers.

    Args:
        task: A task, or the name of one.
        seed: What chance is drawn from, 0 to 2⁶⁴ - 1.

    Example:
        >>> world = World("foraging-small", seed=7)
        >>> while not world.ended:
        ...     _ = world.step(0)
        >>> world.ending.reason
        'starved'
    """

    def __init__(self, task: Task | str, seed: int) -> None:
        self.task = find_task(task) if isinstance(task, str) else task
        self._native = _native.World(native_task(self.task), seed)

    @classmethod
    def from_native(cls, task: Task, native: _native.World) -> World:
        """Return the world that the engine holds."""
        world = cls.__new__(cls)
        world.task = task
        world._native = native
        return world

    def clone(self) -> World:
        """Return an exact, independent copy."""
        return World.from_native(self.task, self._native.clone())

    def clone_state(self) -> bytes:
        """Return the whole state as bytes, for :meth:`restore_state`."""
        return self._native.clone_state()

    def restore_state(self, state: bytes) -> None:
        """Go on from a state that a world of the same task has cloned; the path begins anew.

        Raises:
            OptionError: It is none of this task; then nothing has changed.
        """
        self._native.restore_state(state)

    def __copy__(self) -> World:
        return self.clone()

    def __deepcopy__(self, memo: object) -> World:
        return self.clone()

    def __getstate__(self) -> tuple[Task, bytes, list[float]]:
        return self.task, self.clone_state(), self.path.ravel().tolist()

    def __setstate__(self, state: tuple[Task, bytes, list[float]]) -> None:
        self.task, worlds, path = state
        self._native = _native.World(native_task(self.task), 0)
        self.restore_state(worlds)
        self._native.put_path(path)

    def step(self, action: Any) -> float:
        """Play one action and return the reward.

        Args:
            action: 0 forward, 1 left, 2 right, 3 stay; on a dish, as well a pair of speed (0 to 1)
                and turn (-1 right to 1 left).

        Raises:
            ActionError: It is no action; nothing was played.
            EpisodeOver: The episode has ended.
        """
        try:
            if isinstance(action, Sequence | np.ndarray):
                speed, turn = action
                return self._native.steer(float(speed), float(turn))
            return self._native.step(action)
        except (TypeError, ValueError) as error:
            if isinstance(error, ActionError):
                raise
            message = f"{show_value(action)} is no action: give 0 forward, 1 left, 2 right, 3 stay"
            raise ActionError(message) from None

    def run(self, actions: bytes) -> int:
        """Play actions, a byte each, until they or the episode end; return how many were played.

        Raises:
            ActionError: One of them is out of range; nothing was played.
        """
        return self._native.run(actions)

    @property
    def seed(self) -> int:
        """What chance is drawn from."""
        return self._native.seed

    @property
    def steps(self) -> int:
        """Steps played."""
        return self._native.steps

    @property
    def ended(self) -> bool:
        """Whether the episode is over."""
        return self._native.ended != 0

    @property
    def ending(self) -> Ending:
        """How it has ended, if it has."""
        return Ending(self._native.ended)

    @property
    def features(self) -> NDArray[np.float32]:
        """What the worm senses, named by :func:`~ludus.games.worm.features.feature_names`."""
        return self._native.features()

    @property
    def worm(self) -> tuple[float, float]:
        """Where the worm is: x to the right, y upward."""
        return self._native.place

    @property
    def heading(self) -> float:
        """Where it is heading: π/2 is up, 0 right."""
        cosine, sine = self._native.direction
        return atan2(sine, cosine)

    @property
    def foods(self) -> NDArray[np.float64]:
        """Where the food is, one row each."""
        return self._native.foods()

    @property
    def predators(self) -> NDArray[np.float64]:
        """Where the predators are, one row each."""
        return self._native.predators()

    @property
    def path(self) -> NDArray[np.float64]:
        """Where the worm was at the start and after every step."""
        return self._native.path()

    def figures(self) -> dict[str, float]:
        """Return the episode's figures so far, by name."""
        return dict(zip(FIGURES, self._native.figures(), strict=True))

    def reward_now(self) -> float:
        """Return the reward of the state alone, without what a step adds."""
        return self._native.evaluate()

    def hash(self) -> int:
        """Return a 64-bit digest of the whole state."""
        return self._native.hash()

    def scent(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return the scents of all food added up at these places, before they saturate."""
        return self._field(self._native.food_field, x, y)

    def concentration(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return how strongly these places smell of food, 0 to 1."""
        return np.tanh(self.scent(x, y))

    def fear(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return how strongly these places smell of predators, 0 to 1."""
        return np.tanh(self._field(self._native.predator_field, x, y))

    def temperature(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return the temperature of these places in °C."""
        return self._field(native_task(self.task).temperature, x, y)

    def oxygen(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return the oxygen of these places in per cent."""
        return self._field(native_task(self.task).oxygen, x, y)

    @staticmethod
    def _field(of: Any, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        xs, ys = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        values: NDArray[np.float64] = of(np.ascontiguousarray(xs), np.ascontiguousarray(ys))
        return values.reshape(xs.shape)

    def arrange(
        self,
        *,
        worm: tuple[float, float] | None = None,
        heading: float | None = None,
        foods: ArrayLike | None = None,
        predators: ArrayLike | None = None,
        trail: ArrayLike | None = None,
        wall_hit: bool = False,
        unvisited: bool | None = None,
        steps_still: int = 0,
    ) -> None:
        """Move things in the world; what is not named stays as it is.

        Args:
            worm: Its place.
            heading: Where it looks.
            foods: Their places, at most as many as the task has.
            predators: Their places, as many as the task has.
            trail: Where the worm has come from, oldest first, without the place it is at.
            wall_hit: Whether the last move ended at a wall.
            unvisited: Whether the place was never visited.
            steps_still: For how many steps it has not moved.
        """
        at, look = worm or self.worm, self.heading if heading is None else heading
        self._native.put_worm(at[0], at[1], look)
        if foods is not None:
            self._native.put_foods(_places(foods))
        if predators is not None:
            self._native.put_predators(_places(predators))
        if trail is not None:
            self._native.put_trail(_places(trail))
        self._native.put_flags(wall_hit, bool(unvisited), steps_still)
        self._native.settle()


def _places(places: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(places, np.float64).reshape(-1, 2)


def replay(task: Task | str, seed: int, actions: bytes | Iterable[Any]) -> World:
    """Play actions until they or the episode end, and return the world as it then is.

    Bytes, one an action, are played by one native call.

    Raises:
        ActionError: One of them is no action.

    Example:
        >>> replay("foraging-small", 7, bytes([0, 1, 0])).steps
        3
    """
    world = World(task, seed)
    if isinstance(actions, bytes | bytearray):
        world.run(bytes(actions))
        return world
    for action in actions:
        if world.ended:
            break
        world.step(action)
    return world
