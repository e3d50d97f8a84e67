"""The geography of the standard map: places, coasts, and which unit can move where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ludus.games.diplomacy import _native
from ludus.games.diplomacy.board import LOCATIONS, PROVINCES
from ludus.games.diplomacy.records import POWERS

__all__ = ["Geography", "geography"]

KINDS = ("LAND", "COAST", "WATER")
CENTRE = 4

Moves = Mapping[tuple[str, str], tuple[str, ...]]


@dataclass(frozen=True)
class Geography:
    """The map as bots and drawings need it. Locations are provinces and their coasts.

    Attributes:
        provinces: The 75 provinces.
        locations: Provinces and coasts, such as ``SPA``, ``SPA/NC`` and ``SPA/SC``.
        kinds: ``LAND``, ``COAST`` or ``WATER`` of each province.
        centres: The 34 supply centres.
        homes: The home centres of each power.
        moves: Where a unit such as ``("F", "MAO")`` can go in one move, convoys left aside; fleets
            name the coast they land on.
        reach: The provinces among those, which are also the ones it can support into.
        sites: The locations of a province where a unit of a type can stand, such as
            ``("F", "SPA")``: two coasts.
    """

    provinces: tuple[str, ...]
    locations: tuple[str, ...]
    kinds: Mapping[str, str]
    centres: tuple[str, ...]
    homes: Mapping[str, tuple[str, ...]]
    moves: Moves
    reach: Moves
    sites: Moves


@cache
def geography() -> Geography:
    """Return the geography of the standard map.

    Example:
        >>> geography().moves["A", "PAR"]
        ('BRE', 'BUR', 'GAS', 'PIC')
    """
    kinds = {name: _native.province_kind(number) for number, name in enumerate(PROVINCES)}
    moves = _find_moves()
    return Geography(
        provinces=PROVINCES,
        locations=LOCATIONS,
        kinds={name: KINDS[kind % CENTRE] for name, kind in kinds.items()},
        centres=tuple(name for name, kind in kinds.items() if kind >= CENTRE),
        homes={
            power: tuple(PROVINCES[home] for home in _native.list_homes(number))
            for number, power in enumerate(POWERS)
        },
        moves=moves,
        reach={unit: tuple(sorted({goal[:3] for goal in to})) for unit, to in moves.items()},
        sites=_find_sites(moves, PROVINCES),
    )


def _find_moves() -> Moves:
    """Return where every unit that can stand somewhere can move to, sorted."""
    moves = {}
    for kind, base in (("A", 0), ("F", _native.FLEET)):
        for number, location in enumerate(LOCATIONS):
            ends = _native.list_moves(base + number)
            if ends:
                moves[kind, location] = tuple(LOCATIONS[end] for end in sorted(ends))
    return moves


def _find_sites(moves: Moves, provinces: tuple[str, ...]) -> Moves:
    """Return the locations of every province where a unit of a type can stand."""
    sites: dict[tuple[str, str], list[str]] = {
        (kind, province): [] for kind in "AF" for province in provinces
    }
    for kind, location in moves:
        sites[kind, location[:3]].append(location)
    return {unit: tuple(locations) for unit, locations in sites.items()}
