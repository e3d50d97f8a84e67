"""The geography of the standard map: places, coasts, and which unit can move where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ludus.games.diplomacy.library import new_game
from ludus.games.diplomacy.records import POWERS

__all__ = ["Geography", "geography"]

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

    Raises:
        MissingExtra: The package ``diplomacy`` is not installed.

    Example:
        >>> geography().moves["A", "PAR"]
        ('BRE', 'BUR', 'GAS', 'PIC')
    """
    board = new_game().map
    names = (location.upper() for location in board.locs)
    locations = tuple(sorted(name for name in names if name != "SWI"))
    provinces = tuple(location for location in locations if "/" not in location)
    moves = _find_moves(board, locations)
    return Geography(
        provinces=provinces,
        locations=locations,
        kinds={province: board.area_type(province) for province in provinces},
        centres=tuple(sorted(board.scs)),
        homes={power: tuple(board.homes[power]) for power in POWERS},
        moves=moves,
        reach={unit: tuple(sorted({goal[:3] for goal in to})) for unit, to in moves.items()},
        sites=_find_sites(moves, provinces),
    )


def _find_moves(board: Any, locations: tuple[str, ...]) -> Moves:
    """Return where every unit that can stand somewhere can move to."""
    units = [
        (kind, location)
        for kind in "AF"
        for location in locations
        if board.is_valid_unit(f"{kind} {location}")
    ]
    return {
        (kind, location): tuple(
            goal
            for goal_kind, goal in units
            if goal_kind == kind and board.abuts(kind, location, "-", goal)
        )
        for kind, location in units
    }


def _find_sites(moves: Moves, provinces: tuple[str, ...]) -> Moves:
    """Return the locations of every province where a unit of a type can stand."""
    sites: dict[tuple[str, str], list[str]] = {
        (kind, province): [] for kind in "AF" for province in provinces
    }
    for kind, location in moves:
        sites[kind, location[:3]].append(location)
    return {unit: tuple(locations) for unit, locations in sites.items()}
