"""Many platformer environments at once, stepped by one native call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer import pictures
from ludus.games.platformer._native import World
from ludus.games.platformer.environments.options import EnvOptions, Fleet, as_level, write_actions
from ludus.games.platformer.records import INFO_FIELDS
from ludus.games.vector_env import reset_mask

__all__ = ["PlatformerVectorEnv"]

Observation = NDArray[Any] | dict[str, NDArray[Any]]

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class PlatformerVectorEnv(VectorEnv[Observation, Any, NDArray[Any]]):
    """``num_envs`` games side by side.

    Args:
        num_envs: How many.
        threads: How many cores step them; 0 for all there are.
        autoreset_mode: When a finished game begins anew, as Gymnasium defines it; by default in
            the step after its last.
        copy: Whether ``step`` hands out copies. False returns the bound buffers themselves, which
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

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared by Gymnasium
        "render_modes": ["rgb_array"],
        "render_fps": 30,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

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
        if num_envs < 1:
            raise OptionError(f"num_envs {num_envs} is too small: give 1 or more")
        if threads < 0:
            raise OptionError(f"threads {threads} is negative: give 0 for all cores")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode {render_mode!r} is unknown: try 'rgb_array'")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": AutoresetMode(autoreset_mode)}
        self._options = EnvOptions(**options)
        self.single_action_space = self._options.action_space()
        self.single_observation_space = self._options.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        mode = _AUTORESET[self.metadata["autoreset_mode"]]
        self._same_step = mode == "same_step"
        self._fleet = Fleet(self._options, num_envs, mode, threads or os.cpu_count() or 1)
        self._copy = copy
        self._copies = _Copies()
        self._seeded = False
        names = ("x", "y", *INFO_FIELDS)
        self._everywhere = {f"_{name}": np.ones(num_envs, np.bool_) for name in names}

    def world(self, env: int) -> World:
        """Return a copy of one environment's world."""
        return self._fleet.native.world(env)

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
            self._fleet.native.reset(k, levels[k])
        return self._observations(), self._info_dict()

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Step every environment."""
        buffers = self._fleet.buffers
        write_actions(self._options, np.asarray(actions), buffers["actions"])
        self._fleet.native.step()
        return (
            self._observations(),
            self._handed(buffers["rewards"]),
            self._handed(buffers["terminated"]),
            self._handed(buffers["truncated"]),
            self._info_dict(),
        )

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return a picture of every environment, or None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(pictures.frame(self.world(k)) for k in range(self.num_envs))

    def _seed(self, seed: int | Sequence[int | None] | None) -> None:
        if seed is None and self._seeded:
            return
        if seed is None:
            seed = int(np.random.default_rng().integers(2**62))
        seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        if len(seeds) != self.num_envs:
            raise OptionError(f"{len(seeds)} seeds were given: give one, or {self.num_envs}")
        for k, own in enumerate(seeds):
            if own is not None:
                self._fleet.native.seed(k, own)
        self._seeded = True

    def _level_numbers(self, options: dict[str, Any]) -> list[int]:
        if "levels" not in options:
            return [-1] * self.num_envs
        levels = [as_level(level) for level in options["levels"]]
        if len(levels) != self.num_envs:
            raise OptionError(f"{len(levels)} levels were given: give {self.num_envs}")
        for level in levels:
            if level not in self._fleet.levels:
                raise OptionError(f"{level!r} is not among the environments' levels: name it there")
        return [self._fleet.levels.index(level) for level in levels]

    def _handed(self, buffer: NDArray[Any]) -> NDArray[Any]:
        return self._copies.of(buffer) if self._copy else buffer

    def _part(self, part: str) -> NDArray[Any]:
        if part == "rgb":
            return np.stack([pictures.frame(self.world(k)) for k in range(self.num_envs)])
        return self._handed(self._fleet.buffers[part])

    def _observations(self) -> Observation:
        if isinstance(self._options.observation, str):
            return self._part(self._options.observation)
        return {part: self._part(part) for part in self._options.parts}

    def _info_dict(self) -> dict[str, Any]:
        places, facts = (self._handed(self._fleet.buffers[name]) for name in ("places", "infos"))
        infos: dict[str, Any] = {"x": places[:, 0], "y": places[:, 1]}
        infos |= {name: facts[:, k] for k, name in enumerate(INFO_FIELDS)}
        infos |= self._everywhere
        ended = self._fleet.buffers["terminated"] | self._fleet.buffers["truncated"]
        if self._same_step and ended.any():
            self._add_final(infos, ended)
        return infos

    def _add_final(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> None:
        final = np.full(self.num_envs, None, dtype=object)
        for k in np.flatnonzero(ended).tolist():
            parts = {part: buffer[k].copy() for part, buffer in self._fleet.last.items()}
            alone = isinstance(self._options.observation, str)
            final[k] = parts[self._options.parts[0]] if alone else parts
        infos["final_info"] = dict(infos)
        infos["final_obs"], infos["_final_obs"] = final, ended.copy()
        infos["_final_info"] = ended.copy()


class _Copies:
    """Copies of buffers. One that nobody holds any more is filled again: fresh memory is slow."""

    def __init__(self) -> None:
        self._made: dict[int, list[NDArray[Any]]] = {}

    def of(self, buffer: NDArray[Any]) -> NDArray[Any]:
        """Return a copy that nobody else has."""
        made = self._made.setdefault(id(buffer), [])
        for copy in made:
            if getrefcount(copy) == _HELD_HERE:
                np.copyto(copy, buffer)
                return copy
        fresh = buffer.copy()
        if len(made) < _MOST_COPIES:
            made.append(fresh)
        return fresh


#: References to a copy that only ``_Copies`` has: its list, the loop's name, the call's argument.
_HELD_HERE = 3
_MOST_COPIES = 4
