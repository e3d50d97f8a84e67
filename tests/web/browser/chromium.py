"""Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Route, sync_playwright
from tests.native.building import require
from tests.web.engine.node import HERE, STATIC

__all__ = ["EngineTab", "open_chromium"]

ORIGIN = "http://engine.test"
BLANK = '<!doctype html><html lang="en"><title>The engines</title></html>'
START = f"""async () => {{
  const {{ makeAnswers }} = await import("{ORIGIN}/answers.mjs");
  const folder = "{ORIGIN}/static/engine";
  const read = async (name) => (await fetch(`${{folder}}/${{name}}`));
  const module = new Uint8Array(await (await read("ludus.wasm")).arrayBuffer());
  window.answers = await makeAnswers(folder, module, await (await read("art.json")).json());
}}"""


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """Yield a browser; whoever asks for it must not be in a running event loop."""
    require("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        yield browser
        browser.close()


class EngineTab:
    """A page of Chromium that holds the engines and answers what node does."""

    def __init__(self, browser: Browser) -> None:
        self._page = browser.new_page()
        self._page.route(f"{ORIGIN}/**", _serve)
        self._page.goto(f"{ORIGIN}/")
        self._page.evaluate(START)

    def ask(self, question: str, **values: Any) -> Any:
        """Return the answer to one question."""
        return self._page.evaluate("([name, values]) => answers[name](values)", [question, values])

    def close(self) -> None:
        """Close the page."""
        self._page.close()


def _serve(route: Route) -> None:
    """Answer with a file: the scripts of the pages, and those of the tests."""
    path = urlsplit(route.request.url).path
    if path == "/":
        route.fulfill(body=BLANK, content_type="text/html")
    else:
        route.fulfill(path=_find_file(path))


def _find_file(path: str) -> Path:
    inside = path.removeprefix("/static/")
    return STATIC / inside if inside != path else HERE / path.removeprefix("/")
