"""The geography of the standard map: places, coasts, and which unit can move where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ludus.games.diplomacy.library import new_game
from ludus.games.diplomacy.records import POWERS

__all__ = ["Geography", "geography"]


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
    moves: Mapping[tuple[str, str], tuple[str, ...]]
    reach: Mapping[tuple[str, str], tuple[str, ...]]
    sites: Mapping[tuple[str, str], tuple[str, ...]]


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
    locations = tuple(
        sorted(location.upper() for location in board.locs if location.upper() != "SWI")
    )
    provinces = tuple(location for location in locations if "/" not in location)
    standing = [
        (kind, location)
        for kind in "AF"
        for location in locations
        if board.is_valid_unit(f"{kind} {location}")
    ]
    moves = {
        (kind, location): tuple(
            other
            for other in locations
            if (kind, other) in standing and board.abuts(kind, location, "-", other)
        )
        for kind, location in standing
    }
    return Geography(
        provinces=provinces,
        locations=locations,
        kinds={location: board.area_type(location) for location in provinces},
        centres=tuple(sorted(board.scs)),
        homes={power: tuple(board.homes[power]) for power in POWERS},
        moves=moves,
        reach={
            unit: tuple(sorted({location[:3] for location in to})) for unit, to in moves.items()
        },
        sites={
            (kind, province): tuple(
                location
                for unit_kind, location in standing
                if unit_kind == kind and location[:3] == province
            )
            for kind in "AF"
            for province in provinces
        },
    )
