"""Many worm environments at once, stepped by one native call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ludus.games.one_thread import one_thread
from ludus.games.vector_env import NativeVectorEnv, expand_seeds, reset_mask
from ludus.games.worm.batch import SEEDS, Batch
from ludus.games.worm.codes import Ending
from ludus.games.worm.environments.spaces import action_space, observation_space, to_action_array
from ludus.games.worm.frozen_tasks import find_recorded_task
from ludus.games.worm.task import Task
from ludus.games.worm.world import World

__all__ = ["WormVectorEnv"]

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "never",
}


class WormVectorEnv(NativeVectorEnv[NDArray[np.float32]]):
    """``num_envs`` worms side by side, each in a world of its own.

    Args:
        num_envs: How many.
        task: A task, or the name of one.
        actions: As of :class:`~ludus.games.worm.environments.WormEnv`.
        threads: How many cores step them; 0 for all cores.
        autoreset_mode: When a finished episode is followed by the next, as Gymnasium defines it; by
            default in the step after its last.
        copy: Whether ``step`` returns copies. False returns the bound arrays themselves, which
            the next step overwrites: faster, for learners that copy anyway.
        render_mode: None or ``"rgb_array"`` for one picture per environment.

    ``reset(seed=[…])`` seeds each environment, ``reset(seed=7)`` gives environment k seed 7 + k;
    each then counts its own seed up, episode by episode. ``reset(options={"reset_mask": …})``
    resets only those, as Gymnasium asks for in mode DISABLED. ``infos`` holds the figures of the
    episodes that have just ended.

    Example:
        >>> envs = WormVectorEnv(64, task="foraging-medium")
        >>> observations, infos = envs.reset(seed=1)
        >>> observations.shape
        (64, 2)
    """

    metadata: dict[str, Any] = {**NativeVectorEnv.metadata, "render_fps": 20}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        task: Task | str = "foraging-small",
        *,
        actions: str | None = None,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.task = find_recorded_task(task) if isinstance(task, str) else task
        super().__init__(
            num_envs,
            (action_space(self.task, actions), observation_space(self.task)),
            threads=threads,
            autoreset_mode=autoreset_mode,
            copy=copy,
            render_mode=render_mode,
        )
        self._batch = Batch(self.task, num_envs, threads, _AUTORESET[self.autoreset_mode])

    def world(self, env: int) -> World:
        """Return a copy of one environment's world."""
        return self._batch.world(env)

    @one_thread
    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode in every environment, or in those of ``options["reset_mask"]``."""
        mask = reset_mask(options or {}, self.num_envs)
        seeds = self._seeds(seed)
        if self._started:
            self._batch.restart(mask, seeds)
        else:
            self._batch.begin(self._random_seeds() if seeds is None else seeds)
        self._started = True
        return self._output(self._batch.features), self._infos(np.zeros(self.num_envs, np.bool_))

    @one_thread
    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Step every environment."""
        batch = self._batch
        batch.step(to_action_array(actions, self.single_action_space))
        ended = batch.ended != Ending.RUNNING
        truncated = batch.ended == Ending.MAX_STEPS
        return (
            self._output(batch.features),
            batch.rewards.astype(np.float64),
            ended & ~truncated,
            truncated,
            self._infos(ended),
        )

    def _clone_worlds(self) -> bytes:
        return self._batch.clone_state()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._batch.restore_state(worlds)

    def _draw(self, env: int) -> NDArray[np.uint8]:
        from ludus.games.worm import pictures

        return pictures.frame(self.world(env))

    def _random_seeds(self) -> list[int]:
        first = int(np.random.default_rng().integers(SEEDS))
        return [(first + k) % SEEDS for k in range(self.num_envs)]

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int] | None:
        if seed is None:
            return None
        spare = self._random_seeds()
        seeds = expand_seeds(seed, self.num_envs)
        return [spare[k] if own_seed is None else own_seed for k, own_seed in enumerate(seeds)]

    def _infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        if not ended.any():
            return {}
        infos: dict[str, Any] = {}
        for name, values in self._batch.last_figures().items():
            infos[name], infos[f"_{name}"] = np.where(ended, values, 0.0), ended.copy()
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return infos
        final = np.full(self.num_envs, None, dtype=object)
        for k in np.flatnonzero(ended).tolist():
            final[k] = self._batch.final_features[k].copy()
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": infos,
            "_final_info": ended.copy(),
        }
