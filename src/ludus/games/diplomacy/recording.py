"""Packs the orders and messages of all powers into bytes, and plays them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ludus.errors import ActionError
from ludus.games.diplomacy.packing import pack, unpack
from ludus.games.diplomacy.records import Turn
from ludus.games.diplomacy.saved_games import message_from_json, message_to_json
from ludus.games.diplomacy.table import Table

__all__ = ["pack_turns", "play_record", "play_turn", "read_turns", "turns_to_json"]


def turns_to_json(history: Sequence[Turn], tested: str) -> list[dict[str, Any]]:
    """Return turns as plain values; of rejected texts, only the tested seat's are kept."""
    return [_turn_to_json(turn, tested) for turn in history]


def _turn_to_json(turn: Turn, tested: str) -> dict[str, Any]:
    values: dict[str, Any] = {
        "phase": turn.phase,
        "orders": {power: list(orders) for power, orders in turn.orders.items() if orders},
    }
    if turn.rejected.get(tested):
        values["rejected"] = list(turn.rejected[tested])
    if turn.messages:
        values["messages"] = [message_to_json(message) for message in turn.messages]
    if turn.faults:
        values["faults"] = list(turn.faults)
    if turn.notes:
        values["notes"] = {power: list(notes) for power, notes in turn.notes.items()}
    return values


def pack_turns(history: Sequence[Turn], tested: str) -> bytes:
    """Return the record of a game; empty bytes if nothing was played."""
    return pack({"turns": turns_to_json(history, tested)}) if history else b""


def read_turns(record: bytes) -> list[Any]:
    """Return the turns of a record as plain values.

    Raises:
        ActionError: It is none of diplomacy.
    """
    turns = unpack(record).get("turns") if record else []
    if not isinstance(turns, list):
        raise ActionError("the record is none of diplomacy: it holds no turns")
    return turns


def play_record(
    table: Table, record: bytes, tested: str, before_turn: Callable[[], None] | None = None
) -> None:
    """Play a record on a table.

    Args:
        table: The table at its start.
        record: The record.
        tested: The seat that is tested.
        before_turn: Called before each turn.

    Raises:
        ActionError: It does not fit the table.
    """
    for turn in read_turns(record):
        if before_turn:
            before_turn()
        try:
            play_turn(table, turn, tested)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ActionError(f"the record does not fit the game: {error}") from error


def play_turn(table: Table, turn: Mapping[str, Any], tested: str) -> None:
    """Play one recorded turn on a table."""
    if table.over or turn["phase"] != table.phase:
        raise ActionError(f"the record has {turn['phase']!r:.20} where {table.phase} is played")
    for power, orders in turn["orders"].items():
        submitted = table.submit(power, orders)
        if list(submitted.accepted) != orders:
            raise ActionError(
                f"the record has orders for {power} in {table.phase} that are illegal"
            )
    table.set_rejected(tested, [str(text) for text in turn.get("rejected", ())])
    for message in turn.get("messages", ()):
        table.add_message(message_from_json(message))
    for power, notes in turn.get("notes", {}).items():
        for note in notes:
            table.add_note(str(power), dict(note))
    table.step(faults=[str(power) for power in turn.get("faults", ())])
