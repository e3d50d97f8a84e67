"""Tasks for several worms on one dish: a dish, and how worms share it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.games.worm._native import MAX_SOURCES, MAX_WORMS
from ludus.games.worm.codes import ACTIONS
from ludus.games.worm.surroundings import check_choice, check_range
from ludus.games.worm.task import Task

__all__ = ["CONTESTS", "LEAVINGS", "SIX_ACTIONS", "ColonyTask", "Pheromone", "colony_actions"]

SIX_ACTIONS = (*ACTIONS, "reverse", "omega")
"""The four actions, a cell back without a turn, and round and a cell on."""

CONTESTS = ("first", "drawn")
LEAVINGS = ("freeze", "remove", "end_all")
LEAST_SIZE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Pheromone:
    """A scent that worms leave.

    A place smells of tanh Σ strength · e^(−steps/decay) · 2^(−age/half-life).

    Attributes:
        strength: Of a fresh source.
        decay: The steps over which it fades to 1/e.
        half_life: The steps of time in which half of it is gone.
        sources: How many there may be; the oldest gives way. None where nothing is left.
    """

    strength: float
    decay: float
    half_life: float
    sources: int

    def __post_init__(self) -> None:
        check_range(self.strength, 0, 1e3, "strength of a pheromone")
        check_range(self.decay, 1e-3, 1e6, "decay of a pheromone")
        check_range(self.half_life, 1e-3, 1e6, "half_life of a pheromone")
        check_range(self.sources, 0, MAX_SOURCES, "sources of a pheromone")


FOUND = Pheromone(strength=1.0, decay=8.0, half_life=50.0, sources=100)
ALARM = Pheromone(strength=2.0, decay=5.0, half_life=20.0, sources=50)


@dataclass(frozen=True, kw_only=True, slots=True)
class ColonyTask:
    """Everything about a colony but its seed.

    Attributes:
        dish: The dish, and what is asked of each worm; a grid.
        worms: How many, 1 to 10.
        actions: 4, or 6 for ``reverse`` and ``omega`` beside them.
        contest: Who gets food that several worms reach in one step: the ``first`` by number, or
            one that is ``drawn``.
        leaving: What becomes of a worm whose episode has ended: ``freeze``: it lies where it is;
            ``remove``: it is taken away; ``end_all``: the episode ends for all.
        company_radius: Within so many steps another worm is company.
        company_hunger: What a step's hunger is multiplied by in company.
        found: What worms leave where they eat.
        alarm: What they leave where a predator hurts them.
        senses_scents: Whether they smell both, in the dish's mode of sensing.
        senses_company: Whether they sense how many are near.

    Example:
        >>> from ludus.games.worm import find_task
        >>> ColonyTask(dish=find_task("foraging-small"), worms=3).id
        'foraging-small@head'
    """

    dish: Task
    worms: int
    actions: int = len(ACTIONS)
    contest: str = "drawn"
    leaving: str = "freeze"
    company_radius: float = 5.0
    company_hunger: float = 0.7
    found: Pheromone = field(default=FOUND)
    alarm: Pheromone = field(default=ALARM)
    senses_scents: bool = True
    senses_company: bool = True

    def __post_init__(self) -> None:
        check_range(self.worms, 1, MAX_WORMS, "number of worms")
        if self.worms != int(self.worms):
            raise OptionError(f"number of worms {self.worms} is no whole number: try 5")
        check_choice(self.contest, CONTESTS, "contest")
        check_choice(self.leaving, LEAVINGS, "leaving")
        check_range(self.company_radius, 0, 1e6, "company_radius")
        check_range(self.company_hunger, 0, 1e6, "company_hunger")
        if self.actions not in (len(ACTIONS), len(SIX_ACTIONS)):
            raise OptionError(f"{self.actions} actions: worms have 4 or 6")
        if self.dish.substrate != "grid":
            raise OptionError(f"{self.dish.name!r} is no grid: several worms share grids only")

    @property
    def name(self) -> str:
        """The dish's name."""
        return self.dish.name

    @property
    def id(self) -> str:
        """The dish's full name."""
        return self.dish.id

    def to_dict(self) -> dict[str, Any]:
        """Return the task as plain values."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return {**values, "dish": self.dish.to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ColonyTask:
        """Return the task that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        try:
            plain = {**values, "dish": Task.from_dict(values["dish"])}
            for name in ("found", "alarm"):
                if name in values:
                    check_kinds(Pheromone, values[name])
                    plain[name] = Pheromone(**values[name])
            check_kinds(cls, plain)
            return cls(**plain)
        except (AttributeError, KeyError, TypeError) as error:
            raise OptionError(f"not a task for several worms: {error}") from None

    @property
    def digest(self) -> str:
        """A digest over every constant."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def native_terms(self) -> dict[str, float]:
        """Return the constants by the names that the engine has for them."""
        terms: dict[str, float] = {
            "worms": self.worms,
            "actions": self.actions,
            "drawn_contests": CONTESTS.index(self.contest),
            "leaving": LEAVINGS.index(self.leaving),
            "company_radius": self.company_radius,
            "company_hunger": self.company_hunger,
            "senses_scents": self.senses_scents,
            "senses_company": self.senses_company,
        }
        for name, scent in (("alarm", self.alarm), ("found", self.found)):
            terms |= {f"{name}_{part}": value for part, value in asdict(scent).items()}
        return terms


def colony_actions(task: ColonyTask) -> tuple[str, ...]:
    """Return the names of what a worm can do."""
    return SIX_ACTIONS[: task.actions]
