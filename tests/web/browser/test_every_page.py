"""Every kind of page in Chromium: nothing complains, and everybody can use it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from tests.web.browser.conftest import CUP, OpenArena

WIDTHS = {"phone": (360, 740), "desktop": (1280, 800)}
AXE = Axe().axe_script
GRAVE = ("serious", "critical")
CONTRAST = {"runOnly": ["color-contrast"]}
"""All that differs between light and dark."""
NAMES = (
    (re.compile(r"^/boards/.+/history/$"), "a history"),
    (re.compile(r"^/boards/[^/]+/[^/]+/[^/]+/entries/.+"), "an entry"),
    (re.compile(r"^/boards/[^/]+/[^/]+/([^/]+/)?"), "a board"),
    (re.compile(r"^/runs/[^/]+/episodes/.+"), "a replay"),
    (re.compile(r"^/runs/[^/]+/"), "a run"),
    (re.compile(r"^/play/(levels|days)/.+"), "a level to play"),
    (re.compile(r"^/jobs/.+"), "a job"),
)
FILES = re.compile(r"^/(api|pictures|static)/|/picture$|\.[a-z]+$")


def visit_all(page: Page, arena: OpenArena) -> Iterator[str]:
    """Open one page of each kind that links lead to, and those that are special; yield paths."""
    played = arena.played
    waiting = [
        "/",
        f"/events/{CUP}/submit/",
        f"/runs/{arena.waiting}/",
        *(f"/runs/{run}/episodes/0/" for run in (played.bundled, played.worm, played.diplomacy)),
        f"/runs/{played.bundled}/episodes/0/embed/",
        "/play/?generator=ludus&seed=7",
        "/generation/",
        "/generation/board/",
        "/diplomacy/",
    ]
    seen, kinds = set[str](), set[str]()
    while waiting:
        path = waiting.pop(0)
        seen.add(path)
        page.goto(path, wait_until="load")
        page.wait_for_function("!document.querySelector('#replay:empty, #play:empty')")
        yield path
        for link in page.eval_on_selector_all("a[href]", "all => all.map((one) => one.href)"):
            target = urlsplit(urljoin(page.url, link)).path
            kind = find_kind(target)
            if target not in seen and kind not in kinds and not FILES.search(target):
                kinds.add(kind)
                waiting.append(target)


def find_kind(path: str) -> str:
    return next((name for pattern, name in NAMES if pattern.match(path)), path)


def find_grave(page: Page) -> Iterator[str]:
    """Yield what axe finds on a page, in light and in dark, that keeps somebody from using it."""
    page.emulate_media(color_scheme="light")
    page.evaluate(AXE)
    yield from _run_axe(page, {})
    page.emulate_media(color_scheme="dark")
    yield from _run_axe(page, CONTRAST)


def _run_axe(page: Page, options: dict[str, list[str]]) -> Iterator[str]:
    wanted = {"resultTypes": ["violations"], **options}
    for one in page.evaluate("(options) => axe.run(options)", wanted)["violations"]:
        if one["impact"] in GRAVE:
            first, count = one["nodes"][0]["html"][:120], len(one["nodes"])
            yield f"{page.url} {one['id']}: {first} ({count})"


def test_every_page_can_be_used_by_everybody(page: Page, arena: OpenArena) -> None:
    found, paths = list[str](), list[str]()
    for path in visit_all(page, arena):
        paths.append(path)
        for name, (width, height) in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{path} is wider than a {name}")
        found += find_grave(page)
    assert not found, "\n".join(found)
    assert {"/", "/boards/", "/play/", "/levels/", "/events/", "/runs/", "/turing/"} < set(paths)
