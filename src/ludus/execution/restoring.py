"""Matches that a killed run has left: by the game's own checkpoint, or by their actions."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ludus.contract import Agent, Remembers, Waits
from ludus.errors import ActionError, OptionError
from ludus.games.game import (
    Checkpointable,
    Game,
    HasOpponents,
    HasTraining,
    Match,
    Resumable,
    RoundBased,
    TellsOutcome,
)
from ludus.games.model_calls import CallRow, call_facts, read_calls
from ludus.limits import Usage

__all__ = ["RestoredMatch", "can_save", "restore_match", "save_match", "sum_calls"]


class RestoredMatch(NamedTuple):
    """A match where it was left.

    Attributes:
        match: The match.
        memory: What its agent remembered.
    """

    match: Match
    memory: Any

    @property
    def model_calls(self) -> tuple[CallRow, ...]:
        """The calls of language models that the agent remembers, if it has made any."""
        calls = self.memory.get("calls") if isinstance(self.memory, Mapping) else None
        return () if isinstance(self.match, Checkpointable) else read_calls(calls or [])


def can_save(agent: Agent[Any, Any, Any], match: Match, game: Game) -> bool:
    """Return whether somebody loses something with a match, so that it is saved.

    A match without checkpoints of its own is saved as its actions, if its agent waits for others:
    what a language model has said is paid for.
    """
    if isinstance(match, Checkpointable):
        return isinstance(agent, Remembers) or match.worth_checkpointing
    waits = isinstance(agent, Waits) and agent.waits and isinstance(agent, Remembers)
    rounds = isinstance(match, RoundBased | HasTraining) or isinstance(game, HasOpponents)
    return waits and isinstance(game, TellsOutcome) and not rounds


def save_match(match: Match, memory: Any) -> bytes:
    """Return a match and what its agent remembers, for :func:`restore_match`."""
    if isinstance(match, Checkpointable):
        return match.checkpoint(memory)
    record = base64.b64encode(match.record()).decode("ascii")
    return json.dumps({"record": record, "memory": memory}).encode()


def restore_match(game: Game, scenario: Any, state: bytes) -> RestoredMatch | None:
    """Return the match that :func:`save_match` saved; None if the game has no such matches.

    Raises:
        LudusError: It was saved by another game, or of another scenario.
    """
    if isinstance(game, Resumable):
        match = game.restore(scenario, state)
        return RestoredMatch(match, match.memory if isinstance(match, Checkpointable) else None)
    if not isinstance(game, TellsOutcome):
        return None
    try:
        values = json.loads(state)
        record, memory = base64.b64decode(values["record"], validate=True), values["memory"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise OptionError(f"no checkpoint of {game.name}: {error}") from None
    return RestoredMatch(_play(game, scenario, game.split_record(scenario, record)), memory)


def _play(game: Game, scenario: Any, actions: Sequence[Any]) -> Match:
    match = game.begin(scenario)
    for action in actions:
        if match.over:
            raise ActionError("the record of a checkpoint goes on after the end")
        match.step(action)
    return match


def sum_calls(calls: Sequence[CallRow], usage: Usage | None = None) -> Usage:
    """Return what was used, with what calls of language models took; unchanged if there are none.

    Args:
        calls: The calls.
        usage: What else was used.
    """
    used = usage or Usage()
    if not calls:
        return used
    facts = call_facts(calls)
    return Usage(
        **{
            **used.to_dict(),
            "calls": int(facts["calls"]),
            "failed_calls": int(facts["failed_calls"]),
            "tokens": int(facts["tokens_in"] + facts["tokens_out"]),
            "usd": None if facts["unpriced_calls"] else float(facts["cost"]),
        }
    )
