"""Scripts, styles and pictures of the pages: read once, and answered before any page is sought."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

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
        tags = _read_tags(scope)
        known = new.headers["etag"].encode() in tags or b"*" in tags
        answer = unchanged if known else new
        await answer(scope, receive, send)


@cache
def _read_answers() -> dict[str, tuple[Response, Response]]:
    return {path: _make_answers(path, body) for path, body in read_static_files()}


def _make_answers(path: str, body: bytes) -> tuple[Response, Response]:
    """Return the answer to who has not got a file, and to who has."""
    suffix = Path(path).suffix
    kind = KINDS.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": CACHING}
    return Response(body, media_type=kind, headers=headers), Response(None, 304, headers)


def _read_tags(scope: Scope) -> list[bytes]:
    """Return the tags of what a browser has got."""
    sent = next((value for name, value in scope["headers"] if name == b"if-none-match"), b"")
    return [tag.strip().removeprefix(b"W/") for tag in bytes(sent).split(b",")]
