"""The arena as an app of FastAPI: pages for people, typed JSON for programs."""

from __future__ import annotations

from fastapi import FastAPI

from ludus import __version__
from ludus.runs import Store
from ludus.web import (
    board_history,
    boards,
    entries,
    events,
    films,
    generation,
    home,
    levels,
    pictures,
    play,
    replays,
    runs,
    seats,
    submitting,
    trainings,
    turing,
)
from ludus.web.arena import Arena
from ludus.web.guards import BodyLimit, Prefix, SecurityHeaders
from ludus.web.kept_answers import KeptAnswers
from ludus.web.pages import Pages
from ludus.web.problems import PROBLEMS, add_handlers
from ludus.web.settings import Settings
from ludus.web.shelf import Shelf
from ludus.web.static_files import StaticFiles

__all__ = ["create_app"]

GROUPS = (
    home,
    boards,
    board_history,
    entries,
    replays,
    films,
    runs,
    trainings,
    levels,
    play,
    seats,
    turing,
    generation,
    pictures,
    events,
    submitting,
)


def create_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """Return the app that shows a store.

    Args:
        store: Where results are; it stays open as long as the app is used.
        settings: How it is served; as on a laptop if None.
    """
    chosen = settings or Settings()
    app = FastAPI(
        title="Ludus",
        version=__version__,
        summary="Boards, replays and plays of game-playing agents.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its page loads scripts of others
        redoc_url=None,
        redirect_slashes=False,
        responses=PROBLEMS,
    )
    pages = Pages(chosen)
    app.state.arena = Arena(store, chosen, pages, Shelf(store))
    for group in GROUPS:
        app.include_router(group.ROUTER)
    app.add_middleware(BodyLimit)
    if chosen.live:
        app.add_middleware(KeptAnswers, arena=app.state.arena)
    add_handlers(app, pages)
    app.add_middleware(StaticFiles)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Prefix, prefix=chosen.prefix)
    return app
