"""The page of an episode: the engine plays its recorded buttons again, in the browser."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from ludus import api
from ludus.games.game import Filmable, find_game
from ludus.runs import Run
from ludus.runs.explain import explain
from ludus.runs.sealed import open_revealed
from ludus.web.addresses import replay_path, run_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.models import ReplayDocument
from ludus.web.problems import NotFound
from ludus.web.replay_documents import make_replay

__all__ = ["ROUTER"]

ROUTER = APIRouter()
RunWord = Annotated[str, Path(pattern="^[0-9a-f]{8}-[0-9a-f]{8}$")]
Number = Annotated[int, Path(ge=0, lt=2**31)]


@ROUTER.get("/runs/{run}/episodes/{number}/", include_in_schema=False)
def show_replay(request: Request, arena: ThisArena, run: RunWord, number: Number) -> Response:
    """Show an episode."""
    return _render(request, arena, "replay.html", run, number)


@ROUTER.get("/runs/{run}/episodes/{number}/embed/", include_in_schema=False)
def show_embedded(request: Request, arena: ThisArena, run: RunWord, number: Number) -> Response:
    """Show an episode alone, for a frame on a page of others."""
    return _render(request, arena, "embed.html", run, number)


def _render(request: Request, arena: Arena, template: str, run: str, number: int) -> Response:
    stored = open_revealed(arena.store.run(run), arena.store)
    document = make_replay(stored.id, number, arena.store)
    explanation = explain(stored.id, number, arena.store)
    count = len(stored.plan.episodes)
    values = {
        "document": document,
        "explanation": explanation,
        "run": stored,
        "run_link": run_path(stored.id),
        "path": replay_path(stored.id, number),
        "source": f"api/v1/{replay_path(stored.id, number)}replay.json",
        "picture": "" if document.rounds else _find_picture(stored, number, arena),
        "before": replay_path(stored.id, number - 1) if number else "",
        "after": replay_path(stored.id, number + 1) if number + 1 < count else "",
    }
    return arena.pages.render(request, template, values)


def _find_picture(run: Run, number: int, arena: Arena) -> str:
    """Return where the picture of an episode is; a published folder has none, which take long."""
    drawn = arena.settings.live and isinstance(find_game(run.plan.game), Filmable)
    return f"{replay_path(run.id, number)}picture" if drawn else ""


@ROUTER.get("/runs/{run}/episodes/{number}/picture", include_in_schema=False)
def draw_replay(arena: ThisArena, run: RunWord, number: Number) -> Response:
    """Draw an episode whose game the page cannot play: a film, or a picture."""
    stored = open_revealed(arena.store.run(run), arena.store)
    films = api.replay(stored.id, number, store=arena.store).films
    if not films:
        raise NotFound(f"nothing draws episode {number} of run {stored.id} here")
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(films[0].content, media_type=films[0].kind, headers=headers)


@ROUTER.get("/api/v1/runs/{run}/episodes/{number}/replay.json", tags=["replays"])
def read_replay(arena: ThisArena, run: RunWord, number: Number) -> ReplayDocument:
    """Return all that is needed to play an episode again."""
    return make_replay(run, number, arena.store)
