"""What a strong player looks at first: neighbours, ways to centres, rivals for them, threats."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.records import POWERS

__all__ = ["Surroundings"]

FARTHEST = 4
"""Moves; longer ways to a unit's nearest centre are not worth a line."""
NEAR = 3
"""Moves; longer ways to enemies and to a second centre are not worth a line."""


@dataclass(frozen=True)
class Surroundings:
    """A position as one power looks at it.

    Attributes:
        power: Who looks.
        units: The units of each power.
        centres: The supply centres of each power.
    """

    power: str
    units: Mapping[str, Sequence[str]]
    centres: Mapping[str, Sequence[str]]

    def describe(self) -> str:
        """Return the lines of the power's units, of centres to take and of centres in danger."""
        own = self.units.get(self.power, ())
        targets = filter(None, (self._describe_target(centre) for centre in self._foreign()))
        threats = filter(None, (self._describe_threat(centre) for centre in self._owned()))
        units = {unit: self._describe_unit(unit) for unit in own}
        alone = [unit for unit, facts in units.items() if not facts]
        parts = {
            "Your units": [
                *(f"{unit}: {facts}" for unit, facts in units.items() if facts),
                *([f"nothing near: {_list_places(alone)}"] if alone else []),
            ],
            "Centres that you can enter now": targets,
            "Your centres that others can enter now": threats,
        }
        listed = {title: "\n".join(lines) for title, lines in parts.items()}
        return "\n".join(f"{title}:\n{text or 'none'}" for title, text in listed.items())

    # ---- lines

    def _describe_unit(self, unit: str) -> str:
        """Return the neighbours of a unit, and the ways to the next enemy and the next centres."""
        beside = self._list_by_power(lambda other: other[2:5] in reach_of(unit))
        enemy = () if beside else _keep_near(find_way(unit, set(self._enemy_provinces())))
        first, second = self._find_centres(unit)
        ways = ["-".join(way) for way in (first, second) if len(way) > 1]  # others are listed below
        title = "enemy, centres" if enemy and enemy == first else "centres"
        facts = [
            f"beside {beside}" if beside else "",
            f"enemy {'-'.join(enemy)}" if enemy and enemy != first else "",
            f"{title} {', '.join(ways)}" if ways else "",
        ]
        return "; ".join(filter(None, facts))

    def _find_centres(self, unit: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the ways to the nearest centre to take and, if it is not far, to the next one."""
        takeable = set(self._foreign())
        first = find_way(unit, takeable)
        return first, _keep_near(find_way(unit, takeable - {*first[-1:]}))

    def _describe_target(self, centre: str) -> str:
        mine, others = self._reaching(centre)
        if not mine:
            return ""
        rivals = f"; others {others}" if others else ""
        return f"{centre} ({self._describe_holder(centre)}): you {_list_places(mine)}{rivals}"

    def _describe_threat(self, centre: str) -> str:
        """Return who can enter a centre of the power; the legal orders tell who can support it."""
        _, others = self._reaching(centre)
        if not others:
            return ""
        holder = self._describe_holder(centre)
        return f"{centre}{f' ({holder})' if holder else ''}: {others}"

    def _describe_holder(self, centre: str) -> str:
        """Return whose a centre is, if it is another's, and who is in it, if not its owner."""
        owner = next((p for p in POWERS if centre in self.centres.get(p, ())), "nobody")
        shown = "" if owner == self.power else owner.title() if owner in POWERS else owner
        inside = [p for p in POWERS for unit in self._of(p) if unit[2:5] == centre]
        foreign = "" if inside == [owner] else f"held by {''.join(inside).title()}"
        held = foreign if inside else "empty"
        return ", ".join(filter(None, [shown, held]))

    # ---- facts

    def _foreign(self) -> list[str]:
        """Return the centres of others and of nobody."""
        own = set(self._owned())
        return [centre for centre in geography().centres if centre not in own]

    def _owned(self) -> Sequence[str]:
        return sorted(self.centres.get(self.power, ()))

    def _enemy_provinces(self) -> list[str]:
        return [unit[2:5] for power in POWERS if power != self.power for unit in self._of(power)]

    def _of(self, power: str) -> Sequence[str]:
        return self.units.get(power, ())

    def _reaching(self, province: str) -> tuple[list[str], str]:
        """Return which units of the power, and which others, can move there without a convoy."""
        mine = [unit for unit in self._of(self.power) if province in reach_of(unit)]
        return mine, self._list_by_power(lambda unit: province in reach_of(unit))

    def _list_by_power(self, is_meant: Callable[[str], bool]) -> str:
        """Return the units of other powers that are meant, each power named once."""
        lists = []
        for power in POWERS:
            units = [unit for unit in self._of(power) if is_meant(unit)]
            if units and power != self.power:
                lists.append(f"{power.title()} {_list_places(units)}")
        return ", ".join(lists)


def _keep_near(way: tuple[str, ...]) -> tuple[str, ...]:
    return way if len(way) <= NEAR else ()


def _list_places(units: Iterable[str]) -> str:
    """Return where units are; the board tells armies from fleets."""
    return " ".join(unit[2:5] for unit in units)


def reach_of(unit: str) -> tuple[str, ...]:
    """Return the provinces that a unit can move to, convoys left aside."""
    return geography().reach.get((unit[0], unit[2:]), ())


def find_way(unit: str, goals: Collection[str]) -> tuple[str, ...]:
    """Return the provinces on the shortest way of a unit to one of the goals; () if too far.

    Example:
        >>> find_way("A PAR", {"MUN"})
        ('BUR', 'MUN')
    """
    return next((way for way in _ways(unit) if way[-1] in goals), ())


@cache
def _ways(unit: str) -> tuple[tuple[str, ...], ...]:
    """Return the shortest way to every province that is not too far, the nearest first."""
    moves = geography().moves
    start = unit[2:]
    queue: deque[tuple[str, tuple[str, ...]]] = deque([(start, ())])
    seen, ways = {start[:3]}, []
    while queue:
        location, way = queue.popleft()
        for goal in _fresh(moves.get((unit[0], location), ()), seen):
            ways.append((*way, goal[:3]))
            if len(ways[-1]) < FARTHEST:
                queue.append((goal, ways[-1]))
    return tuple(ways)


def _fresh(goals: Iterable[str], seen: set[str]) -> list[str]:
    """Return the goals in provinces that were not seen before, and see them."""
    fresh = [goal for goal in goals if goal[:3] not in seen]
    seen.update(goal[:3] for goal in fresh)
    return fresh
