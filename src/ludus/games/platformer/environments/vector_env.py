"""Many platformer environments at once, stepped by one native call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ludus.errors import OptionError, show_value
from ludus.games.one_thread import one_thread
from ludus.games.option_kinds import spread
from ludus.games.platformer import pictures
from ludus.games.platformer._native import World
from ludus.games.platformer.environments.bound_batch import BoundBatch, write_actions
from ludus.games.platformer.environments.learner_views import CONVERSIONS
from ludus.games.platformer.environments.options import EnvOptions, read_env_options
from ludus.games.platformer.records import INFO_FIELDS
from ludus.games.vector_env import NativeVectorEnv, expand_seeds, reset_mask

__all__ = ["PlatformerVectorEnv"]

Observation = NDArray[Any] | dict[str, NDArray[Any]]

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class PlatformerVectorEnv(NativeVectorEnv[Observation]):
    """``num_envs`` games side by side.

    Args:
        num_envs: How many.
        threads: How many cores step them; 0 for all cores.
        autoreset_mode: When a finished game begins anew, as Gymnasium defines it; by default in
            the step after its last.
        copy: Whether ``step`` returns copies. False returns the bound buffers themselves, which
            the next step overwrites: faster, for learners that copy anyway.
        render_mode: None or ``"rgb_array"`` for one picture per environment.
        options: As of :class:`~ludus.games.platformer.environments.PlatformerEnv`. ``levels`` may
            also be one list per environment.

    ``reset(seed=[…])`` seeds each environment, ``reset(seed=7)`` gives environment k seed 7 + k,
    ``reset(options={"levels": […]})`` names the level of each environment's coming episode and
    ``reset(options={"reset_mask": …})`` resets only those, as Gymnasium asks for in mode DISABLED.

    Example:
        >>> envs = PlatformerVectorEnv(64, observation=("scene", "enemies"), actions="discrete")
        >>> observations, infos = envs.reset(seed=1)
        >>> observations["scene"].shape
        (64, 16, 16)
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._options = self._read_options(options)
        super().__init__(
            num_envs,
            (self._options.action_space(), self._options.observation_space()),
            threads=threads,
            autoreset_mode=autoreset_mode,
            copy=copy,
            render_mode=render_mode,
        )
        self.metadata["render_fps"] /= self._options.frame_skip
        mode = _AUTORESET[self.autoreset_mode]
        self._worlds = BoundBatch(self._options, num_envs, mode, threads or os.cpu_count() or 1)
        self._everywhere = np.ones(num_envs, np.bool_)
        table = self._options.action_table
        self._buttons = None if table is None else table.tobytes()
        self._masks: dict[str, Any] = {}
        self._bound: tuple[Any, dict[str, Any]] = (None, {})

    def _read_options(self, options: dict[str, Any]) -> EnvOptions:
        return read_env_options(options)

    def world(self, env: int) -> World:
        """Return a copy of one environment's world."""
        return self._worlds.native.world(env)

    @one_thread
    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in every environment, or in those of ``options["reset_mask"]``."""
        options = options or {}
        mask = reset_mask(options, self.num_envs)
        levels = self._level_numbers(options)
        self._seed(seed)
        for k in np.flatnonzero(mask).tolist():
            self._worlds.native.reset(k, levels[k])
        return self._observations(), self._info_dict()

    @one_thread
    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Step every environment."""
        buffers = self._worlds.buffers
        if not self._step_numbers(actions):
            write_actions(self._options, actions, buffers["actions"])
            self._worlds.native.step()
        return (
            self._observations(),
            self._output(buffers["rewards"]),
            self._output(buffers["terminated"]),
            self._output(buffers["truncated"]),
            self._info_dict(),
        )

    def _step_numbers(self, actions: Any) -> bool:
        """Step if the actions are an array of numbers as most learners make it: the usual case."""
        table = self._buttons
        if table is None or actions is None:  # None is no object to the native call
            return False
        return self._worlds.native.step_numbers(actions, table)

    def _clone_worlds(self) -> bytes:
        return self._worlds.clone_state()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._worlds.restore_state(worlds)

    def _draw(self, env: int) -> NDArray[np.uint8]:
        return pictures.frame(self.world(env))

    def _seed(self, seed: int | Sequence[int | None] | None) -> None:
        if seed is None and self._started:
            return
        if seed is None:
            seed = int(np.random.default_rng().integers(2**62))
        for k, own_seed in enumerate(expand_seeds(seed, self.num_envs)):
            if own_seed is not None:
                self._worlds.native.seed(k, own_seed)
        self._started = True

    def _level_numbers(self, options: dict[str, Any]) -> list[int]:
        if "level" in options:
            raise OptionError(
                "reset of many environments has no option 'level': give levels, one for each"
            )
        if "levels" not in options:
            return [-1] * self.num_envs
        wanted = spread(options["levels"])
        levels = [self._options.level(level) for level in wanted]
        if len(levels) != self.num_envs:
            raise OptionError(f"{len(levels)} levels were given: give {self.num_envs}")
        for level, named in zip(levels, wanted, strict=True):
            if level not in self._worlds.levels:
                shown = show_value(named)
                raise OptionError(f"{shown} is not among the environments' levels: name it there")
        return [self._worlds.levels.index(level) for level in levels]

    def _part(self, part: str) -> NDArray[Any]:
        if part == "rgb":
            return np.stack([self._draw(k) for k in range(self.num_envs)])
        if part in CONVERSIONS:
            return self._worlds.show(part)
        return self._output(self._worlds.seen[part])

    def _observations(self) -> Observation:
        if isinstance(self._options.observation, str):
            return self._part(self._options.observation)
        return {part: self._part(part) for part in self._options.parts}

    def _info_dict(self) -> dict[str, Any]:
        infos = self._info_arrays()
        if not self._masks:
            self._masks = {f"_{name}": self._everywhere for name in infos}
        infos |= self._masks
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = self._worlds.buffers["terminated"] | self._worlds.buffers["truncated"]
            if ended.any():
                self._add_final(infos, ended)
        return infos

    def _info_arrays(self) -> dict[str, Any]:
        """Return an array for each fact; those of bound buffers are views that are made once."""
        return self._view_infos() if self._copies is not None else self._bound_infos()

    def _bound_infos(self) -> dict[str, Any]:
        if self._bound[0] is not self._worlds.buffers:
            self._bound = (self._worlds.buffers, self._view_infos())
        return self._bound[1].copy()

    def _view_infos(self) -> dict[str, Any]:
        places, facts = (self._output(self._worlds.buffers[name]) for name in ("places", "infos"))
        infos: dict[str, Any] = {"x": places[:, 0], "y": places[:, 1]}
        infos |= {name: facts[:, k] for k, name in enumerate(INFO_FIELDS)}
        return infos | {"is_success": self._output(self._worlds.buffers["won"])}

    def _add_final(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> None:
        final = np.full(self.num_envs, None, dtype=object)
        for k in np.flatnonzero(ended).tolist():
            parts = {part: self._worlds.show_last(part, k) for part in self._worlds.seen_last}
            alone = isinstance(self._options.observation, str)
            final[k] = parts[self._options.parts[0]] if alone else parts
        infos["final_info"] = dict(infos)
        infos["final_obs"], infos["_final_obs"] = final, ended.copy()
        infos["_final_info"] = ended.copy()
