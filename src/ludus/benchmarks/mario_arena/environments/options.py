"""The options of the arena's environments: which levels are played, and by which terms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks.mario_arena.tracks import GAME_STICKY_ACTIONS, LEVEL_STICKY_ACTIONS
from ludus.errors import OptionError
from ludus.games.option_kinds import check_names, spread
from ludus.games.platformer import World
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.platformer.environments.options import EnvOptions, Reward, Starts
from ludus.games.platformer.level_names import LevelLike, find_levels
from ludus.games.platformer.levels.campaign import STAGES, campaign_level
from ludus.games.platformer.levels.level import Level, Recipe
from ludus.games.sticky_actions import StickyActions

__all__ = ["FULL_GAME", "ArenaOptions", "read_options"]

FULL_GAME = "full-game"
REWARD = Reward(progress=0.04, win=1.0, loss=-0.4, tick=-0.0005)
"""What a step pays by default, on the scale on which Ludus's own training works."""

OPTIONS = ("observation", "size", "detail", "centre", "layout", "actions", "reward")
"""What can be chosen besides level and terms: how it is seen, steered and paid."""

ELSEWHERE = "1-1"
"""What a level counts as that is none of the campaign's."""

MODES = 3


class Stage(NamedTuple):
    """A level of a course, and where in the campaign it counts."""

    level: Level
    name: str


@dataclass(frozen=True, kw_only=True)
class ArenaOptions(EnvOptions):
    """The options of an arena environment.

    Attributes:
        courses: What an episode can be: levels that are played one after the other.
        terms: Frame skip, sticky actions, no-ops, step cap, lives.
    """

    courses: tuple[tuple[Stage, ...], ...] = ()
    terms: StickyActions = LEVEL_STICKY_ACTIONS

    @property
    def full_game(self) -> bool:
        """Whether an episode is the whole campaign."""
        return len(self.courses[0]) > 1

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """World and stage of each level, by course and number."""
        names = [[stage.name.split("-") for stage in course] for course in self.courses]
        return np.array(names, np.int64)

    @cached_property
    def heights(self) -> NDArray[np.int64]:
        """Pixels of each level's height, by course and number."""
        return np.array([[16 * stage.level.height for stage in course] for course in self.courses])

    def make_starts(self, n: int) -> Starts:
        """Return what ``n`` environments begin with."""
        stages = [stage.level for course in self.courses for stage in course]
        modes = range(MODES if self.full_game else 1)
        worlds = [World(level, mode) for level in stages for mode in modes]
        terms = self.terms
        course = (terms.lives, len(self.courses[0]), len(modes), terms.no_ops, terms.sticky)
        return Starts(stages, worlds, [list(range(len(self.courses)))] * n, course)

    def make_scenario(self, course: int, seed: int) -> ArenaScenario:
        """Return the scenario of the track that an episode with this seed is.

        Raises:
            OptionError: A level is none of the campaign's.
        """
        stages = tuple(stage.name for stage in self.courses[course])
        if any(stage.level != campaign_level(stage.name) for stage in self.courses[course]):
            raise OptionError("the level is none of the campaign's: its episodes are of no track")
        name = FULL_GAME if self.full_game else stages[0]
        return ArenaScenario(name, stages, seed, self.terms)


def read_options(
    level: LevelLike | Sequence[LevelLike], terms: StickyActions | None, others: Mapping[str, Any]
) -> ArenaOptions:
    """Return the options of an arena environment.

    Raises:
        OptionError: There is no such level or option.
    """
    check_names(others, ("level", "terms", *OPTIONS), "the arena, whose protocol is fixed,")
    courses = _find_courses(level)
    if not isinstance(terms, StickyActions | None):
        raise OptionError(f"terms {terms!r:.40} are none: give StickyActions(frame_skip=4, …)")
    if terms is None:
        terms = GAME_STICKY_ACTIONS if len(courses[0]) > 1 else LEVEL_STICKY_ACTIONS
    chosen = {"observation": "fields", "actions": "SIMPLE_MOVEMENT", "reward": REWARD, **others}
    return ArenaOptions(
        levels=[stage.level for course in courses for stage in course],
        courses=courses,
        terms=terms,
        frame_skip=terms.frame_skip,
        max_steps=terms.step_cap,
        **chosen,
    )


def _find_courses(level: Any) -> tuple[tuple[Stage, ...], ...]:
    if isinstance(level, str) and level == FULL_GAME:
        return (tuple(Stage(campaign_level(name), name) for name in STAGES),)
    single = isinstance(level, Level | str | PathLike | Recipe | Mapping)
    items = [level] if single else spread(level)
    stages = [stage for item in items for stage in _find_stages(item)]
    if not stages:
        raise OptionError("level is empty: give at least one level")
    return tuple((stage,) for stage in stages)


def _find_stages(level: LevelLike) -> list[Stage]:
    if isinstance(level, str) and level == "campaign":
        return [Stage(campaign_level(name), name) for name in STAGES]
    if isinstance(level, str) and re.fullmatch(r"full[-_ ]?game", level, re.IGNORECASE):
        raise OptionError(f"no level {level!r}: the whole campaign is '{FULL_GAME}', by itself")
    name = level if isinstance(level, str) and level in STAGES else ELSEWHERE
    return [Stage(found, name) for found in find_levels(level)]
