"""Diplomacy in a player's process: a table of its own with the position and what it may read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ludus.games.diplomacy.records import Answer, Message
from ludus.games.diplomacy.saved_games import (
    message_from_json,
    message_to_json,
    turn_from_json,
    turn_to_json,
)
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.diplomacy.view import View
from ludus.games.observation_codec import PlainCodec

__all__ = ["DiplomacyCodec"]

ANSWER = "answer"


class DiplomacyCodec(PlainCodec):
    """Sends the position of each new phase, the turns since, and the messages for this seat."""

    def __init__(self) -> None:
        self._turns = 0
        self._phase = ""
        self._view: View
        self._table: Table

    def encode_scenario(self, scenario: Scenario) -> Any:
        """Return the scenario's plain values."""
        self._turns, self._phase = 0, ""
        return scenario.to_dict()

    def decode_scenario(self, values: Any) -> Scenario:
        """Return the scenario, with a new table for it."""
        scenario = Scenario.from_dict(values)
        self._table = Table()
        self._view = View(self._table, scenario)
        return scenario

    def encode_observation(self, observation: View) -> bytes:
        """Return what is new since the last observation, as JSON."""
        turns = observation.turns_from(self._turns)
        board = observation.board() if turns or observation.phase != self._phase else None
        self._turns, self._phase = self._turns + len(turns), observation.phase
        values = {
            "board": board,
            "turns": [turn_to_json(turn) for turn in turns],
            "messages": [message_to_json(message) for message in observation.messages],
            "step": observation.step,
            "round": observation.round,
        }
        return json.dumps(values, separators=(",", ":")).encode()

    def decode_observation(self, values: bytes) -> View:
        """Return the view of the table, set to what is new."""
        shown, table, view = json.loads(values), self._table, self._view
        table.history += [turn_from_json(turn) for turn in shown["turns"]]
        if shown["board"] is not None:
            table.set_board(shown["board"])
        table.messages = [message_from_json(message) for message in shown["messages"]]
        view.step, view.round = shown["step"], shown["round"]
        return view

    def encode_action(self, action: Any) -> Any:
        """Return orders or messages as plain values."""
        if isinstance(action, Answer):
            parts = [self.encode_action(action.orders), self.encode_action(action.messages)]
            return {ANSWER: [*parts, action.note]}
        if isinstance(action, str | bytes | Mapping) or not isinstance(action, Iterable):
            return action
        return [_message_values(item) for item in action]

    def decode_action(self, values: Any) -> Any:
        """Return an answer if it was one, else the orders or messages."""
        if not isinstance(values, dict) or ANSWER not in values:
            return values
        orders, messages, note = values[ANSWER]
        if not isinstance(orders, list) or not isinstance(messages, list):
            raise ValueError("an answer has lists of orders and of messages")
        return Answer(tuple(orders), tuple(messages), note)


def _message_values(item: Any) -> Any:
    return {"recipient": item.recipient, "text": item.text} if isinstance(item, Message) else item
