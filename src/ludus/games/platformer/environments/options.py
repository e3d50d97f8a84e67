"""The options of the platformer's environments, and the spaces that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludus.errors import OptionError, show_value
from ludus.games.option_kinds import (
    check_names,
    check_weights,
    read_pair,
    read_whole,
    spread,
)
from ludus.games.platformer._native import World
from ludus.games.platformer.environments.buttons import (
    ACTION_SETS,
    ORDERS,
    button_bits,
    discrete_actions,
    name_holds,
    named_actions,
    translate_sums,
)
from ludus.games.platformer.environments.learner_views import LEARNER_PARTS, learner_space
from ludus.games.platformer.level_names import LevelLike, find_levels, resolve_level
from ludus.games.platformer.levels.level import Level, Recipe
from ludus.games.platformer.levels.reference import FORMATS
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.pictures.frames import screen_size
from ludus.games.platformer.records import BITMAP_CHARACTERS, STATE_FIELDS, VECTOR_FIELDS

__all__ = [
    "ACTIONS",
    "PARTS",
    "EnvOptions",
    "LevelLike",
    "Reward",
    "Starts",
    "read_env_options",
    "resolve_level",
]

TIME_LIMIT = 200
"""Clock seconds, where neither the environment nor options of 2010 say another number."""

#: What an observation can be made of: bitmap under the rules of 2009 alone, vector under those of
#: 2010, what learners take under ours.
PARTS = ("scene", "enemies", "merged", "state", "rgb", "bitmap", "vector", *LEARNER_PARTS)

_GRIDS = ("scene", "enemies", "merged")
_EXTRAS = {"bitmap": "2009", "vector": "2010"}
_FIELDS = {"2009": 22, "2010": 19}

#: The actions of ``actions="discrete"`` under our own rules: every sensible hold of the buttons.
ACTIONS = tuple(discrete_actions("framework").tolist())


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

    def __post_init__(self) -> None:
        check_weights(self)


class Starts(NamedTuple):
    """What environments begin with.

    Attributes:
        levels: All levels that are played.
        worlds: The worlds at their start, as the native batch takes them.
        pools: The numbers of the levels, or courses of levels, that each environment draws from.
        course: Lives, levels of a course, modes, no-ops and the probability of sticky actions;
            0 lives where an episode is one level.
    """

    levels: list[Level]
    worlds: list[World]
    pools: list[list[int]]
    course: tuple[int, int, int, int, float] = (0, 1, 1, 0, 0.0)


@dataclass(frozen=True, kw_only=True)
class EnvOptions:
    """The options of an environment; :class:`PlatformerEnv` explains each."""

    levels: LevelLike | Sequence[LevelLike] | Sequence[Sequence[LevelLike]] = "sprint-01"
    rules: str | None = None
    mode: int | None = None
    time_limit: int | None = None
    kill_events: Sequence[tuple[int, int]] = ()
    physics: Physics | None = None
    options: str | None = None
    observation: str | Sequence[str] = ("scene", "enemies", "state")
    size: int | tuple[int, int] | None = None
    detail: tuple[int, int] | None = None
    centre: str = "mario"
    layout: str = "columns"
    actions: str | Sequence[int] | Sequence[Sequence[str]] = "buttons"
    buttons: str | None = None
    latency: int = 0
    reward: Reward = Reward()
    frame_skip: int = 1
    max_steps: int = 0

    def __post_init__(self) -> None:
        self._read_numbers()
        if not isinstance(self.rules, str | None):
            raise OptionError(f"rules {show_value(self.rules)} are no text: try 'framework'")
        object.__setattr__(self, "levels", _expand_levels(self.levels))
        self._check_parts()
        if not isinstance(self.reward, Reward):
            raise OptionError(f"reward {self.reward!r:.40} is none: give Reward(progress=1, win=1)")
        if self.frame_skip < 1:
            raise OptionError(f"frame_skip {self.frame_skip} is too small: give 1 or more")
        if self.max_steps < 0:
            raise OptionError(f"max_steps {self.max_steps} is negative: give 0 for no limit")
        if min(self.grid_size) < 1 or max(self.grid_size) > 128:
            raise OptionError(f"size {self.size} is out of range: give 1 to 128 columns and rows")
        if any(detail not in (0, 1, 2) for detail in self.details):
            raise OptionError(f"detail {self.detail} is unknown: give 0, 1 or 2 for scene, enemies")
        if self.centre == "screen" and self.rules_name in FORMATS:
            raise OptionError(f"agents of {self.rules_name} look around Mario: leave centre out")
        if self.centre not in ("mario", "screen"):
            raise OptionError(f"centre {self.centre!r} is unknown: try 'mario' or 'screen'")
        if self.layout not in ("columns", "rows"):
            raise OptionError(f"layout {self.layout!r} is unknown: try 'columns' or 'rows'")
        if self.latency not in (0, 1):
            raise OptionError(f"latency {self.latency!r} is out of range: give 0 or 1 step")
        self.action_table  # noqa: B018 - raises if the actions make no sense

    def _read_numbers(self) -> None:
        """Make Python's own of whole numbers of any type."""
        for name in ("mode", "time_limit", "latency", "frame_skip", "max_steps"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, read_whole(name, getattr(self, name)))
        if self.size is not None:
            size = spread(self.size)
            object.__setattr__(
                self, "size", read_pair("size", size * 2 if len(size) == 1 else size)
            )
        if self.detail is not None:
            object.__setattr__(self, "detail", read_pair("detail", self.detail))

    def _check_parts(self) -> None:
        for part in self.parts:
            if part not in PARTS:
                raise OptionError(f"observation {part!r} is unknown: try one of {', '.join(PARTS)}")
            if part in _EXTRAS and _EXTRAS[part] != self.rules_name:
                raise OptionError(
                    f"observation {part!r} is of the rules {_EXTRAS[part]!r}, these are "
                    f"{self.rules_name!r}: try rules={_EXTRAS[part]!r}"
                )
            if part in LEARNER_PARTS and self.rules_name in FORMATS:
                raise OptionError(
                    f"observation {part!r} is not for the rules {self.rules_name!r}: try 'merged'"
                )
        if not self.parts:
            raise OptionError("the observation is empty: try observation='merged'")

    @cached_property
    def _first_level(self) -> Level:
        level: Any = self.levels
        while not isinstance(level, Level):
            level = level[0]
        return self.level(level)

    @property
    def rules_name(self) -> str:
        """The rules that are played: those asked for, or those of the first level."""
        return self._first_level.rules

    @cached_property
    def settings_2010(self) -> Options2010:
        """The benchmark's options of the worlds, under the rules ``2010``."""
        return Options2010.parse(self.options or self._first_level.options or "")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The observation's parts; one alone is not wrapped in a Dict."""
        return tuple(spread(self.observation))

    @property
    def grid_size(self) -> tuple[int, int]:
        """Columns and rows of the receptive field."""
        if self.size is None and self.rules_name == "2010":
            return self.settings_2010.field_width, self.settings_2010.field_height
        size = _FIELDS.get(self.rules_name, 16) if self.size is None else self.size
        return (size, size) if isinstance(size, int) else size

    @property
    def details(self) -> tuple[int, int]:
        """How finely blocks and creatures are told apart."""
        if self.detail is None and self.rules_name == "2010":
            return self.settings_2010.tile_detail, self.settings_2010.entity_detail
        return (1, 0) if self.detail is None else self.detail

    @property
    def order(self) -> str:
        """Whose order the buttons of an action are in."""
        rules = self.rules_name if self.rules_name in ORDERS else "framework"
        return rules if self.buttons is None else self.buttons

    @cached_property
    def action_table(self) -> NDArray[np.uint8] | None:
        """Button bits by action number, or None where actions are buttons."""
        if self.order not in ORDERS:
            raise OptionError(f"buttons {self.buttons!r} are unknown: try {', '.join(ORDERS)}")
        if isinstance(self.actions, str):
            named = ACTION_SETS.get(self.actions)
            if named is None:
                return self._table_of_name(self.actions)
            return named_actions(named, self.rules_name)
        actions = spread(self.actions)
        if actions and all(isinstance(action, list | tuple) for action in actions):
            return named_actions(actions, self.rules_name)
        for action in actions:
            if isinstance(action, str | list | tuple):
                raise OptionError(
                    f"action {show_value(action)} is not like the others, or no list: give lists "
                    "of buttons such as [['NOOP'], ['right', 'A']]"
                )
        sums = [read_whole("actions", action) for action in actions]
        most = 2 ** len(ORDERS[self.order]) - 1
        if not sums or any(not 0 <= action <= most for action in sums):
            shown = ", ".join(map(str, sums)) or "of no number"
            raise OptionError(f"actions {shown} must be button sums from 0 to {most}")
        return translate_sums(sums, self.order, self.rules_name)

    def _table_of_name(self, name: str) -> NDArray[np.uint8] | None:
        if name not in ("buttons", "discrete"):
            raise OptionError(
                f"actions {name!r} are unknown: try 'buttons', 'discrete', "
                f"{', '.join(map(repr, ACTION_SETS))} or a list of button sums such as [0, 2, 26]"
            )
        return None if name == "buttons" else discrete_actions(self.rules_name)

    def action_meanings(self) -> list[str]:
        """Return what each action holds, such as ``"right A"``, or the name of each button."""
        table = self.action_table
        if table is None:
            return list(ORDERS[self.order])
        named = ACTION_SETS.get(self.actions) if isinstance(self.actions, str) else self.actions
        words = [action for action in named or () if isinstance(action, list | tuple)]
        return [" ".join(action) or "NOOP" for action in words] or name_holds(
            table, self.rules_name
        )

    @cached_property
    def button_bits(self) -> NDArray[np.uint8]:
        """The bit of each button of an action."""
        return button_bits(self.order, self.rules_name)

    def action_space(self) -> spaces.MultiBinary | spaces.Discrete:
        """Return the space of one environment's actions."""
        table = self.action_table
        buttons = len(ORDERS[self.order])
        return spaces.MultiBinary(buttons) if table is None else spaces.Discrete(len(table))

    def observation_space(self) -> spaces.Space[Any]:
        """Return the space of one environment's observations."""
        parts: dict[str, spaces.Space[Any]] = {part: self.part_space(part) for part in self.parts}
        return parts[self.parts[0]] if isinstance(self.observation, str) else spaces.Dict(parts)

    def part_space(self, part: str) -> spaces.Box:
        """Return the space of one part of an observation."""
        if part == "state":
            return spaces.Box(-(2.0**31), 2.0**31, (len(STATE_FIELDS),), np.float32)
        if part == "rgb":
            width, height = screen_size(self.rules_name)
            return spaces.Box(0, 255, (height, width, 3), np.uint8)
        if part == "bitmap":
            return spaces.Box(0, 2**16 - 1, (BITMAP_CHARACTERS,), np.uint16)
        if part == "vector":
            return spaces.Box(-(2**31), 2**31 - 1, (len(VECTOR_FIELDS),), np.int32)
        columns, rows = self.grid_size
        shape = (columns, rows) if self.layout == "columns" else (rows, columns)
        if part in LEARNER_PARTS:
            return learner_space(part, shape)
        if self.rules_name in FORMATS:
            return spaces.Box(-128, 127, shape, np.int8)
        return spaces.Box(0, 100, shape, np.uint8)

    def level(self, level: LevelLike) -> Level:
        """Return a level as it is played: for the rules that were asked for."""
        found = resolve_level(level)
        return found if self.rules is None else found.for_rules(self.rules)

    def world(self, level: LevelLike) -> World:
        """Return a world of this level at its start."""
        found = self.level(level)
        has_options = self.options is not None or found.options is not None
        return World(
            found,
            self.mode,
            TIME_LIMIT if self.time_limit is None and not has_options else self.time_limit,
            self.kill_events,
            physics=self.physics,
            options=self.options,
        )

    def make_starts(self, n: int) -> Starts:
        """Return what ``n`` environments begin with."""
        lists = self._level_lists(n)
        levels = list(dict.fromkeys(self.level(level) for pool in lists for level in pool))
        index = {level: k for k, level in enumerate(levels)}
        pools = [[index[self.level(level)] for level in pool] for pool in lists]
        return Starts(levels, [self.world(level) for level in levels], pools)

    def _level_lists(self, n: int) -> list[list[Level]]:
        levels = cast("list[Any]", self.levels)
        if isinstance(levels[0], Level):
            return [levels] * n
        if len(levels) != n or not all(levels):
            raise OptionError(
                f"levels has {len(levels)} lists: give one for each of {n} environments"
            )
        return levels


def read_env_options(options: Mapping[str, Any]) -> EnvOptions:
    """Return the options of an environment.

    Raises:
        OptionError: There is no such option, or it cannot have this value.
    """
    check_names(options, [field.name for field in fields(EnvOptions)], "the environment")
    return EnvOptions(**options)


def _expand_levels(source: Any) -> list[Any]:
    """Return the levels that are named, or a list of them for each environment."""
    if isinstance(source, Level | str | PathLike | Recipe | Mapping):
        return [*find_levels(source)]
    items = spread(source)
    if not items:
        raise OptionError("levels is empty: give at least one level")
    if isinstance(items[0], list | tuple):
        return [_expand_levels(item) for item in items]
    return [level for item in items for level in find_levels(item)]
