"""Saved games: the engine's JSON format, and turns as plain values. Needs no engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.errors import OptionError, format_error
from ludus.games.diplomacy.records import POWERS, Message, Turn

__all__ = [
    "check_saved_game",
    "find_victors",
    "message_from_json",
    "message_to_json",
    "read_saved_game",
    "turn_from_json",
    "turn_from_saved",
    "turn_to_json",
    "turns_to_saved_game",
]

RULES = ["POWER_CHOICE"]


def read_saved_game(game: Mapping[str, Any]) -> list[Turn]:
    """Return every record of a saved game; the last one is the position at its end.

    Raises:
        OptionError: It is no saved game on the standard map.
    """
    try:
        return [turn_from_saved(phase) for phase in check_saved_game(game)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise OptionError(f"the saved game cannot be read: {format_error(error)}") from error


def check_saved_game(game: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the records of what may be a saved game.

    Raises:
        OptionError: It is none, or of another map.
    """
    if not isinstance(game, Mapping) or not isinstance(game.get("phases"), list):
        raise OptionError("this is no saved game: it has no list of 'phases'")
    if game.get("map", "standard") != "standard":
        raise OptionError(f"the game is on the map {game['map']!r}; only 'standard' is played")
    if not game["phases"]:
        raise OptionError("the saved game has no phase")
    return game["phases"]  # type: ignore[no-any-return]


def turns_to_saved_game(turns: Sequence[Turn], identity: str = "ludus") -> dict[str, Any]:
    """Return turns in the engine's format of saved games; the last is the position now.

    Where players have left notes of what they think, a record also has ``state_agents``, as other
    collections of games have them. Where the rules chose orders, it has them as ``defaults``.
    """
    rules = RULES if any(turn.messages for turn in turns) else ["NO_PRESS", *RULES]
    sent = 0
    phases = []
    agents: dict[str, dict[str, Any]] = {}
    for turn in turns:
        phase = _saved_phase(turn, identity, rules, sent)
        sent += len(turn.messages)
        agents = _saved_agents(turn, agents)
        phase |= {"state_agents": agents} if turn.notes else {}
        filled = {power: list(orders) for power, orders in turn.defaults.items() if orders}
        phases.append(phase | {"defaults": filled} if filled else phase)
    return {"id": identity, "map": "standard", "rules": rules, "phases": phases}


def _saved_phase(turn: Turn, identity: str, rules: list[str], sent: int) -> dict[str, Any]:
    """Return one record; messages have a running number in the field for the time."""
    last = not turn.orders
    state = {**turn.state, "game_id": identity, "map": "standard", "rules": rules}
    orders: dict[str, list[str] | None] = {
        power: None if last else [order for order in turn.orders[power] if order != "WAIVE"]
        for power in POWERS
    }
    return {
        "name": turn.phase,
        "state": state,
        "orders": orders,
        "results": _saved_results(turn),
        "messages": [
            {
                "sender": message.sender,
                "recipient": message.recipient,
                "time_sent": sent + number,
                "phase": message.phase or turn.phase,
                "message": message.text,
            }
            for number, message in enumerate(turn.messages, 1)
        ],
    }


def _saved_agents(turn: Turn, before: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return what players think after a turn, with all that they have written so far."""
    after = dict(before)
    for power, notes in turn.notes.items():
        state = dict(after.get(power) or {"power_name": power, "full_private_diary": []})
        for note in notes:
            state |= {name: note[name] for name in ("goals", "relationships") if name in note}
            written = note.get("diary")
            if isinstance(written, list):
                state["full_private_diary"] = [*state["full_private_diary"], *map(str, written)]
        after[power] = state
    return after


def _saved_results(turn: Turn) -> dict[str, list[str]]:
    """Return the results of every unit that was ordered or had one."""
    ordered = [order for orders in turn.orders.values() for order in orders if order != "WAIVE"]
    fine: dict[str, list[str]] = {" ".join(order.split()[:2]): [] for order in ordered}
    return fine | {unit: list(results) for unit, results in turn.results.items()}


def turn_from_saved(phase: Mapping[str, Any]) -> Turn:
    """Return one record of a saved game as a turn."""
    state = dict(phase["state"])
    state.setdefault("name", phase["name"])
    for key in ("units", "centers", "retreats", "homes", "influence", "civil_disorder"):
        state[key] = dict(state.get(key) or {})
    for key in ("units", "centers"):
        state[key] = {power: list(state[key].get(power) or ()) for power in POWERS}
    orders = phase.get("orders") or {}
    return Turn(
        phase=str(phase["name"]),
        state=state,
        orders={power: tuple(orders.get(power) or ()) for power in POWERS},
        results={
            unit: tuple(str(text) for text in results if str(text))
            for unit, results in (phase.get("results") or {}).items()
            if any(str(text) for text in results)
        },
        messages=tuple(_message_from_saved(message) for message in phase.get("messages") or ()),
    )


def _message_from_saved(values: Mapping[str, Any]) -> Message:
    return Message(
        sender=str(values["sender"]),
        recipient=str(values["recipient"]),
        text=str(values["message"]),
        phase=str(values.get("phase", "")),
    )


def message_to_json(message: Message) -> list[Any]:
    """Return a message as a list of plain values."""
    return [message.sender, message.recipient, message.text, message.phase, message.round]


def message_from_json(values: Sequence[Any]) -> Message:
    """Return the message that :func:`message_to_json` wrote."""
    sender, recipient, text, phase, number = values
    return Message(str(sender), str(recipient), str(text), str(phase), int(number))


def turn_to_json(turn: Turn) -> dict[str, Any]:
    """Return a turn as plain values."""
    return {
        "phase": turn.phase,
        "state": dict(turn.state),
        "orders": {power: list(orders) for power, orders in turn.orders.items()},
        "defaults": {power: list(orders) for power, orders in turn.defaults.items()},
        "results": {unit: list(results) for unit, results in turn.results.items()},
        "messages": [message_to_json(message) for message in turn.messages],
        "rejected": {power: list(texts) for power, texts in turn.rejected.items()},
        "faults": list(turn.faults),
        "notes": {power: list(notes) for power, notes in turn.notes.items()},
    }


def turn_from_json(values: Mapping[str, Any]) -> Turn:
    """Return the turn that :func:`turn_to_json` wrote."""
    lists = ("orders", "defaults", "results", "rejected", "notes")
    return Turn(
        phase=values["phase"],
        state=values["state"],
        messages=tuple(message_from_json(message) for message in values["messages"]),
        faults=tuple(values["faults"]),
        **{name: {key: tuple(items) for key, items in values[name].items()} for name in lists},
    )


def find_victors(turn: Turn) -> list[str]:
    """Return who has won, in the last record of a saved game that is over."""
    many = [power for power, centres in turn.centres.items() if len(centres) >= 18]
    return many if len(many) == 1 else [power for power, units in turn.units.items() if units]
