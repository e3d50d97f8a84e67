"""Scores for what somebody else played, in the files that a benchmark's own community writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from ludus.errors import OptionError

__all__ = ["APPRAISERS", "Appraisal", "appraise"]

APPRAISERS = {
    "mario-arena": "ludus.benchmarks.mario_arena.appraise",
    "nematode": "ludus.benchmarks.nematode.appraise",
    "diplomacy": "ludus.benchmarks.diplomacy.appraise",
}
"""By family of benchmarks, a module with ``RULES``, the default first, and ``appraise``."""


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What files are worth.

    Attributes:
        rows: Plain values, one object for each thing that was scored.
        faults: What could not be scored, one line each, with place and reason.
        report: What people are shown; a table of the rows if empty.
    """

    rows: list[dict[str, Any]]
    faults: list[str] = field(default_factory=list)
    report: str = ""


def appraise(family: str, path: str | Path, rule: str | None = None) -> Appraisal:
    """Score a file or a folder by a rule of a family of benchmarks.

    Args:
        family: Such as ``"mario-arena"``.
        path: What to score.
        rule: By which of the family's rules; by its first if None.

    Raises:
        OptionError: There is no such family, rule or file.
    """
    if family not in APPRAISERS:
        raise OptionError(
            f"no files of {family!r} can be scored; there are {', '.join(APPRAISERS)}"
        )
    place = Path(path)
    if not place.exists():
        raise OptionError(f"there is nothing at {str(path)!r} to score")
    module = import_module(APPRAISERS[family])
    chosen = rule or module.RULES[0]
    if chosen not in module.RULES:
        raise OptionError(f"{family} has no rule {chosen!r}; there are {', '.join(module.RULES)}")
    made: Appraisal = module.appraise(place, chosen)
    return made
