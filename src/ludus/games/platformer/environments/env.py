"""The Gymnasium environment ``ludus/Platformer-v0``."""

from __future__ import annotations

from typing import Any

import gymnasium
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.one_thread import Turn, one_thread
from ludus.games.platformer import pictures
from ludus.games.platformer._native import World
from ludus.games.platformer.environments.bound_batch import BoundBatch, write_action
from ludus.games.platformer.environments.options import EnvOptions
from ludus.games.platformer.records import INFO_FIELDS
from ludus.games.saved_state import Restorable

__all__ = ["PlatformerEnv"]

Observation = NDArray[Any] | dict[str, NDArray[Any]]


class PlatformerEnv(Restorable, gymnasium.Env[Observation, Any]):
    """One game of the platformer after another.

    Args:
        render_mode: None, ``"rgb_array"`` or ``"ansi"``.
        options: What :class:`~ludus.games.platformer.environments.EnvOptions` holds:

            * ``levels``: a level, the name of a bundled one, or several of them to draw from;
            * ``rules``: ``framework``, ``ludus``, ``2009`` or ``2010``; by default those of the
              levels;
            * ``mode``, ``time_limit`` (clock seconds), ``kill_events``, ``physics``, ``options``
              (of 2010): as of a World;
            * ``observation``: one of ``scene``, ``enemies``, ``merged``, ``state``, ``rgb``,
              ``bitmap`` (2009), ``vector`` (2010) for a Box, several for a Dict; ``size``,
              ``detail`` (scene, enemies), ``centre`` of grids; ``layout``: whether grids are
              indexed by ``"columns"`` first or by ``"rows"``, as those of 2009 and 2010 are;
            * ``actions``: ``"buttons"`` for MultiBinary(5) (LEFT, RIGHT, DOWN, SPEED, JUMP),
              ``"discrete"`` for twelve sensible ones, or a list of button sums;
            * ``buttons``: whose order the buttons are in, ``framework``, ``2009`` (LEFT, RIGHT,
              DOWN, JUMP, SPEED) or ``2010`` (and UP); by default that of the rules;
            * ``latency``: 1 if a step plays the action of the step before, the first one none;
            * ``reward``: weights, see :class:`~ludus.games.platformer.environments.Reward`;
            * ``frame_skip``: ticks an action is held; ``max_steps``: steps to truncation, 0 none.

    ``reset(options={"level": level})`` plays the coming episode on this one of its levels.
    ``info`` holds plain numbers: x, y and those of ``INFO_FIELDS``.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make("ludus/Platformer-v0", observation="merged", actions="discrete")
        >>> observation, info = env.reset(seed=7)
        >>> observation.shape
        (16, 16)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared by Gymnasium
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 30,
    }

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode {render_mode!r} is unknown: try 'rgb_array' or 'ansi'")
        self.render_mode = render_mode
        self._options = EnvOptions(**options)
        self.action_space = self._options.action_space()
        self.observation_space = self._options.observation_space()
        self._worlds = BoundBatch(self._options, 1, "disabled", 1)
        self._started = False
        self._turn = Turn()

    @property
    def world(self) -> World:
        """A copy of the world as it is: look ahead with it, it changes nothing here."""
        return self._worlds.native.world(0)

    @one_thread
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode on a level drawn from the environment's, or on ``options["level"]``."""
        super().reset(seed=seed)
        if seed is not None or not self._started:
            first = seed if seed is not None else int(self.np_random.integers(2**63))
            self._worlds.native.seed(0, first)
            self._started = True
        level = -1
        if options and "level" in options:
            wanted = self._options.level(options["level"])
            if wanted not in self._worlds.levels:
                raise OptionError(f"{wanted!r} is none of the environment's levels: list it there")
            level = self._worlds.levels.index(wanted)
        self._worlds.native.reset(0, level)
        return self._observation(), self._info()

    @one_thread
    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Hold the action for ``frame_skip`` ticks."""
        buffers = self._worlds.buffers
        write_action(self._options, action, buffers["actions"])
        self._worlds.native.step()
        return (
            self._observation(),
            float(buffers["rewards"][0]),
            bool(buffers["terminated"][0]),
            bool(buffers["truncated"][0]),
            self._info(),
        )

    def render(self) -> Any:
        """Return the screen as pixels or as text, or None without a render mode."""
        if self.render_mode == "rgb_array":
            return pictures.frame(self.world)
        if self.render_mode == "ansi":
            return pictures.ansi(self.world)
        return None

    def _clone_worlds(self) -> bytes:
        return self._worlds.native.clone_state()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._worlds.native.restore_state(worlds)

    def _part(self, part: str) -> NDArray[Any]:
        return pictures.frame(self.world) if part == "rgb" else self._worlds.seen[part][0].copy()

    def _observation(self) -> Observation:
        if isinstance(self._options.observation, str):
            return self._part(self._options.observation)
        return {part: self._part(part) for part in self._options.parts}

    def _info(self) -> dict[str, Any]:
        buffers = self._worlds.buffers
        x, y = buffers["places"][0].tolist()
        return {
            "x": x,
            "y": y,
            **dict(zip(INFO_FIELDS, buffers["infos"][0].tolist(), strict=True)),
        }
