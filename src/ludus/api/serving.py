"""``ludus.serve`` and ``ludus.publish``: results in a browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ludus.benchmarks.family import import_attribute
from ludus.distribution import install_command
from ludus.errors import MissingExtra
from ludus.runs import Store

__all__ = ["LOOPBACK", "PORT", "PublishedSite", "publish", "serve"]

LOOPBACK = "127.0.0.1"
PORT = 8017


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """A folder of pages.

    Attributes:
        folder: Where it is.
        files: The paths of all files below it, sorted.
        bytes: How large they are together.
    """

    folder: Path
    files: tuple[str, ...]
    bytes: int


def serve(
    store: str | Store | None = None,
    *,
    host: str = LOOPBACK,
    port: int = PORT,
    prefix: str = "",
    submissions: bool = False,
    trainings: str | Path | None = None,
    open_browser: bool = False,
    page: str = "",
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the boards, replays and levels of a store until somebody stops it.

    Args:
        store: Where the results are; the user's own store if None.
        host: The address to listen at; other machines reach it only if it is not the loopback.
        port: The port; 0 for any that is free.
        prefix: The path below which a proxy shows the pages, such as ``/arena``.
        submissions: Whether accounts may submit agents to events; workers play them.
        trainings: A folder of trainings whose learning curves are shown while they grow.
        open_browser: Whether to open a page; a line on stderr says if there is no browser.
        page: The page to open, such as ``play/?level=1-1``; the first one if empty.
        on_ready: Called with the address of the first page before it answers.

    Raises:
        MissingExtra: The extra ``web`` is not installed.
        AgentError: Submissions are asked for, and this system has no sandbox.
        OptionError: Port or prefix make no sense, or the port is taken.
        StoreError: The store cannot be opened.
    """
    _load_web("serving:run_server")(
        store,
        host=host,
        port=port,
        prefix=prefix,
        submissions=submissions,
        trainings=trainings,
        open_browser=open_browser,
        page=page,
        on_ready=on_ready,
    )


def publish(
    folder: str | Path,
    *,
    store: str | Store | None = None,
    day: date | None = None,
    on_page: Callable[[str], None] | None = None,
) -> PublishedSite:
    """Write boards, entries, replays and levels of a store as a folder of pages.

    Any web host can show the folder, at any path: all links are relative. Pages of an earlier time
    that are not there any more are removed; a folder of something else is left as it is.

    Args:
        folder: Where the pages go; it is created.
        store: Where the results are; the user's own store if None.
        day: Whose level is the level of the day; today's if None.
        on_page: Called with the address of every page.

    Raises:
        MissingExtra: The extra ``web`` is not installed.
        OptionError: The folder holds something else, or cannot be written.
        StoreError: The store cannot be opened.
    """
    site: PublishedSite = _load_web("publishing:write_site")(
        Path(folder), store=store, day=day, on_page=on_page
    )
    return site


def _load_web(name: str) -> Any:
    """Import a function of the pages, which are an extra.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_attribute(f"ludus.web.{name}")
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"{error.name} is not installed; the pages need it: {install_command('web')}"
        ) from None
