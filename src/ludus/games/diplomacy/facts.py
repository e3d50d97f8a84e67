"""What happened in a game, as plain values by name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ludus.games.diplomacy.orders import order_letter
from ludus.games.diplomacy.records import POWERS, Turn, parse_phase
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.game import Facts
from ludus.games.model_calls import CallRow, call_facts, noted_calls, opponent_call_facts

__all__ = ["TO_WIN", "collect_facts"]

TO_WIN = 18
"""Supply centres."""

COUNTED = {
    "H": "holds",
    "-": "moves",
    "S": "supports",
    "C": "convoys",
    "R": "retreats",
    "B": "builds",
    "D": "disbands",
}


def collect_facts(table: Table, scenario: Scenario) -> Facts:
    """Return the facts of a game, seen from the scenario's seat."""
    power, centres = scenario.power, table.centres
    played = [turn.year for turn in table.history if turn.year is not None]
    last_year = played[-1] if played else None
    opponents = [other for other in POWERS if other != power]
    messages = [message for turn in table.history for message in turn.messages]
    ended = table.over or table.year > scenario.max_year
    return {
        "power": power,
        "first_year": _first_year(table),
        "max_year": scenario.max_year,
        "rule": scenario.rule,
        "last_year": last_year,
        "last_phase": table.phase,
        "phases": len(table.history),
        "stopped_early": not ended,
        "winner": table.winner,
        "solo_year": last_year if table.winner else None,
        "centres": len(centres[power]),
        "units": len(table.units[power]),
        **{f"centres_{other}": len(centres[other]) for other in POWERS},
        **{f"eliminated_{other}": _year_of_elimination(table, other) for other in POWERS},
        **{f"emptied_{other}": _year_without_centres(table, other) for other in POWERS},
        "first_18_record": _year_of_eighteen(table),
        **_orders(table.history, power),
        "messages_sent": sum(message.sender == power for message in messages),
        "messages_received": sum(
            message.sender != power and message.readable_by(power) for message in messages
        ),
        "opponent_faults": sum(len(turn.faults) for turn in table.history),
        **call_facts(_noted_calls(table.history, [power])),
        **opponent_call_facts(_noted_calls(table.history, opponents)),
        "state": _digest(table),
    }


def _noted_calls(history: Iterable[Turn], powers: Iterable[str]) -> list[CallRow]:
    """Return the calls to language models that players have noted."""
    seats = tuple(powers)
    notes = [note for turn in history for seat in seats for note in turn.notes.get(seat, ())]
    return [row for note in notes for row in noted_calls(note)]


def _first_year(table: Table) -> int:
    first = table.history[0].year if table.history else None
    return table.year if first is None else first


def _digest(table: Table) -> str:
    """Return a digest of the position, the same on every machine."""
    position = [table.phase, table.units, table.centres, table.retreats]
    return hashlib.sha256(json.dumps(position).encode()).hexdigest()[:16]


def _records(table: Table) -> Iterable[tuple[int | None, dict[str, int]]]:
    """Yield the year and everybody's number of centres of every record, the position now last.

    A record shows the position before its phase. One that is named COMPLETED has no year of its
    own and counts for that of the record before it.
    """
    year = None
    for turn in table.history:
        year = turn.year
        yield year, {power: len(turn.centres[power]) for power in POWERS}
    phase = parse_phase(table.phase)
    centres = {power: len(owned) for power, owned in table.centres.items()}
    yield phase.year if phase else year, centres


def _year_without_centres(table: Table, power: str) -> int | None:
    """Return the year of the first record that shows the power without a centre."""
    return next((year for year, counts in _records(table) if not counts[power]), None)


def _year_of_eighteen(table: Table) -> int | None:
    """Return the year of the first record that shows somebody with enough to win."""
    return next((year for year, counts in _records(table) if max(counts.values()) >= TO_WIN), None)


def _year_of_elimination(table: Table, power: str) -> int | None:
    """Return the year of play in which the power lost its last centre."""
    before = _first_year(table)
    for turn in table.history:
        if not turn.centres[power]:
            return before
        before = turn.year if turn.year is not None else before
    return None if table.centres[power] else before


def _orders(history: Iterable[Turn], power: str) -> dict[str, int]:
    """Return how many orders the seat was asked for and gave, by kind, and what came of them."""
    counts = dict.fromkeys(["orders_asked", "orders_given", "orders_illegal"], 0)
    counts |= dict.fromkeys([*COUNTED.values(), "moves_done", "supports_done"], 0)
    for turn in history:
        accepted, rejected = turn.orders[power], turn.rejected.get(power, ())
        counts["orders_asked"] += _orders_wanted(turn, power)
        counts["orders_given"] += len(accepted) + len(rejected)
        counts["orders_illegal"] += len(rejected)
        for order in accepted:
            name = COUNTED.get(order_letter(order))
            if name:
                counts[name] += 1
            done = " ".join(order.split()[:2]) not in turn.results
            if name in ("moves", "supports") and done:
                counts[f"{name}_done"] += 1
    return counts


def _orders_wanted(turn: Turn, power: str) -> int:
    """Return how many orders a phase wants from a power."""
    units = turn.units[power]
    if turn.phase.endswith("M"):
        return len(units)
    if turn.phase.endswith("R"):
        return sum(unit.startswith("*") for unit in units)
    more = turn.state["builds"][power]["count"]
    return abs(int(more))
