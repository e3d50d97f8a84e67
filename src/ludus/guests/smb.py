"""Super Mario Bros. by the packages gym-super-mario-bros and nes-py, with any NumPy.

Their releases for Python 3.11 and 3.12 compute with bytes, which NumPy 2 refuses. Here the bytes of
the cartridge's header and of the memory become plain numbers where they leave those packages.

Example::

    ludus run mario-arena/1-1 random --env ludus.guests.smb:1-1
"""

from __future__ import annotations

import hashlib
import re
from contextlib import redirect_stderr
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.guests.buttons import split_name

__all__ = ["SuperMarioBros", "make"]

PACKAGE = "gym_super_mario_bros"
INSTALL = "pip install gym-super-mario-bros"
FULL_GAME = "full-game"
SCREEN = (240, 256, 3)
BITS = {"A": 1, "B": 2, "up": 16, "down": 32, "left": 64, "right": 128}


def make(name: str, render_mode: str | None = None) -> SuperMarioBros:
    """Return the game at a level.

    Args:
        name: ``1-1`` to ``8-4`` or ``full-game``, or the package's own name of it, such as
            ``SuperMarioBros-1-1-v0``; behind an @ the actions: ``right-only``, ``simple`` (the
            default) or ``complex``.
        render_mode: ``rgb_array`` or None.

    Raises:
        OptionError: There is no such level, or a package is missing.
    """
    level, actions = split_name(name)
    return SuperMarioBros(_find_target(level), actions, render_mode)


def _find_target(level: str) -> tuple[int, int] | None:
    """Return the world and the stage that a name asks for; None for the whole game."""
    if level in (FULL_GAME, "SuperMarioBros-v0", "SuperMarioBros-v3"):
        return None
    match = re.fullmatch(r"(?:SuperMarioBros-)?([1-8])-([1-4])(?:-v\d+)?", level)
    if match is None:
        raise OptionError(f"no level {level!r}: try 1-1 to 8-4, or {FULL_GAME}")
    return int(match[1]), int(match[2])


class SuperMarioBros(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """The game behind Gymnasium's interface; an episode ends with a life, or with the game.

    Args:
        target: World and stage; None for the whole game.
        actions: The buttons of each action.
        render_mode: ``rgb_array`` or None.
    """

    def __init__(
        self,
        target: tuple[int, int] | None,
        actions: tuple[tuple[str, ...], ...],
        render_mode: str | None = None,
    ) -> None:
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 60}
        self.render_mode = render_mode
        self._console = _open_console(target)
        self._bits = [sum(BITS[button] for button in buttons) for buttons in actions]
        self.action_space = Discrete(len(actions))
        self.observation_space = Box(0, 255, SCREEN, np.uint8)
        self._known = {"rom": _digest_of_rom(), "full_game": int(target is None)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin again; the game has no chance in it, so the seed changes nothing."""
        super().reset(seed=seed)
        answer = self._console.reset()
        screen, info = answer if isinstance(answer, tuple) else (answer, {})
        return screen.copy(), self._tell(info)

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.uint8], SupportsFloat, bool, bool, dict[str, Any]]:
        """Hold the buttons of an action for one frame."""
        screen, reward, *ends, info = self._console.step(self._bits[int(action)])
        terminated, truncated = (*map(bool, ends), False)[:2]
        return screen.copy(), float(reward), terminated, truncated, self._tell(info)

    def render(self) -> NDArray[np.uint8]:
        """Return the screen."""
        screen: NDArray[np.uint8] = self._console.screen
        return screen.copy()

    def close(self) -> None:
        """Switch the console off."""
        self._console.close()

    def _tell(self, info: dict[str, Any]) -> dict[str, Any]:
        """Return what the game tells, which cartridge it is, and whether it is the whole game."""
        return {**info, **self._known}


class _Numbers:
    """Memory whose bytes are read as plain numbers and written as bytes."""

    def __init__(self, memory: NDArray[np.uint8]) -> None:
        self._memory = memory

    def __getitem__(self, place: int | slice) -> Any:
        return self._memory[place].tolist()

    def __setitem__(self, place: int | slice, value: Any) -> None:
        self._memory[place] = value

    def __len__(self) -> int:
        return len(self._memory)


def _open_console(target: tuple[int, int] | None) -> Any:
    """Return the package's own environment, with numbers where it has bytes."""
    try:
        with redirect_stderr(StringIO()):  # gym greets with advice that nobody here can follow
            environments: Any = import_module(f"{PACKAGE}.smb_env")
            console = import_module("nes_py.nes_env")
    except ModuleNotFoundError as error:
        raise OptionError(f"{error.name} is missing: {INSTALL}") from error
    if hasattr(console, "ROM"):
        _widen_header(console)

    class Console(environments.SuperMarioBrosEnv):  # type: ignore[misc] # known when it is there
        """The package's environment with a memory of plain numbers."""

        def _ram_buffer(self) -> _Numbers:
            return _Numbers(super()._ram_buffer())

    return Console(target=target)


def _widen_header(console: Any) -> None:
    """Let cartridges have headers of numbers, so that sizes are not cut to a byte."""
    cartridge: Any = console.ROM
    if "header" in vars(cartridge) and not hasattr(cartridge, "_has_numbers"):

        class Cartridge(cartridge):  # type: ignore[misc]
            """A cartridge with a header of plain numbers."""

            _has_numbers = True

            @property
            def header(self) -> Any:
                return super().header.astype(int)

        console.ROM = Cartridge


def _digest_of_rom() -> str:
    """Return which cartridges the package has, so that results of others are told apart."""
    folder = Path(str(import_module(PACKAGE).__file__)).parent
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.nes")):
        digest.update(file.read_bytes())
    return f"sha256:{digest.hexdigest()[:16]}"
