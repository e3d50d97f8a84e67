"""A folder of saved games as the results of models and their variants."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from ludus.benchmarks.diplomacy.calls import Calls, read_calls, read_phase_times
from ludus.benchmarks.diplomacy.records import SavedGame, find_games
from ludus.benchmarks.diplomacy.score_files import ScoredGame, score_game
from ludus.benchmarks.diplomacy.scoring import SOLO, Outcome
from ludus.benchmarks.diplomacy.tables import AGGRESSIVE, BASELINE, Failure, Played, Results, Terms
from ludus.errors import OptionError

__all__ = ["games_of", "read_folder", "split_variant", "whose"]


def read_folder(path: str | Path, terms: Terms | None = None, year: int | None = None) -> Results:
    """Return what models scored in a folder of games, most often ``{model}-{variant}/…``.

    Under ``document`` a game that was stopped early, or that does not tell its last year, does not
    count and is listed among the failures. Under ``reference`` all count, as they did.

    Args:
        path: The folder.
        terms: Under which terms; the usual ones if None.
        year: The last year of games that do not tell it.

    Raises:
        OptionError: There is nothing there.
    """
    terms = terms or Terms()
    found = find_games(path)
    played: list[Played] = []
    failures: list[Failure] = []
    faults = list(found.faults)
    until: Counter[int] = Counter()
    for game in found.games:
        model, variant = whose(game, Path(path), terms)
        scored = score_game(game, terms.rule, year)
        if terms.power not in scored.verdicts:
            known = ", ".join(scored.verdicts)
            raise OptionError(f"{game.name} has no power {terms.power!r}; there are {known}")
        if terms.rule == "document" and scored.remark:
            failures.append(Failure(model, variant, game.name, scored.remark))
            continue
        until[scored.last.year] += 1
        calls = read_calls(game)
        faults += calls.faults
        played.append(_played(scored, calls.by_power, terms.power, model, variant))
    if len(until) > 1:
        ends = ", ".join(f"{count} in {year}" for year, count in sorted(until.items()))
        faults.append(f"{str(path)!r}: games end in different years and score otherwise: {ends}")
    protocol = {str(path): {"games_until": {str(year): n for year, n in sorted(until.items())}}}
    told = replace(terms, protocol=protocol)
    return Results(told, tuple(played), tuple(failures), tuple(faults))


def games_of(path: str | Path, terms: Terms) -> dict[tuple[str, str], list[SavedGame]]:
    """Return a folder's games by model and variant, for pictures of what happened in them."""
    found: dict[tuple[str, str], list[SavedGame]] = {}
    for game in find_games(path).games:
        found.setdefault(whose(game, Path(path), terms), []).append(game)
    return found


def whose(game: SavedGame, root: Path, terms: Terms) -> tuple[str, str]:
    """Return the model and the variant of a game: by its folders, else by who played the power."""
    parts = [root.resolve().name, *game.name.split("/")]
    for part in parts:
        model, variant = split_variant(part, terms)
        if variant:
            return model, variant
    by = game.models.get(terms.power)
    return (by or (parts[1] if len(parts) > 2 else parts[0])), terms.baseline


def split_variant(name: str, terms: Terms | None = None) -> tuple[str, str]:
    """Return a folder's model and variant; the variant is empty if the name has none.

    Example:
        >>> split_variant("gpt_4o-mini_aggressive")
        ('gpt-4o-mini', 'aggressive')
    """
    terms = terms or Terms()
    for variant in dict.fromkeys((terms.baseline, terms.steered, BASELINE, AGGRESSIVE)):
        for mark in "-_":
            if name.endswith(mark + variant) and len(name) > len(variant) + 1:
                return name[: -len(variant) - 1].replace("_", "-"), variant
    return name, ""


def _played(
    scored: ScoredGame, calls: dict[str, Calls], power: str, model: str, variant: str
) -> Played:
    verdict, own = scored.verdicts[power], calls.get(power, Calls())
    return Played(
        model=model,
        variant=variant,
        game=scored.game.name,
        score=verdict.score,
        centres=verdict.centres,
        won=verdict.centres >= SOLO,
        survived=verdict.outcome in (Outcome.SOLO, Outcome.SURVIVED),
        calls=own.made,
        failed_calls=own.failed,
        phase_seconds=tuple(read_phase_times(scored.game)),
    )
