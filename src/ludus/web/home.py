"""The first page: the level of the day, the benchmarks with their leaders, what changed lately."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.benchmarks import families
from ludus.web.addresses import board_path
from ludus.web.arena import ThisArena
from ludus.web.boards import list_cards
from ludus.web.changes import list_changes
from ludus.web.pictures import day_picture
from ludus.web.play import describe_race, find_day_board

__all__ = ["ROUTER"]

ROUTER = APIRouter()
MOST_RACERS = 3
MOST_BOARDS = 4


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
            name: sorted(listed, key=lambda card: (not card.options, -card.entries))[:MOST_BOARDS]
            for name, listed in cards.items()
        },
        "sizes": {name: sum(not card.options for card in listed) for name, listed in cards.items()},
        "changes": list_changes(arena.store),
    }
    return arena.pages.render(request, "home.html", values)
