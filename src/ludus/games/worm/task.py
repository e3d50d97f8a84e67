"""Tasks of the worm: every constant of a world, as one frozen record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.games.worm._native import MAX_FOODS, MAX_MEMORY, MAX_SIZE
from ludus.games.worm.surroundings import (
    Dish,
    Hotspots,
    Oxygen,
    Predators,
    Reward,
    Temperature,
    check_choice,
    check_range,
)

__all__ = ["ADAPTATIONS", "MODES", "RULES", "SENSES", "SUBSTRATES", "Task"]

SUBSTRATES = ("grid", "continuous")
RULES = ("corrected", "reference")
MODES = ("oracle", "temporal", "derivative", "klinotaxis")
"""How gradients are sensed, from all-knowing to lifelike."""
ADAPTATIONS = ("none", "fold_change", "contrast", "logarithm")
SENSES = (
    "aerotaxis",
    "food_chemotaxis",
    "gradient",
    "mechanosensation",
    "nociception",
    "proprioception",
    "thermotaxis",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """Everything about a world but its seed. Two equal tasks play alike on every machine.

    Attributes:
        name: What it is called, such as ``foraging-small``.
        version: ``e25`` or ``head``: by which of the reference's two epochs it is defined;
            ``head2`` is ``head`` with the wounds of bad air charged.
        sensing: How gradients are sensed: one of ``MODES``.
        rules: ``corrected``, or ``reference`` with its known faults.
        substrate: ``grid``, or ``continuous`` for a dish.
        size: Cells, or mm, from wall to wall.
        max_steps: Steps until the episode is over.
        foods: Items that lie about at a time.
        target: Items to eat; then the episode is won.
        min_food_distance: Between items.
        exclusion: Items keep this distance from the worm when they appear.
        decay: The distance over which the scent fades to 1/e.
        strength: Of the scent at its source.
        fick: Whether the scent fades with the square of the distance instead.
        respawn: Whether eaten items are replaced.
        eats_below: The fraction of full satiety above which the worm does not eat.
        food_predator_distance: Items keep this distance from predators.
        safe_zone_bias: How often items insist on a comfortable temperature.
        portion: What a bite takes from an item, of 1; 0 for all at once.
        hotspots: Where items prefer to grow.
        satiety: At the start, and at most.
        satiety_decay: Lost per step.
        satiety_gain: Gained per item, of the most.
        health: At the start, and at most; None where there is no such thing.
        food_healing: Health gained per item.
        predators: Who hunts.
        temperature: How warm it is where.
        oxygen: How much there is where.
        senses: What the worm senses: some of ``SENSES``.
        memory: Whether a short-term memory adds to the features in every mode; it does so in the
            modes ``derivative`` and ``klinotaxis`` anyway.
        memory_size: Samples that it holds.
        memory_decay: How fast they lose weight.
        adaptation: Of the food sensor: one of ``ADAPTATIONS``.
        adaptation_rate: Of its baseline.
        adaptation_floor: Added to what it divides by.
        dish: How the worm moves on a dish.
        reward: What a step pays.
        zone_radius: Within this distance of food counts as near it, for the chemotaxis index.

    Example:
        >>> task = Task(name="my-dish", size=30, foods=8, target=5)
        >>> task.id, Task.from_dict(task.to_dict()) == task
        ('my-dish@head', True)
    """

    name: str
    version: str = "head"
    sensing: str = "oracle"
    rules: str = "corrected"
    substrate: str = "grid"
    size: int = 20
    max_steps: int = 500
    foods: int = 5
    target: int = 10
    min_food_distance: float = 3.0
    exclusion: float = 5.0
    decay: float = 8.0
    strength: float = 1.0
    fick: bool = False
    respawn: bool = True
    eats_below: float = 1.0
    food_predator_distance: float = 0.0
    safe_zone_bias: float = 0.0
    portion: float = 0.0
    hotspots: Hotspots | None = None
    satiety: float = 200.0
    satiety_decay: float = 1.0
    satiety_gain: float = 0.2
    health: float | None = 100.0
    food_healing: float = 5.0
    predators: Predators | None = None
    temperature: Temperature | None = None
    oxygen: Oxygen | None = None
    senses: tuple[str, ...] = ("food_chemotaxis",)
    memory: bool = False
    memory_size: int = 30
    memory_decay: float = 0.1
    adaptation: str = "none"
    adaptation_rate: float = 0.1
    adaptation_floor: float = 0.1
    dish: Dish = field(default_factory=Dish)
    reward: Reward = field(default_factory=Reward)
    zone_radius: float = 5.0

    def __post_init__(self) -> None:
        check_choice(self.sensing, MODES, "sensing")
        check_choice(self.rules, RULES, "rules")
        check_choice(self.substrate, SUBSTRATES, "substrate")
        check_choice(self.adaptation, ADAPTATIONS, "adaptation")
        check_range(self.size, 5, MAX_SIZE, "size")
        check_range(self.foods, 1, MAX_FOODS, "foods")
        check_range(self.memory_size, 1, MAX_MEMORY, "memory_size")
        for name in ("max_steps", "target"):
            check_range(getattr(self, name), 1, 10**9, name)
        for name in ("decay", "satiety"):
            check_range(getattr(self, name), 1e-3, 1e9, name)
        self._check_senses()

    def _check_senses(self) -> None:
        for sense in self.senses:
            check_choice(sense, SENSES, "sense")
        if not self.senses or len(set(self.senses)) != len(self.senses):
            raise OptionError(f"senses {self.senses} are none or repeat: try ('food_chemotaxis',)")
        for sense, part in (
            ("nociception", self.predators),
            ("thermotaxis", self.temperature),
            ("aerotaxis", self.oxygen),
        ):
            if sense in self.senses and part is None:
                raise OptionError(f"{sense} has nothing to sense in {self.name!r}: leave it out")
        if "gradient" in self.senses and self.sensing != "oracle":
            raise OptionError(
                f"the combined gradient is not sensed by {self.sensing!r}: try oracle"
            )

    @property
    def id(self) -> str:
        """The task's full name, as :func:`~ludus.games.worm.frozen_tasks.find_task` takes it."""
        sensing = "" if self.sensing == "oracle" else f"+{self.sensing}"
        rules = "" if self.rules == "corrected" else f"+{self.rules}"
        return f"{self.name}@{self.version}{sensing}{rules}"

    @property
    def remembers(self) -> bool:
        """Whether the features hold a short-term memory."""
        return self.memory or self.sensing in ("derivative", "klinotaxis")

    def to_dict(self) -> dict[str, Any]:
        """Return the task as plain values."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        if self.oxygen and not self.oxygen.charged:
            del values["oxygen"]["charged"]  # digests of older tasks know no such thing
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Task:
        """Return the task that :meth:`to_dict` described.

        Raises:
            OptionError: The values do not describe one.
        """
        parts = {
            "predators": Predators,
            "temperature": Temperature,
            "oxygen": Oxygen,
            "hotspots": Hotspots,
            "dish": Dish,
            "reward": Reward,
        }
        try:
            named = {name: _freeze(value) for name, value in values.items()}
            check_kinds(cls, named)
            for name, part in parts.items():
                if values.get(name) is not None:
                    inner = {key: _freeze(value) for key, value in values[name].items()}
                    check_kinds(part, inner)
                    named[name] = part(**inner)
            return cls(**named)
        except (AttributeError, TypeError) as error:
            raise OptionError(f"not a task of the worm: {error}") from None

    @property
    def digest(self) -> str:
        """A digest over every constant: tasks with equal digests are the same."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def _freeze(value: Any) -> Any:
    return tuple(_freeze(item) for item in value) if isinstance(value, list) else value
