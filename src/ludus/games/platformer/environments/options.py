"""The options of the platformer's environments, and the spaces that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer._native import World
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.records import STATE_FIELDS

__all__ = ["ACTIONS", "PARTS", "EnvOptions", "LevelLike", "Reward", "resolve_level"]

LevelLike = Level | str

#: What an observation can be made of.
PARTS = ("scene", "enemies", "merged", "state", "rgb")

#: The actions of ``actions="discrete"``: every sensible hold of the buttons.
ACTIONS = (0, 1, 2, 4, 9, 10, 16, 17, 18, 24, 25, 26)

_SCREEN = (256, 256)


@dataclass(frozen=True, kw_only=True)
class Reward:
    """What a step pays: each weight times what changed in the step.

    Attributes:
        progress: Per tile to the right, negative to the left.
        win: Once, for reaching the exit.
        loss: Once, for dying or running out of time.
        coin: Per coin.
        kill: Per creature killed, by fall too.
        power: Per mode gained, negative when one is lost.
        tick: Per tick played.

    Example:
        >>> Reward(win=100, tick=-0.01).progress
        1.0
    """

    progress: float = 1.0
    win: float = 0.0
    loss: float = 0.0
    coin: float = 0.0
    kill: float = 0.0
    power: float = 0.0
    tick: float = 0.0


@dataclass(frozen=True, kw_only=True)
class EnvOptions:
    """The options of an environment; :class:`PlatformerEnv` explains each."""

    levels: LevelLike | Sequence[LevelLike] | Sequence[Sequence[LevelLike]] = "sprint-01"
    mode: int = 0
    time_limit: int = 200
    kill_events: Sequence[tuple[int, int]] = ()
    physics: Physics | None = None
    observation: str | Sequence[str] = ("scene", "enemies", "state")
    size: int | tuple[int, int] = 16
    detail: tuple[int, int] = (1, 0)
    centre: str = "mario"
    actions: str | Sequence[int] = "buttons"
    reward: Reward = Reward()
    frame_skip: int = 1
    max_steps: int = 0

    def __post_init__(self) -> None:
        for part in self.parts:
            if part not in PARTS:
                raise OptionError(f"observation {part!r} is unknown: try one of {', '.join(PARTS)}")
        if not self.parts:
            raise OptionError("the observation is empty: try observation='merged'")
        if self.frame_skip < 1:
            raise OptionError(f"frame_skip {self.frame_skip} is too small: give 1 or more")
        if self.max_steps < 0:
            raise OptionError(f"max_steps {self.max_steps} is negative: give 0 for no limit")
        if min(self.grid_size) < 1 or max(self.grid_size) > 128:
            raise OptionError(f"size {self.size} is out of range: give 1 to 128 columns and rows")
        if any(detail not in (0, 1, 2) for detail in self.detail) or len(self.detail) != 2:
            raise OptionError(f"detail {self.detail} is unknown: give 0, 1 or 2 for scene, enemies")
        if self.centre not in ("mario", "screen"):
            raise OptionError(f"centre {self.centre!r} is unknown: try 'mario' or 'screen'")
        self.action_table  # noqa: B018 - raises if the actions make no sense

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The observation's parts; one alone is not wrapped in a Dict."""
        return (self.observation,) if isinstance(self.observation, str) else tuple(self.observation)

    @property
    def grid_size(self) -> tuple[int, int]:
        """Columns and rows of the receptive field."""
        return (self.size, self.size) if isinstance(self.size, int) else self.size

    @cached_property
    def action_table(self) -> NDArray[np.uint8] | None:
        """Button bits by action number, or None where actions are five buttons."""
        if isinstance(self.actions, str):
            if self.actions not in ("buttons", "discrete"):
                raise OptionError(
                    f"actions {self.actions!r} are unknown: try 'buttons', 'discrete' or a list "
                    "of button sums such as [0, 2, 10, 26]"
                )
            return None if self.actions == "buttons" else np.array(ACTIONS, np.uint8)
        if not self.actions or any(not 0 <= action <= 31 for action in self.actions):
            raise OptionError(f"actions {list(self.actions)} must be button sums from 0 to 31")
        return np.array(self.actions, np.uint8)

    def action_space(self) -> spaces.MultiBinary | spaces.Discrete:
        """Return the space of one environment's actions."""
        table = self.action_table
        return spaces.MultiBinary(5) if table is None else spaces.Discrete(len(table))

    def observation_space(self) -> spaces.Space[Any]:
        """Return the space of one environment's observations."""
        parts: dict[str, spaces.Space[Any]] = {part: self.part_space(part) for part in self.parts}
        return parts[self.parts[0]] if isinstance(self.observation, str) else spaces.Dict(parts)

    def part_space(self, part: str) -> spaces.Box:
        """Return the space of one part of an observation."""
        if part == "state":
            return spaces.Box(-(2.0**31), 2.0**31, (len(STATE_FIELDS),), np.float32)
        if part == "rgb":
            return spaces.Box(0, 255, (*_SCREEN, 3), np.uint8)
        return spaces.Box(0, 100, self.grid_size, np.uint8)

    def world(self, level: LevelLike) -> World:
        """Return a world of this level at its start."""
        return World(
            resolve_level(level), self.mode, self.time_limit, self.kill_events, physics=self.physics
        )


def resolve_level(level: LevelLike) -> Level:
    """Return the level itself, or the bundled one of this name."""
    return level if isinstance(level, Level) else bundled_level(level)
