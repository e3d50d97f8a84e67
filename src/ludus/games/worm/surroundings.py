"""What surrounds a worm: predators, temperature, oxygen, hotspots, the dish, and the reward."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.errors import OptionError
from ludus.games.worm._native import MAX_PREDATORS, MAX_SPOTS

__all__ = [
    "PREDATORS",
    "PROXIMITIES",
    "Dish",
    "Hotspots",
    "Oxygen",
    "Predators",
    "Reward",
    "Temperature",
    "check_choice",
    "check_range",
]

PREDATORS = ("random", "stationary", "pursuit")
PROXIMITIES = (
    "approach",
    "flat",
    "gradient_only",
    "gradient_proximity",
    "distal_chemo_contact_trigger",
)

Spot = tuple[float, float, float]


def check_choice(value: str, choices: tuple[str, ...], name: str) -> None:
    """Refuse a value that is not one of the choices."""
    if value not in choices:
        raise OptionError(f"{name} {value!r} is unknown: try one of {', '.join(choices)}")


def check_range(value: float, least: float, most: float, name: str) -> None:
    """Refuse a value that is not within the range."""
    if not least <= value <= most:
        raise OptionError(f"{name} {value} is out of range: give {least} to {most}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Predators:
    """Predators that hunt the worm or poison it.

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

    Example:
        >>> Predators(count=2, kind="stationary").damage
        10.0
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
        check_choice(self.kind, PREDATORS, "kind of predators")
        check_range(self.count, 1, MAX_PREDATORS, "count of predators")
        check_range(self.decay, 1e-3, 1e6, "decay of predators")
        for name in ("speed", "detection", "damage_radius", "damage", "strength"):
            check_range(getattr(self, name), 0, 1e6, f"{name} of predators")


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
        check_range(self.spot_decay, 1e-3, 1e6, "spot_decay of the temperature")
        for spots in (self.hot_spots, self.cold_spots):
            check_range(len(spots), 0, MAX_SPOTS, "number of spots")


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
        charged: Whether such a step costs ``Reward.damage`` too, as other wounds do.
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
    charged: bool = False

    def __post_init__(self) -> None:
        check_range(self.spot_decay, 1e-3, 1e6, "spot_decay of the oxygen")
        for spots in (self.high_spots, self.low_spots):
            check_range(len(spots), 0, MAX_SPOTS, "number of spots")


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
        check_range(len(self.places), 1, MAX_SPOTS, "number of hotspots")
        if any(not weight > 0 for _, _, weight in self.places):
            raise OptionError(f"hotspots {self.places} need weights above 0")


@dataclass(frozen=True, kw_only=True, slots=True)
class Dish:
    """How a worm moves where there are no cells; lengths in mm, angles in radians.

    Example:
        >>> Dish(max_step=0.5).max_turn
        0.5
    """

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
        damage: Cost of a contact, of a dangerous temperature, and of dangerous air that is charged.
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
        check_choice(self.predator_mode, PROXIMITIES, "predator_mode")
