"""Scripts, styles and pictures of the pages: read once, and answered before any page is sought."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ludus.web.etags import is_known, make_tag
from ludus.web.pages import find_path

__all__ = ["StaticFiles", "read_static_files"]

FOLDER = Path(__file__).parent / "static"
PREFIX = "static/"
KINDS = {".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml"}
"""Kinds of files that systems name differently."""
CACHING = "no-cache"
"""Browsers keep files and ask each time whether they are the same, so scripts fit each other."""


def read_static_files() -> Iterator[tuple[str, bytes]]:
    """Yield paths below the arena's own, and what is there."""
    for file in sorted(FOLDER.rglob("*")):
        if file.is_file():
            yield PREFIX + file.relative_to(FOLDER).as_posix(), file.read_bytes()


class StaticFiles:
    """Answers with files that do not change while the arena is served.

    Args:
        app: What answers everything else.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._files = app, _read_answers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file, or let the app answer."""
        answers = None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            answers = self._files.get(find_path(Request(scope)))
        if answers is None:
            await self._app(scope, receive, send)
            return
        new, unchanged = answers
        answer = unchanged if is_known(new.headers["etag"], scope) else new
        await answer(scope, receive, send)


@cache
def _read_answers() -> dict[str, tuple[Response, Response]]:
    return {path: _make_answers(path, body) for path, body in read_static_files()}


def _make_answers(path: str, body: bytes) -> tuple[Response, Response]:
    """Return the answer to who has not got a file, and to who has."""
    suffix = Path(path).suffix
    kind = KINDS.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {"ETag": make_tag(body), "Cache-Control": CACHING}
    return Response(body, media_type=kind, headers=headers), Response(None, 304, headers)
