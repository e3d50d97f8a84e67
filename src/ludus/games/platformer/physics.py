"""Physics other than the reference's: gravity, jump power, ice, wind, and the clock."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields

from ludus.errors import OptionError

__all__ = ["Physics"]

_RANGES: dict[str, tuple[float, float]] = {
    "gravity": (0.1, 4),
    "creature_gravity": (0, 4),
    "jump_power": (0, 30),
    "ice": (0, 0.1),
    "wind": (-0.1, 0.1),
    "tick_ms": (1, 1000),
}


@dataclass(frozen=True, kw_only=True)
class Physics:
    """How bodies move and how fast the clock runs; the defaults are the reference's, bit for bit.

    Attributes:
        gravity: Factor on Mario's fall; jumps get shorter as it grows. 0.1 to 4.
        creature_gravity: Factor on the fall of creatures and shells. 0 to 4.
        jump_power: Ticks of thrust at gravity 1; a jump has ``int(jump_power / gravity)``. 0 to 30.
        ice: Added to the share of speed that bodies keep each tick (0.89). 0 to 0.1.
        wind: Added to that share while facing right, taken from it while facing left. -0.1 to 0.1.
        frozen_creatures: Creatures stay where they appear.
        invulnerable: Creatures cannot hurt Mario; falls and kill events still end the game.
        power_restoration: SPEED gives Mario fire, whatever he was.
        tick_ms: Clock units that a tick costs, 1 to 1000: a clock second lasts ``1000 / tick_ms``
            ticks.

    Raises:
        OptionError: A value is outside its range, or ice and wind together keep more than 0.99
            of the speed.

    Example:
        >>> Physics(gravity=0.5).jump_power
        7.0
    """

    gravity: float = 1.0
    creature_gravity: float = 1.0
    jump_power: float = 7.0
    ice: float = 0.0
    wind: float = 0.0
    frozen_creatures: bool = False
    invulnerable: bool = False
    tick_ms: int = 30
    power_restoration: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name in _RANGES:
                self._check(field.name, *_RANGES[field.name])
        if self.tick_ms != int(self.tick_ms):
            raise OptionError(f"tick_ms {self.tick_ms} is not a whole number: try tick_ms=30")
        if self.ice + abs(self.wind) > 0.1 + 1e-9:
            raise OptionError(
                f"ice {self.ice} and wind {self.wind} keep more than 0.99 of the speed: "
                "let ice + |wind| be at most 0.1"
            )

    def to_dict(self) -> dict[str, bool | int | float]:
        """Return the values by name, as scenarios hold them: what came later only if it is set."""
        values = asdict(self)
        if not self.power_restoration:
            del values["power_restoration"]
        return values

    def _check(self, name: str, least: float, most: float) -> None:
        value = getattr(self, name)
        if not (math.isfinite(value) and least <= value <= most):
            raise OptionError(f"{name} {value} is out of range: give {least} to {most}")
