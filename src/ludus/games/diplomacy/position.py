"""Sets up positions other than the usual start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.errors import OptionError
from ludus.games.diplomacy.records import POWERS, parse_phase

__all__ = ["check_power", "set_up"]


def check_power(power: str) -> None:
    """Refuse a name that is none of the seven powers."""
    if power not in POWERS:
        raise OptionError(f"no power {power!r}; there are {', '.join(POWERS)}")


def set_up(game: Any, position: Mapping[str, Any], first_year: int) -> None:
    """Set up a position on a new game's board.

    Args:
        game: The game, as :func:`~ludus.games.diplomacy.library.new_game` returns it.
        position: ``phase``, ``units`` and ``centres``, each optional.
        first_year: The year of the first spring, unless the position names a phase.

    Raises:
        OptionError: The position cannot be set up.
    """
    parts = dict(position)
    name = str(parts.pop("phase", f"S{first_year}M"))
    phase = parse_phase(name)
    if phase is None or phase.kind == "R" or (phase.kind == "A") != (phase.season == "winter"):
        raise OptionError(f"a game cannot begin in {name!r}: try S1901M, F1901M or W1901A")
    game.set_current_phase(name)
    units, centres = parts.pop("units", None), parts.pop("centres", None)
    if parts:
        raise OptionError(f"no {next(iter(parts))!r} in a position: phase, units, centres")
    for power in [*(units or ()), *(centres or ())]:
        check_power(power)
    for power in POWERS:
        if units is not None:
            game.set_units(power, list(units.get(power, ())), reset=True)
        if centres is not None:
            game.set_centers(power, list(centres.get(power, ())), reset=True)
    _check_board(game, units or {}, centres or {})
    game.build_caches()


def _check_board(game: Any, units: Mapping[str, Any], centres: Mapping[str, Any]) -> None:
    """Refuse units and centres that the package has silently dropped."""
    for power in POWERS:
        board = game.powers[power]
        for unit in units.get(power, ()):
            if unit not in board.units:
                raise OptionError(f"{power} cannot have {unit!r}: no such place, or taken")
        for centre in centres.get(power, ()):
            if centre not in board.centers:
                raise OptionError(f"{power} cannot own {centre!r}: no centre, or taken")
