"""Games ready to be played: with opponents and environments, each in a process of its own."""

from __future__ import annotations

from functools import partial

from ludus.agents.isolation import EnvironmentProcess, open_agent
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.games.game import Game, HasEnvironments, HasOpponents, find_game

__all__ = ["equip_game", "open_game"]


def open_game(name: str, context: RunContext = DEFAULT_CONTEXT) -> Game:
    """Return the game of this name, whose opponents and environments are held as agents are.

    Args:
        name: The game's name.
        context: What the run allows them.
    """
    return equip_game(find_game(name), context)


def equip_game(game: Game, context: RunContext = DEFAULT_CONTEXT) -> Game:
    """Return a game whose opponents and environments are held as agents of a run are.

    Args:
        game: The game.
        context: What the run allows them.
    """
    if isinstance(game, HasEnvironments):
        return game.with_environments(partial(EnvironmentProcess, context=context))
    if not isinstance(game, HasOpponents):
        return game
    opening = partial(open_agent, family=game.agent_family, context=context, game=game.name)
    return game.with_opponents(opening)
