"""A folder of pages for any web host: every page that a link leads to, written as a file."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from fastapi import FastAPI

from ludus.api.serving import PublishedSite
from ludus.api.settings import open_store
from ludus.errors import OptionError, StoreError
from ludus.json_files import NotJson, read_json
from ludus.runs import Store
from ludus.web.app import create_app
from ludus.web.settings import Settings
from ludus.web.static_files import read_static_files

__all__ = ["get_page", "write_site"]

MANIFEST = "ludus-site.json"
INDEX = "index.html"
SAFE = re.compile(r"[A-Za-z0-9_.@-]+(/[A-Za-z0-9_.@-]+)*")
HTML = "text/html"
LINKS = ("href", "src", "data-source", "data-race")


def write_site(
    folder: Path,
    *,
    store: str | Store | None,
    day: date | None,
    on_page: Callable[[str], None] | None,
) -> PublishedSite:
    """Write a store's pages; :func:`ludus.publish` says what the arguments are."""
    old = _read_manifest(folder)
    today = Settings().today() if day is None else day
    with open_store(store) as database:
        app = create_app(database, Settings(live=False, today=lambda: today))
        pages = asyncio.run(_collect(app, on_page or _ignore))
    files = {**pages, **dict(read_static_files())}
    try:
        _write(folder, files, old)
    except OSError as error:
        raise OptionError(f"cannot write {str(folder)!r}: {error.strerror or error}") from error
    return PublishedSite(folder, tuple(sorted(files)), sum(map(len, files.values())))


def _ignore(_: str) -> None:
    return


def _read_manifest(folder: Path) -> list[str]:
    """Return the files of an earlier time.

    Raises:
        OptionError: The folder holds something else.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return []
    try:
        values = read_json(folder / MANIFEST)
        files = [str(name) for name in values["files"]]
    except (NotJson, KeyError, TypeError):
        raise OptionError(
            f"{str(folder)!r} holds something else than a published arena: name a new folder"
        ) from None
    return [name for name in files if SAFE.fullmatch(name) and ".." not in name.split("/")]


def _write(folder: Path, files: dict[str, bytes], old: list[str]) -> None:
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    for name in set(old) - set(files):
        (folder / name).unlink(missing_ok=True)
    listed = json.dumps({"ludus": "site", "files": sorted(files)}, indent=1)
    (folder / MANIFEST).write_text(f"{listed}\n", encoding="utf-8")


async def _collect(app: FastAPI, on_page: Callable[[str], None]) -> dict[str, bytes]:
    """Return all pages by their files: the first one, and all that links lead to."""
    found: dict[str, bytes] = {}
    waiting, known = [""], {""}
    while waiting:
        path = waiting.pop()
        on_page(path)
        kind, content = await get_page(app, f"/{path}")
        found[path + INDEX if path.endswith("/") or not path else path] = content
        for target in _find_links(path, content) if kind.startswith(HTML) else ():
            if target not in known:
                known.add(target)
                waiting.append(target)
    return found


def _find_links(page: str, content: bytes) -> Iterator[str]:
    """Yield the pages that a page leads to, as paths; static files are copied as they are."""
    reader = _LinkReader()
    reader.feed(content.decode("utf-8"))
    for link in reader.links:
        address = urlsplit(urljoin(f"//arena/{page}", link))
        path = address.path.removeprefix("/")
        if address.netloc == "arena" and not address.query and not path.startswith("static/"):
            yield path


class _LinkReader(HTMLParser):
    """Collects the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in the links of an element."""
        self.links += [value for name, value in attrs if name in LINKS and value]


async def get_page(app: FastAPI, path: str) -> tuple[str, bytes]:
    """Return kind and content of a page, as a browser would get it.

    Raises:
        StoreError: The page is not to be had, though a link leads to it.
    """
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("ascii"),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"arena")],
        "server": ("arena", 80),
        "client": ("127.0.0.1", 0),
    }
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    status, headers = sent[0]["status"], dict(sent[0]["headers"])
    if status != 200 or not SAFE.fullmatch(f"{path}{INDEX}"[1:]):
        raise StoreError(f"the page {path!r:.100} cannot be written: the answer is {status}")
    kind = headers.get(b"content-type", b"").decode("ascii")
    return kind, b"".join(message.get("body", b"") for message in sent[1:])
