"""Takes the pictures of the arena that the docs show, from an arena that is served.

    make serve &
    python scripts/take_screenshots.py http://localhost:8017 docs/pictures

Chromium draws every page as a visitor sees it; the colours are then reduced to keep files small.
"""

from __future__ import annotations

import shutil
import sys
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

DESKTOP, PHONE = (1280, 760), (360, 740)
WIDTH = 900
COLOURS = 256
ROUNDS = 4
"""How often colours are fitted again: without it, those of small things such as coins are lost."""
GAP = 12
BUNDLED = "boards/platformer/bundled/seed-0/"
PHONES = (("", "light"), (BUNDLED, "dark"), ("play/", "light"), ("turing/", "dark"))


class Shot(NamedTuple):
    """A picture: the page, who is clicked on its board and which cell then, and what is shown."""

    path: str
    agent: str = ""
    cell: int = 0
    query: str = ""
    scheme: str = "light"


SHOTS = {
    "arena": Shot(""),
    "arena-board": Shot(BUNDLED),
    "arena-replay": Shot(BUNDLED, "astar", 4, "?t=50&show=enemies.plan.ghosts", "dark"),
    "arena-worm": Shot("boards/worm/foraging-small/seed-0/", "gradient", 0, "?t=80", "dark"),
    "arena-diplomacy": Shot("boards/diplomacy/table/seed-0/", "dumb", 0, "?t=6"),
}


def open_page(browser: Browser, address: str, shot: Shot, size: tuple[int, int]) -> Page:
    """Open the page of a shot, on a screen of its own."""
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.scheme == "dark" else "light",
        base_url=f"{address}/",
        is_mobile=size == PHONE,
        has_touch=size == PHONE,
    )
    page.goto(shot.path)
    if shot.agent:
        page.get_by_role("link", name=shot.agent, exact=True).first.click()
        page.locator(".strip a").nth(shot.cell).click()
        page.goto(page.url + shot.query)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1_500)  # the race on the first page has begun
    return page


def take(browser: Browser, address: str, shot: Shot, size: tuple[int, int]) -> Image.Image:
    """Return what a visitor sees first of a page."""
    page = open_page(browser, address, shot, size)
    picture = Image.open(BytesIO(page.screenshot()))
    page.close()
    return picture.convert("RGB")


def join(pictures: list[Image.Image]) -> Image.Image:
    """Return pictures side by side."""
    width = sum(picture.width + GAP for picture in pictures) - GAP
    joined = Image.new("RGB", (width, max(picture.height for picture in pictures)), "#888")
    left = 0
    for picture in pictures:
        joined.paste(picture, (left, 0))
        left += picture.width + GAP
    return joined


def save(picture: Image.Image, file: Path) -> None:
    """Save a picture, as wide as the docs and with few colours."""
    height = round(picture.height * WIDTH / picture.width)
    small = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
    few = small.quantize(COLOURS, Image.Quantize.MEDIANCUT, ROUNDS, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
    print(f"{file}: {file.stat().st_size:,} bytes")  # noqa: T201


def main() -> None:
    """Take all pictures."""
    address, folder = sys.argv[1].rstrip("/"), Path(sys.argv[2])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, shot in SHOTS.items():
            save(take(browser, address, shot, DESKTOP), folder / f"{name}.png")
        phones = [Shot(path, scheme=scheme) for path, scheme in PHONES]
        taken = [take(browser, address, shot, PHONE) for shot in phones]
        save(join(taken), folder / "arena-phones.png")
        browser.close()


if __name__ == "__main__":
    main()
