"""Write native/diplomacy/map_tables.c from native/diplomacy/map.json.

    python scripts/write_diplomacy_map.py

A test compares the file with what this script would write now.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "native" / "diplomacy"
TABLES = FOLDER / "map_tables.c"
KINDS = {"land": "DP_LAND", "coast": "DP_COAST", "sea": "DP_SEA"}
MOST_MOVES = 12
FAR = 99

Route = tuple[str, frozenset[str], frozenset[str]]


class Map:
    """The map's facts, and what follows from them."""

    def __init__(self) -> None:
        facts = json.loads((FOLDER / "map.json").read_text())
        self.facts = facts
        self.powers: list[str] = facts["powers"]
        self.provinces: list[str] = sorted(facts["provinces"])
        coasts = [coast for place in facts["provinces"].values() for coast in place["coasts"]]
        self.locations: list[str] = sorted([*self.provinces, *coasts])
        self.moves: list[dict[str, list[str]]] = [facts["army"], facts["fleet"]]
        self.seas = [name for name in self.provinces if self.kind(name) == "sea"]

    def kind(self, province: str) -> str:
        """Return ``land``, ``coast`` or ``sea``."""
        return str(self.facts["provinces"][province]["kind"])

    def beach(self, province: str) -> list[str]:
        """Return the seas that a fleet in the province, on whatever coast, can move to."""
        moves = self.facts["fleet"]
        ends = [end for place in moves if place[:3] == province for end in moves[place]]
        return sorted(set(ends) & set(self.seas))

    @cached_property
    def neighbours(self) -> dict[str, set[str]]:
        """The provinces next to each, whatever the unit."""
        near: dict[str, set[str]] = {name: set() for name in self.provinces}
        for moves in self.moves:
            for place, ends in moves.items():
                near[place[:3]] |= {end[:3] for end in ends}
        return near

    @cached_property
    def routes(self) -> list[Route]:
        """From each coast: a set of seas, and where it leads to that no part of it leads to."""
        found: list[tuple[str, str, frozenset[str]]] = []
        for start in self.provinces:
            if self.kind(start) == "coast":
                found += self._routes_from(start)
        found.sort(key=lambda route: (route[0], self.sea_bits(route[2]), route[1]))
        rows = groupby(found, key=lambda route: (route[0], route[2]))
        return [(start, seas, frozenset(end for _, end, _ in ends)) for (start, seas), ends in rows]

    def _routes_from(self, start: str) -> Iterable[tuple[str, str, frozenset[str]]]:
        sets: dict[str, set[frozenset[str]]] = {}
        for path in self._sea_paths(start):
            for end in self.provinces:
                if end != start and self.kind(end) == "coast" and path[-1] in self.beach(end):
                    sets.setdefault(end, set()).add(frozenset(path))
        for end, every in sets.items():
            for seas in every:
                if not any(other < seas for other in every):
                    yield start, end, seas

    def _sea_paths(self, start: str) -> Iterable[tuple[str, ...]]:
        queue: deque[tuple[str, ...]] = deque((sea,) for sea in self.beach(start))
        while queue:
            path = queue.popleft()
            yield path
            queue.extend((*path, sea) for sea in self.beach(path[-1]) if sea not in path)

    def sea_bits(self, seas: Iterable[str]) -> int:
        """Return a set of seas as bits."""
        return sum(1 << self.seas.index(sea) for sea in seas)

    def location_bits(self, locations: Iterable[str]) -> int:
        """Return a set of locations as bits."""
        return sum(1 << self.locations.index(location) for location in set(locations))

    def distances(self, start: str, steps: Callable[[str], Iterable[str]]) -> list[int]:
        """Return how many steps each province is away."""
        seen, queue = {start: 0}, deque([start])
        while queue:
            place = queue.popleft()
            for end in steps(place):
                if end not in seen:
                    seen[end] = seen[place] + 1
                    queue.append(end)
        near = dict.fromkeys(self.provinces, FAR)
        for place, moves in seen.items():
            near[place[:3]] = min(near[place[:3]], moves)
        return list(near.values())


def write_tables() -> str:
    """Return the C source."""
    board = Map()
    parts = [
        "/* The standard map. Written by scripts/write_diplomacy_map.py: run it again instead. */",
        '#include "diplomacy/map.h"\n',
        *_names(board),
        *_places(board),
        *_moves(board),
        *_powers(board),
        *_seas(board),
        *_distances(board),
    ]
    return "\n".join(parts)


def _names(board: Map) -> Iterable[str]:
    yield _table("char *const dp_power_names[DP_POWERS]", map(_quoted, board.powers))
    yield _table("char dp_location_names[DP_LOCATIONS][8]", map(_quoted, board.locations))


