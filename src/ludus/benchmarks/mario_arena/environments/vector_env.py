"""Many environments of the arena at once, stepped by one native call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.benchmarks.mario_arena.environments.info import SIZES, describe_episode
from ludus.benchmarks.mario_arena.environments.options import ArenaOptions, read_options
from ludus.games.platformer.environments import PlatformerVectorEnv
from ludus.games.platformer.level_names import LevelLike
from ludus.games.platformer.records import COURSE_FIELDS, INFO_FIELDS
from ludus.games.sticky_actions import StickyActions

__all__ = ["MarioArenaVectorEnv"]

_SIZES = np.array(SIZES)


class MarioArenaVectorEnv(PlatformerVectorEnv):
    """``num_envs`` episodes of the arena side by side.

    Args:
        num_envs: How many.
        level: As of :class:`~ludus.benchmarks.mario_arena.environments.MarioArenaEnv`.
        terms: Likewise.
        options: What else that environment takes, and ``threads``, ``autoreset_mode``, ``copy``
            and ``render_mode`` as of
            :class:`~ludus.games.platformer.environments.PlatformerVectorEnv`.

    ``reset(seed=[…])`` seeds each environment, ``reset(seed=7)`` gives environment k seed 7 + k.

    Example:
        >>> import gymnasium
        >>> envs = gymnasium.make_vec("ludus/MarioArena-v0", num_envs=64, level="campaign")
        >>> observations, infos = envs.reset(seed=1)
        >>> observations.shape, infos["x_pos"].shape
        ((64, 594), (64,))
    """

    _options: ArenaOptions

    def __init__(
        self,
        num_envs: int = 1,
        level: LevelLike | Sequence[LevelLike] = "1-1",
        terms: StickyActions | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_envs, level=level, terms=terms, **options)

    def _read_options(self, options: dict[str, Any]) -> ArenaOptions:
        return read_options(options.pop("level"), options.pop("terms"), options)

    def _info_arrays(self) -> dict[str, Any]:
        buffers = self._worlds.buffers
        infos, courses = self._output(buffers["infos"]), self._output(buffers["courses"])
        facts = {name: infos[:, k] for k, name in enumerate(INFO_FIELDS)}
        facts |= {name: courses[:, k] for k, name in enumerate(COURSE_FIELDS)}
        x, y = buffers["places"].astype(np.int64).T
        options, where = self._options, (facts["level"], facts["stage"])
        world, stage = options.places[where].T
        place = (world, stage, options.heights[where])
        described = describe_episode(facts, place, (x, y), full_game=options.full_game)
        described["status"] = _SIZES[facts["mode"]]
        return described
