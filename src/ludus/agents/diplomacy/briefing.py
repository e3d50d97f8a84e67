"""The game in words, as prompts show it: plain facts, the same for every power and every prompt."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from ludus.agents.diplomacy.memory import Memory
from ludus.agents.diplomacy.schemas import LONGEST_MESSAGE
from ludus.agents.diplomacy.surroundings import Surroundings
from ludus.agents.llm.reading import clean
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.records import EVERYBODY, POWERS, Message, Turn
from ludus.games.diplomacy.view import View

__all__ = [
    "brief",
    "describe_board",
    "describe_news",
    "describe_press",
    "describe_surroundings",
    "describe_task",
    "describe_turn",
    "quote_earlier",
    "quote_messages",
]

MOST_MESSAGES = 24
MOST_EARLIER = 12
LONGEST_EARLIER = 160
EARLIER_TURNS = 10
RECENT = 3

_PRESS = {
    False: "There is no talking in this game: powers cannot send each other messages.",
    True: "Before every movement there are {} rounds of messages. Each round you may write to "
    "single powers in private, or to everybody. Nothing that is said binds anybody.",
}


def brief(view: View, memory: Memory) -> dict[str, str]:
    """Return what all questions about a position have in common."""
    return {
        "power": view.power,
        "phase": view.phase,
        "season": view.season,
        "year": str(view.year),
        "end_year": str(view.scenario.max_year),
        "board": describe_board(view.units, view.centres),
        "surroundings": describe_surroundings(view),
        "recent": _describe_recent(view.turns_from(-RECENT), view.power) or "nothing yet",
        "earlier": quote_earlier(view.turns_from(-EARLIER_TURNS), view.power),
        "memory": memory.format(),
    }


def _describe_recent(turns: Sequence[Turn], reader: str) -> str:
    """Return the last phases; what was built or removed in winter shows on the board."""
    return "\n".join(describe_news(turn, reader) for turn in turns if turn.phase[-1:] != "A")


def describe_news(turn: Turn, reader: str) -> str:
    """Return what happened in a phase, in few words: the board tells armies from fleets.

    Holds of others, and orders of theirs that came to nothing and had nothing to do with the
    reader's units, are left out.

    Example:
        >>> orders = {"FRANCE": ("A PAR - BUR",), "ITALY": ("A ROM H", "A VEN S A TYR - MUN")}
        >>> turn = Turn("S1901M", {}, orders, results={"A VEN": ("void",)})
        >>> print(describe_news(turn, "FRANCE"))
        S1901M:
        FRANCE: PAR-BUR
    """
    own = {order.split()[1][:3] for order in _list_orders(turn, reader)}
    lines = [f"{turn.phase}:"]
    for power in POWERS:
        groups: dict[str, list[str]] = {"": []}
        for order in _list_orders(turn, power):
            outcome = _outcome(order, turn.results)
            if power == reader or not _is_idle(order, outcome, own):
                groups.setdefault(outcome, []).append(_shorten(order))
        lines += _join_groups(power, groups)
    return "\n".join(lines)


def _is_idle(order: str, outcome: str, near: Collection[str]) -> bool:
    """Return whether an order changed nothing and names no province of those near."""
    words = order.split()
    if words[2] == "H":
        return not outcome
    return outcome == "void" and not any(word[:3] in near for word in words[3:])


def _shorten(order: str) -> str:
    """Return an order without the kinds of units.

    Example:
        >>> _shorten("F ENG C A LON - BEL")
        'ENG C LON-BEL'
    """
    return " ".join(word for word in order.split() if word not in "AF").replace(" - ", "-")


def describe_press(rounds: int) -> str:
    """Return the sentence on who may talk when."""
    return _PRESS[rounds > 0].format(rounds)


def describe_board(units: Mapping[str, Sequence[str]], centres: Mapping[str, Sequence[str]]) -> str:
    """Return every power's centres and units, one line each, and the centres of nobody."""
    lines = []
    for power in POWERS:
        armed, owned = sorted(units.get(power, ())), sorted(centres.get(power, ()))
        if armed or owned:
            lines.append(
                f"{power}: {len(owned)} centres ({' '.join(owned) or 'none'}); "
                f"units: {' '.join(armed) or 'none'}"
            )
        else:
            lines.append(f"{power}: out of the game")
    free = set(geography().centres) - {centre for owned in centres.values() for centre in owned}
    if free:
        lines.append(f"nobody: {len(free)} centres ({' '.join(sorted(free))})")
    return "\n".join(lines)


def describe_surroundings(view: View) -> str:
    """Return what is near the power's units and centres; nothing in winter, when nobody moves."""
    if view.kind == "A":
        return "no unit moves in winter"
    return Surroundings(view.power, view.units, view.centres).describe()


def describe_turn(turn: Turn) -> str:
    """Return what happened in a phase: every order, and what came of those that failed."""
    lines = [f"{turn.phase}:"]
    for power in POWERS:
        groups: dict[str, list[str]] = {"": []}
        for order in _list_orders(turn, power):
            groups.setdefault(_outcome(order, turn.results), []).append(order)
        lines += _join_groups(power, groups)
    return "\n".join(lines)


def _list_orders(turn: Turn, power: str) -> list[str]:
    return [*turn.orders.get(power, ()), *turn.defaults.get(power, ())]


def _outcome(order: str, outcomes: Mapping[str, Sequence[str]]) -> str:
    unit = " ".join(order.split()[:2])
    return ", ".join(word for word in outcomes.get(unit, ()) if word)


def _join_groups(power: str, groups: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the line of a power: orders that failed alike stand behind the word, which is once."""
    joined = {outcome: "; ".join(orders) for outcome, orders in groups.items() if orders}
    listed = [f"{outcome}: {text}" if outcome else text for outcome, text in joined.items()]
    return [f"{power}: {'; '.join(listed)}"] if listed else []


def describe_task(view: View) -> str:
    """Return what has to be ordered now."""
    if view.kind == "M":
        return "Give one order for each of your units."
    if view.kind == "R":
        return "Your dislodged units must retreat or disband: give one order for each of them."
    count = view.builds.get(view.power, 0)
    if count > 0:
        return f"You may build up to {count} units in your free home centres."
    return f"You have to remove {-count} of your units: name which."


def quote_messages(messages: Iterable[Message], reader: str) -> str:
    """Return messages as data: one JSON object a line, whatever somebody wrote into them."""
    latest = list(messages)[-MOST_MESSAGES:]
    return "\n".join(_quote(each, reader, LONGEST_MESSAGE) for each in latest) or "none"


def quote_earlier(history: Sequence[Turn], reader: str) -> str:
    """Return the last messages of earlier phases as data, shortened."""
    messages = [message for turn in history[-EARLIER_TURNS:] for message in turn.messages]
    latest = messages[-MOST_EARLIER:]
    return "\n".join(_quote(each, reader, LONGEST_EARLIER) for each in latest) or "none"


def _quote(message: Message, reader: str, longest: int) -> str:
    quoted = {
        "phase": message.phase,
        "round": message.round,
        "from": "you" if message.sender == reader else message.sender,
        "to": "everybody" if message.recipient == EVERYBODY else message.recipient,
        "text": clean(message.text, longest),
    }
    return json.dumps(quoted, ensure_ascii=False)
