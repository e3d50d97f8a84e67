"""Games of Diplomacy as the documents that pages read: every phase, as the rules decide it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ludus.games.diplomacy.facts import collect_facts
from ludus.games.diplomacy.game import replay_table
from ludus.games.diplomacy.map.pictures import current_turn
from ludus.games.diplomacy.records import POWERS, Message, Turn
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.runs import Run, ScoredEpisode, Store
from ludus.web.models import Deed, GameMessage, GamePhase, StoredOrder, TableDocument

__all__ = ["list_messages", "list_phases", "make_phase", "make_table"]

MOST_GAMES = 8
"""Games that are kept decided: to decide one takes about a second."""

LONGEST_LABEL, LONGEST_LINE = 40, 2_000


def make_table(run: Run, scored: ScoredEpisode, store: Store) -> TableDocument:
    """Return a game, phase by phase; its orders are decided again here.

    Args:
        run: The run.
        scored: The episode.
        store: Not looked at: a game has no ghosts.

    Raises:
        LudusError: The record is none of this game, or its engine is not installed.
    """
    description = run.plan.scenarios[scored.episode.scenario]
    scenario = Scenario.from_dict(description)
    decided = _decide(json.dumps(dict(description), sort_keys=True), scored.episode.record)
    agent = run.plan.agents[scored.episode.agent].name
    return TableDocument(
        power=scenario.power,
        seats={power: scenario.seats.get(power, agent) for power in POWERS},
        press=scenario.press,
        winner=decided.winner,
        digest=decided.digest,
        stored=str(scored.episode.facts.get("state") or ""),
        phases=list(decided.phases),
    )


class DecidedGame(NamedTuple):
    """A game after all its orders were decided again.

    Attributes:
        phases: Every phase, the last position at the end.
        winner: The power that has won, or None.
        digest: The digest of the last position.
    """

    phases: tuple[GamePhase, ...]
    winner: str | None
    digest: str


@lru_cache(MOST_GAMES)
def _decide(description: str, record: bytes) -> DecidedGame:
    scenario = Scenario.from_dict(json.loads(description))
    table = replay_table(scenario, record)
    state = str(collect_facts(table, scenario)["state"])
    return DecidedGame(tuple(list_phases(table)), table.winner, state)


def list_phases(table: Table) -> list[GamePhase]:
    """Return every phase of a table so far, the position now at the end."""
    return [make_phase(turn) for turn in (*table.history, current_turn(table))]


def make_phase(turn: Turn) -> GamePhase:
    """Return a phase as pages show it."""
    return GamePhase(
        phase=turn.phase,
        units=_list_places(turn.units),
        centres=_list_places(turn.centres),
        influence=_list_places(turn.state.get("influence", {})),
        orders={power: _list_orders(turn, power) for power in POWERS if turn.orders.get(power)},
        rejected={power: list(texts) for power, texts in turn.rejected.items()},
        messages=list_messages(turn.messages),
        faults=list(turn.faults),
        deeds=list(_find_deeds(turn)),
        relationships=_read_relationships(turn),
        diary=_read_diary(turn),
    )


def list_messages(messages: Iterable[Message]) -> list[GameMessage]:
    """Return messages as pages show them."""
    return [
        GameMessage(sender=one.sender, recipient=one.recipient, text=one.text, round=one.round)
        for one in messages
    ]


def _list_places(by_power: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    return {power: list(by_power.get(power, ())) for power in POWERS}


def _list_orders(turn: Turn, power: str) -> list[StoredOrder]:
    return [
        StoredOrder(order=order, results=_find_results(turn, order)) for order in turn.orders[power]
    ]


def _find_results(turn: Turn, order: str) -> list[str]:
    """Return what came between a unit and its order."""
    return [str(result) for result in turn.results.get(" ".join(order.split()[:2]), ()) if result]


# ---- who did what to whom


def _find_deeds(turn: Turn) -> Iterator[Deed]:
    """Yield supports and convoys of others' units, and moves on places that others hold."""
    if not turn.phase.endswith("M"):
        return
    units = _find_owners(turn.units)
    holders = _find_owners(turn.centres) | units
    for power, orders in turn.orders.items():
        for words in map(str.split, orders):
            if len(words) > 4 and words[2] in "SC":
                whom = units.get(words[4][:3], power)
                if whom != power:
                    yield Deed(who=power, whom=whom, kind="helps")
            elif len(words) > 3 and words[2] == "-":
                whom = holders.get(words[3][:3], power)
                if whom != power:
                    yield Deed(who=power, whom=whom, kind="attacks")


def _find_owners(by_power: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return who holds each province."""
    return {place.split()[-1][:3]: power for power, places in by_power.items() for place in places}


# ---- what players wrote


def _read_relationships(turn: Turn) -> dict[str, dict[str, str]]:
    """Return what each power thinks of the others after the phase, as far as it wrote it down."""
    latest = {power: notes[-1].get("relationships") for power, notes in turn.notes.items() if notes}
    return {
        power: {str(other): str(label)[:LONGEST_LABEL] for other, label in labels.items()}
        for power, labels in latest.items()
        if isinstance(labels, Mapping)
    }


def _read_diary(turn: Turn) -> dict[str, list[str]]:
    written = {
        power: [line for note in notes for line in _list_lines(note.get("diary"))]
        for power, notes in turn.notes.items()
    }
    return {power: lines for power, lines in written.items() if lines}


def _list_lines(diary: Any) -> list[str]:
    return [str(line)[:LONGEST_LINE] for line in diary] if isinstance(diary, list) else []
