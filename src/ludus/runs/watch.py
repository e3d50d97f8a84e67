"""Recorded episodes to look at: pictures and films, drawn by the game that was played."""

from __future__ import annotations

from pathlib import Path

from ludus.errors import OptionError, RunError
from ludus.execution.plan import Plan
from ludus.games.game import Facts, Filmable, Game
from ludus.runs.explain import find_episode
from ludus.runs.store import Store

__all__ = ["film", "replay_episode"]


def film(run: str, number: int, store: Store, path: str | Path) -> None:
    """Write an episode as a picture or a film, as the path's suffix asks.

    Raises:
        RunError: There is no such run or episode, it was played by other rules, or its game cannot
            be drawn.
        OptionError: The place cannot be written to.
        MissingExtra: What draws films is not installed.
    """
    found = store.run(run)
    game = found.plan.check_rules()
    if not isinstance(game, Filmable):
        raise RunError(f"the game {game.name} cannot be drawn")
    episode = find_episode(found.id, number, store).episode
    try:
        game.write_film(_scenario(found.plan, game, episode.scenario), episode.record, Path(path))
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def replay_episode(run: str, number: int, store: Store) -> Facts:
    """Play an episode's record once more and return what happens.

    Raises:
        RunError: There is no such run or episode, or it was played by other rules.
    """
    found = store.run(run)
    game = found.plan.check_rules()
    episode = find_episode(found.id, number, store).episode
    return game.replay(_scenario(found.plan, game, episode.scenario), episode.record)


def _scenario(plan: Plan, game: Game, number: int) -> object:
    return game.parse_scenario(plan.scenarios[number])
