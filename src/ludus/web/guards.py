"""What stands before every page: headers that browsers obey, and limits of what may be sent."""

from __future__ import annotations

import re
from collections import OrderedDict
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.foreign_files import ENTRY_BYTES
from ludus.web.problems import TooLarge

__all__ = ["BodyLimit", "Prefix", "RateLimit", "SecurityHeaders"]

MOST_BYTES = 64 * 1024
MOST_UPLOAD = ENTRY_BYTES + MOST_BYTES
UPLOADS = re.compile(r".*/events/[^/]+/(submit/|submissions)")
"""The addresses that take archives of agents."""
MOST_CLIENTS = 10_000

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
EMBEDDABLE = "/embed/"


def _encode_headers(ancestors: str) -> list[tuple[bytes, bytes]]:
    named = {"Content-Security-Policy": POLICY.format(ancestors=ancestors), **HEADERS}
    return [(name.lower().encode(), value.encode()) for name, value in named.items()]


GUARDS, GUARDS_EMBEDDED = _encode_headers("'self'"), _encode_headers("*")


class SecurityHeaders:
    """Adds the headers that keep scripts of others out of pages.

    Args:
        app: What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers added."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        embedded = str(scope["path"]).endswith(EMBEDDABLE)
        added = GUARDS_EMBEDDED if embedded else GUARDS

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._app(scope, receive, send_guarded)


class BodyLimit:
    """Refuses bodies that are too large, before they are read to their end.

    Args:
        app: What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as long as the body is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = MOST_UPLOAD if UPLOADS.fullmatch(str(scope["path"])) else MOST_BYTES
        received = 0

        async def receive_some() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                raise TooLarge(f"the body has more than {most:,} bytes: send less")
            return message

        await self._app(scope, receive_some, send)


class Prefix:
    """Tells pages the path below which they are shown; a proxy may cut it off, or not.

    Args:
        app: What answers.
        prefix: The path, such as ``/arena``; empty for none.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app, self._prefix = app, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer below the prefix."""
        if self._prefix and scope["type"] == "http":
            path = str(scope["path"])
            cut = not f"{path}/".startswith(f"{self._prefix}/")
            path = self._prefix + path if cut else path
            scope = {**scope, "root_path": self._prefix, "path": path}
        await self._app(scope, receive, send)


class RateLimit:
    """Counts what each client does, and says when it is too much.

    A client has so many tokens; each request takes one, and they come back in time. What is known
    of clients is in memory alone.

    Args:
        tokens: How many requests may come at once.
        seconds: How long it takes until all tokens are back.
    """

    def __init__(self, tokens: int, seconds: float) -> None:
        self._tokens, self._rate = tokens, tokens / seconds
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Return whether a client may do something now, and count it."""
        now = monotonic()
        left, since = self._clients.pop(client, (float(self._tokens), now))
        left = min(self._tokens, left + (now - since) * self._rate)
        allowed = left >= 1
        self._clients[client] = (left - allowed, now)
        if len(self._clients) > MOST_CLIENTS:
            self._clients.popitem(last=False)
        return allowed
