"""Many colonies at once, stepped by one native call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import ActionError, OptionError
from ludus.games.worm import _native
from ludus.games.worm.codes import FIGURES
from ludus.games.worm.colony.features import colony_feature_names
from ludus.games.worm.colony.frozen_tasks import find_colony_task
from ludus.games.worm.colony.task import ColonyTask
from ludus.games.worm.colony.world import Colony
from ludus.games.worm.native_task import native_task

__all__ = ["ColonyBatch"]

SEEDS = 2**32


class ColonyBatch:
    """``n`` colonies of one task, each with its own dish.

    Args:
        task: A task for several worms, or the name of one.
        n: How many colonies.
        threads: How many cores step them; 0 for all there are.
        autoreset: Whether a colony begins anew in the step that ends it for its last worm, with the
            next seed; else it stays as it is, at reward 0.

    Attributes:
        features: What every worm senses, float32 ``(n, worms, k)``; overwritten by the next step,
            as all arrays here.
        rewards: What the last step paid, float32 ``(n, worms)``.
        ended: 0, or how each worm's episode has ended, uint8 ``(n, worms)``.
        seeds: Of the episodes under way, uint64 ``(n,)``.
        last: The figures of each worm's last finished episode, ``(n, worms, …)``.
        finished: How many episodes each colony has finished, int64 ``(n,)``.

    Example:
        >>> batch = ColonyBatch("crowd-foraging-small", 16)
        >>> batch.begin(range(16))
        >>> batch.step(np.zeros((16, 5), np.int32))
        >>> batch.features.shape
        (16, 5, 7)
    """

    def __init__(
        self, task: ColonyTask | str, n: int, threads: int = 1, autoreset: bool = False
    ) -> None:
        if n < 1:
            raise OptionError(f"{n} colonies are too few: give 1 or more")
        if threads < 0:
            raise OptionError(f"threads {threads} is negative: give 0 for all cores")
        self.task = find_colony_task(task) if isinstance(task, str) else task
        self.n, each = n, (n, self.task.worms)
        self.features = np.zeros((*each, len(colony_feature_names(self.task))), np.float32)
        self.rewards = np.zeros(each, np.float32)
        self.ended = np.zeros(each, np.uint8)
        self.seeds = np.zeros(n, np.uint64)
        self.last = np.zeros((*each, len(FIGURES)), np.float64)
        self.finished = np.zeros(n, np.int64)
        self._actions = np.zeros(each, np.int32)
        self._threads, self._autoreset = threads, autoreset
        self._native = _native.ColonyBatch(
            native_task(self.task.dish), self.task.native_terms(), n, self._buffers(), autoreset,
            threads or os.cpu_count() or 1,
        )  # fmt: skip

    def _buffers(self) -> dict[str, NDArray[Any]]:
        return {
            "actions": self._actions,
            "features": self.features,
            "rewards": self.rewards,
            "ended": self.ended,
            "seeds": self.seeds,
            "last": self.last,
            "finished": self.finished,
        }

    def begin(self, seeds: int | Sequence[int] | NDArray[Any]) -> None:
        """Begin an episode in every colony.

        Args:
            seeds: One for each colony, or a first one from which they count up.
        """
        if isinstance(seeds, int | np.integer):
            seeds = [int(seeds) + k for k in range(self.n)]
        self._native.begin(np.array([int(seed) % SEEDS for seed in seeds], np.uint64))

    def step(self, actions: ArrayLike) -> None:
        """Play one action of every worm in every colony.

        Raises:
            ActionError: An action is out of range or there are too few; nothing was played.
            EpisodeOver: No episode has begun.
        """
        array = np.asarray(actions)
        if array.shape != self._actions.shape or array.dtype.kind not in "iu":
            raise ActionError(
                f"actions have shape {array.shape} and type {array.dtype}: give integers of shape "
                f"{self._actions.shape}"
            )
        self._actions[:] = array
        self._native.step()

    def clone_state(self) -> bytes:
        """Return the state of all colonies as bytes, for :meth:`restore_state`."""
        return self._native.clone_state()

    def restore_state(self, state: bytes) -> None:
        """Go on from a state; ``features``, ``ended`` and the figures are those of it.

        Raises:
            OptionError: It is none of a batch of as many colonies of this task; then nothing has
                changed.
        """
        self._native.restore_state(state)

    def __getstate__(self) -> dict[str, Any]:
        made_of = (self.task, self.n, self._threads, self._autoreset)
        return {"made_of": made_of, "colonies": self.clone_state(), "arrays": self._buffers()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        ColonyBatch.__init__(self, *state["made_of"])
        self.restore_state(state["colonies"])
        for name, array in self._buffers().items():
            array[...] = state["arrays"][name]

    def __copy__(self) -> ColonyBatch:
        return deepcopy(self)

    def colony(self, k: int) -> Colony:
        """Return a copy of colony ``k``."""
        return Colony.from_native(self.task, self._native.colony(k), int(self.seeds[k]))
