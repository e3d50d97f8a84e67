"""The pages of trainings: learning curves, while they are written."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse

from ludus.errors import LudusError, OptionError, one_line
from ludus.json_files import finite
from ludus.learning.curve_folder import CURVE, read_curve
from ludus.learning.folder import TrainingFolder
from ludus.web.arena import Arena, ThisArena
from ludus.web.models import TrainingDocument
from ludus.web.problems import NotFound

__all__ = ["ROUTER", "follow_training"]

ROUTER = APIRouter()
NAME = re.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
MOST_TRAININGS = 200
MOST_ROWS = 1_000
LOOK_SECONDS = 1.0
MOST_LOOKS = 600

Name = Annotated[str, Path(max_length=80)]


@ROUTER.get("/trainings/", include_in_schema=False)
def show_trainings(request: Request, arena: ThisArena) -> Response:
    """List the trainings in the folder that the server was given."""
    values = {
        "folder": arena.settings.trainings is not None,
        "trainings": [
            (folder.name, f"trainings/{folder.name}/", _find_written(folder))
            for folder in _list(arena)
        ],
    }
    return arena.pages.render(request, "trainings.html", values)


@ROUTER.get("/trainings/{name}/", include_in_schema=False)
def show_training(request: Request, arena: ThisArena, name: Name) -> Response:
    """Show a learning curve, which grows while the training runs."""
    document = read_training(_find(arena, name))
    source = f"api/v1/trainings/{name}/progress"
    return arena.pages.render(
        request, "training.html", {"document": document, "source": source, "name": name}
    )


@ROUTER.get("/api/v1/trainings/{name}.json", tags=["runs"])
def read_training_curve(arena: ThisArena, name: Name) -> TrainingDocument:
    """Return the learning curve of a training, thinned out if it is long."""
    return read_training(_find(arena, name))


@ROUTER.get("/api/v1/trainings/{name}/progress", tags=["runs"], response_class=StreamingResponse)
def follow_curve(arena: ThisArena, name: Name) -> StreamingResponse:
    """Send the learning curve of a training whenever it has grown, as server-sent events."""
    return StreamingResponse(
        follow_training(_find(arena, name)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def follow_training(folder: FilePath) -> AsyncIterator[str]:
    """Yield events for ten minutes; browsers ask again then."""
    size = -1
    for _ in range(MOST_LOOKS):
        try:
            grown = (folder / CURVE).stat().st_size
            if grown != size:
                size = grown
                document = await run_in_threadpool(read_training, folder)
                yield f"data: {document.model_dump_json()}\n\n"
        except (LudusError, OSError) as error:
            yield f"event: problem\ndata: {one_line(error)}\n\n"
            return
        await asyncio.sleep(LOOK_SECONDS)


def read_training(folder: FilePath) -> TrainingDocument:
    """Return the learning curve in a folder.

    Raises:
        OptionError: There is none.
    """
    training = TrainingFolder(folder)
    try:
        settings = training.settings()
    except OptionError:
        settings = {}  # a curve alone can be shown as well
    rows = [_flatten(row) for row in read_curve(folder)]
    every = -(-len(rows) // MOST_ROWS) or 1
    return TrainingDocument(
        name=folder.name,
        settings=_list_settings(settings),
        rows=finite(rows[::every]),
        total=len(rows),
    )


def _list_settings(values: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Return settings in words by name, without those that say nothing."""
    listed: dict[str, str] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and not before:
            listed |= _list_settings(value, "" if key == "settings" else f"{key}: ")
        elif value not in (None, "", {}, []):
            listed[f"{before}{key}"[:60]] = str(value)[:80]
    return listed


def _flatten(row: Mapping[str, Any], before: str = "") -> dict[str, float]:
    """Return the numbers of a line by name; those of an evaluation have it before theirs."""
    numbers: dict[str, float] = {}
    for key, value in row.items():
        if isinstance(value, Mapping) and not before:
            numbers |= _flatten(value, f"{key} ")
        elif isinstance(value, int | float):
            numbers[f"{before}{key}"[:40]] = float(value)
    return numbers


def _list(arena: Arena) -> list[FilePath]:
    """Return the folders of trainings, the one that was written last first."""
    root = arena.settings.trainings
    if root is None or not root.is_dir():
        return []
    found = [folder for folder in root.iterdir() if _is_training(folder)]
    found.sort(key=lambda folder: -(folder / CURVE).stat().st_mtime)
    return found[:MOST_TRAININGS]


def _find_written(folder: FilePath) -> str:
    """Return when a curve was written last, UTC."""
    written = datetime.fromtimestamp((folder / CURVE).stat().st_mtime, UTC)
    return f"{written:%Y-%m-%d %H:%M}"


def _is_training(folder: FilePath) -> bool:
    return bool(NAME.fullmatch(folder.name)) and (folder / CURVE).is_file()


def _find(arena: Arena, name: str) -> FilePath:
    """Return the folder of a training.

    Raises:
        NotFound: There is none of this name.
    """
    root = arena.settings.trainings
    if root is not None and NAME.fullmatch(name) and _is_training(root / name):
        return root / name
    raise NotFound(f"there is no training {name!r:.60} here: ludus serve --trainings DIR")
