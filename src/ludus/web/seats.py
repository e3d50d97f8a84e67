"""A seat at a table of Diplomacy, in the browser: against bots, move by move."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.api.human_seats import (
    BENCHMARK,
    BOTS,
    SeatTerms,
    count_game,
    play_messages,
    play_orders,
    sit_down,
)
from ludus.boards.entry import BoardKey
from ludus.games.diplomacy.map.pictures import current_turn
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.records import POWERS
from ludus.voting.sittings import Sitting, make_ticket
from ludus.web.addresses import board_path, replay_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.limiting import one_maker
from ludus.web.models import GamePhase
from ludus.web.seat_models import SeatMessages, SeatOrders, SeatStep, SeatVisit
from ludus.web.table_documents import list_messages, make_phase
from ludus.web.voters import describe_visit, find_visit, leave_visit, open_visit

__all__ = ["ROUTER"]

ROUTER = APIRouter()
API = "/api/v1/diplomacy"
MOST_BOARDS = 12


@ROUTER.get("/diplomacy/", include_in_schema=False)
def show_table(request: Request, arena: ThisArena) -> Response:
    """Let somebody play a power."""
    values = {
        **describe_visit(request, arena, "diplomacy", API),
        "powers": POWERS,
        "bots": BOTS,
        "boards": [
            (key, board_path(BENCHMARK, key)) for key in arena.shelf.keys(BENCHMARK)[:MOST_BOARDS]
        ],
    }
    return arena.pages.render(request, "diplomacy.html", values)


@ROUTER.post(f"{API}/visit", tags=["diplomacy"], status_code=201)
def begin(request: Request, response: Response, arena: ThisArena, visit: SeatVisit) -> SeatStep:
    """Sit down at a new table, or go on at the one that this browser sits at."""

    def begin_game() -> Sitting:
        terms = SeatTerms(**visit.model_dump(exclude={"consent"}))
        with one_maker(arena):
            return sit_down(terms, arena.settings.today(), arena.store)

    return _show_step(arena, open_visit(request, response, arena, "diplomacy", begin_game))


@ROUTER.get(f"{API}/step", tags=["diplomacy"])
def read_step(request: Request, arena: ThisArena) -> SeatStep:
    """Return what the seat of this browser sees now."""
    return _show_step(arena, find_visit(request, arena, "diplomacy"))


@ROUTER.post(f"{API}/orders", tags=["diplomacy"], status_code=201)
def take_orders(request: Request, arena: ThisArena, given: SeatOrders) -> SeatStep:
    """Take the orders of this browser's seat; the bots order at the same time."""
    sitting = find_visit(request, arena, "diplomacy")
    with one_maker(arena):
        taken = play_orders(sitting, given.ticket, given.orders, arena.tables, arena.store)
    return _show_step(arena, taken)


@ROUTER.post(f"{API}/messages", tags=["diplomacy"], status_code=201)
def take_messages(request: Request, arena: ThisArena, given: SeatMessages) -> SeatStep:
    """Take what this browser's seat says in a round of messages."""
    sitting = find_visit(request, arena, "diplomacy")
    written = [(message.recipient, message.text) for message in given.messages]
    with one_maker(arena):
        taken = play_messages(sitting, given.ticket, written, arena.tables, arena.store)
    return _show_step(arena, taken)


@ROUTER.post(f"{API}/leave", tags=["diplomacy"], status_code=204)
def leave(request: Request, response: Response, arena: ThisArena) -> None:
    """Leave the table; a game that is not over counts nowhere."""
    find_visit(request, arena, "diplomacy")
    leave_visit(response, arena, "diplomacy")


def _show_step(arena: Arena, sitting: Sitting) -> SeatStep:
    terms = SeatTerms(**sitting.state["terms"])
    match = arena.tables.take(sitting)
    values: dict[str, Any] = {
        "power": terms.power,
        "against": terms.against,
        "last_year": terms.year,
        "before": _show_last(match),
        "now": make_phase(current_turn(match.table)),
    }
    if match.over:
        count_game(sitting, match, arena.store)
        run = str(sitting.state["run"])
        key = BoardKey.of_plan(arena.store.run(run).plan)
        board = board_path(BENCHMARK, key)
        return SeatStep(kind="over", replay=replay_path(run, 0), board=board, **values)
    view = match.observation
    values["now"].messages = list_messages(view.messages)
    step = SeatStep(
        kind="press" if view.step == "press" else "orders",
        ticket=make_ticket(sitting, arena.store),
        round=view.round,
        legal={place: list(orders) for place, orders in view.legal.items()},
        builds=view.builds[terms.power],
        **values,
    )
    arena.tables.keep(sitting, match)
    return step


def _show_last(match: DiplomacyMatch) -> GamePhase | None:
    """Return the last phase, with the messages that the seat may read and nobody's notes."""
    turns = match.observation.turns_from(max(len(match.table.history) - 1, 0))
    return make_phase(turns[-1]) if turns else None
