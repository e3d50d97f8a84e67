"""Scenarios of several worms: a dish, and who shares it with the worm that is tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.games.worm.colony.frozen_tasks import find_colony_task
from ludus.games.worm.colony.task import ColonyTask

__all__ = ["ColonyScenario"]


@dataclass(frozen=True, slots=True)
class ColonyScenario:
    """One episode to play.

    Attributes:
        name: What tables call it.
        task: The dish, and how worms share it.
        companions: The agents that play the other worms, in their order.
        seed: What the dish draws its chance from; players' own seeds are derived from it.
    """

    name: str
    task: ColonyTask
    companions: tuple[str, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**64:
            raise OptionError(f"seed {self.seed} is out of range: give 0 to 2**64 - 1")
        if len(self.companions) != self.task.worms - 1:
            raise OptionError(
                f"{len(self.companions)} companions were given: {self.task.id} has "
                f"{self.task.worms - 1} beside the worm that is tested"
            )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ColonyScenario:
        """Return the scenario that plain values describe.

        Raises:
            OptionError: They describe none.
        """
        try:
            check_kinds(cls, values)
            spec = values["task"]
            task = find_colony_task(spec) if isinstance(spec, str) else ColonyTask.from_dict(spec)
            names = values["companions"]
            if isinstance(names, str) or not all(isinstance(one, str) for one in names):
                raise TypeError("'companions' is no list of agents")
            return cls(values["name"], task, tuple(names), values["seed"])
        except (KeyError, TypeError) as error:
            raise OptionError(f"not a scenario of several worms: {error}") from None
