"""The arena on a port of this machine."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from threading import Thread, Timer

import uvicorn

from ludus.api.serving import LOOPBACK
from ludus.api.settings import open_store, require_sandbox
from ludus.errors import OptionError
from ludus.runs import Store
from ludus.web.app import create_app
from ludus.web.settings import Settings, read_prefix
from ludus.web.warming import start_warming

__all__ = ["listen", "run_server"]

HIGHEST_PORT = 65_535
OPENING_SECONDS = 0.8
WAITING = 2048
"""So many visitors may wait for their connection."""

SILENT_SECONDS, WARMING_SECONDS = 2.0, 30.0
"""How long boards are read before that is said, and before visitors come all the same."""


def run_server(
    store: str | Store | None,
    *,
    host: str,
    port: int,
    prefix: str,
    submissions: bool,
    trainings: str | Path | None,
    open_browser: bool,
    page: str,
    on_ready: Callable[[str], None] | None,
) -> None:
    """Serve a store until somebody stops it; :func:`ludus.serve` says what the arguments are."""
    if not 0 <= port <= HIGHEST_PORT:
        raise OptionError(f"port {port} is out of range: give 0 to {HIGHEST_PORT}")
    if submissions:
        require_sandbox("submissions are code of others; 'ludus doctor' says what to install")
    settings = Settings(
        prefix=read_prefix(prefix),
        submissions=submissions,
        trainings=None if trainings is None else Path(trainings),
    )
    with open_store(store) as database:
        app = create_app(database, settings)
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level="warning",
            proxy_headers=True,
            server_header=False,
        )
        listener = listen(host, port)
        address = f"http://{_name(host)}:{listener.getsockname()[1]}{settings.prefix}/"
        _wait_until_warm(start_warming(app))
        if on_ready:
            on_ready(address)
        if open_browser:
            Timer(OPENING_SECONDS, _open_browser, [address + page]).start()
        uvicorn.Server(config).run(sockets=[listener])


def _wait_until_warm(warming: Thread) -> None:
    """Wait until the boards are read, so that the first visitor does not have to."""
    warming.join(SILENT_SECONDS)
    if warming.is_alive():
        print("reading the boards …", file=sys.stderr, flush=True)  # noqa: T201
        warming.join(WARMING_SECONDS)


def _open_browser(address: str) -> None:
    if not webbrowser.open(address):
        print(f"no browser could be opened here: visit {address}", file=sys.stderr)  # noqa: T201


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address.

    Raises:
        OptionError: It is taken, or none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once only where the protocol is named: others wait 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        reason = error.strerror or error
        raise OptionError(
            f"cannot listen at {host}:{port} ({reason}): try another --port"
        ) from error
    return listener


def _name(host: str) -> str:
    return f"[{host}]" if ":" in host else "localhost" if host == LOOPBACK else host
