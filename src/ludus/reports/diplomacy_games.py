"""Games of runs as saved games: in memory, or as files in the form that AI Diplomacy leaves.

A saved game loses nothing that tables show: settings, players, calls with what they took and cost,
and times are written beside it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ludus.benchmarks.diplomacy.conditions import Conditions, describe_press, describe_start
from ludus.benchmarks.diplomacy.finding import GAME_FILE, LOG, OVERVIEW, RESPONSES
from ludus.benchmarks.diplomacy.records import SavedGame, parse_game
from ludus.benchmarks.diplomacy.results import BASELINE
from ludus.errors import OptionError, RunError
from ludus.execution.plan import Plan
from ludus.games.diplomacy.game import replay_table
from ludus.games.diplomacy.records import POWERS, Turn
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.model_calls import USED_STATUSES, noted_calls
from ludus.runs.sealed import open_revealed
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = [
    "OnGame",
    "find_run",
    "list_players",
    "name_agent",
    "read_conditions",
    "replay_game",
    "write_games",
]

GAME = "diplomacy"
CALL_COLUMNS = (
    "timestamp",
    "model",
    "power",
    "phase",
    "response_type",
    "raw_input",
    "raw_response",
    "success",
)
"""The columns of AI Diplomacy's own table; questions and answers are not in a record."""
CALL_FIGURES = ("seconds", "attempts", "tokens_in", "tokens_out", "finish", "form", "cost")
"""What Ludus knows of a call besides."""

OnGame = Callable[[], None]


def find_run(source: str, store: Store) -> Run:
    """Return a run of Diplomacy, its secrets opened if they are revealed.

    Raises:
        RunError: There is no such run, or it is of another game.
    """
    run = store.run(source)
    if run.plan.game != GAME:
        raise RunError(f"run {run.id} is of {run.benchmark}, not of Diplomacy; see 'ludus runs'")
    return open_revealed(run, store)


def list_players(plan: Plan, scored: ScoredEpisode) -> dict[str, str]:
    """Return who sat in which seat, by name."""
    names = {agent.spec: agent.name for agent in plan.agents}
    scenario = _scenario(plan, scored)
    players = {
        power: names.get(spec, spec.replace("#", "-")) for power, spec in scenario.seats.items()
    }
    players[scenario.power] = plan.agents[scored.episode.agent].name
    return {power: players[power] for power in POWERS}


def name_agent(plan: Plan, agent: int, baseline: str = BASELINE) -> tuple[str, str]:
    """Return an agent's name without its variant, and that."""
    source = plan.agents[agent]
    _, mark, variant = source.spec.rpartition("#")
    if not mark:
        return source.name, baseline
    return source.name.removesuffix(f"-{variant}"), variant


def read_conditions(plan: Plan, scored: ScoredEpisode) -> Conditions:
    """Return how a game of a run was played."""
    scenario, players = _scenario(plan, scored), list_players(plan, scored)
    position = scenario.position or {}
    first = str(position.get("phase") or f"S{scenario.first_year}M")
    return Conditions(
        until=scenario.max_year,
        against=tuple(name for power, name in players.items() if power != scenario.power),
        press=describe_press(scenario.rounds, talked=False),
        rules=plan.rules,
        start=describe_start(first, position.get("units") or {}),
    )


def replay_game(plan: Plan, scored: ScoredEpisode) -> SavedGame:
    """Play a game of a run again, and return it as a saved one."""
    table = replay_table(_scenario(plan, scored), scored.episode.record)
    settings = {**list_players(plan, scored), **_describe_settings(plan, scored)}
    values = {**table.to_saved_game(), "settings": settings}
    return parse_game(values, f"{scored.episode.number}")


def write_games(
    run_id: str, store: Store, folder: str | Path, *, on_game: OnGame | None = None
) -> list[Path]:
    """Write the games of a run as AI Diplomacy leaves its own, and return their folders.

    Each is a folder ``{model}-{variant}/run_{number}`` with ``lmvsgame.json``, ``overview.jsonl``,
    ``general_game.log`` and, where language models played, ``llm_responses.csv``, which
    ``ludus score diplomacy`` and others' tools read.

    Raises:
        RunError: There is no such run, or it is not of Diplomacy.
        OptionError: A file cannot be written.
    """
    run = find_run(run_id, store)
    folders = []
    for scored in store.episodes(run.id):
        name = "-".join(name_agent(run.plan, scored.episode.agent)).replace("/", "_")
        folders.append(Path(folder) / name / f"run_{scored.episode.scenario:05d}")
        try:
            _write_game(folders[-1], run.plan, scored)
        except OSError as error:
            raise OptionError(f"cannot write {error.filename!r}: {error.strerror}") from error
        if on_game:
            on_game()
    return folders


def _write_game(folder: Path, plan: Plan, scored: ScoredEpisode) -> None:
    table = replay_table(_scenario(plan, scored), scored.episode.record)
    players = list_players(plan, scored)
    overview = [{}, players, _describe_settings(plan, scored)]
    texts = {
        GAME_FILE: json.dumps(table.to_saved_game()),
        OVERVIEW: "".join(json.dumps(line) + "\n" for line in overview),
        LOG: _describe_times(table, scored.episode.seconds),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    calls = list(_list_calls(table.history, players))
    (folder / RESPONSES).unlink(missing_ok=True)
    if calls:
        _write_calls(folder / RESPONSES, calls)


def _scenario(plan: Plan, scored: ScoredEpisode) -> Scenario:
    return Scenario.from_dict(plan.scenarios[scored.episode.scenario])


def _describe_settings(plan: Plan, scored: ScoredEpisode) -> dict[str, Any]:
    scenario = _scenario(plan, scored)
    return {
        "max_year": scenario.max_year,
        "num_negotiation_rounds": scenario.rounds,
        "power": scenario.power,
        "seed": scenario.seed,
        "scenario": scenario.name,
        "engine": plan.rules,
    }


def _describe_times(table: Table, seconds: float) -> str:
    """Return a log of times: a record has that of the whole game, so each phase gets the mean."""
    count = len(table.history)
    each = f"Phase (mean) took {seconds / max(count, 1):.9f}s\n"
    return f"{count} phases took {seconds:.3f} s together; each is listed with their mean.\n" + (
        each * count
    )


def _list_calls(history: Iterable[Turn], players: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield every call to a language model that players have noted, as a row of the table."""
    for turn in history:
        for power, notes in turn.notes.items():
            for call in (call for note in notes for call in noted_calls(note)):
                status = str(call.get("status", ""))
                good = status in USED_STATUSES
                yield {
                    **dict.fromkeys(CALL_COLUMNS, ""),
                    "model": players.get(power, ""),
                    "power": power,
                    "phase": turn.phase,
                    "response_type": call.get("kind", ""),
                    "success": f"Success: {status}" if good else f"Failure: {status}",
                    **{name: call.get(name) for name in CALL_FIGURES},
                }


def _write_calls(path: Path, calls: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        columns = (*CALL_COLUMNS, *CALL_FIGURES)
        writer = csv.DictWriter(file, columns, quoting=csv.QUOTE_ALL, escapechar="\\")
        writer.writeheader()
        writer.writerows(calls)
