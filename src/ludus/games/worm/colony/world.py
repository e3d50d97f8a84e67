"""Several worms on one dish."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError, show_value
from ludus.games.worm import _native
from ludus.games.worm.codes import Ending
from ludus.games.worm.colony.frozen_tasks import find_colony_task
from ludus.games.worm.colony.task import ColonyTask
from ludus.games.worm.native_task import native_task
from ludus.games.worm.world import World

__all__ = ["SCENTS", "Colony"]

SCENTS = ("alarm", "found")
"""What worms leave: where a predator hurt them, and where they ate."""


class Colony:
    """Several worms that share a dish, its food and its dangers.

    Args:
        task: A task for several worms, or the name of one.
        seed: What chance is drawn from, 0 to 2⁶⁴ - 1.

    Example:
        >>> colony = Colony("crowd-foraging-small", seed=7)
        >>> rewards = colony.step([0, 1, 2, 3, 0])
        >>> colony.features.shape, colony.worm(0).steps
        ((5, 7), 1)
    """

    def __init__(self, task: ColonyTask | str, seed: int) -> None:
        self.task = find_colony_task(task) if isinstance(task, str) else task
        self.seed = seed
        self._native = _native.Colony(native_task(self.task.dish), self.task.native_terms(), seed)

    @classmethod
    def from_native(cls, task: ColonyTask, native: _native.Colony, seed: int) -> Colony:
        """Return the colony that the engine holds."""
        colony = cls.__new__(cls)
        colony.task, colony.seed, colony._native = task, seed, native
        return colony

    def clone(self) -> Colony:
        """Return an exact, independent copy."""
        return Colony.from_native(self.task, self._native.clone(), self.seed)

    def clone_state(self) -> bytes:
        """Return the whole state as bytes, for :meth:`restore_state`."""
        return self._native.clone_state()

    def restore_state(self, state: bytes) -> None:
        """Go on from a state that a colony of the same task has cloned.

        Raises:
            OptionError: It is none of this task; then nothing has changed.
        """
        self._native.restore_state(state)
        self.seed = self.worm(0).seed

    def __copy__(self) -> Colony:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Colony:
        return self.clone()

    def step(self, actions: Sequence[int] | NDArray[Any]) -> list[float]:
        """Play an action of every worm and return their rewards.

        Actions of worms whose episode has ended do not count.

        Raises:
            ActionError: There are too few or too many, or one is out of range; nothing was played.
            EpisodeOver: The episode has ended for all.
        """
        try:
            return self._native.step([index(action) for action in actions])
        except TypeError:
            raise ActionError(
                f"{show_value(actions)} is no list of actions: give a number for each worm"
            ) from None

    @property
    def steps(self) -> int:
        """Steps played."""
        return self._native.steps

    @property
    def ended(self) -> bool:
        """Whether the episode is over for all worms."""
        return self._native.alive == 0

    @property
    def endings(self) -> tuple[Ending, ...]:
        """How each worm's episode has ended, if it has."""
        return tuple(self.worm(k).ending for k in range(self.task.worms))

    @property
    def features(self) -> NDArray[np.float32]:
        """What every worm senses, one row each."""
        return self._native.features()

    def worm(self, k: int) -> World:
        """Return a copy of worm ``k`` in a world of its own, with the dish's food and predators."""
        return World.from_native(self.task.dish, self._native.worm(k))

    def worms(self) -> list[World]:
        """Return a copy of every worm in a world of its own."""
        return [self.worm(k) for k in range(self.task.worms)]

    def sources(self, scent: str) -> NDArray[np.float64]:
        """Return the sources of a scent: x, y and what is left of each."""
        return self._native.sources(SCENTS.index(scent))

    def scent(self, scent: str, x: int, y: int) -> float:
        """Return how strongly a cell smells of a scent, 0 to 1."""
        return self._native.scent(SCENTS.index(scent), x, y)

    def hash(self) -> int:
        """Return a 64-bit digest of the whole state."""
        return self._native.hash()
