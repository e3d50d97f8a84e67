"""The frozen tasks for several worms, by name; what is in here never changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from ludus.errors import OptionError
from ludus.games.worm.colony.task import SIX_ACTIONS, ColonyTask
from ludus.games.worm.frozen_tasks import apply_suffix, find_task
from ludus.games.worm.task import Task

__all__ = ["colony_tasks", "find_colony_task"]


def _crowded(base: str, name: str) -> Task:
    """Return a task's dish with food enough for several, which may grow nearer to them."""
    dish = find_task(f"{base}@head")
    return replace(dish, name=name, foods=10, min_food_distance=2.0, exclusion=2.0)


@cache
def _tasks_by_name() -> Mapping[str, ColonyTask]:
    foraging = ColonyTask(dish=_crowded("foraging-small", "crowd-foraging-small"), worms=5)
    hunted = ColonyTask(
        dish=_crowded("pursuit-small", "crowd-pursuit-small"),
        worms=5,
        actions=len(SIX_ACTIONS),
        leaving="remove",
    )
    return {task.name: task for task in (foraging, hunted)}


def colony_tasks() -> tuple[str, ...]:
    """Return the names of the frozen tasks.

    Example:
        >>> colony_tasks()
        ('crowd-foraging-small', 'crowd-pursuit-small')
    """
    return tuple(_tasks_by_name())


def find_colony_task(spec: str) -> ColonyTask:
    """Return a frozen task, in the sensing mode and under the rules that the name asks for.

    Args:
        spec: ``NAME[@head][+SENSING][+reference]``, as for one worm.

    Raises:
        OptionError: There is no such task; the message names the likeliest.

    Example:
        >>> find_colony_task("crowd-pursuit-small+klinotaxis").worms
        5
    """
    name, *suffixes = spec.split("+")
    name, _, version = name.partition("@")
    task = _tasks_by_name().get(name)
    if task is None or version not in ("", "head"):
        close = get_close_matches(name, _tasks_by_name(), n=1) or list(_tasks_by_name())
        raise OptionError(f"no task {spec!r} for several worms; try {' or '.join(close)}")
    dish = task.dish
    for suffix in suffixes:
        dish = apply_suffix(dish, suffix, spec)
    return replace(task, dish=dish)
