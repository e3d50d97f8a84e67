"""Games of Diplomacy from folders and from runs, as results of models and their variants."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludus.benchmarks.diplomacy.folders import group_games, read_folder
from ludus.benchmarks.diplomacy.league import SeatResult, judge_powers
from ludus.benchmarks.diplomacy.protocols import LEAGUE, judge_facts
from ludus.benchmarks.diplomacy.records import (
    GAME_FILE,
    OVERVIEW,
    SavedGame,
    find_games,
    parse_game,
)
from ludus.benchmarks.diplomacy.score_files import score_game
from ludus.benchmarks.diplomacy.scoring import POWERS, RULES, SOLO, Outcome
from ludus.benchmarks.diplomacy.tables import Failure, PlayedGame, TableResults, TableSettings
from ludus.errors import OptionError, RunError
from ludus.execution.episode import EpisodeEnding
from ludus.execution.plan import Plan
from ludus.games.diplomacy.game import replay_table
from ludus.runs.sealed import open_revealed
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = [
    "CollectedResults",
    "collect_results",
    "label",
    "saved_games",
    "seats_of_games",
    "write_games",
]

GAME = "diplomacy"
OnGame = Callable[[], None]


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
    parts = [_read_source(source, store, settings, year) for source in sources]
    games_by_name: dict[str, list[SavedGame]] = {}
    if games:
        for source in sources:
            for name, game in _iterate_games(source, store, settings, on_game):
                games_by_name.setdefault(name, []).append(game)
    return CollectedResults(_merge_results(parts, settings), games_by_name)


def label(game: PlayedGame, settings: TableSettings) -> str:
    """Return what pictures call a model in a variant: the baseline goes without its name."""
    return game.model if game.variant == settings.baseline else f"{game.model}-{game.variant}"


def saved_games(
    sources: Sequence[str], store: Store, *, on_game: OnGame | None = None
) -> list[SavedGame]:
    """Return the games of folders and runs; those of runs are played again and saved in memory.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
        MissingExtra: A run was named, and the engine is not installed.
    """
    settings = TableSettings()
    return [
        game for source in sources for _, game in _iterate_games(source, store, settings, on_game)
    ]


def write_games(
    run_id: str, store: Store, folder: str | Path, *, on_game: OnGame | None = None
) -> list[Path]:
    """Write the games of a run as AI Diplomacy leaves its own, and return their folders.

    Each is a folder ``{model}-{variant}/run_{number}`` with ``lmvsgame.json`` and
    ``overview.jsonl``, which ``ludus score diplomacy`` and others' tools read.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
        OptionError: A file cannot be written.
        MissingExtra: The engine is not installed.
    """
    run = _run(run_id, store)
    folders = []
    for scored in store.episodes(run.id):
        model, variant = _model_and_variant(run.plan, scored.episode.agent, TableSettings())
        name = f"{model}-{variant}".replace("/", "_")
        folders.append(Path(folder) / name / f"run_{scored.episode.scenario:05d}")
        _write_game(folders[-1], run.plan, scored)
        if on_game:
            on_game()
    return folders


def _write_game(folder: Path, plan: Plan, scored: ScoredEpisode) -> None:
    lines = [{}, _players(plan, scored), _settings(plan, scored)]
    overview = "".join(json.dumps(line) + "\n" for line in lines)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(_game_to_dict(plan, scored))
        (folder / GAME_FILE).write_text(text, encoding="utf-8")
        (folder / OVERVIEW).write_text(overview, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {error.filename!r}: {error.strerror}") from error


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
    run = _run(source, store)
    for scored in store.episodes(run.id):
        verdicts = judge_powers(scored.episode.facts, rule)
        tested = run.plan.scenarios[scored.episode.scenario]["power"]
        faulty = tested if scored.episode.ending.faulty else None
        seats = [
            SeatResult(player, verdicts[power].score, verdicts[power].centres, power == faulty)
            for power, player in _players(run.plan, scored).items()
        ]
        yield f"{run.id}/{scored.episode.number}", seats


def _players(plan: Plan, scored: ScoredEpisode) -> dict[str, str]:
    """Return who sat in which seat, by name."""
    names = {agent.spec: agent.name for agent in plan.agents}
    scenario = plan.scenarios[scored.episode.scenario]
    specs = [str(spec) for spec in scenario["opponents"]]
    specs = specs * (len(POWERS) - 1) if len(specs) == 1 else specs
    players = [names.get(spec, spec.replace("#", "-")) for spec in specs]
    players.insert(POWERS.index(scenario["power"]), plan.agents[scored.episode.agent].name)
    return dict(zip(POWERS, players, strict=True))


def _settings(plan: Plan, scored: ScoredEpisode) -> dict[str, Any]:
    scenario = plan.scenarios[scored.episode.scenario]
    return {
        "max_year": scenario["max_year"],
        "num_negotiation_rounds": scenario.get("rounds", 0),
        "power": scenario["power"],
        "seed": scenario["seed"],
    }


def _is_folder(source: str) -> bool:
    return Path(source).exists()


# ---- reading


def _read_source(
    source: str, store: Store, settings: TableSettings, year: int | None
) -> TableResults:
    if _is_folder(source):
        return read_folder(source, settings, year)
    run = _run(source, store)
    return _results_of_run(run, store.episodes(run.id), settings)


def _run(source: str, store: Store) -> Run:
    run = store.run(source)
    if run.plan.game != GAME:
        raise RunError(f"run {run.id} is of {run.benchmark}, not of Diplomacy; see 'ludus runs'")
    return open_revealed(run, store)


def _results_of_run(
    run: Run, scored: Sequence[ScoredEpisode], settings: TableSettings
) -> TableResults:
    plan = run.plan
    played, failures = [], []
    for scored_episode in scored:
        episode = scored_episode.episode
        model, variant = _model_and_variant(plan, episode.agent, settings)
        name = f"{run.id}/{episode.number}"
        _check_seat(run, str(episode.facts["power"]), settings)
        if episode.ending is not EpisodeEnding.FINISHED:
            failures.append(Failure(model, variant, name, f"{episode.ending}: {episode.reason}"))
        played.append(_to_played(plan, scored_episode, name, model, variant, settings))
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


def _model_and_variant(plan: Plan, agent: int, settings: TableSettings) -> tuple[str, str]:
    """Return an agent's name without its variant, and that."""
    source = plan.agents[agent]
    _, mark, variant = source.spec.rpartition("#")
    if not mark:
        return source.name, settings.baseline
    return source.name.removesuffix(f"-{variant}"), variant


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
        cost=float(facts["cost"] or 0) if facts.get("calls") else None,
    )


