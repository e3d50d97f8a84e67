"""Recorded episodes to look at: pictures and films, drawn by the game that was played."""

from __future__ import annotations

from pathlib import Path

from ludus.errors import OptionError, RunError
from ludus.execution.episode import Episode
from ludus.execution.plan import Plan
from ludus.games.game import Facts, Filmable, Game, Previewable
from ludus.runs.consent import check_scenarios_agreed
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
    film_record(open_plan(stored, store), find_episode(stored.id, number, store).episode, path)


def film_record(plan: Plan, episode: Episode, path: str | Path) -> None:
    """Write an episode as a picture or a film, as the path's suffix asks.

    Raises:
        RunError: It was played by other rules, or its game cannot be drawn.
        OptionError: The file cannot be written.
        MissingExtra: What draws films is not installed.
    """
    game = plan.check_rules()
    if not isinstance(game, Filmable):
        raise RunError(f"the game {game.name} cannot be drawn")
    try:
        game.write_film(_scenario(plan, game, episode.scenario), episode.record, Path(path))
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def preview_record(plan: Plan, episode: Episode, path: str | Path) -> None:
    """Write an episode as a small GIF that is quick to make.

    Raises:
        RunError: It was played by other rules, or its game draws none.
        MissingExtra: What draws films is not installed.
    """
    game = plan.check_rules()
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
    return replay_record(open_plan(stored, store), find_episode(stored.id, number, store).episode)


def replay_record(plan: Plan, episode: Episode) -> Facts:
    """Replay an episode's record and return its facts.

    Raises:
        RunError: It was played by other rules.
    """
    game = plan.check_rules()
    return game.replay(_scenario(plan, game, episode.scenario), episode.record)


def _scenario(plan: Plan, game: Game, number: int) -> object:
    return game.parse_scenario(plan.scenarios[number])
