from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Browser, Page
from tests.submissions.conftest import CUP
from tests.web.browser.chromium import open_chromium
from tests.web.browser.serving import serve_app
from tests.web.conftest import TRACK, Played, furnish, settings

import ludus
from ludus.execution.plan import make_plan
from ludus.runs import Store
from ludus.web.app import create_app

PATIENCE = 60_000
"""Milliseconds that a loaded machine may take."""


@dataclass(frozen=True)
class OpenArena:
    """An arena on a port, with something on every page.

    Attributes:
        address: Where it is, without a slash at the end.
        store: What it shows.
        played: The runs.
        waiting: A run of which nothing is played.
        token: The token of Robin, who may submit.
    """

    address: str
    store: Store
    played: Played
    waiting: str
    token: str


@pytest.fixture(scope="package")
def arena(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenArena]:
    """A copy of the runs, with clips to judge, generators that compete, an event, a live run."""
    folder = tmp_path_factory.mktemp("browser")
    store = furnish(played, folder)
    waiting = store.add(make_plan(TRACK, ["random"], seed=7))
    token = ludus.add_account("Robin", "submitter", store=store).token
    app = create_app(store, replace(settings(), submissions=True))
    with serve_app(app) as address:
        yield OpenArena(address, store, played, waiting.id, token)
    store.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a file; its event loop is gone before others run theirs."""
    with open_chromium() as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, arena: OpenArena) -> Iterator[Page]:
    """A new visitor's page, whose console must stay empty."""
    context = browser.new_context(base_url=arena.address, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    complaints = watch(opened)
    yield opened
    context.close()
    assert not complaints


def watch(page: Page) -> list[str]:
    """Return a list that fills with whatever a page complains of."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda message: (
            complaints.append(f"{page.url}: {message.text}")
            if message.type in ("error", "warning")
            else None
        ),
    )
    return complaints


__all__ = ["CUP", "OpenArena", "watch"]
