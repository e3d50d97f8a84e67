"""Games of Diplomacy from folders and from runs, as results of models and their variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludus.benchmarks.diplomacy.finding import FoundGames, find_games
from ludus.benchmarks.diplomacy.folders import read_folder
from ludus.benchmarks.diplomacy.league import SeatResult, judge_powers
from ludus.benchmarks.diplomacy.protocols import LEAGUE, judge_facts
from ludus.benchmarks.diplomacy.records import SavedGame
from ludus.benchmarks.diplomacy.results import Failure, PlayedGame, TableResults, TableSettings
from ludus.benchmarks.diplomacy.score_files import score_game
from ludus.benchmarks.diplomacy.scoring import RULES, SOLO, Outcome
from ludus.errors import OptionError, RunError
from ludus.execution.episode import EpisodeEnding
from ludus.execution.plan import Plan
from ludus.reports.diplomacy_games import (
    OnGame,
    find_run,
    list_players,
    name_agent,
    read_conditions,
    replay_game,
)
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = [
    "CollectedResults",
    "collect_results",
    "label",
    "saved_games",
    "seats_of_games",
]

AddGame = Callable[[PlayedGame, SavedGame], None]


@dataclass(frozen=True, slots=True)
class CollectedResults:
    """TableResults, and the games they come from.

    Attributes:
        results: What every model scored.
        games: The games by ``model-variant``; empty unless they were asked for.
    """

    results: TableResults
    games: Mapping[str, Sequence[SavedGame]]


def collect_results(
    sources: Sequence[str],
    store: Store,
    settings: TableSettings | None = None,
    *,
    year: int | None = None,
    games: bool = False,
    on_game: OnGame | None = None,
) -> CollectedResults:
    """Return what models scored in folders of saved games and in runs, all together.

    Args:
        sources: Folders or files, and ids of runs or their beginnings.
        store: Where the runs are.
        settings: Under which settings; the usual ones if None.
        year: The last year of saved games that do not tell it.
        games: Whether to read what happened in the games as well.
        on_game: Called after each game of a run that was read.

    Raises:
        OptionError: Nothing was named, or a folder has no such power.
        RunError: There is no such run, or it is not of Diplomacy.
    """
    if not sources:
        raise OptionError("nothing was named: give folders of games, or runs (see 'ludus runs')")
    settings = settings or TableSettings()
    found: list[tuple[PlayedGame, SavedGame]] = []

    def add(played: PlayedGame, game: SavedGame) -> None:
        found.append((played, game))

    keep = add if games else None
    parts = [_read_source(source, store, settings, year, keep, on_game) for source in sources]
    results = _merge_results(parts, settings)
    games_by_name: dict[str, list[SavedGame]] = {}
    for played, game in found:
        games_by_name.setdefault(label(played, results), []).append(game)
    return CollectedResults(results, games_by_name)


def label(game: PlayedGame, results: TableResults) -> str:
    """Return what pictures call a row in a variant: the baseline goes without its name."""
    row = game.model + results.row_names[game.conditions]
    return row if game.variant == results.settings.baseline else f"{row}-{game.variant}"


def saved_games(
    sources: Sequence[str], store: Store, *, on_game: OnGame | None = None
) -> FoundGames:
    """Return the games of folders and runs; those of runs are played again and saved in memory.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
    """
    found = FoundGames([], [])
    for source in sources:
        if _is_folder(source):
            games, faults = find_games(source)
            found.games.extend(games)
            found.faults.extend(faults)
            continue
        run = find_run(source, store)
        for scored in store.episodes(run.id):
            found.games.append(replay_game(run.plan, scored))
            if on_game:
                on_game()
    return found


def seats_of_games(
    sources: Sequence[str], store: Store, rule: str = RULES[0]
) -> dict[str, list[SeatResult]]:
    """Return who sat in each seat of every game of folders and runs, and what it was worth.

    Saved games that were stopped early, or that do not tell who played, are left out.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
    """
    seats_by_game: dict[str, list[SeatResult]] = {}
    for source in sources:
        seated = _seated_in_folder if _is_folder(source) else _seated_in_run
        seats_by_game |= dict(seated(source, store, rule))
    return seats_by_game


def _seated_in_folder(source: str, _: Store, rule: str) -> Iterator[tuple[str, list[SeatResult]]]:
    for game in find_games(source).games:
        scored = score_game(game, rule)
        verdicts = [verdict for verdict in scored.scores.values() if verdict.power in game.models]
        if scored.complete and len(verdicts) > 1:
            seats = [
                SeatResult(game.models[verdict.power], verdict.score, verdict.centres)
                for verdict in verdicts
            ]
            yield f"{source}/{game.name}", seats


def _seated_in_run(source: str, store: Store, rule: str) -> Iterator[tuple[str, list[SeatResult]]]:
    run = find_run(source, store)
    for scored in store.episodes(run.id):
        verdicts = judge_powers(scored.episode.facts, rule)
        tested = run.plan.scenarios[scored.episode.scenario]["power"]
        faulty = tested if scored.episode.ending.faulty else None
        seats = [
            SeatResult(player, verdicts[power].score, verdicts[power].centres, power == faulty)
            for power, player in list_players(run.plan, scored).items()
        ]
        yield f"{run.id}/{scored.episode.number}", seats


def _is_folder(source: str) -> bool:
    return Path(source).exists()


# ---- reading


def _read_source(
    source: str,
    store: Store,
    settings: TableSettings,
    year: int | None,
    add: AddGame | None,
    on_game: OnGame | None,
) -> TableResults:
    if _is_folder(source):
        return read_folder(source, settings, year, add)
    run = find_run(source, store)
    return _results_of_run(run, store.episodes(run.id), settings, add, on_game)


def _results_of_run(
    run: Run,
    scored: Sequence[ScoredEpisode],
    settings: TableSettings,
    add: AddGame | None,
    on_game: OnGame | None,
) -> TableResults:
    plan = run.plan
    played, failures = [], []
    for scored_episode in scored:
        episode = scored_episode.episode
        model, variant = name_agent(plan, episode.agent, settings.baseline)
        name = f"{run.id}/{episode.number}"
        _check_seat(run, str(episode.facts["power"]), settings)
        if episode.ending is not EpisodeEnding.FINISHED:
            reason = f"{episode.ending}: {episode.reason}"
            failures.append(Failure(model, variant, name, reason, counts=True))
        played.append(_to_played(plan, scored_episode, name, model, variant, settings))
        if add:
            add(played[-1], replay_game(plan, scored_episode))
        if on_game:
            on_game()
    protocol: dict[str, Any] = {"benchmark": f"{run.benchmark}@{run.version}", "seed": plan.seed}
    protocol |= {"options": dict(plan.options), "engine": plan.rules}
    until = Counter(str(scored_episode.episode.facts["max_year"]) for scored_episode in scored)
    protocol["games_until"] = dict(until)
    run_settings = replace(settings, protocol={run.id: protocol})
    return TableResults(run_settings, tuple(played), tuple(failures))


def _check_seat(run: Run, power: str, settings: TableSettings) -> None:
    """Refuse runs whose tested seat goes round, or is another than that of the settings."""
    if run.benchmark == LEAGUE.id:
        raise RunError(f"run {run.id} is of a league: rate it with ludus diplomacy rate {run.id}")
    if power != settings.power:
        raise OptionError(f"run {run.id} tests {power}, not {settings.power}: give --power {power}")


def _to_played(
    plan: Plan, scored: ScoredEpisode, name: str, model: str, variant: str, settings: TableSettings
) -> PlayedGame:
    facts, episode = scored.episode.facts, scored.episode
    power_score = judge_facts(facts, settings.rule)
    scenario: Mapping[str, Any] = plan.scenarios[episode.scenario]
    phases = int(facts.get("phases") or 0)
    each = episode.seconds / phases if phases else 0.0
    return PlayedGame(
        model=model,
        variant=variant,
        game=name,
        score=power_score.score,
        centres=power_score.centres,
        won=power_score.centres >= SOLO,
        survived=power_score.outcome in (Outcome.SOLO, Outcome.SURVIVED),
        calls=int(facts.get("calls") or 0),
        failed_calls=int(facts.get("failed_calls") or 0),
        phase_seconds=(("", each),) * phases,
        pair=f"{scenario['seed']} {scenario['name']}",
        cost=float(facts.get("cost") or 0) or None,
        conditions=read_conditions(plan, scored),
    )


def _merge_results(parts: Sequence[TableResults], settings: TableSettings) -> TableResults:
    protocol: dict[str, Any] = {}
    for part in parts:
        protocol |= part.settings.protocol
    return TableResults(
        replace(settings, protocol=protocol),
        tuple(game for part in parts for game in part.played),
        tuple(game for part in parts for game in part.failures),
        tuple(game for part in parts for game in part.faults),
    )
