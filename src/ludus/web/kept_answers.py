"""Answers that are the same for everybody, made once and sent until what they tell of changes."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

from fastapi import Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.boards.ledger import count_lines
from ludus.errors import LudusError
from ludus.web.arena import Arena
from ludus.web.etags import is_known, make_tag
from ludus.web.pages import find_path
from ludus.web.store_watch import StoreWatch

__all__ = ["KeptAnswers"]

ABOUT_BOARDS = re.compile(r"|boards/.*|api/v1/boards.*")
"""Addresses whose answers change with a line of the ledger alone."""
SHARED = re.compile(
    r"runs/(.*/)?|play/.*|levels/|pictures/.*|events/([^/]+/)?|(turing|generation)/board/"
    r"|api/v1/(runs/.*/(replay|progress)|days/.*|levels/.*|round|events(/[^/]+)?|openapi)\.json"
)
"""Addresses whose answers may change with anything in the store, but not with who asks."""
MOST_BYTES = 64 * 1024 * 1024
MOST_ANSWERS = 1_000
BOARD_SECONDS, SHARED_SECONDS = 60.0, 5.0
"""How old answers may be: runs may come without a line in the ledger, and dates pass."""


class _Address(NamedTuple):
    """What is asked for, below the arena's own path."""

    path: str
    query: bytes


class _State(NamedTuple):
    """What answers are made from.

    Attributes:
        boards: The day, the last line of the ledger, and how often a board was read.
        version: The store's; another one as soon as anything was written.
    """

    boards: tuple[date, int, int]
    version: Hashable


@dataclass(frozen=True, slots=True)
class _Kept:
    """An answer that is at hand.

    Attributes:
        basis: What it was made from.
        until: How long it is sent, by the monotonic clock.
        answer: What is sent.
    """

    basis: object
    until: float
    answer: Response


class KeptAnswers:
    """Answers with what was made before, as long as it is still true.

    Args:
        app: What answers everything else.
        arena: The arena.
    """

    def __init__(self, app: ASGIApp, arena: Arena) -> None:
        self._app, self._arena = app, arena
        self._watch = StoreWatch(arena.store)
        self._seen: tuple[Hashable, int] = ("never looked", 0)
        self._kept: OrderedDict[_Address, _Kept] = OrderedDict()
        self._bytes, self._changing = 0, Lock()
        self._locks: WeakValueDictionary[tuple[Any, _Address], asyncio.Lock] = WeakValueDictionary()
        self._looks: WeakKeyDictionary[Any, asyncio.Task[_State]] = WeakKeyDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory, or let the app answer and remember what it says."""
        address = _find_address(scope)
        if address is None:
            await self._app(scope, receive, send)
            return
        try:
            answer = await self._find_answer(address, scope, receive, send)
        except LudusError:  # the store does not answer: the app knows how to say so
            await self._app(scope, receive, send)
            return
        if answer:
            await answer(scope, receive, send)

    async def _find_answer(
        self, address: _Address, scope: Scope, receive: Receive, send: Send
    ) -> Response | None:
        """Return an answer that is still true; None if it was sent and cannot be kept."""
        state = await self._find_state()
        about_boards = ABOUT_BOARDS.fullmatch(address.path)
        basis = state.boards if about_boards else state
        if known := self._recall(address, basis):
            return _shorten(known, scope)
        async with self._lock(address):
            if known := self._recall(address, basis):
                return _shorten(known, scope)
            made = await _collect(self._app, scope, receive)
        if answer := _make_answer(made):
            until = monotonic() + (BOARD_SECONDS if about_boards else SHARED_SECONDS)
            self._keep(address, _Kept(basis, until, answer))
            return _shorten(answer, scope)
        for message in made:
            await send(message)
        return None

    async def _find_state(self) -> _State:
        """Return the state of the store; all who ask at once share one look."""
        loop = asyncio.get_running_loop()
        if loop not in self._looks:
            self._looks[loop] = loop.create_task(self._look())
        return await asyncio.shield(self._looks[loop])

    async def _look(self) -> _State:
        await asyncio.sleep(0)  # all that came in this round join; later ones look again
        del self._looks[asyncio.get_running_loop()]
        instant = self._watch.is_instant
        return self._read_state() if instant else await run_in_threadpool(self._read_state)

    def _read_state(self) -> _State:
        version, (seen, lines) = self._watch.look(), self._seen
        if version != seen:
            lines = count_lines(self._arena.store)
            self._seen = version, lines
        today = self._arena.settings.today()
        return _State((today, lines, self._arena.shelf.reads), version)

    def _recall(self, address: _Address, basis: object) -> Response | None:
        kept = self._kept.get(address)
        fresh = kept and kept.basis == basis and monotonic() < kept.until
        return kept.answer if kept and fresh else None

    def _lock(self, address: _Address) -> asyncio.Lock:
        """Return the lock under which an answer is made once for all who wait for it."""
        place = asyncio.get_running_loop(), address
        return self._locks.setdefault(place, asyncio.Lock())

    def _keep(self, address: _Address, kept: _Kept) -> None:
        with self._changing:
            self._forget(address)
            self._kept[address] = kept
            self._bytes += len(kept.answer.body)
            while self._bytes > MOST_BYTES or len(self._kept) > MOST_ANSWERS:
                self._forget(next(iter(self._kept)))

    def _forget(self, address: _Address) -> None:
        if old := self._kept.pop(address, None):
            self._bytes -= len(old.answer.body)


def _find_address(scope: Scope) -> _Address | None:
    """Return the path and query of what can be kept; None for everything else."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    path = find_path(Request(scope))
    if not ABOUT_BOARDS.fullmatch(path) and not SHARED.fullmatch(path):
        return None
    return _Address(path, scope["query_string"])


async def _collect(app: ASGIApp, scope: Scope, receive: Receive) -> list[Message]:
    """Return all that an app would send."""
    made: list[Message] = []

    async def remember(message: Message) -> None:
        made.append(message)

    await app(scope, receive, remember)
    return made


def _make_answer(made: list[Message]) -> Response | None:
    """Return an answer that can be sent to everybody; None if it was meant for one alone."""
    headers = Headers(raw=made[0]["headers"])
    if made[0]["status"] != 200 or "set-cookie" in headers:
        return None
    body = b"".join(message.get("body", b"") for message in made[1:])
    caching = headers.get("cache-control", "no-cache")
    told = {"ETag": make_tag(body), "Cache-Control": caching}
    return Response(body, headers=told, media_type=headers["content-type"])


def _shorten(answer: Response, scope: Scope) -> Response:
    """Return the answer, or that it has not changed if a browser has it."""
    tag = answer.headers["etag"]
    if not is_known(tag, scope):
        return answer
    return Response(None, 304, {"ETag": tag, "Cache-Control": answer.headers["cache-control"]})
