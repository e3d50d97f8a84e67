"""What is read and drawn before the first visitor comes."""

from __future__ import annotations

import asyncio
import gc
import logging
from contextlib import suppress
from threading import Thread

from fastapi import FastAPI

from ludus.errors import LudusError
from ludus.web.addresses import board_path
from ludus.web.publishing import get_page

__all__ = ["start_warming"]

logger = logging.getLogger("ludus.web")


def start_warming(app: FastAPI) -> Thread:
    """Read all boards, and make their pages and the day's level, so that nobody waits for them."""
    thread = Thread(target=lambda: asyncio.run(_visit_all(app)), name="warming", daemon=True)
    thread.start()
    return thread


async def _visit_all(app: FastAPI) -> None:
    try:
        shelf = app.state.arena.shelf
        boards = await asyncio.to_thread(lambda: list(shelf.played()))
        paths = [board_path(one.benchmark.id, one.key) for one in boards]
    except LudusError as error:
        logger.warning("cannot read the boards beforehand: %s", error)
        return
    today = app.state.arena.settings.today()
    for path in ["", f"api/v1/days/{today}.json", "play/", *paths]:
        with suppress(LudusError):  # visitors see what is wrong
            await get_page(app, f"/{path}")
    gc.collect()
    gc.freeze()  # large boards stay, and looking through them would hold up whoever asks just then
