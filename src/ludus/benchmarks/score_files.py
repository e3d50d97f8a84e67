"""Scores for what somebody else played, in the files that a benchmark's own community writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from ludus.benchmarks.families import families
from ludus.errors import OptionError

__all__ = ["ScoredFiles", "scorable_families", "score_files"]


@dataclass(frozen=True, slots=True)
class ScoredFiles:
    """What files are worth.

    Attributes:
        rows: Plain values, one object for each thing that was scored.
        faults: What could not be scored, one line each, with place and reason.
        report: What people are shown; a table of the rows if empty.
    """

    rows: list[dict[str, Any]]
    faults: list[str] = field(default_factory=list)
    report: str = ""


def scorable_families() -> dict[str, str]:
    """Return the families whose communities' files can be scored, with the module that does so."""
    return {name: family.score_files for name, family in families().items() if family.score_files}


def score_files(family: str, path: str | Path, rule: str | None = None) -> ScoredFiles:
    """Score a file or a folder by a rule of a family of benchmarks.

    Args:
        family: Such as ``"mario-arena"``.
        path: What to score.
        rule: By which of the family's rules; by its first if None.

    Raises:
        OptionError: There is no such family, rule or file.
    """
    modules = scorable_families()
    if family not in modules:
        raise OptionError(f"no files of {family!r} can be scored; there are {', '.join(modules)}")
    if not Path(path).exists():
        raise OptionError(f"there is nothing at {str(path)!r} to score")
    module = import_module(modules[family])
    rule = rule or module.RULES[0]
    if rule not in module.RULES:
        raise OptionError(f"{family} has no rule {rule!r}; there are {', '.join(module.RULES)}")
    scored: ScoredFiles = module.score_files(Path(path), rule)
    return scored
