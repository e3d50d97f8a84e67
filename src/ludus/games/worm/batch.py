"""Many worms at once, each in a world of its own, stepped by one native call."""

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
from ludus.games.worm.frozen_tasks import find_task
from ludus.games.worm.native_task import native_task
from ludus.games.worm.task import Task
from ludus.games.worm.world import World

__all__ = ["AUTORESETS", "Batch"]

AUTORESETS = ("never", "same_step", "next_step")
"""When a world that has ended begins its next episode."""

SEEDS = 2**32
_NO_SEED, _NEXT_SEED = -1, -2


class Batch:
    """``n`` worlds of one task.

    World ``k`` is a session of its own: begun with seed S, its episode ``i`` has the seed
    ``(S + i) mod 2**32``, whether it begins by itself or by :meth:`restart`.

    Args:
        task: A task, or the name of one.
        n: How many worlds.
        threads: How many cores step them; 0 for all there are.
        autoreset: ``"never"``: a world that has ended stays as it is, at reward 0;
            ``"same_step"``: it begins anew in the step that ends it, so ``features`` are those of
            the new start, ``final_features`` those of the end, and ``ended`` tells of it;
            ``"next_step"``: in the step after, whose action is not played.

    Attributes:
        features: What every worm senses, float32 ``(n, k)``; overwritten by the next step, as all
            arrays here.
        rewards: What the last step paid, float32 ``(n,)``.
        ended: 0, or how the episode has ended in this step (see ``Ending``), uint8 ``(n,)``.
        seeds: Of the episodes under way, uint64 ``(n,)``.
        last: The figures (see ``FIGURES``) of each world's last finished episode, ``(n, …)``.
        finished: How many episodes each world has finished, int64 ``(n,)``.

    Example:
        >>> batch = Batch("foraging-small", 64)
        >>> batch.begin(range(64))
        >>> batch.step(np.zeros(64, np.int32))
        >>> batch.features.shape
        (64, 2)
    """

    def __init__(
        self, task: Task | str, n: int, threads: int = 1, autoreset: str = "never"
    ) -> None:
        if n < 1:
            raise OptionError(f"{n} worlds are too few: give 1 or more")
        if threads < 0:
            raise OptionError(f"threads {threads} is negative: give 0 for all cores")
        if autoreset not in AUTORESETS:
            raise OptionError(f"autoreset {autoreset!r} is unknown: try {', '.join(AUTORESETS)}")
        self.task = find_task(task) if isinstance(task, str) else task
        self.n = n
        self._threads, self._autoreset = threads, autoreset
        native = native_task(self.task)
        self.features = np.zeros((n, native.n_features), np.float32)
        self.final_features = np.zeros_like(self.features)
        self.rewards = np.zeros(n, np.float32)
        self.ended = np.zeros(n, np.uint8)
        self.seeds = np.zeros(n, np.uint64)
        self.last = np.zeros((n, len(FIGURES)), np.float64)
        self.finished = np.zeros(n, np.int64)
        self._actions = np.zeros(n, np.int32)
        self._steering = np.zeros((n, 2), np.float32)
        self._native = _native.Batch(
            native, n, self._buffers(), AUTORESETS.index(autoreset), threads or os.cpu_count() or 1
        )

    def _buffers(self) -> dict[str, NDArray[Any]]:
        return {
            "actions": self._actions,
            "steering": self._steering,
            "features": self.features,
            "final_features": self.final_features,
            "rewards": self.rewards,
            "ended": self.ended,
            "seeds": self.seeds,
            "last": self.last,
            "finished": self.finished,
        }

    @property
    def native(self) -> _native.Batch:
        """The worlds as native code holds them."""
        return self._native

    def begin(self, seeds: int | Sequence[int] | NDArray[Any]) -> None:
        """Begin an episode in every world.

        Args:
            seeds: One for each world, or a first one from which they count up.
        """
        self.finished[:] = 0
        self.last[:] = 0
        self._native.begin(self._expand_seeds(seeds))

    def restart(
        self, mask: ArrayLike, seeds: int | Sequence[int] | NDArray[Any] | None = None
    ) -> None:
        """Begin an episode where the mask is true, with these seeds or the next of the session."""
        selected = np.asarray(mask, np.bool_)
        if selected.shape != (self.n,):
            raise OptionError(f"a mask of shape {selected.shape} does not fit {self.n} worlds")
        new_seeds = (
            np.full(self.n, _NEXT_SEED, np.int64) if seeds is None else self._expand_seeds(seeds)
        )
        self._native.begin(np.where(selected, new_seeds, _NO_SEED))

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every world.

        Args:
            actions: 0 forward, 1 left, 2 right, 3 stay for each world; on a dish, as well a pair of
                speed (0 to 1) and turn (-1 right to 1 left) for each.

        Raises:
            ActionError: An action is out of range or there are too few; nothing was played.
            EpisodeOver: No episode has begun.
        """
        array = np.asarray(actions)
        if array.dtype.kind == "f":
            self._steer(array)
            return
        if array.shape != (self.n,) or array.dtype.kind not in "iu":
            raise ActionError(
                f"actions have shape {array.shape} and type {array.dtype}: give {self.n} integers"
            )
        self._actions[:] = array
        self._native.step(False)

    def _steer(self, steering: NDArray[Any]) -> None:
        if self.task.substrate != "continuous":
            raise ActionError(f"{self.task.name!r} is a grid: give integers from 0 to 3")
        if steering.shape != (self.n, 2) or not np.isfinite(steering).all():
            raise ActionError(
                f"steering has shape {steering.shape}: give ({self.n}, 2) finite numbers"
            )
        self._steering[:] = steering
        self._native.step(True)

    def figures(self) -> dict[str, NDArray[np.float64]]:
        """Return the figures of every world's episode as it is now, by name."""
        table = self._native.figures()
        return {name: table[:, k].copy() for k, name in enumerate(FIGURES)}

    def last_figures(self) -> dict[str, NDArray[np.float64]]:
        """Return the figures of every world's last finished episode, by name."""
        return {name: self.last[:, k].copy() for k, name in enumerate(FIGURES)}

    def places(self) -> NDArray[np.float64]:
        """Return where every worm is: x and y."""
        return self._native.places()

    def world(self, k: int) -> World:
        """Return a copy of world ``k``; its path begins where the worm is."""
        return World.from_native(self.task, self._native.world(k))

    def clone_state(self) -> bytes:
        """Return the state of all worlds as bytes, for :meth:`restore_state`."""
        return self._native.clone_state()

    def restore_state(self, state: bytes) -> None:
        """Go on from a state; ``features``, ``ended`` and the figures are those of it.

        Raises:
            OptionError: It is none of a batch of as many worlds of this task; then nothing has
                changed.
        """
        self._native.restore_state(state)

    def __getstate__(self) -> dict[str, Any]:
        made_of = (self.task, self.n, self._threads, self._autoreset)
        return {"made_of": made_of, "worlds": self.clone_state(), "arrays": self._buffers()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Batch.__init__(self, *state["made_of"])
        self.restore_state(state["worlds"])
        for name, array in self._buffers().items():
            array[...] = state["arrays"][name]

    def __copy__(self) -> Batch:
        return deepcopy(self)

    def _expand_seeds(self, seeds: int | Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
        if isinstance(seeds, int | np.integer):
            seeds = [(int(seeds) + k) % SEEDS for k in range(self.n)]
        result = np.array([int(seed) % SEEDS for seed in seeds], np.int64)
        if result.shape != (self.n,):
            raise OptionError(f"{len(result)} seeds were given: give one, or {self.n}")
        return result
