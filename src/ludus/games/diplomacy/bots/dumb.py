"""The bot ``dumb``: every location has a value, and every unit goes where it is highest.

After the rules of David Norman's DumbBot (2002), written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Protocol

import numpy as np

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.bots.lattice import Ints, lattice
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.view import View

__all__ = [
    "AGGRESSIVE",
    "BALANCED",
    "BoardState",
    "Dumb",
    "Temper",
    "Worth",
    "dumb_orders",
    "find_worth",
]

DEPTH = 10
SPRING = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)
FALL = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
CROWD = 1000
TO_WIN = 18
WEAKEST = TO_WIN * TO_WIN + 4 * TO_WIN + 16


@dataclass(frozen=True, slots=True)
class Temper:
    """The weights of the bot's decisions.

    Attributes:
        attack: What others' centres weigh in spring and winter, and in fall.
        defence: What its own weigh.
        careless: Per cent of chance to look at the next best place at all.
        contrast: How much a difference in value keeps it from going there, in per cent of five.
        stays: What its own place gains over others.
        backs_holds: Whether idle units support units that stay.
        hunts_weak: Whether centres are worth more the fewer their owner has.
    """

    attack: tuple[int, int] = (700, 600)
    defence: tuple[int, int] = (300, 400)
    careless: int = 50
    contrast: int = 500
    stays: int = 1
    backs_holds: bool = True
    hunts_weak: bool = False


BALANCED = Temper()
AGGRESSIVE = Temper(
    attack=(1000, 1000), defence=(150, 200), careless=10, contrast=800, hunts_weak=True
)


class BoardState(Protocol):
    """The position that the bot reads: a table, or a seat's view of one."""

    @property
    def phase(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def units(self) -> Mapping[str, tuple[str, ...]]: ...  # noqa: D102
    @property
    def centres(self) -> Mapping[str, tuple[str, ...]]: ...  # noqa: D102
    @property
    def retreats(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]: ...  # noqa: D102
    @property
    def builds(self) -> Mapping[str, int]: ...  # noqa: D102
    @property
    def shared(self) -> dict[str, Any]: ...  # noqa: D102


class Dumb(Bot):
    """Values every location by the centres near it; moves there, or supports a move."""

    name = "dumb"
    variants: ClassVar[tuple[str, ...]] = ("aggressive",)

    def __init__(self, variant: str | None = None) -> None:
        super().__init__(variant)
        self.temper = AGGRESSIVE if variant == "aggressive" else BALANCED

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the orders of this phase."""
        return dumb_orders(view, view.power, rng, self.temper)


def dumb_orders(board: BoardState, power: str, rng: Random, temper: Temper = BALANCED) -> list[str]:
    """Return a power's orders; all of them are legal."""
    worth = find_worth(board, temper)
    values = worth.values[POWERS.index(power)]
    if board.kind == "M":
        return _Movement(board, power, worth, rng, temper).orders()
    if board.kind == "R":
        return _retreats(board, power, values)
    return _adjustments(board, power, values, rng, temper)


# ---- what places are worth


@dataclass(frozen=True, slots=True)
class Worth:
    """What every node is worth to each power, and who can be where.

    Attributes:
        values: A row for each power, a number for each node.
        competition: A row for each power: the most units that any one other power has in or next
            to a province.
    """

    values: list[list[int]]
    competition: list[list[int]]


def find_worth(board: BoardState, temper: Temper = BALANCED) -> Worth:
    """Return what every location is worth in this phase; it is computed once for all powers."""
    key = f"worth {temper}"
    if key not in board.shared:
        board.shared[key] = _compute_worth(board, temper)
    return board.shared[key]  # type: ignore[no-any-return]


def _compute_worth(board: BoardState, temper: Temper) -> Worth:
    field = lattice()
    spring, winter = board.phase[0] == "S", board.phase[0] == "W"
    counts = _units_near(board)
    competition = np.array([np.delete(counts, k, 0).max(0) for k in range(len(POWERS))])
    attack, defence = _attack_and_defence(board, counts, temper.hunts_weak)
    fall = int(not spring and not winter)
    first = attack * temper.attack[fall] + defence * temper.defence[fall]
    proximity = first[:, field.province].T
    weights = SPRING if spring else FALL
    values = weights[0] * proximity
    for weight in weights[1:]:
        proximity = field.spread(proximity) // 5
        values = values + weight * proximity
    crowd = CROWD * (defence if winter else counts - competition)
    values = values.T + crowd[:, field.province]
    return Worth(values.tolist(), competition.tolist())


def _units_near(board: BoardState) -> Ints:
    """Return for each power how many of its units are in or next to each province."""
    field = lattice()
    counts = np.zeros((len(POWERS), len(field.provinces)), np.int64)
    for row, power in enumerate(POWERS):
        units = [field.number[unit] for unit in board.units[power]]
        counts[row] = field.near[units].sum(0)
    return counts


def _attack_and_defence(board: BoardState, counts: Ints, hunts_weak: bool) -> tuple[Ints, Ints]:
    """Return what each province is worth to take, and to keep, for each power."""
    field = lattice()
    owned = np.zeros((len(POWERS), len(field.provinces)), np.int64)
    for row, power in enumerate(POWERS):
        owned[row, [field.provinces[centre] for centre in board.centres[power]]] = 1
    unowned = field.centre - owned.sum(0)
    n = owned.sum(1)
    sizes = n * n + 4 * n + 16
    free = int(unowned.sum())
    worth = sizes @ owned + (free * free + 4 * free + 16) * unowned
    if hunts_weak:
        weak = np.maximum(TO_WIN - n, 0)
        worth = (weak * weak + 4 * weak + 16) @ owned + WEAKEST * unowned
    attack = worth * (1 - owned)
    threats = np.where(counts > 0, sizes[:, None], 0)
    others = np.array([np.delete(threats, row, 0).max(0) for row in range(len(POWERS))])
    return attack, others * owned


def _walk(worths: list[int], rng: Random, temper: Temper) -> int:
    """Step down a sorted list at random, from better to worse, and return where it ends."""
    position = 0
    while position + 1 < len(worths) and rng.randrange(100) < temper.careless:
        value, next_ = worths[position], worths[position + 1]
        gap = abs(value - next_) * temper.contrast // abs(value) if value else 0
        if rng.randrange(100) < gap:
            break
        position += 1
    return position


# ---- movement


class _Movement:
    """One power's movement orders, unit by unit."""

    def __init__(
        self, board: BoardState, power: str, worth: Worth, rng: Random, temper: Temper
    ) -> None:
        row = POWERS.index(power)
        self._field, self._map = lattice(), geography()
        self._values, self._competition = worth.values[row], worth.competition[row]
        self._rng, self._temper = rng, temper
        self._units = {unit[2:5]: unit for unit in board.units[power]}
        self._goals: dict[str, str] = {}  # province of a unit: where it stands or goes
        self._supports: dict[str, str] = {}  # province of a unit: the province it supports
        self._deciding: set[str] = set()

    def orders(self) -> list[str]:
        """Return an order for every unit."""
        provinces = sorted(self._units)
        self._rng.shuffle(provinces)
        for province in provinces:
            if province not in self._goals:
                self._decide(province)
        self._assign_idle_units(provinces)
        return [self._order_text(province) for province in sorted(self._units)]

    def _value(self, unit: str) -> int:
        return self._values[self._field.number[unit]]

    def _rivals(self, province: str) -> int:
        return self._competition[self._field.provinces[province]]

    def _decide(self, province: str) -> None:
        """Decide what the unit in a province does, after the units it depends on."""
        self._deciding.add(province)
        unit = self._units[province]
        goals = [f"{unit[0]} {to}" for to in self._map.moves[unit[0], unit[2:]]]
        worth = {goal: self._value(goal) for goal in goals}
        worth[unit] = self._value(unit) + self._temper.stays
        goals = sorted(worth, key=lambda goal: (-worth[goal], goal))
        while goals:
            goal = goals[_walk([worth[goal] for goal in goals], self._rng, self._temper)]
            if goal == unit or self._try_goal(province, goal):
                break
            goals.remove(goal)
        if province not in self._goals:
            self._goals[province] = unit[2:]
        self._deciding.discard(province)

    def _try_goal(self, province: str, goal: str) -> bool:
        """Go to a goal, or support the own unit that is there or going there; False if idle."""
        target = goal[2:5]
        if target in self._units:
            if target not in self._goals and target not in self._deciding:
                self._decide(target)
            stays = self._goals.get(target, self._units[target][2:])[:3] == target
            if stays:
                return self._rivals(target) > 1 and self._support(province, target)
        source = next((p for p, g in self._goals.items() if g[:3] == target and p != target), None)
        if source is not None:
            return self._rivals(target) > 0 and self._support(province, source)
        self._goals[province] = goal[2:]
        return True

    def _support(self, province: str, other: str) -> bool:
        if other in self._deciding:
            return False
        self._goals[province] = self._units[province][2:]
        self._supports[province] = other
        return True

    def _assign_idle_units(self, provinces: list[str]) -> None:
        """Let units that just hold support the most valuable thing a neighbour does."""
        for province in provinces:
            if self._goals[province][:3] != province or province in self._supports:
                continue
            options = [
                (self._support_value(province, other), other) for other in sorted(self._units)
            ]
            best, other = max(options)
            if best > 0:
                self._supports[province] = other

    def _support_value(self, province: str, other: str) -> int:
        goal = self._goals[other]
        unit = self._units[province]
        if other == province or goal[:3] not in self._map.reach[unit[0], unit[2:]]:
            return 0
        if goal[:3] == other:
            useful = self._temper.backs_holds and self._rivals(other) > 1
        else:
            useful = self._rivals(goal[:3]) > 0 and goal[:3] != province
        return self._value(f"{self._units[other][0]} {goal}") if useful else 0

    def _order_text(self, province: str) -> str:
        unit, goal = self._units[province], self._goals[province]
        if province in self._supports:
            other = self._supports[province]
            supported, to = self._units[other], self._goals[other]
            moving = to[:3] != other
            return f"{unit} S {supported} - {to}" if moving else f"{unit} S {supported}"
        return f"{unit} - {goal}" if goal[:3] != province else f"{unit} H"


# ---- retreats and winter


def _retreats(board: BoardState, power: str, values: list[int]) -> list[str]:
    """Return the best retreat of every dislodged unit, no two to one place."""
    number = lattice().number
    occupied: set[str] = {unit[2:5] for units in board.units.values() for unit in units}
    orders = []
    for unit, to in board.retreats[power].items():
        open_locations = [location for location in to if location[:3] not in occupied]
        if not open_locations:
            orders.append(f"{unit} D")
            continue
        best = max(
            open_locations, key=lambda location: (values[number[f"{unit[0]} {location}"]], location)
        )
        occupied.add(best[:3])
        orders.append(f"{unit} R {best}")
    return orders


def _adjustments(
    board: BoardState, power: str, values: list[int], rng: Random, temper: Temper
) -> list[str]:
    """Return the builds with the best places, or the removals of the worst."""
    number, more = lattice().number, board.builds[power]
    if more < 0:
        units = sorted(board.units[power], key=lambda unit: (values[number[unit]], unit))
        return [f"{unit} D" for unit in units[:-more]]
    if not more:
        return []
    occupied = {unit[2:5] for units in board.units.values() for unit in units}
    homes = set(geography().homes[power]) & set(board.centres[power]) - occupied
    sites = [
        f"{kind} {location}"
        for kind in "AF"
        for home in homes
        for location in geography().sites[kind, home]
    ]
    candidates = sorted(sites, key=lambda unit: (-values[number[unit]], unit))
    builds: list[str] = []
    while candidates and len(builds) < more:
        unit = candidates[
            _walk([values[number[candidate]] for candidate in candidates], rng, temper)
        ]
        builds.append(unit)
        candidates = [candidate for candidate in candidates if candidate[2:5] != unit[2:5]]
    return [f"{unit} B" for unit in builds]
