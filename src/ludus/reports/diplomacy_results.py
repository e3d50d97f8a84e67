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
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = ["CollectedResults", "collect_results", "label", "saved_games", "seatings", "write_games"]

GAME = "diplomacy"
OnGame = Callable[[], None]


@dataclass(frozen=True, slots=True)
class CollectedResults:
    """Results, and the games they come from.

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
    parts = [_read(source, store, settings, year) for source in sources]
    found: dict[str, list[SavedGame]] = {}
    if games:
        for source in sources:
            for name, game in _games(source, store, settings, on_game):
                found.setdefault(name, []).append(game)
    return CollectedResults(_together(parts, settings), found)


def label(one: PlayedGame, settings: TableSettings) -> str:
    """Return what pictures call a model in a variant: the baseline goes without its name."""
    return one.model if one.variant == settings.baseline else f"{one.model}-{one.variant}"


def saved_games(
    sources: Sequence[str], store: Store, *, on_game: OnGame | None = None
) -> list[SavedGame]:
    """Return the games of folders and runs; those of runs are played again and saved in memory.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
        MissingExtra: A run was named, and the engine is not installed.
    """
    settings = TableSettings()
    return [game for source in sources for _, game in _games(source, store, settings, on_game)]


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
    written = []
    for one in store.episodes(run.id):
        model, variant = _whose(run.plan, one.episode.agent, TableSettings())
        name = f"{model}-{variant}".replace("/", "_")
        written.append(Path(folder) / name / f"run_{one.episode.scenario:05d}")
        _write_game(written[-1], run.plan, one)
        if on_game:
            on_game()
    return written


def _write_game(place: Path, plan: Plan, one: ScoredEpisode) -> None:
    lines = [{}, _players(plan, one), _settings(plan, one)]
    overview = "".join(json.dumps(line) + "\n" for line in lines)
    try:
        place.mkdir(parents=True, exist_ok=True)
        text = json.dumps(_plain_game(plan, one))
        (place / GAME_FILE).write_text(text, encoding="utf-8")
        (place / OVERVIEW).write_text(overview, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {error.filename!r}: {error.strerror}") from error


def seatings(
    sources: Sequence[str], store: Store, rule: str = RULES[0]
) -> dict[str, list[SeatResult]]:
    """Return who sat in each seat of every game of folders and runs, and what it was worth.

    Saved games that were stopped early, or that do not tell who played, are left out.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
    """
    found: dict[str, list[SeatResult]] = {}
    for source in sources:
        seated = _seated_in_folder if _is_folder(source) else _seated_in_run
        found |= dict(seated(source, store, rule))
    return found


def _seated_in_folder(source: str, _: Store, rule: str) -> Iterator[tuple[str, list[SeatResult]]]:
    for game in find_games(source).games:
        scored = score_game(game, rule)
        verdicts = [one for one in scored.scores.values() if one.power in game.models]
        if scored.complete and len(verdicts) > 1:
            seats = [SeatResult(game.models[one.power], one.score, one.centres) for one in verdicts]
            yield f"{source}/{game.name}", seats


def _seated_in_run(source: str, store: Store, rule: str) -> Iterator[tuple[str, list[SeatResult]]]:
    run = _run(source, store)
    for one in store.episodes(run.id):
        verdicts = judge_powers(one.episode.facts, rule)
        seats = [
            SeatResult(player, verdicts[power].score, verdicts[power].centres)
            for power, player in _players(run.plan, one).items()
        ]
        yield f"{run.id}/{one.episode.number}", seats


def _players(plan: Plan, one: ScoredEpisode) -> dict[str, str]:
    """Return who sat in which seat, by name."""
    names = {agent.spec: agent.name for agent in plan.agents}
    described = plan.scenarios[one.episode.scenario]
    specs = [str(spec) for spec in described["opponents"]]
    specs = specs * (len(POWERS) - 1) if len(specs) == 1 else specs
    players = [names.get(spec, spec.replace("#", "-")) for spec in specs]
    players.insert(POWERS.index(described["power"]), plan.agents[one.episode.agent].name)
    return dict(zip(POWERS, players, strict=True))


def _settings(plan: Plan, one: ScoredEpisode) -> dict[str, Any]:
    described = plan.scenarios[one.episode.scenario]
    return {
        "max_year": described["max_year"],
        "num_negotiation_rounds": described.get("rounds", 0),
        "power": described["power"],
        "seed": described["seed"],
    }


def _is_folder(source: str) -> bool:
    return Path(source).exists()


# ---- reading


def _read(source: str, store: Store, settings: TableSettings, year: int | None) -> TableResults:
    if _is_folder(source):
        return read_folder(source, settings, year)
    run = _run(source, store)
    return _of_run(run, store.episodes(run.id), settings)


def _run(source: str, store: Store) -> Run:
    run = store.run(source)
    if run.plan.game != GAME:
        raise RunError(f"run {run.id} is of {run.benchmark}, not of Diplomacy; see 'ludus runs'")
    return run


def _of_run(run: Run, scored: Sequence[ScoredEpisode], settings: TableSettings) -> TableResults:
    plan = run.plan
    played, failures = [], []
    for one in scored:
        episode = one.episode
        model, variant = _whose(plan, episode.agent, settings)
        name = f"{run.id}/{episode.number}"
        _check_seat(run, str(episode.facts["power"]), settings)
        if episode.ending is not EpisodeEnding.FINISHED:
            failures.append(Failure(model, variant, name, f"{episode.ending}: {episode.reason}"))
        played.append(_played(plan, one, name, model, variant, settings))
    protocol: dict[str, Any] = {"benchmark": f"{run.benchmark}@{run.version}", "seed": plan.seed}
    protocol |= {"options": dict(plan.options), "engine": plan.rules}
    until = Counter(str(one.episode.facts["max_year"]) for one in scored)
    protocol["games_until"] = dict(until)
    kept = replace(settings, protocol={run.id: protocol})
    return TableResults(kept, tuple(played), tuple(failures))


def _check_seat(run: Run, power: str, settings: TableSettings) -> None:
    """Refuse runs whose tested seat goes round, or is another than that of the settings."""
    if run.benchmark == LEAGUE.id:
        raise RunError(f"run {run.id} is of a league: rate it with ludus diplomacy rate {run.id}")
    if power != settings.power:
        raise OptionError(f"run {run.id} tests {power}, not {settings.power}: give --power {power}")


def _whose(plan: Plan, agent: int, settings: TableSettings) -> tuple[str, str]:
    """Return an agent's name without its variant, and that."""
    source = plan.agents[agent]
    _, mark, variant = source.spec.rpartition("#")
    if not mark:
        return source.name, settings.baseline
    return source.name.removesuffix(f"-{variant}"), variant


