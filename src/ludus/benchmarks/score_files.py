"""Scores for what somebody else played, in the files that a benchmark's own community writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from ludus.benchmarks.families import families
from ludus.benchmarks.rows import STDIN
from ludus.errors import OptionError

__all__ = ["ScoredFiles", "scorable_families", "score_files", "scores_files_of"]


@dataclass(frozen=True, slots=True)
class ScoredFiles:
    """What files are worth.

    Attributes:
        rows: Plain values, one object for each thing that was scored.
        faults: What could not be scored, one line each, with place and reason.
        report: What people are shown; a table of the rows if empty.
    """

    rows: Sequence[dict[str, Any]]
    faults: list[str] = field(default_factory=list)
    report: str = ""


def scorable_families() -> dict[str, str]:
    """Return the families whose communities' files can be scored, with the module that does so."""
    return {name: family.score_files for name, family in families().items() if family.score_files}


def scores_files_of(benchmark: str) -> bool:
    """Return whether files are scored for a family, or for a track of one that has such files."""
    family, _, track = benchmark.partition("/")
    module = scorable_families().get(family)
    if not module:
        return False
    return not track or track in getattr(import_module(module), "TRACKS", ())


def score_files(
    benchmark: str,
    path: str | Path | Sequence[str | Path],
    rule: str | None = None,
    *,
    year: int | None = None,
) -> ScoredFiles:
    """Score files or folders by a rule of a family of benchmarks.

    Args:
        benchmark: A family, such as ``"mario-arena"``, or a track of it whose rows alone count,
            such as ``"mario-arena/1-1"``.
        path: What to score, or several of them; ``-`` for what is piped in, where the family's
            files are tables. NematodeBench takes them together, others one after the other.
        rule: By which of the family's rules; by its first if None.
        year: The last year of games that do not tell it, in families that have years.

    Raises:
        OptionError: There is no such family, rule or file, or it has no years.
    """
    family, _, track = benchmark.partition("/")
    if not scores_files_of(benchmark):
        known = ", ".join(scorable_families())
        raise OptionError(f"no files of {benchmark!r} can be scored; there are {known}")
    module = import_module(scorable_families()[family])
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]
    for one in paths:
        if not one.exists() and (one != STDIN or not hasattr(module, "TRACKS")):
            raise OptionError(f"there is nothing at {str(one)!r} to score")
    rule = rule or module.RULES[0]
    if rule not in module.RULES:
        raise OptionError(f"{family} has no mode {rule!r}; there are {', '.join(module.RULES)}")
    if year is not None and not hasattr(module, "ASSUMED_YEAR"):
        raise OptionError(f"games of {family} have no last year: leave --year {year} out")
    if hasattr(module, "score_paths"):
        together: ScoredFiles = module.score_paths(paths, rule)
        return together
    words = (rule, track) if track else (rule,)
    options = {} if year is None else {"year": year}
    return _join([module.score_files(one, *words, **options) for one in paths])


def _join(scored: Sequence[ScoredFiles]) -> ScoredFiles:
    if len(scored) == 1:
        return scored[0]
    return ScoredFiles(
        [row for one in scored for row in one.rows],
        [fault for one in scored for fault in one.faults],
        "\n\n".join(one.report for one in scored if one.report),
    )
