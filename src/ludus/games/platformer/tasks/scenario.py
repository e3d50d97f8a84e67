"""Scenarios of ``mario-ai``: a level, by its recipe, and a task on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from ludus.errors import LevelError, OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.games.agent_seed import derive_agent_seed
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.generators import generate_from
from ludus.games.platformer.levels.level import Level, Recipe
from ludus.games.platformer.scenario import LONGEST, level_to_dict, read_level
from ludus.games.platformer.tasks.task import DEFAULT_TASK, Task

__all__ = ["TaskScenario"]

GENERATORS = ("ludus", "notch-2009", "notch-framework", "tunable-2010")
"""Recipes in files may name these: others are code of other people."""

LEVELS = 32
FIRE = 2


@dataclass(frozen=True, slots=True)
class TaskScenario:
    """A level to play, and the task to play it for.

    Attributes:
        name: What tables call it.
        level: The level; None where the agent may not know it.
        rules: The name of the level's rules.
        task: What the agent sees, and what its play is worth.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        time_limit: Seconds on the level's clock; 0 means no limit.
        seed: What noise, and the agent's own seed, are derived from.

    Example:
        >>> scenario = TaskScenario.from_options("-ld 3 -ls 4 -tl 64 -fc on")
        >>> scenario.time_limit, scenario.level.options
        (64, '-tl 64 -fc on -ld 3')
        >>> TaskScenario.from_dict(scenario.to_dict()) == scenario
        True
    """

    name: str
    level: Level | None
    task: Task = DEFAULT_TASK
    mode: int = FIRE
    time_limit: int = 200
    seed: int = 0
    rules: str = ""

    def __post_init__(self) -> None:
        if self.mode not in (0, 1, 2):
            raise OptionError(f"mode {self.mode} is not 0 (small), 1 (large) or 2 (fire)")
        if not 0 <= self.time_limit <= LONGEST:
            raise OptionError(
                f"time limit {self.time_limit} is not from 0, which means no limit, to {LONGEST}"
            )
        if self.level is not None and self.rules not in ("", self.level.rules):
            raise OptionError(f"rules {self.rules!r:.40} are not those of the level")
        if self.level is not None:
            object.__setattr__(self, "rules", self.level.rules)

    @classmethod
    def from_options(
        cls, options: str, task: Task = DEFAULT_TASK, name: str = "level"
    ) -> TaskScenario:
        """Return the level and the game that a text of the options of 2010 asks for.

        Args:
            options: Such as ``"-ld 3 -le g,gk -ls 4 -mm 1"``.
            task: What the agent sees, and what its play is worth.
            name: What tables and agents are told.

        Raises:
            OptionError: The text holds no such options.
        """
        plain = benchmark_scenario(options)
        recipe = plain.level.recipe
        seed = int(recipe.options["seed"] or 0) if recipe else 0
        return cls(name, plain.level, task, plain.mode, plain.time_limit, seed)

    def for_agent(self) -> TaskScenario:
        """Return what the agent may know of it.

        Its seed is its own. The level does not tell its recipe, and a task without forward model
        does not tell the level at all.
        """
        level = self.level.with_recipe(None) if self.level and self.task.forward_model else None
        seed = derive_agent_seed(self.seed)
        return replace(self, seed=seed, level=level, task=replace(self.task, evaluation="distance"))

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values; a generated level as its recipe."""
        return {
            "name": self.name,
            "seed": self.seed,
            "mode": self.mode,
            "time_limit": self.time_limit,
            "rules": self.rules,
            "task": self.task.to_dict(),
            "level": None if self.level is None else _describe_level(self.level),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TaskScenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            check_kinds(cls, values)
            level = values["level"]
            return cls(
                name=values["name"],
                level=None if level is None else _read_level(level),
                task=Task.from_dict(values["task"]),
                mode=values["mode"],
                time_limit=values["time_limit"],
                seed=values["seed"],
                rules=values["rules"],
            )
        except (KeyError, TypeError, LevelError) as error:
            raise OptionError(f"not a scenario of mario-ai: {one_line(error)}") from None


def _describe_level(level: Level) -> dict[str, Any]:
    """Return a level as its recipe, or whole if it has none that others can follow."""
    if level.recipe is None or level.recipe.generator not in GENERATORS:
        return level_to_dict(level)
    return {"recipe": asdict(level.recipe), "options": level.options}


def _read_level(values: Mapping[str, Any]) -> Level:
    if "recipe" not in values:
        return read_level(values)
    recipe = values["recipe"]
    check_kinds(Recipe, recipe)
    if recipe["generator"] not in GENERATORS:
        raise OptionError(
            f"no generator {recipe['generator']!r:.40} of Ludus: there are {', '.join(GENERATORS)}"
        )
    if not isinstance(recipe["options"], Mapping):
        raise TypeError(f"'options' is {recipe['options']!r:.60}")
    level = _generate(json.dumps([recipe["generator"], recipe["version"], recipe["options"]]))
    options = values.get("options")
    return level if options is None else level.with_options(options)


@lru_cache(LEVELS)
def _generate(recipe: str) -> Level:
    return generate_from(Recipe(*json.loads(recipe)))
