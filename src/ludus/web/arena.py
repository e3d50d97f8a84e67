"""What every page has at hand: the store, its boards, the templates."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Semaphore
from typing import Annotated

from fastapi import Depends, Request

from ludus.api.human_seats import Tables
from ludus.runs import Store
from ludus.web.guards import RateLimit
from ludus.web.pages import Pages
from ludus.web.sessions import Sessions
from ludus.web.settings import Settings
from ludus.web.shelf import Shelf

__all__ = ["Arena", "ThisArena"]

PLAYS, LOGINS, UPLOADS = 20, 20, 10
MINUTE = 60.0
VISITS, HOUR = 20, 3_600.0
ANSWERS = 60
MAKERS = 2


@dataclass(frozen=True)
class Arena:
    """An arena that is served.

    Attributes:
        store: Where results are.
        settings: How they are served.
        pages: Fills in templates.
        shelf: The boards.
        plays: How often a client may send plays.
        sessions: Who is logged in.
        logins: How often a client may log in.
        uploads: How often a client may submit.
        visits: How often somebody may begin to vote from one address.
        answers: How often a visitor may send votes and plays, and ask for what comes next.
        makers: How many things that take seconds may be made at once for visitors.
        tables: The games of Diplomacy that people play.
    """

    store: Store
    settings: Settings
    pages: Pages
    shelf: Shelf
    plays: RateLimit = field(default_factory=lambda: RateLimit(PLAYS, MINUTE))
    sessions: Sessions = field(default_factory=Sessions)
    logins: RateLimit = field(default_factory=lambda: RateLimit(LOGINS, MINUTE))
    uploads: RateLimit = field(default_factory=lambda: RateLimit(UPLOADS, MINUTE))
    visits: RateLimit = field(default_factory=lambda: RateLimit(VISITS, HOUR))
    answers: RateLimit = field(default_factory=lambda: RateLimit(ANSWERS, MINUTE))
    makers: Semaphore = field(default_factory=lambda: Semaphore(MAKERS))
    tables: Tables = field(default_factory=Tables)


async def _find_arena(request: Request) -> Arena:  # a function without async asks a thread
    arena: Arena = request.app.state.arena
    return arena


ThisArena = Annotated[Arena, Depends(_find_arena)]
"""The arena of the app that a request came to."""
