"""Super Mario Bros. by stable-retro, with a ROM of the user's own.

stable-retro tells how far the screen has scrolled; here that becomes what others tell.

Example::

    ludus run mario-arena/1-1 random --env ludus.guests.retro:1-1
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.guests.buttons import split_name

__all__ = ["SuperMarioBrosRetro", "make"]

PACKAGE = "stable_retro"
INSTALL = "pip install stable-retro"
GAME = "SuperMarioBros-Nes-v0"
SCREEN_WIDTH = 256


def make(name: str, render_mode: str | None = None) -> SuperMarioBrosRetro:
    """Return the game at a level.

    Args:
        name: A level that stable-retro has a state of, such as ``1-1``; behind an @ the actions:
            ``right-only``, ``simple`` (the default) or ``complex``.
        render_mode: ``rgb_array`` or None.

    Raises:
        OptionError: There is no such level, or the package or the ROM is missing.
    """
    level, actions = split_name(name)
    try:
        retro = import_module(PACKAGE)
    except ModuleNotFoundError as error:
        raise OptionError(f"{error.name} is missing: {INSTALL}") from error
    try:
        console = retro.make(GAME, state=f"Level{level}", render_mode=render_mode or "rgb_array")
    except FileNotFoundError as error:
        if "ROM" in str(error):
            raise OptionError(
                f"the ROM of {GAME} is missing: python -m stable_retro.import FOLDER"
            ) from error
        raise OptionError(f"stable-retro has no level {level!r}: try 1-1 or 1-4") from error
    return SuperMarioBrosRetro(console, actions, render_mode)


class SuperMarioBrosRetro(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """A console of stable-retro with numbered actions, telling what other Marios tell.

    Args:
        console: The environment of stable-retro.
        actions: The buttons of each action.
        render_mode: ``rgb_array`` or None.
    """

    def __init__(
        self, console: Any, actions: tuple[tuple[str, ...], ...], render_mode: str | None = None
    ) -> None:
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 60}
        self.render_mode = render_mode
        self._console = console
        self._buttons = [
            np.array([str(one).lower() in map(str.lower, pressed) for one in console.buttons])
            for pressed in actions
        ]
        self.action_space = Discrete(len(actions))
        self.observation_space = console.observation_space
        self._level: tuple[int, int] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin again."""
        super().reset(seed=seed)
        self._level = None
        screen, info = self._console.reset(seed=seed)
        return screen, self._tell(info)

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.uint8], SupportsFloat, bool, bool, dict[str, Any]]:
        """Hold the buttons of an action for one frame."""
        pressed = self._buttons[int(action)].astype(np.int8)
        screen, reward, terminated, truncated, info = self._console.step(pressed)
        return screen, float(reward), bool(terminated), bool(truncated), self._tell(info)

    def render(self) -> Any:
        """Return the screen."""
        return self._console.render()

    def close(self) -> None:
        """Switch the console off."""
        self._console.close()

    def _tell(self, info: Mapping[str, Any]) -> dict[str, Any]:
        """Return what others tell, as far as stable-retro's values say it."""
        if "xscrollHi" not in info:
            return dict(info)
        level = int(info["levelHi"]) + 1, int(info["levelLo"]) + 1
        self._level = self._level or level
        return {
            "x_pos": SCREEN_WIDTH * int(info["xscrollHi"]) + int(info["xscrollLo"]),
            "world": level[0],
            "stage": level[1],
            "coins": int(info["coins"]),
            "time": int(info["time"]),
            "life": int(info["lives"]),
            "score": int(info["score"]),
            "flag_get": level != self._level,
        }