def _places(board: Map) -> Iterable[str]:
    numbers = {name: k for k, name in enumerate(board.provinces)}
    places = board.facts["provinces"]
    yield _table(
        "uint8_t dp_province_of[DP_LOCATIONS]", (numbers[name[:3]] for name in board.locations)
    )
    yield _table(
        "uint8_t dp_location_of[DP_PROVINCES]",
        (board.locations.index(name) for name in board.provinces),
    )
    yield _table(
        "uint8_t dp_province_kind[DP_PROVINCES]",
        (KINDS[board.kind(name)] for name in board.provinces),
    )
    yield _table(
        "uint8_t dp_is_centre[DP_PROVINCES]",
        (int(places[name]["centre"]) for name in board.provinces),
    )
    yield _table(
        "uint8_t dp_centre_order[DP_CENTRES]",
        (numbers[name] for name in board.facts["centre_order"]),
    )


def _moves(board: Map) -> Iterable[str]:
    counts, lists, goals, reach, backed = [], [], [], [], []
    for moves in board.moves:
        ends = [moves.get(place, []) for place in board.locations]
        counts.append(_row(map(len, ends)))
        lists.append(_row(_row(_padded(board, end)) for end in ends))
        goals.append(_row(_bits(board.location_bits(end)) for end in ends))
        reach.append(_row(_bits(board.location_bits(_with_coasts(board, end))) for end in ends))
        backed.append(
            _row(_bits(board.location_bits([*end, *(goal[:3] for goal in end)])) for end in ends)
        )
    yield _table("uint8_t dp_n_moves[2][DP_LOCATIONS]", counts)
    yield _table("uint8_t dp_moves[2][DP_LOCATIONS][DP_MOST_MOVES]", lists)
    yield _table("dp_set dp_goals[2][DP_LOCATIONS]", goals)
    yield _table("dp_set dp_reach[2][DP_LOCATIONS]", reach)
    yield _table("dp_set dp_supportable[2][DP_LOCATIONS]", backed)


def _padded(board: Map, ends: Sequence[str]) -> list[int]:
    numbers = [board.locations.index(end) for end in ends]
    return numbers + [0] * (MOST_MOVES - len(numbers))


def _with_coasts(board: Map, ends: Sequence[str]) -> list[str]:
    provinces = {end[:3] for end in ends}
    return [place for place in board.locations if place[:3] in provinces]


def _powers(board: Map) -> Iterable[str]:
    homes = [board.facts["homes"][power] for power in board.powers]
    units = [board.facts["start"][power] for power in board.powers]
    numbers = [[board.provinces.index(name) for name in each] for each in homes]
    yield _table("uint8_t dp_n_homes[DP_POWERS]", map(len, homes))
    yield _table("uint8_t dp_homes[DP_POWERS][4]", (_row([*each, 0][:4]) for each in numbers))
    codes = [[_unit_code(board, unit) for unit in each] for each in units]
    yield _table("dp_unit dp_start_units[DP_POWERS][4]", (_row([*each, 0][:4]) for each in codes))


def _unit_code(board: Map, unit: str) -> int:
    return board.locations.index(unit[2:]) + (128 if unit[0] == "F" else 0)


def _seas(board: Map) -> Iterable[str]:
    yield _table(
        "int8_t dp_sea_of[DP_PROVINCES]",
        (board.seas.index(name) if name in board.seas else -1 for name in board.provinces),
    )
    yield _table(
        "uint32_t dp_beach[DP_PROVINCES]",
        (hex(board.sea_bits(board.beach(name))) for name in board.provinces),
    )
    yield _table(
        "uint32_t dp_sea_neighbours[DP_SEAS]",
        (hex(board.sea_bits(board.beach(name))) for name in board.seas),
    )
    routes = board.routes
    starts = [start for start, _, _ in routes]
    yield _table(
        "dp_route dp_routes[DP_ROUTES]",
        (
            _row([hex(board.sea_bits(seas)), _bits(board.location_bits(ends))])
            for _, seas, ends in routes
        ),
    )
    firsts = [sum(start < name for start in starts) for name in board.provinces]
    yield _table("uint16_t dp_first_route[DP_PROVINCES + 1]", [*firsts, len(routes)])


def _distances(board: Map) -> Iterable[str]:
    yield _table(
        "uint8_t dp_steps[DP_PROVINCES][DP_PROVINCES]",
        (_row(board.distances(name, board.neighbours.__getitem__)) for name in board.provinces),
    )
    fleet = board.facts["fleet"]
    yield _table(
        "uint8_t dp_fleet_steps[DP_LOCATIONS][DP_PROVINCES]",
        (
            _row(board.distances(name, lambda place: fleet.get(place, ())))
            for name in board.locations
        ),
    )


def _quoted(text: str) -> str:
    return f'"{text}"'


def _bits(bits: int) -> str:
    return f"{{{{{hex(bits & (1 << 64) - 1)}u, {hex(bits >> 64)}u}}}}"


def _row(items: Iterable[object]) -> str:
    return "{" + ", ".join(map(str, items)) + "}"


def _table(declaration: str, items: Iterable[object]) -> str:
    lines, line = [], "   "
    for item in items:
        if len(line) + len(str(item)) > 110 and line.strip():
            lines.append(line)
            line = "   "
        line += f" {item},"
    return f"const {declaration} = {{\n" + "\n".join([*lines, line]) + "\n};\n"


if __name__ == "__main__":
    TABLES.write_text(write_tables())
