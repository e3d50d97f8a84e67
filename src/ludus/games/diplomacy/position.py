"""Sets up positions other than the usual start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.errors import OptionError
from ludus.games.diplomacy.board import Board
from ludus.games.diplomacy.records import POWERS, parse_phase

__all__ = ["check_power", "set_up"]


def check_power(power: str) -> None:
    """Refuse a name that is none of the seven powers."""
    if power not in POWERS:
        raise OptionError(f"no power {power!r}; there are {', '.join(POWERS)}")


def set_up(position: Mapping[str, Any], first_year: int) -> Board:
    """Return a board with a position.

    Args:
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
    usual = Board().to_record()
    units, centres = parts.pop("units", None), parts.pop("centres", None)
    if parts:
        raise OptionError(f"no {next(iter(parts))!r} in a position: phase, units, centres")
    for power in [*(units or ()), *(centres or ())]:
        check_power(power)
    record = {
        "name": name,
        "units": usual["units"] if units is None else units,
        "centers": usual["centers"] if centres is None else centres,
    }
    return Board.from_record(record, civil_disorder="2023", victory="2023")
