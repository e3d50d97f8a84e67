"""What a worm is asked to do, as one frozen record: every constant of its world."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ludus.errors import OptionError
from ludus.games.worm._native import (
    MAX_FOODS,
    MAX_MEMORY,
    MAX_PREDATORS,
    MAX_SIZE,
    MAX_SPOTS,
)

__all__ = [
    "ADAPTATIONS",
    "MODES",
    "PREDATORS",
    "PROXIMITIES",
    "RULES",
    "SENSES",
    "SUBSTRATES",
    "Dish",
    "Hotspots",
    "Oxygen",
    "Predators",
    "Reward",
    "Task",
    "Temperature",
]

SUBSTRATES = ("grid", "continuous")
RULES = ("corrected", "reference")
MODES = ("oracle", "temporal", "derivative", "klinotaxis")
"""How gradients are sensed, from all-knowing to lifelike."""
PREDATORS = ("random", "stationary", "pursuit")
ADAPTATIONS = ("none", "fold_change", "contrast", "logarithm")
PROXIMITIES = (
    "approach",
    "flat",
    "gradient_only",
    "gradient_proximity",
    "distal_chemo_contact_trigger",
)
SENSES = (
    "aerotaxis",
    "food_chemotaxis",
    "gradient",
    "mechanosensation",
    "nociception",
    "proprioception",
    "thermotaxis",
)

Spot = tuple[float, float, float]


def _among(value: str, choices: tuple[str, ...], what: str) -> None:
    if value not in choices:
        raise OptionError(f"{what} {value!r} is unknown: try one of {', '.join(choices)}")


def _within(value: float, least: float, most: float, what: str) -> None:
    if not least <= value <= most:
        raise OptionError(f"{what} {value} is out of range: give {least} to {most}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Predators:
    """What hunts the worm, or poisons it.

    Attributes:
        count: How many.
        kind: ``random`` walk, ``stationary`` (a toxic disc) or ``pursuit``.
        speed: Cells a step; on a dish, of the worm's largest step.
        detection: The distance at which the worm is in danger and is chased.
        damage_radius: The distance at which it is touched; 0 is the same cell.
        damage: Health that a contact costs.
        kills: Whether a contact is death.
        decay: How fast their scent fades.
        strength: Of their scent.
        spawn_by_steps: Keep the start's distance in steps, beyond ``detection``, instead of as the
            crow flies.
    """

    count: int
    kind: str = "pursuit"
    speed: float = 0.5
    detection: float = 6.0
    damage_radius: float = 0.0
    damage: float = 10.0
    kills: bool = False
    decay: float = 10.0
    strength: float = 1.0
    spawn_by_steps: bool = False

    def __post_init__(self) -> None:
        _among(self.kind, PREDATORS, "kind of predators")
        _within(self.count, 1, MAX_PREDATORS, "count of predators")
        _within(self.decay, 1e-3, 1e6, "decay of predators")
        for name in ("speed", "detection", "damage_radius", "damage", "strength"):
            _within(getattr(self, name), 0, 1e6, f"{name} of predators")


@dataclass(frozen=True, kw_only=True, slots=True)
class Temperature:
    """A temperature for every place, and what being off the accustomed one costs.

    Attributes:
        base: Of the middle, in °C.
        gradient: °C per cell (or mm).
        direction: Where it gets warmer, as an angle.
        hot_spots: x, y and °C added; each fades with ``spot_decay``.
        cold_spots: x, y and °C taken away.
        spot_decay: The distance over which a spot fades to 1/e.
        cultivation: The temperature the worm is used to.
        comfort: Up to this far from it all is well.
        discomfort: Up to this far it is unpleasant.
        danger: Up to this far it hurts; beyond, it kills quickly.
        comfort_reward: For every step in comfort.
        discomfort_reward: For every step in discomfort.
        danger_reward: For every step beyond.
        danger_damage: Health lost per step in danger.
        lethal_damage: Health lost per step beyond danger.
        brave_reward: For food eaten in discomfort or danger.
    """

    base: float = 20.0
    gradient: float = 1.5
    direction: float = 0.0
    hot_spots: tuple[Spot, ...] = ()
    cold_spots: tuple[Spot, ...] = ()
    spot_decay: float = 6.5
    cultivation: float = 20.0
    comfort: float = 5.0
    discomfort: float = 10.0
    danger: float = 15.0
    comfort_reward: float = 0.0
    discomfort_reward: float = -0.1
    danger_reward: float = -0.3
    danger_damage: float = 2.0
    lethal_damage: float = 10.0
    brave_reward: float = 0.0

    def __post_init__(self) -> None:
        _within(self.spot_decay, 1e-3, 1e6, "spot_decay of the temperature")
        for spots in (self.hot_spots, self.cold_spots):
            _within(len(spots), 0, MAX_SPOTS, "number of spots")


@dataclass(frozen=True, kw_only=True, slots=True)
class Oxygen:
    """Oxygen for every place in per cent, and what too little or too much of it costs.

    Attributes:
        base: Of the middle, in per cent.
        gradient: Per cent per cell (or mm).
        direction: Where there is more, as an angle.
        high_spots: x, y and per cent added; each fades with ``spot_decay``.
        low_spots: x, y and per cent taken away.
        spot_decay: The distance over which a spot fades to 1/e.
        lethal_below: Less kills quickly.
        danger_below: Less hurts.
        comfort_to: More hurts.
        danger_to: More kills quickly.
        comfort_reward: For every step in comfort.
        danger_reward: For every step out of it.
        danger_damage: Health lost per step in danger.
        lethal_damage: Health lost per step beyond danger.
    """

    base: float = 10.0
    gradient: float = 0.3
    direction: float = 1.5708
    high_spots: tuple[Spot, ...] = ()
    low_spots: tuple[Spot, ...] = ()
    spot_decay: float = 6.0
    lethal_below: float = 2.0
    danger_below: float = 5.0
    comfort_to: float = 12.0
    danger_to: float = 17.0
    comfort_reward: float = 0.0
    danger_reward: float = -0.5
    danger_damage: float = 0.5
    lethal_damage: float = 6.0

    def __post_init__(self) -> None:
        _within(self.spot_decay, 1e-3, 1e6, "spot_decay of the oxygen")
        for spots in (self.high_spots, self.low_spots):
            _within(len(spots), 0, MAX_SPOTS, "number of spots")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hotspots:
    """Places where food prefers to grow.

    Attributes:
        places: x, y and weight.
        bias: How often food grows near one of them instead of anywhere.
        decay: The mean distance from it.
    """

    places: tuple[Spot, ...]
    bias: float = 0.8
    decay: float = 8.0

    def __post_init__(self) -> None:
        _within(len(self.places), 1, MAX_SPOTS, "number of hotspots")
        if any(not weight > 0 for _, _, weight in self.places):
            raise OptionError(f"hotspots {self.places} need weights above 0")


@dataclass(frozen=True, kw_only=True, slots=True)
class Dish:
    """How a worm moves where there are no cells; lengths in mm, angles in radians."""

    max_step: float = 1.0
    max_turn: float = 0.5
    capture_radius: float = 2.0
    sweep: float = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Reward:
    """What a step pays, and what it costs; costs are positive numbers.

    Attributes:
        distance: Per cell nearer to the nearest food.
        exploration: For a cell never visited.
        dither: Cost of being where one was two steps ago.
        step: Cost of every step.
        wall: Cost of walking into a wall.
        stuck: Cost of not moving, times the steps beyond ``stuck_after`` (at most 10).
        stuck_after: Steps that standing still is free.
        proximity: Cost of predators, as ``predator_mode`` says.
        predator_mode: ``approach``: while in danger, per cell nearer, and once more in contact;
            ``flat``: while in danger; ``gradient_only``: nothing; ``gradient_proximity``: times
            their scent; ``distal_chemo_contact_trigger``: the same, and once more in contact.
        temperature: Per °C nearer to the accustomed one, out of comfort.
        goal: For food, less the later it is eaten, down to a tenth.
        healing: For food that restored health.
        damage: Cost of a contact or of a dangerous temperature.
        death: Cost of dying of predators, heat, cold or air.
        starvation: Cost of starving.
    """

    distance: float = 0.5
    exploration: float = 0.05
    dither: float = 0.02
    step: float = 0.005
    wall: float = 0.02
    stuck: float = 0.0
    stuck_after: int = 0
    proximity: float = 0.15
    predator_mode: str = "approach"
    temperature: float = 0.0
    goal: float = 2.0
    healing: float = 0.1
    damage: float = 0.5
    death: float = 10.0
    starvation: float = 10.0

    def __post_init__(self) -> None:
        _among(self.predator_mode, PROXIMITIES, "predator_mode")


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """Everything about a world but its seed. Two equal tasks play alike on every machine.

    Attributes:
        name: What it is called, such as ``foraging-small``.
        version: ``e25`` or ``head``: by which of the reference's two epochs it is defined.
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
    dish: Dish = Dish()
    reward: Reward = Reward()
    zone_radius: float = 5.0

    def __post_init__(self) -> None:
        _among(self.sensing, MODES, "sensing")
        _among(self.rules, RULES, "rules")
        _among(self.substrate, SUBSTRATES, "substrate")
        _among(self.adaptation, ADAPTATIONS, "adaptation")
        _within(self.size, 5, MAX_SIZE, "size")
        _within(self.foods, 1, MAX_FOODS, "foods")
        _within(self.memory_size, 1, MAX_MEMORY, "memory_size")
        for name in ("max_steps", "target"):
            _within(getattr(self, name), 1, 10**9, name)
        for name in ("decay", "satiety"):
            _within(getattr(self, name), 1e-3, 1e9, name)
        self._check_senses()

    def _check_senses(self) -> None:
        for sense in self.senses:
            _among(sense, SENSES, "sense")
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
        """The task's full name, as :func:`~ludus.games.worm.tasks.find_task` takes it."""
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
            named = {name: _frozen(value) for name, value in values.items()}
            for name, part in parts.items():
                if values.get(name) is not None:
                    inner = {key: _frozen(value) for key, value in values[name].items()}
                    named[name] = part(**inner)
            return cls(**named)
        except (AttributeError, TypeError) as error:
            raise OptionError(f"not a task of the worm: {error}") from None

    @property
    def digest(self) -> str:
        """A digest over every constant: tasks with equal digests are the same."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
