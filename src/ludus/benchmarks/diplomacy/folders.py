"""A folder of saved games as the results of models and their variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ludus.benchmarks.diplomacy.calls import Calls, read_calls, read_phase_times
from ludus.benchmarks.diplomacy.conditions import conditions_of_game
from ludus.benchmarks.diplomacy.finding import find_games
from ludus.benchmarks.diplomacy.records import SavedGame
from ludus.benchmarks.diplomacy.results import (
    AGGRESSIVE,
    BASELINE,
    Failure,
    PlayedGame,
    TableResults,
    TableSettings,
)
from ludus.benchmarks.diplomacy.score_files import ScoredGame, score_game
from ludus.benchmarks.diplomacy.scoring import SOLO, Outcome
from ludus.errors import OptionError

__all__ = ["find_player", "read_folder", "split_variant"]


def read_folder(
    path: str | Path,
    settings: TableSettings | None = None,
    year: int | None = None,
    on_game: Callable[[PlayedGame, SavedGame], None] | None = None,
) -> TableResults:
    """Return what models scored in a folder of games, most often ``{model}-{variant}/…``.

    Under ``document`` a game that was stopped early, or that does not tell its last year, does not
    count and is listed among the failures. Under ``reference`` all count, as they did.

    Args:
        path: The folder.
        settings: Under which settings; the usual ones if None.
        year: The last year of games that do not tell it.
        on_game: Called with each game that counts.

    Raises:
        OptionError: There is nothing there, or a game tests another power.
    """
    settings = settings or TableSettings()
    found_games = find_games(path)
    played: list[PlayedGame] = []
    failures: list[Failure] = []
    faults = list(found_games.faults)
    until: Counter[int] = Counter()
    for game in found_games.games:
        model, variant = find_player(game, Path(path), settings)
        _check_power(game, settings.power)
        scored = score_game(game, settings.rule, year)
        if settings.rule == "document" and scored.remark:
            failures.append(Failure(model, variant, game.name, scored.remark))
            continue
        if scored.contradiction:
            faults.append(f"{str(game.file)!r}: {scored.contradiction}")
        until[scored.last.year] += 1
        calls = read_calls(game)
        faults += calls.faults
        played.append(_summarise(scored, calls.by_power, settings.power, model, variant))
        if on_game:
            on_game(played[-1], game)
    protocol = {str(path): {"games_until": {str(year): n for year, n in sorted(until.items())}}}
    settings = replace(settings, protocol=protocol)
    return TableResults(settings, tuple(played), tuple(failures), tuple(faults))


def _check_power(game: SavedGame, power: str) -> None:
    """Refuse a game without the power, or that tests another one."""
    if power not in game.powers:
        raise OptionError(f"{game.name} has no power {power!r}; there are {', '.join(game.powers)}")
    tested = game.overview.power or game.settings.power
    if tested and tested != power:
        raise OptionError(f"{game.name} tests {tested}, not {power}: give --power {tested}")


def find_player(game: SavedGame, root: Path, settings: TableSettings) -> tuple[str, str]:
    """Return the model and the variant of a game: by its folders, else by who played the power."""
    parts = [root.resolve().name, *game.name.split("/")]
    for part in parts:
        model, variant = split_variant(part, settings)
        if variant:
            return model, variant
    by = game.models.get(settings.power)
    return (by or (parts[1] if len(parts) > 2 else parts[0])), settings.baseline


def split_variant(name: str, settings: TableSettings | None = None) -> tuple[str, str]:
    """Return a folder's model and variant; the variant is empty if the name has none.

    Example:
        >>> split_variant("gpt_4o-mini_aggressive")
        ('gpt-4o-mini', 'aggressive')
    """
    settings = settings or TableSettings()
    for variant in dict.fromkeys((settings.baseline, settings.steered, BASELINE, AGGRESSIVE)):
        for mark in "-_":
            if name.endswith(mark + variant) and len(name) > len(variant) + 1:
                return name[: -len(variant) - 1].replace("_", "-"), variant
    return name, ""


def _summarise(
    scored: ScoredGame, calls: dict[str, Calls], power: str, model: str, variant: str
) -> PlayedGame:
    power_score, power_calls = scored.scores[power], calls.get(power, Calls())
    return PlayedGame(
        model=model,
        variant=variant,
        game=scored.game.name,
        score=power_score.score,
        centres=power_score.centres,
        won=power_score.centres >= SOLO,
        survived=power_score.outcome in (Outcome.SOLO, Outcome.SURVIVED),
        calls=power_calls.total,
        failed_calls=power_calls.failed,
        phase_seconds=tuple(read_phase_times(scored.game)),
        pair=scored.game.overview.pair or scored.game.settings.pair,
        cost=power_calls.cost if power_calls.total else None,
        conditions=conditions_of_game(scored.game, power, scored.last.year),
    )
