"""Recorded episodes to look at: pictures and films, drawn by the game that was played."""

from __future__ import annotations

from pathlib import Path

from ludus.context import RunContext
from ludus.errors import OptionError, RunError
from ludus.execution.episode import Episode
from ludus.execution.opening import equip_game
from ludus.execution.plan import Plan
from ludus.games.game import Facts, Filmable, Game, Previewable
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.runs.consent import check_scenarios_agreed, replay_context
from ludus.runs.explain import find_episode
from ludus.runs.sealed import open_plan
from ludus.runs.store import Store

__all__ = ["film", "film_record", "preview_record", "replay_episode", "replay_record"]


def film(run: str, number: int, store: Store, path: str | Path) -> None:
    """Write a stored episode as a picture or a film, as the path's suffix asks.

    Raises:
        RunError: There is no such run or episode, it was played by other rules, or its game cannot
            be drawn.
        OptionError: The file cannot be written.
        MissingExtra: What draws films is not installed.
    """
    stored = store.run(run)
    check_scenarios_agreed(stored)
    plan = open_plan(stored, store)
    episode = find_episode(stored.id, number, store).episode
    film_record(plan, episode, path, replay_context(stored, plan))


def film_record(
    plan: Plan,
    episode: Episode,
    path: str | Path,
    context: RunContext,
    options: FilmOptions = AS_DRAWN,
) -> None:
    """Write an episode as a picture or a film, as the path's suffix asks.

    Args:
        plan: The plan that it is of.
        episode: The episode.
        path: The file.
        context: What environments that the plan names are allowed.
        options: Size, speed and frames a second of a film.

    Raises:
        RunError: It was played by other rules, or its game cannot be drawn.
        OptionError: The file cannot be written.
        MissingExtra: What draws films is not installed.
    """
    game = _open(plan, context)
    if not isinstance(game, Filmable):
        raise RunError(f"the game {game.name} cannot be drawn")
    try:
        scenario = _scenario(plan, game, episode.scenario)
        game.write_film(scenario, episode.record, Path(path), options)
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def preview_record(plan: Plan, episode: Episode, path: str | Path, context: RunContext) -> None:
    """Write an episode as a small GIF that is quick to make.

    Raises:
        RunError: It was played by other rules, or its game draws none.
        MissingExtra: What draws films is not installed.
    """
    game = _open(plan, context)
    if not isinstance(game, Previewable):
        raise RunError(f"the game {game.name} draws no small films")
    game.write_preview(_scenario(plan, game, episode.scenario), episode.record, Path(path))


def replay_episode(run: str, number: int, store: Store) -> Facts:
    """Replay a stored episode and return its facts.

    Raises:
        RunError: There is no such run or episode, or it was played by other rules.
    """
    stored = store.run(run)
    check_scenarios_agreed(stored)
    plan = open_plan(stored, store)
    episode = find_episode(stored.id, number, store).episode
    return replay_record(plan, episode, replay_context(stored, plan))


def replay_record(plan: Plan, episode: Episode, context: RunContext) -> Facts:
    """Replay an episode's record and return its facts.

    Raises:
        RunError: It was played by other rules.
    """
    game = _open(plan, context)
    return game.replay(_scenario(plan, game, episode.scenario), episode.record)


def _open(plan: Plan, context: RunContext) -> Game:
    """Return the game that plays a plan's records again."""
    return equip_game(plan.check_rules(), context)


def _scenario(plan: Plan, game: Game, number: int) -> object:
    return game.parse_scenario(plan.scenarios[number])
