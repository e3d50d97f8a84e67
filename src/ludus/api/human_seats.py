"""A person at a table of Diplomacy, against bots: every step is kept, the end comes on a board.

The table is a visit in the store: its state holds the match as it was before this step. So a server
that is killed loses no orders that it has confirmed, and a step is taken once.
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from threading import Lock
from typing import Any

from ludus.api.human_plays import make_human_source, name_human
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.boards import accept
from ludus.errors import OptionError, RunError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, make_plan
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.records import EVERYBODY, POWERS, Message
from ludus.games.diplomacy.scenario import Scenario
from ludus.runs import Store
from ludus.runs.running import score_episode
from ludus.runs.stored_run import make_run_id
from ludus.voting.sittings import (
    Sitting,
    begin_sitting,
    check_ticket,
    count_begun,
    count_visit,
    make_ticket,
    take_step,
)

__all__ = [
    "BENCHMARK",
    "BOTS",
    "SeatTerms",
    "Tables",
    "count_game",
    "play_messages",
    "play_orders",
    "sit_down",
]

BENCHMARK = "diplomacy/table"
BOTS = ("hold", "random", "easy", "dumb")
"""Who may sit at a table with people, the easiest first."""

MOST_OPEN = 32
MOST_A_DAY = 500
PAGE = "played in a browser, decided here"


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """What somebody wants to play.

    Attributes:
        power: The seat.
        against: The bot in all other seats.
        year: The last year.
        press: ``none``, or ``full`` to send messages, which bots do not answer.
        player: What the player calls himself or herself.
    """

    power: str = "FRANCE"
    against: str = "easy"
    year: int = 1907
    press: str = "none"
    player: str = ""


class Tables:
    """Matches at hand, by visit; one that is not is set up again from its visit."""

    def __init__(self) -> None:
        self._matches: OrderedDict[str, tuple[int, DiplomacyMatch]] = OrderedDict()
        self._lock = Lock()

    def take(self, sitting: Sitting) -> DiplomacyMatch:
        """Return the match of a visit as it is before this step; nobody else gets it meanwhile."""
        with self._lock:
            step, match = self._matches.pop(sitting.id, (-1, None))
        if match is not None and step == sitting.step:
            return match
        scenario = Scenario.from_dict(sitting.state["scenario"])
        return DiplomacyMatch.restore(scenario, base64.b64decode(sitting.state["match"]))

    def keep(self, sitting: Sitting, match: DiplomacyMatch) -> None:
        """Keep a match for the next step of its visit; the oldest of too many is let go."""
        with self._lock:
            self._matches[sitting.id] = sitting.step, match
            while len(self._matches) > MOST_OPEN:
                self._matches.popitem(last=False)


def sit_down(terms: SeatTerms, day: date, store: Store) -> Sitting:
    """Begin a game; all who sit down on one day meet the same bots.

    Raises:
        OptionError: There is no such seat or bot, the name cannot be shown, or too many games have
            begun within a day.
    """
    name = name_human(terms.player)
    if terms.against not in BOTS:
        raise OptionError(f"no bot {terms.against!r:.40}: there are {', '.join(BOTS)}")
    if count_begun("diplomacy", store.now() - timedelta(days=1), store) >= MOST_A_DAY:
        raise OptionError(f"{MOST_A_DAY} games have begun within a day: come back tomorrow")
    plan = _make_plan(terms, name, day)
    scenario = dict(plan.scenarios[0])
    match = DiplomacyMatch(Scenario.from_dict(scenario))
    state = {
        "terms": {part: getattr(terms, part) for part in terms.__slots__},
        "day": day.isoformat(),
        "scenario": scenario,
        "match": _pack(match),
        "run": "",
    }
    return begin_sitting("diplomacy", count_visit("diplomacy", store), state, store)


def _make_plan(terms: SeatTerms, name: str, day: date) -> Plan:
    options = {
        "seat": terms.power,
        "against": terms.against,
        "year": str(terms.year),
        "press": terms.press,
    }
    source = make_human_source(name)
    return make_plan(BENCHMARK, [source], seed=seed_of_day(day), options=options)


def _pack(match: DiplomacyMatch) -> str:
    return base64.b64encode(match.checkpoint()).decode("ascii")


def play_orders(
    sitting: Sitting, ticket: str, orders: Sequence[str], tables: Tables, store: Store
) -> Sitting:
    """Give orders, and let the bots and the rules go on until orders are wanted again.

    Raises:
        OptionError: An order is not legal, or messages are wanted. Nothing is played then.
        StaleStep: The ticket is none of this step, or the step was taken meanwhile.
    """
    check_ticket(sitting, ticket, store)
    match = tables.take(sitting)
    view = match.observation
    if match.over or view.step != "orders":
        raise OptionError("orders are not wanted now: load the page again")
    legal = {order for listed in view.legal.values() for order in listed}
    for order in orders:
        if order not in legal:
            raise OptionError(f"{order[:40]!r} is no legal order of {view.power} in {view.phase}")
    return _play(sitting, ticket, list(orders), match, tables, store)


def play_messages(
    sitting: Sitting, ticket: str, messages: Sequence[tuple[str, str]], tables: Tables, store: Store
) -> Sitting:
    """Send messages, each a recipient and a text, or none to say nothing.

    Raises:
        OptionError: Nobody has that name, or orders are wanted. Nothing is sent then.
        StaleStep: The ticket is none of this step, or the step was taken meanwhile.
    """
    check_ticket(sitting, ticket, store)
    match = tables.take(sitting)
    view = match.observation
    if match.over or view.step != "press":
        raise OptionError("messages are not wanted now: load the page again")
    for recipient, _ in messages:
        if recipient not in (*POWERS, EVERYBODY) or recipient == view.power:
            raise OptionError(f"{recipient!r:.40} is nobody to write to")
    written = [Message(view.power, recipient, text) for recipient, text in messages]
    return _play(sitting, ticket, written, match, tables, store)


def _play(
    sitting: Sitting,
    ticket: str,
    action: list[Any],
    match: DiplomacyMatch,
    tables: Tables,
    store: Store,
) -> Sitting:
    match.step(action)
    state = {**sitting.state, "match": _pack(match), "steps": sitting.step + 1}
    if match.over:
        state["run"] = make_run_id(_plan_of(sitting))
    taken = take_step(sitting, ticket, store, state=state)
    if match.over:
        return count_game(taken, match, store)
    tables.keep(taken, match)
    return taken


def _plan_of(sitting: Sitting) -> Plan:
    terms = SeatTerms(**sitting.state["terms"])
    return _make_plan(terms, name_human(terms.player), date.fromisoformat(sitting.state["day"]))


def count_game(sitting: Sitting, match: DiplomacyMatch, store: Store) -> Sitting:
    """Put a finished game on its board, unless it is there; a kill may have come in between."""
    if sitting.state.get("counted"):
        return sitting
    run, plan = str(sitting.state["run"]), _plan_of(sitting)
    if not _has_run(run, store):
        scored = score_episode(find_benchmark(BENCHMARK), _make_episode(sitting, match))
        store.add_run(run, datetime.now(UTC), plan, [scored])
    accept(run, store, by=plan.agents[0].name, why=PAGE)
    state = {**sitting.state, "counted": True}
    return take_step(sitting, make_ticket(sitting, store), store, state=state)


def _make_episode(sitting: Sitting, match: DiplomacyMatch) -> Episode:
    return Episode(
        number=0,
        agent=0,
        scenario=0,
        ending=EpisodeEnding.FINISHED,
        reason="",
        record=match.record(),
        facts=match.facts(),
        steps=int(sitting.state["steps"]),
        seconds=0.0,
    )


def _has_run(run: str, store: Store) -> bool:
    try:
        store.run(run)
    except RunError:
        return False
    return True
