"""What lies where on the map: places, coasts, who can go where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Geography"]


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
