"""Which player a language model is in which game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from ludus.agents.llm.prompt_sets import BASELINE, PromptLibrary
from ludus.agents.llm.spec import ModelSpec, ReadSetting
from ludus.agents.llm.stepwise import GameWords
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, OptionError

__all__ = ["PLAYERS", "StepwisePlayer", "find_stepwise_player", "from_spec"]

PLAYERS = {
    "diplomacy": "ludus.agents.diplomacy.llm",
    "platformer": "ludus.agents.platformer.llm",
    "worm": "ludus.agents.worm.llm",
}
"""The modules with the ``LanguageModel`` of each family of games and its ``SETTINGS``."""


class StepwisePlayer(NamedTuple):
    """How language models play a game of many small steps.

    Attributes:
        library: Its prompts.
        hold: The most ticks of an answer, unless a spec says otherwise.
        settings: The readers of the player's own settings.
        words: Makes the words of a play of a scenario.
    """

    library: PromptLibrary
    hold: int
    settings: Mapping[str, ReadSetting]
    words: Callable[[Any], GameWords]


def find_stepwise_player(game: str) -> StepwisePlayer:
    """Return how language models play the games of a family.

    Raises:
        OptionError: They do not, or they are not asked step by step.
    """
    if game == "diplomacy":
        raise OptionError("a game of Diplomacy is asked for by phases: try ludus diplomacy prompt")
    if game not in PLAYERS:
        raise OptionError(f"language models do not play {game}: they play {', '.join(PLAYERS)}")
    player: StepwisePlayer = import_module(PLAYERS[game]).PLAYER
    return player


def from_spec(
    spec: str,
    variant: str | None = None,
    *,
    game: str,
    context: RunContext = DEFAULT_CONTEXT,
) -> Any:
    """Return the player that a spec such as ``llm:MODEL@BASE_URL`` names.

    Args:
        spec: The model, where it is asked, and settings: see :class:`ModelSpec`.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        game: The family of games that it is to play.
        context: What the run may spend.

    Raises:
        AgentError: Language models do not play this game, the spec is none, or there is no key
            for the endpoint.
        OptionError: The prompts cannot be used.
        MissingExtra: The client is not installed.
    """
    if game not in PLAYERS:
        played = ", ".join(PLAYERS)
        raise AgentError(f"language models do not play {game}: they play {played}")
    module = import_module(PLAYERS[game])
    model = ModelSpec.parse(spec, module.SETTINGS)
    return module.LanguageModel(model, variant or BASELINE, context)
