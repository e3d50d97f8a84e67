"""Episodes as films and pictures, to look at and to take home."""

from __future__ import annotations

from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludus import api
from ludus.errors import OptionError
from ludus.games.game import Filmable, find_game
from ludus.runs import Run
from ludus.runs.explain import find_episode
from ludus.runs.sealed import open_revealed
from ludus.runs.watch import film
from ludus.web.addresses import replay_path
from ludus.web.arena import Arena, ThisArena
from ludus.web.limiting import check_rate, one_maker
from ludus.web.problems import NotFound
from ludus.web.words import Number, RunWord

__all__ = ["ROUTER", "find_picture", "list_films"]

ROUTER = APIRouter()
KINDS = {"gif": "image/gif", "mp4": "video/mp4"}
LONGEST_FILM = 1_500
CACHED = {"Cache-Control": "public, max-age=86400"}


def list_films(run: Run, number: int, arena: Arena) -> dict[str, str]:
    """Return where the films of an episode are; a published folder has none, which take long."""
    drawn = arena.settings.live and isinstance(find_game(run.plan.game), Filmable)
    path = replay_path(run.id, number)
    return {kind: f"{path}film.{kind}" for kind in KINDS} if drawn else {}


def find_picture(run: Run, number: int, arena: Arena) -> str:
    """Return where the picture of an episode is, or nothing."""
    return f"{replay_path(run.id, number)}picture" if list_films(run, number, arena) else ""


@ROUTER.get("/runs/{run}/episodes/{number}/picture", include_in_schema=False)
def draw_episode(arena: ThisArena, run: RunWord, number: Number) -> Response:
    """Draw an episode whose game the page cannot play: a film, or a picture."""
    stored = open_revealed(arena.store.run(run), arena.store)
    with one_maker(arena):
        films = api.replay(stored.id, number, store=arena.store).films
    if not films:
        raise NotFound(f"nothing draws episode {number} of run {stored.id} here")
    return Response(films[0].content, media_type=films[0].kind, headers=CACHED)


@ROUTER.get("/runs/{run}/episodes/{number}/film.{kind}", include_in_schema=False)
def download_film(
    request: Request, arena: ThisArena, run: RunWord, number: Number, kind: Literal["gif", "mp4"]
) -> Response:
    """Return the film of an episode as a file; films take seconds, so few are made at once."""
    check_rate(request, arena.plays, "requests for films")
    stored = open_revealed(arena.store.run(run), arena.store)
    steps = find_episode(stored.id, number, arena.store).episode.steps
    if steps > LONGEST_FILM:
        own = f"ludus replay {stored.id} {number} --{kind} film.{kind}"
        raise OptionError(f"a film of {steps} steps is too long to be made here: {own}")
    with one_maker(arena), TemporaryDirectory() as folder:
        file = FilePath(folder) / f"film.{kind}"
        film(stored.id, number, arena.store, file)
        content = file.read_bytes()
    name = f'attachment; filename="ludus-{stored.id}-{number}.{kind}"'
    headers = {**CACHED, "Content-Disposition": name}
    return Response(content, media_type=KINDS[kind], headers=headers)
