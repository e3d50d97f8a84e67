"""What a model would be asked at a step of a recorded play, without asking it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ludus.agents.llm.players import find_stepwise_player
from ludus.agents.llm.prompt_sets import BASELINE
from ludus.agents.llm.stepwise import ask_for_moves
from ludus.errors import OptionError
from ludus.games.game import Match, RoundBased, scenario_for_agent

__all__ = ["MovesPreview", "preview_moves"]


@dataclass(frozen=True, slots=True)
class MovesPreview:
    """What a model would be asked.

    Attributes:
        step: How many steps were played before.
        system: The system prompt.
        text: The question.
        tokens: About how many tokens it has, with the picture.
        picture: The PNG that goes with it; empty if the model is shown none.
    """

    step: int
    system: str
    text: str
    tokens: int
    picture: bytes = field(default=b"", repr=False)


def preview_moves(
    family: str,
    scenario: Any,
    match: Match,
    actions: Iterable[Any],
    *,
    variant: str = BASELINE,
    hold: int | None = None,
    picture: bool = False,
) -> MovesPreview:
    """Return what a model would be asked after some actions of a play.

    Args:
        family: The family of agents that play the game.
        scenario: What is played.
        match: The play, at its start.
        actions: What is played before the question.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        hold: The most ticks of an answer; the game's usual number if it is None.
        picture: Whether the model is shown the screen.

    Raises:
        OptionError: Models are not asked step by step in this game, or the play is over before.
    """
    player = find_stepwise_player(family)
    if isinstance(match, RoundBased):
        raise OptionError("the game has several rounds: prompts are shown for games of one")
    words, step = player.words(scenario_for_agent(scenario)), 0
    for action in actions:
        seen = match.observation
        words.begins_anew(seen)
        words.follow(seen, words.find_name(action))
        match.step(action)
        step += 1
    if match.over:
        raise OptionError(f"the episode is over after {step} steps: nobody is asked then")
    words.begins_anew(match.observation)
    question = ask_for_moves(
        player.library.read(variant),
        words,
        match.observation,
        hold=player.hold if hold is None else hold,
        picture=picture,
    )
    tokens = question.count_tokens()
    return MovesPreview(step, question.system, question.text, tokens, question.picture)
