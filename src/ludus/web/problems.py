"""What goes wrong, as a page or as problem JSON: one line, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.errors import (
    AccessError,
    BenchmarkError,
    BoardError,
    LostConnection,
    LudusError,
    MissingExtra,
    ReadOnlyStore,
    RunError,
    StoreError,
    one_line,
)
from ludus.voting.sittings import StaleStep, UnknownSitting
from ludus.web.pages import Pages, find_path

__all__ = ["PROBLEMS", "NotFound", "TooLarge", "TooMany", "add_handlers", "problem"]

KIND = "application/problem+json"
SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong, in one line"},
    },
    "required": ["title", "status", "detail"],
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "What was asked is wrong", "content": {KIND: {"schema": SCHEMA}}}
}
"""How OpenAPI describes what is refused."""

STATUSES: dict[type[LudusError], int] = {
    AccessError: 403,
    ReadOnlyStore: 403,
    LostConnection: 503,
    StoreError: 500,
    MissingExtra: 501,
    BenchmarkError: 404,
    BoardError: 404,
    RunError: 404,
    UnknownSitting: 401,
    StaleStep: 409,
}
"""Errors of Ludus that have a status of their own, the narrower kinds first; others have 422."""

TITLES = {
    403: "Not for everybody",
    404: "There is nothing here",
    413: "That is too much",
    422: "That cannot be shown",
    429: "That is too often",
    500: "Something is wrong here",
    503: "The store does not answer",
}
"""What went wrong, in words for people; other statuses have their own."""

logger = logging.getLogger("ludus.web")


class NotFound(HTTPException):
    """There is no such page."""

    def __init__(self, message: str) -> None:
        super().__init__(404, message)


class TooLarge(HTTPException):
    """Somebody sends more than anybody needs to."""

    def __init__(self, message: str) -> None:
        super().__init__(413, message)


class TooMany(HTTPException):
    """Somebody sends too often."""

    def __init__(self, message: str) -> None:
        super().__init__(429, message)


def problem(status: int, detail: str) -> JSONResponse:
    """Return an answer of the kind that RFC 9457 describes."""
    body = {"title": HTTPStatus(status).phrase, "status": status, "detail": one_line(detail)}
    return JSONResponse(body, status, media_type=KIND)


def add_handlers(app: FastAPI, pages: Pages) -> None:
    """Answer every error with one line: as JSON below ``/api/``, else as a page."""

    def answer(request: Request, status: int, detail: str) -> Response:
        if find_path(request).startswith("api/"):
            return problem(status, detail)
        phrase = HTTPStatus(status).phrase
        title = TITLES.get(status, phrase)
        values = {"title": title, "status": f"{status} {phrase}", "detail": one_line(detail)}
        return pages.render(request, "problem.html", values, status)

    def on_http(request: Request, error: Any) -> Response:
        if error.status_code == HTTPStatus.NOT_FOUND and _lacks_slash(request):
            last = find_path(request).rpartition("/")[2]
            return RedirectResponse(f"{last}/", 308)  # relative, so that any prefix stays
        detail = str(error.detail)
        if detail == HTTPStatus.NOT_FOUND.phrase:  # no route is there, and so nobody said more
            detail = describe_missing(request)
        said = answer(request, error.status_code, detail)
        said.headers.update(error.headers or {})
        return said

    def on_validation(request: Request, error: Any) -> Response:
        is_page = not find_path(request).startswith("api/")
        if is_page and error.errors()[0]["loc"][0] == "path":
            return answer(request, 404, describe_missing(request))
        return answer(request, 422, describe_first(error))

    def on_ludus(request: Request, error: Any) -> Response:
        return answer(request, find_status(error), str(error))

    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(RequestValidationError, on_validation)
    app.add_exception_handler(LudusError, on_ludus)
    app.add_middleware(_LastResort, answer=answer)


def _lacks_slash(request: Request) -> bool:
    """Return whether a page is asked for without the slash at the end of its address."""
    path = find_path(request)
    last = path.rpartition("/")[2]
    word = last.replace("-", "").replace("_", "")
    return request.method == "GET" and word.isalnum() and not path.startswith("api/")


class _LastResort:
    """Answers what nobody foresaw with one line; the log has the rest."""

    def __init__(self, app: ASGIApp, answer: Callable[[Request, int, str], Response]) -> None:
        self._app, self._answer = app, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        except Exception:
            logger.exception("cannot answer %s", one_line(scope.get("path", "")))
            if started or scope["type"] != "http":
                raise
            detail = "something is wrong here; the server's log says what"
            await self._answer(Request(scope), 500, detail)(scope, receive, send)


def find_status(error: LudusError) -> int:
    """Return the status that says whose fault an error is."""
    return next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 422)


def describe_missing(request: Request) -> str:
    """Return that an address leads nowhere, as one line."""
    path = find_path(request)
    return f"there is nothing at {f'/{path}'!r:.100}: the link may be old, or mistyped"


def describe_first(error: RequestValidationError) -> str:
    """Return what is wrong with a request, as one line."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}"
