"""The first page: the level of the day, the benchmarks with their leaders, what changed lately."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.benchmarks import families
from ludus.boards.ledger import LedgerEvent, LedgerEventKind, count_lines, read_ledger
from ludus.errors import BoardError
from ludus.runs import Store
from ludus.web.addresses import board_path
from ludus.web.arena import ThisArena
from ludus.web.boards import list_cards
from ludus.web.pictures import day_picture
from ludus.web.play import describe_race, find_day_board

__all__ = ["ROUTER"]

ROUTER = APIRouter()
MOST_CHANGES = 8
MOST_RACERS = 3
MOST_BOARDS = 4

WORDS = {
    LedgerEventKind.ACCEPTED: "came on the board of",
    LedgerEventKind.VERIFIED: "was verified on",
    LedgerEventKind.RESCORED: "was scored anew on",
    LedgerEventKind.REMOVED: "was taken off",
}
"""What happened, in words."""


class Change(NamedTuple):
    """A line of the ledger as the first page tells it.

    Attributes:
        day: When.
        agent: To whom.
        what: What happened, in words.
        benchmark: On which benchmark.
        link: Where its board is.
    """

    day: str
    agent: str
    what: str
    benchmark: str
    link: str


@ROUTER.get("/", include_in_schema=False)
def show_home(request: Request, arena: ThisArena) -> Response:
    """Show the first page."""
    day = arena.settings.today()
    racers = find_day_board(arena, day)
    cards = list_cards(arena)
    values: dict[str, Any] = {
        "day": day,
        "picture": day_picture(day),
        "play_link": f"play/days/{day}/",
        "race": f"api/v1/days/{day}.json",
        "racers": [(row, describe_race(row)) for row in racers.rows[:MOST_RACERS]],
        "racers_link": board_path(racers.benchmark.id, racers.key) if racers.rows else "",
        "families": families(),
        "cards": {
            name: sorted(listed, key=lambda card: -card.entries)[:MOST_BOARDS]
            for name, listed in cards.items()
        },
        "sizes": {name: len(listed) for name, listed in cards.items()},
        "changes": list_changes(arena.store),
    }
    return arena.pages.render(request, "home.html", values)


def list_changes(store: Store) -> list[Change]:
    """Return what happened to the boards lately, the newest first."""
    lines = read_ledger(store, after=max(count_lines(store) - 4 * MOST_CHANGES, 0))
    changes = [change for line in reversed(lines) if (change := _describe_change(line))]
    return changes[:MOST_CHANGES]


def _describe_change(line: LedgerEvent) -> Change | None:
    words = {str(kind): text for kind, text in WORDS.items()}
    try:
        agent = line.body.get("agent")
    except BoardError:
        return None  # whoever looks at the board sees that the ledger is broken
    if line.kind not in words or not isinstance(agent, str):
        return None
    link = board_path(line.benchmark)
    return Change(line.at[:10], agent, words[line.kind], line.benchmark, link)