def _played(
    plan: Plan, one: ScoredEpisode, name: str, model: str, variant: str, settings: TableSettings
) -> PlayedGame:
    facts, episode = one.episode.facts, one.episode
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


def _games(
    source: str, store: Store, settings: TableSettings, on_game: OnGame | None
) -> Iterator[tuple[str, SavedGame]]:
    """Yield games with what pictures call those who played them."""
    if _is_folder(source):
        for (model, variant), own in group_games(source, settings).items():
            shown = model if variant == settings.baseline else f"{model}-{variant}"
            yield from ((shown, game) for game in own)
        return
    run = _run(source, store)
    for one in store.episodes(run.id):
        model, variant = _whose(run.plan, one.episode.agent, settings)
        yield (
            (model if variant == settings.baseline else f"{model}-{variant}"),
            _saved(run.plan, one),
        )
        if on_game:
            on_game()


def _saved(plan: Plan, one: ScoredEpisode) -> SavedGame:
    values = {**_plain_game(plan, one), "settings": _settings(plan, one)}
    return parse_game(values, f"{one.episode.number}")


def _plain_game(plan: Plan, one: ScoredEpisode) -> dict[str, Any]:
    """Return a game in the engine's format, as its record leaves it."""
    from ludus.games.diplomacy.scenario import Scenario

    scenario = Scenario.from_dict(plan.scenarios[one.episode.scenario])
    return replay_table(scenario, one.episode.record).to_saved_game()


def _together(parts: Sequence[TableResults], settings: TableSettings) -> TableResults:
    protocol: dict[str, Any] = {}
    for part in parts:
        protocol |= part.settings.protocol
    return TableResults(
        replace(settings, protocol=protocol),
        tuple(one for part in parts for one in part.played),
        tuple(one for part in parts for one in part.failures),
        tuple(one for part in parts for one in part.faults),
    )
