"""The Gymnasium environment ``ludus/Platformer-v0``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
from numpy.typing import NDArray

from ludus.errors import OptionError, show_value
from ludus.games.media.display import Display
from ludus.games.one_thread import Turn, in_use, one_thread
from ludus.games.platformer import pictures
from ludus.games.platformer._native import World
from ludus.games.platformer.environments.bound_batch import BoundBatch, read_action
from ludus.games.platformer.environments.learner_views import CONVERSIONS
from ludus.games.platformer.environments.options import EnvOptions, read_env_options
from ludus.games.saved_state import Restorable
from ludus.seeds import check_stream_seed

__all__ = ["PlatformerEnv"]

Copy = Callable[[], NDArray[Any]]

Observation = NDArray[Any] | dict[str, NDArray[Any]]


class PlatformerEnv(Restorable, gymnasium.Env[Observation, Any]):
    """One game of the platformer after another.

    Args:
        render_mode: None, ``"rgb_array"``, ``"ansi"``, or ``"human"``: every step is shown, in a
            small window or in the terminal.
        options: What :class:`~ludus.games.platformer.environments.EnvOptions` holds:

            * ``levels``: a level, or several to draw from: ``"1-1"``, ``"campaign"``,
              ``"sprint-01"``, a level file, a recipe such as ``{"generator": "ludus", "seeds":
              100}``; see :func:`~ludus.games.platformer.environments.find_levels`;
            * ``rules``: ``framework``, ``ludus``, ``2009`` or ``2010``; by default those of the
              levels;
            * ``mode``, ``time_limit`` (clock seconds), ``kill_events``, ``physics``, ``options``
              (of 2010): as of a World;
            * ``observation``: one of ``scene``, ``enemies``, ``merged``, ``state``, ``rgb``,
              ``bitmap`` (2009), ``vector`` (2010) for a Box, several for a Dict; ready to learn
              from are ``scaled_state``, ``classes``, ``planes``, ``fields``, ``pixels``; ``size``,
              ``detail`` (scene, enemies), ``centre`` of grids; ``layout``: whether grids are
              indexed by ``"columns"`` first or by ``"rows"``, as those of 2009 and 2010 are;
            * ``actions``: ``"buttons"`` for MultiBinary(5) (LEFT, RIGHT, DOWN, SPEED, JUMP),
              ``"discrete"`` for twelve sensible ones, ``"RIGHT_ONLY"``, ``"SIMPLE_MOVEMENT"`` or
              ``"COMPLEX_MOVEMENT"``, a list of button sums, or a list of lists of buttons;
            * ``buttons``: whose order the buttons are in, ``framework``, ``2009`` (LEFT, RIGHT,
              DOWN, JUMP, SPEED) or ``2010`` (and UP); by default that of the rules;
            * ``latency``: 1 if a step plays the action of the step before, the first one none;
            * ``reward``: weights, see :class:`~ludus.games.platformer.environments.Reward`;
            * ``frame_skip``: ticks an action is held; ``max_steps``: steps to truncation, 0 none.

    ``metadata["render_fps"]`` is the steps that a game shows in a second of its own time.
    ``reset(options={"level": level})`` plays the coming episode on this one of its levels.
    ``info`` holds plain numbers: x, y and those of ``INFO_FIELDS``; and ``is_success``.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make("ludus/Platformer-v0", observation="merged", actions="discrete")
        >>> observation, info = env.reset(seed=7)
        >>> observation.shape
        (16, 16)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared by Gymnasium
        "render_modes": ["human", "rgb_array", "ansi"],
        "render_fps": 30,
    }

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            known = ", ".join(map(repr, self.metadata["render_modes"]))
            raise OptionError(f"render_mode {render_mode!r} is unknown: try {known}")
        self.render_mode = render_mode
        self._options = self._read_options(options)
        rate = self.metadata["render_fps"] / self._options.frame_skip
        self.metadata = {**self.metadata, "render_fps": rate}
        self.action_space = self._options.action_space()
        self.observation_space = self._options.observation_space()
        self._worlds = BoundBatch(self._options, 1, "disabled", 1)
        self._started = False
        self._turn = Turn()
        self._display: Display | None = None
        self._prepare()

    def _read_options(self, options: dict[str, Any]) -> EnvOptions:
        return read_env_options(options)

    def _prepare(self) -> None:
        """Look up once what every step needs."""
        self._acquire, self._release = self._turn.acquire, self._turn.release
        self._step_alone = self._worlds.native.step_alone
        table = self._options.action_table
        self._bits = {} if table is None else dict(enumerate(table.tolist()))
        alone = isinstance(self._options.observation, str)
        direct = all(part not in (*CONVERSIONS, "rgb") for part in self._options.parts)
        views = [(part, seen[0].copy) for part, seen in self._worlds.seen.items()]
        self._copy_alone: Copy | None = views[0][1] if direct and alone else None
        self._copies = views if direct and not alone else None

    def __getstate__(self) -> dict[str, Any]:
        looked_up = ("_acquire", "_release", "_step_alone", "_copy_alone", "_copies")
        state = {name: value for name, value in self.__dict__.items() if name not in looked_up}
        return {**state, "_display": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

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
            self._worlds.native.seed(0, check_stream_seed(first))
            self._started = True
        level = -1
        if options and "level" in options:
            wanted = self._options.level(options["level"])
            if wanted not in self._worlds.levels:
                shown = show_value(options["level"])
                raise OptionError(f"{shown} is none of the environment's levels: list it there")
            level = self._worlds.levels.index(wanted)
        self._worlds.native.reset(0, level)
        if self.render_mode == "human":
            self._show()
        return self._observation(), self._describe(self._worlds.native.info(0))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Hold the action for ``frame_skip`` ticks."""
        if not self._acquire(False):
            raise in_use(self)
        try:
            bits = self._bits.get(action) if type(action) is int else None
            if bits is None:
                bits = read_action(self._options, action)
            reward, terminated, truncated, info = self._step_alone(bits)
            if self.render_mode == "human":
                self._show()
            seen: Observation = {}
            if self._copies is None:
                seen = self._observation()
            else:  # a loop: a comprehension is a call
                for name, copy in self._copies:
                    seen[name] = copy()
            return seen, reward, terminated, truncated, self._describe(info)
        finally:
            self._release()

    def get_action_meanings(self) -> list[str]:
        """Return what each action holds, such as ``"right A"``, or the name of each button.

        Example:
            >>> PlatformerEnv(actions="RIGHT_ONLY").get_action_meanings()
            ['NOOP', 'right', 'right A', 'right B', 'right A B']
        """
        return self._options.action_meanings()

    def render(self) -> Any:
        """Return the screen as pixels or as text, or None without a render mode."""
        if self.render_mode == "rgb_array":
            return pictures.frame(self.world)
        if self.render_mode == "ansi":
            return pictures.ansi(self.world)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _show(self) -> None:
        if self._display is None:
            self._display = Display("Ludus")
        world, rate = self.world, self.metadata["render_fps"]
        self._display.show(pictures.frame(world), lambda: pictures.ansi(world), rate)

    def _clone_worlds(self) -> bytes:
        return self._worlds.clone_state()

    def _restore_worlds(self, worlds: bytes) -> None:
        self._worlds.restore_state(worlds)

    def _part(self, part: str) -> NDArray[Any]:
        if part == "rgb":
            return pictures.frame(self.world)
        shown = self._worlds.show(part, 0)
        return shown if part in CONVERSIONS else shown.copy()

    def _observation(self) -> Observation:
        if self._copy_alone is not None:
            return self._copy_alone()
        if self._copies is not None:
            return {part: copy() for part, copy in self._copies}
        if isinstance(self._options.observation, str):
            return self._part(self._options.observation)
        return {part: self._part(part) for part in self._options.parts}

    def _describe(self, info: dict[str, Any]) -> dict[str, Any]:
        """Return what a user is told of what the engine tells."""
        return info
