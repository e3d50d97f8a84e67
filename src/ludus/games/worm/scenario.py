"""Scenarios of the worm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.games.worm.frozen_tasks import find_recorded_task, find_task
from ludus.games.worm.task import Task

__all__ = ["Scenario"]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One episode to play.

    Attributes:
        name: What tables call it, such as ``"dish-007"``.
        task: The world and what is asked of the worm.
        seed: What the world draws its chance from; a player's own seed is derived from it.
    """

    name: str
    task: Task
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**64:
            raise OptionError(f"seed {self.seed} is out of range: give 0 to 2**64 - 1")

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain values: a frozen task by its name, any other in full."""
        return {"name": self.name, "seed": self.seed, "task": _task_to_json(self.task)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Scenario:
        """Return the scenario that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            check_kinds(cls, values)
            name_or_values = values["task"]
            named = isinstance(name_or_values, str)
            task = find_recorded_task(name_or_values) if named else Task.from_dict(name_or_values)
            return cls(name=values["name"], task=task, seed=values["seed"])
        except (KeyError, TypeError) as error:
            raise OptionError(f"not a scenario of the worm: {error}") from None


def _task_to_json(task: Task) -> str | dict[str, Any]:
    try:
        return task.id if find_task(task.id) == task else task.to_dict()
    except OptionError:
        return task.to_dict()
