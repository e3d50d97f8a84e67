"""The page of levels: those that come with Ludus, and the lab that makes others."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus.games.platformer.levels.bundled import BUNDLED
from ludus.games.platformer.levels.campaign import STAGES
from ludus.web.arena import ThisArena
from ludus.web.pictures import level_picture_path

__all__ = ["ROUTER"]

ROUTER = APIRouter()


@ROUTER.get("/levels/", include_in_schema=False)
def show_levels(request: Request, arena: ThisArena) -> Response:
    """Show the levels, and the lab."""
    values = {
        "campaign": [(name, level_picture_path(name)) for name in STAGES],
        "bundled": [(name, level_picture_path(name)) for name in BUNDLED],
    }
    return arena.pages.render(request, "levels.html", values)
