"""The game in words, as prompts show it: plain facts, the same for every power and every prompt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from ludus.agents.diplomacy.answers import clean
from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.schemas import LONGEST_MESSAGE
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.map.place_names import NAMES
from ludus.games.diplomacy.orders import order_letter
from ludus.games.diplomacy.records import EVERYBODY, POWERS, Message, Turn
from ludus.games.diplomacy.view import View

__all__ = [
    "board",
    "briefing",
    "legal_orders",
    "press",
    "quoted",
    "results",
    "surroundings",
    "task",
]

MOST_MESSAGES = 24
RECENT = 3

_PRESS = {
    False: "There is no talking in this game: powers cannot send each other messages.",
    True: "Before every movement there are {} rounds of messages. Each round you may write to "
    "single powers in private, or to everybody. Nothing that is said binds anybody.",
}


def briefing(view: View, memory: Memory) -> dict[str, str]:
    """Return what all questions about a position have in common."""
    return {
        "power": view.power,
        "phase": view.phase,
        "season": view.season,
        "year": str(view.year),
        "end_year": str(view.scenario.max_year),
        "board": board(view.units, view.centres),
        "surroundings": surroundings(view),
        "recent": "\n\n".join(results(turn) for turn in view.history[-RECENT:]) or "nothing yet",
        "memory": memory.shown(),
    }


def press(rounds: int) -> str:
    """Return the sentence on who may talk when."""
    return _PRESS[rounds > 0].format(rounds)


def board(units: Mapping[str, Sequence[str]], centres: Mapping[str, Sequence[str]]) -> str:
    """Return every power's centres and units, one line each, and the centres of nobody."""
    lines = []
    for power in POWERS:
        own, held = sorted(units.get(power, ())), sorted(centres.get(power, ()))
        if own or held:
            lines.append(
                f"{power}: {len(held)} centres ({' '.join(held) or 'none'}); "
                f"units: {', '.join(own) or 'none'}"
            )
        else:
            lines.append(f"{power}: out of the game")
    free = set(geography().centres) - {place for held in centres.values() for place in held}
    if free:
        lines.append(f"nobody: {len(free)} centres ({' '.join(sorted(free))})")
    return "\n".join(lines)


def surroundings(view: View) -> str:
    """Return, for each unit that is asked, where it can go and who is there."""
    if view.kind == "A":
        return "no unit moves in winter"
    standing = {unit.split()[1][:3]: (p, unit) for p in POWERS for unit in view.units.get(p, ())}
    owner = {place: power for power in POWERS for place in view.centres.get(power, ())}
    lines = []
    for orders in view.legal.values():
        moves = [
            order for order in orders if order_letter(order) in "-R" and not order.endswith("VIA")
        ]
        if moves:
            unit = " ".join(moves[0].split()[:2])
            targets = (_place(order.split()[3], standing, owner) for order in moves)
            lines.append(f"{unit}: {'; '.join(targets)}")
    return "\n".join(lines) or "no unit can move"


def _place(place: str, standing: Mapping[str, tuple[str, str]], owner: Mapping[str, str]) -> str:
    province = place[:3]
    notes = [NAMES.get(province, province)]
    if province in geography().centres:
        notes.append(f"centre of {owner.get(province, 'nobody')}")
    if province in standing:
        power, unit = standing[province]
        notes.append(f"{unit} of {power}")
    return f"{place} ({', '.join(notes)})"


def results(turn: Turn) -> str:
    """Return what happened in a phase: every order, and what came of those that failed."""
    lines = [f"{turn.phase}:"]
    for power in POWERS:
        orders = [*turn.orders.get(power, ()), *turn.defaults.get(power, ())]
        told = [_outcome(order, turn.results) for order in orders]
        if told:
            lines.append(f"{power}: {'; '.join(told)}")
    return "\n".join(lines)


def _outcome(order: str, outcomes: Mapping[str, Sequence[str]]) -> str:
    unit = " ".join(order.split()[:2])
    found = [word for word in outcomes.get(unit, ()) if word]
    return f"{order} ({', '.join(found)})" if found else order


def task(view: View) -> str:
    """Return what has to be ordered now."""
    if view.kind == "M":
        return "Give one order for each of your units."
    if view.kind == "R":
        return "Your dislodged units must retreat or disband: give one order for each of them."
    count = view.builds.get(view.power, 0)
    if count > 0:
        return f"You may build up to {count} units in your free home centres."
    return f"You have to remove {-count} of your units: name which."


def legal_orders(legal: Mapping[str, Sequence[str]]) -> str:
    """Return the legal orders of each unit, one line each."""
    return "\n".join(f"{place}: {' | '.join(orders)}" for place, orders in legal.items())


def quoted(messages: Iterable[Message], reader: str) -> str:
    """Return messages as data: one JSON object a line, whatever somebody wrote into them."""
    latest = list(messages)[-MOST_MESSAGES:]
    lines = (
        json.dumps(
            {
                "phase": one.phase,
                "round": one.round,
                "from": "you" if one.sender == reader else one.sender,
                "to": "everybody" if one.recipient == EVERYBODY else one.recipient,
                "text": clean(one.text, LONGEST_MESSAGE),
            },
            ensure_ascii=False,
        )
        for one in latest
    )
    return "\n".join(lines) or "none"
