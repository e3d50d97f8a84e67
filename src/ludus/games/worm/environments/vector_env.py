"""Many worm environments at once, stepped by one native call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.vector_env import reset_mask
from ludus.games.worm.batch import SEEDS, Batch
from ludus.games.worm.codes import Ending
from ludus.games.worm.environments.spaces import action_space, as_actions, observation_space
from ludus.games.worm.frozen_tasks import find_task
from ludus.games.worm.task import Task
from ludus.games.worm.world import World

__all__ = ["WormVectorEnv"]

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "never",
}


class WormVectorEnv(VectorEnv[NDArray[np.float32], Any, NDArray[Any]]):
    """``num_envs`` worms side by side, each in a world of its own.

    Args:
        num_envs: How many.
        task: A task, or the name of one.
        actions: As of :class:`~ludus.games.worm.environments.env.WormEnv`.
        threads: How many cores step them; 0 for all there are.
        autoreset_mode: When a finished episode is followed by the next, as Gymnasium defines it; by
            default in the step after its last.
        copy: Whether ``step`` hands out copies. False returns the bound arrays themselves, which
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

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared by Gymnasium
        "render_modes": ["rgb_array"],
        "render_fps": 20,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

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
        if num_envs < 1:
            raise OptionError(f"num_envs {num_envs} is too small: give 1 or more")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode {render_mode!r} is unknown: try 'rgb_array'")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.task = find_task(task) if isinstance(task, str) else task
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.single_action_space = action_space(self.task, actions)
        self.single_observation_space = observation_space(self.task)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._same_step = mode is AutoresetMode.SAME_STEP
        self._batch = Batch(self.task, num_envs, threads, _AUTORESET[mode])
        self._copy = copy
        self._begun = False

    def world(self, env: int) -> World:
        """Return a copy of one environment's world."""
        return self._batch.world(env)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode in every environment, or in those of ``options["reset_mask"]``."""
        mask = reset_mask(options or {}, self.num_envs)
        seeds = self._seeds(seed)
        if self._begun:
            self._batch.restart(mask, seeds)
        else:
            self._batch.begin(self._random_seeds() if seeds is None else seeds)
        self._begun = True
        return self._handed(self._batch.features), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Step every environment."""
        batch = self._batch
        batch.step(as_actions(actions, self.single_action_space))
        ended = batch.ended != Ending.RUNNING
        truncated = batch.ended == Ending.MAX_STEPS
        return (
            self._handed(batch.features),
            batch.rewards.astype(np.float64),
            ended & ~truncated,
            truncated,
            self._infos(ended),
        )

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return a picture of every environment, or None without a render mode."""
        from ludus.games.worm import pictures

        if self.render_mode is None:
            return None
        return tuple(pictures.frame(self.world(k)) for k in range(self.num_envs))

    def _random_seeds(self) -> list[int]:
        first = int(np.random.default_rng().integers(SEEDS))
        return [(first + k) % SEEDS for k in range(self.num_envs)]

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int] | None:
        if seed is None:
            return None
        if isinstance(seed, int):
            return [(seed + k) % SEEDS for k in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"{len(seed)} seeds were given: give one, or {self.num_envs}")
        spare = self._random_seeds()
        return [spare[k] if own is None else own for k, own in enumerate(seed)]

    def _handed(self, buffer: NDArray[Any]) -> NDArray[Any]:
        return buffer.copy() if self._copy else buffer

    def _infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        if not ended.any():
            return {}
        infos: dict[str, Any] = {}
        for name, values in self._batch.last_figures().items():
            infos[name], infos[f"_{name}"] = np.where(ended, values, 0.0), ended.copy()
        if not self._same_step:
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
