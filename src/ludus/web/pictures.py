"""Pictures that pages show: levels, and the pixel art that is the arena's face."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Path
from fastapi.responses import Response

from ludus.api.level_sources import day_source, find_level_source
from ludus.errors import OptionError
from ludus.games.media.png import png_bytes
from ludus.games.platformer import World
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.levels.bundled import BUNDLED
from ludus.games.platformer.levels.campaign import STAGES
from ludus.games.platformer.pictures import frame, level_picture
from ludus.web.problems import NotFound

__all__ = ["ROUTER", "SPRITES", "day_picture", "level_picture_path"]

ROUTER = APIRouter(include_in_schema=False)
DAYS = 64
THUMBNAIL = (384, 256)
SPRITES = {"hero": "small-stand", "runner": "small-walk-0"}
"""Figures that pages show, by the words of their addresses."""

Word = Annotated[str, Path(max_length=40)]


def day_picture(day: date) -> str:
    """Return where the picture of a day's level is."""
    return f"pictures/days/{day.isoformat()}.png"


def level_picture_path(name: str) -> str:
    """Return where the picture of a level is."""
    return f"pictures/levels/{name}.png"


@ROUTER.get("/pictures/days/{day}.png")
def draw_day(day: Word) -> Response:
    """Draw the level of a day."""
    return _png(_draw_day(day))


@lru_cache(DAYS)
def _draw_day(day: str) -> bytes:
    try:
        source = day_source(date.fromisoformat(day))
    except ValueError:
        raise OptionError(f"{day[:20]!r} is no day: give it as 2026-11-17") from None
    return png_bytes(level_picture(source.scenario.level, reveal_hidden=False))


@ROUTER.get("/pictures/levels/{name}.png")
def draw_level(name: Word) -> Response:
    """Draw the beginning of a level of the campaign, or of a bundled one."""
    if name not in BUNDLED and name not in STAGES:
        raise NotFound(f"no level {name[:40]!r}")
    return _png(_draw_level(name))


@lru_cache(DAYS)
def _draw_level(name: str) -> bytes:
    level = find_level_source(f"level={name}").scenario.level
    return png_bytes(frame(World(level), THUMBNAIL))


@ROUTER.get("/pictures/{name}.png")
def draw_sprite(name: Word) -> Response:
    """Draw a figure of the game."""
    if name not in SPRITES:
        raise NotFound(f"no picture {name[:40]!r}")
    return _png(_draw_sprite(name))


@lru_cache(DAYS)
def _draw_sprite(name: str) -> bytes:
    art = atlas()
    figure = art.sprite_frames[art.sprites[SPRITES[name]]]
    rows = np.flatnonzero(figure[..., 3].any(axis=1))
    return png_bytes(np.ascontiguousarray(figure[rows[0] :]))


def _png(content: bytes) -> Response:
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(content, media_type="image/png", headers=headers)