def _iterate_games(
    source: str, store: Store, settings: TableSettings, on_game: OnGame | None
) -> Iterator[tuple[str, SavedGame]]:
    """Yield games with what pictures call those who played them."""
    if _is_folder(source):
        for (model, variant), games in group_games(source, settings).items():
            name = model if variant == settings.baseline else f"{model}-{variant}"
            yield from ((name, game) for game in games)
        return
    run = _run(source, store)
    for scored in store.episodes(run.id):
        model, variant = _model_and_variant(run.plan, scored.episode.agent, settings)
        yield (
            (model if variant == settings.baseline else f"{model}-{variant}"),
            _to_saved_game(run.plan, scored),
        )
        if on_game:
            on_game()


def _to_saved_game(plan: Plan, scored: ScoredEpisode) -> SavedGame:
    values = {**_game_to_dict(plan, scored), "settings": _settings(plan, scored)}
    return parse_game(values, f"{scored.episode.number}")


def _game_to_dict(plan: Plan, scored: ScoredEpisode) -> dict[str, Any]:
    """Return a game in the engine's format, as its record leaves it."""
    from ludus.games.diplomacy.scenario import Scenario

    scenario = Scenario.from_dict(plan.scenarios[scored.episode.scenario])
    return replay_table(scenario, scored.episode.record).to_saved_game()


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
