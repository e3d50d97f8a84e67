"""What visitors do in a browser: play, watch, vote, submit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect
from tests.events.conftest import RUNNER
from tests.submissions.conftest import make_zip
from tests.submissions.test_worker import HOSTILE
from tests.web.browser.conftest import CUP, PATIENCE, OpenArena, watch
from tests.web.browser.test_every_page import find_grave
from tests.web.conftest import DAY, walk_right
from tests.web.conftest import HOSTILE as HOSTILE_NAME

import ludus
from ludus.api.level_sources import day_source
from ludus.api.voting import export_votes
from ludus.benchmarks.platformer.daily import seed_of_day
from ludus.events.organising import close_event
from ludus.submissions import list_jobs

EASY = "/play/?generator=ludus&seed=5&length=60&gaps=0&creatures=0&difficulty=0"
ENDING = re.compile("^You (won|lost|ran)")
HURRY = """{
  const real = requestAnimationFrame;
  window.requestAnimationFrame = (paint) => real((now) => paint(8 * now));
}"""
"""Lets a page's clock run eight times as fast."""
GAMEPAD = """{
  window.gamepad = { axes: [0, 0], buttons: [] };
  navigator.getGamepads = () => [null, window.gamepad];
}"""
"""A gamepad of which a test presses the buttons."""
MARGIN = 8
PHONE: dict[str, Any] = {"is_mobile": True, "viewport": {"width": 360, "height": 740}}
SCENARIO = day_source(DAY).scenario
WALKED = walk_right(SCENARIO.level, SCENARIO.mode, SCENARIO.time_limit)[1]
"""The digest after walking right on the day's level until it is over."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def hurried(page: Page) -> Page:
    """A small page on which games are short."""
    page.add_init_script(HURRY)
    page.set_viewport_size({"width": 400, "height": 500})
    return page


# ---- play and watch


def test_a_level_is_won_with_keys_and_the_server_agrees(page: Page) -> None:
    page.goto(EASY)
    expect(page.get_by_text("Press a button to start")).to_be_visible()
    page.keyboard.down("ArrowRight")
    page.keyboard.down("a")
    ending = page.get_by_text(ENDING)
    while not ending.is_visible():
        page.keyboard.press("s", delay=300)
    expect(ending).to_contain_text("You won")
    assert send_play(page, "Ann").status == 201
    expect(page.get_by_text("Played again by the server: it agrees.")).to_be_visible()


def test_a_play_of_the_day_comes_on_its_board(hurried: Page, arena: OpenArena) -> None:
    page = hurried
    page.goto(f"/play/days/{DAY}/")
    expect(page.get_by_text("Press a button to start")).to_be_visible()
    page.keyboard.down("ArrowRight")
    expect(page.get_by_text(ENDING)).to_contain_text("Place")
    page.keyboard.up("ArrowRight")
    assert send_play(page, "Bea").json()["kept"]
    expect(page.get_by_text(re.compile(r"it agrees, rank \d"))).to_be_visible()
    found = ludus.board("platformer/daily", seed=seed_of_day(DAY), store=arena.store).to_dicts()
    assert "Bea (human)" in [row["agent"] for row in found]
    page.goto(f"/boards/platformer/daily/seed-{seed_of_day(DAY)}/")
    expect(page.get_by_role("link", name="Bea (human)")).to_be_visible()


def test_a_touch_pad_and_a_gamepad_play_as_keys_do(browser: Browser, arena: OpenArena) -> None:
    context = browser.new_context(base_url=arena.address, has_touch=True, **PHONE)
    page = context.new_page()
    complaints = watch(page)
    page.add_init_script(HURRY + GAMEPAD)
    page.goto(f"/play/days/{DAY}/")
    right = page.get_by_role("button", name="Right").bounding_box()
    assert right
    finger = [{"x": right["x"] + right["width"] / 2, "y": right["y"] + right["height"] / 2}]
    screen = context.new_cdp_session(page)
    screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": finger})
    expect(page.get_by_text(ENDING)).to_be_visible()
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert send_play(page, "Tom").json()["digest"] == WALKED
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("Press a button to start")).to_be_visible()
    page.evaluate("gamepad.buttons[15] = { pressed: true }")
    expect(page.get_by_text(ENDING)).to_be_visible()
    assert send_play(page, "Gil").json()["digest"] == WALKED
    context.close()
    assert not complaints


def send_play(page: Page, name: str) -> Response:
    page.get_by_label("Name").fill(name)
    with page.expect_response("**/api/v1/plays") as answer:
        page.get_by_role("button", name="Send my play").click()
    return answer.value


@pytest.mark.parametrize(
    ("which", "words"),
    [
        ("bundled", "verified in your browser: the digest equals the stored one"),
        ("arena", "verified in your browser: the digest equals the stored one"),
        ("worm", "verified in your browser: the digest equals the stored one"),
        ("diplomacy", "the digest of the last position equals the stored one"),
    ],
)
def test_a_replay_is_verified_in_the_browser(
    page: Page, arena: OpenArena, which: str, words: str
) -> None:
    run = getattr(arena.played, which)
    page.goto(f"/runs/{run}/episodes/0/?t=1")
    expect(page.get_by_text(words)).to_be_visible()
    facts = arena.store.episodes(run, [0])[0].episode.facts
    expect(page.locator("main")).to_contain_text(str(facts.get("state", "")))
    if which == "bundled":
        expect(page.get_by_role("listitem").filter(has_text=HOSTILE_NAME)).to_be_visible()


def test_a_replay_runs_in_a_frame_of_another_site(
    page: Page, arena: OpenArena, tmp_path: Path
) -> None:
    address = f"{arena.address}/runs/{arena.played.bundled}/episodes/0/embed/"
    frame = f'<iframe src="{address}" width="600" height="500"></iframe>'
    (tmp_path / "index.html").write_text(f'<link rel="icon" href="data:,">{frame}')
    with serve_folder(tmp_path) as other:
        page.goto(other)
        inside = page.frame_locator("iframe")
        expect(inside.get_by_text("the digest equals the stored one")).to_be_visible()


def test_a_forged_digest_is_shown(page: Page, arena: OpenArena) -> None:
    stored = str(arena.store.episodes(arena.played.bundled, [0])[0].episode.facts["state"])
    page.route(
        "**/replay.json",
        lambda route: route.fulfill(body=route.fetch().text().replace(stored, "0" * 16)),
    )
    page.goto(f"/runs/{arena.played.bundled}/episodes/0/")
    expect(page.get_by_text("is NOT the stored one")).to_be_visible()
    expect(page.get_by_text("the digest equals")).to_have_count(0)


def test_the_lab_turns_knobs(page: Page) -> None:
    page.goto("/levels/")
    measures = page.get_by_role("listitem").filter(has_text=re.compile("^(creatures|coins|jumps)"))
    before = measures.all_inner_texts()
    page.get_by_role("button", name="Surprise me").click()
    assert measures.all_inner_texts() != before


def test_a_visitor_gives_orders_to_a_power(page: Page) -> None:
    page.goto("/diplomacy/")
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("Order for Paris").select_option("A PAR - BUR")
    page.get_by_role("button", name="Give these orders").click()
    expect(page.get_by_role("heading", name="Fall 1901")).to_be_visible()
    expect(page.get_by_label("Order for Burgundy")).to_be_visible()
    assert not list(find_grave(page))


# ---- vote


def test_a_visitor_judges_clips(page: Page, arena: OpenArena, tmp_path: Path) -> None:
    page.goto("/turing/")
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Begin").click()
    pairs = 0
    expect(page.get_by_text(re.compile(r"^Clips \d+ and"))).to_be_visible()
    page.set_viewport_size(PHONE["viewport"])
    for card in page.locator(".vote .clip").all():
        box = card.bounding_box()
        assert box
        assert box["x"] >= MARGIN
        assert box["x"] + box["width"] <= PHONE["viewport"]["width"] - MARGIN
    assert not list(find_grave(page))
    while (
        page.get_by_text(re.compile(r"^(Clips \d+ and|You were right)")).first.inner_text()[0]
        == "C"
    ):
        progress = page.get_by_text(re.compile(r"^Clips \d+ and")).inner_text()
        for label in ("Human", "Machine"):
            page.get_by_label(label).nth(int(label == "Machine")).check()
        page.get_by_label("Player A", exact=True).last.check()
        page.get_by_role("button", name="Vote").click()
        expect(page.get_by_text(progress)).to_have_count(0)
        pairs += 1
    assert not list(find_grave(page))
    expect(page.get_by_text(re.compile("You were right in"))).to_be_visible()
    assert export_votes("turing", tmp_path / "v", store=arena.store) == 3 * pairs
    page.goto("/turing/board/")
    expect(page.get_by_role("rowheader", name="Ann")).to_be_visible()


def test_a_visitor_plays_and_prefers_a_level(
    hurried: Page, arena: OpenArena, tmp_path: Path
) -> None:
    page = hurried
    page.goto("/generation/")
    page.get_by_label("I agree").check()
    page.get_by_role("button", name="Begin").click()
    for kind in ("level", "level", "level", "vote", "level", "level", "vote"):
        play_lives(page) if kind == "level" else prefer(page)
    expect(page.get_by_text("Level A was made by")).to_be_visible()
    assert export_votes("levels", tmp_path / "v", store=arena.store) == 2
    page.goto("/generation/board/")
    expect(page.get_by_role("rowheader", name="hopper")).to_be_visible()


def play_lives(page: Page) -> None:
    """Hold the arrow until all lives of a level are over, or one is enough."""
    expect(page.get_by_text("Press a button to start")).to_be_visible()
    enough = page.get_by_role("button", name=re.compile("^(Go on|Enough of this level)$"))
    following = page.get_by_role("button", name="Next life")
    page.keyboard.down("ArrowRight")
    while True:
        expect(enough.or_(following).first).to_be_visible()
        if enough.is_visible():
            break
        following.click()
    page.keyboard.up("ArrowRight")
    progress = page.get_by_text(re.compile(r"step \d of 7")).inner_text()
    enough.click()
    expect(page.get_by_text(progress)).to_have_count(0)


def prefer(page: Page) -> None:
    assert not list(find_grave(page))
    page.get_by_label("Level A").check()
    page.get_by_role("button", name="Vote").click()
    expect(page.get_by_text("Which level was more fun?")).to_have_count(0)


# ---- submit


def test_submissions_are_run_and_placed_and_a_hostile_one_is_contained(
    page: Page, arena: OpenArena
) -> None:
    submit(page, arena.token, RUNNER, "Robin")
    expect(page.get_by_text("It is received")).to_be_visible()
    mine = page.url
    submit(page, ludus.add_account("Eve", "submitter", store=arena.store).token, HOSTILE, "Eve")
    ludus.work(once=True, workers=1, store=arena.store)
    expect(page.get_by_text("It is scored")).to_be_visible()  # the page has followed it
    log = page.get_by_role("region", name="Log").last
    expect(log).to_contain_text("Permission denied")
    expect(log).to_contain_text(r"| hello <b>\x1b[2J")
    assert page.request.get(mine).status == 403  # Eve asks for what is Robin's
    jobs = {job.entrant: job for job in list_jobs(arena.store)}
    assert {name: str(job.state) for name, job in jobs.items()} == {
        "Robin": "scored", "Eve": "scored",
    }  # fmt: skip
    close_event(CUP, arena.store, by="Olga")
    ludus.work(once=True, workers=1, store=arena.store)
    page.goto(f"/events/{CUP}/")
    assert not list(find_grave(page))
    results = page.get_by_role("region", name="Results").last.get_by_role("row")
    expect(results.nth(1)).to_contain_text("Robin")
    expect(results.nth(2)).to_contain_text("Eve")


def submit(page: Page, token: str, text: str, name: str) -> None:
    """Log in, and send an archive."""
    page.goto(f"/events/{CUP}/submit/")
    if page.get_by_role("button", name="Log out").is_visible():
        page.get_by_role("button", name="Log out").click()
        page.goto(f"/events/{CUP}/submit/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text(f"You are {name}")).to_be_visible()
    page.set_viewport_size(PHONE["viewport"])
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    archive = make_zip({"agent.py": text})
    page.get_by_label("Your agent's folder").set_input_files(
        {"name": "mine.zip", "mimeType": "application/zip", "buffer": archive}
    )
    page.get_by_label("The agent in it").fill("agent.py:Runner")
    page.get_by_label("Its score").fill("1")
    assert not list(find_grave(page))
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/jobs/*/")


# ---- publish


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Say nothing."""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Yield the address of a plain server of files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def site(arena: OpenArena, tmp_path: Path) -> Iterator[str]:
    """The address of a published folder, below a path, on a plain server of files."""
    folder = tmp_path / "lab" / "site"
    with ThreadPoolExecutor() as pool:  # the browser's event loop is in this thread
        pool.submit(ludus.publish, folder, store=arena.store, day=DAY).result()
    with serve_folder(tmp_path) as address:
        yield f"{address}lab/site/"


def test_a_published_folder_is_a_site(page: Page, site: str, arena: OpenArena) -> None:
    page.goto(site)
    page.get_by_role("link", name="Boards").first.click()
    page.get_by_role("link", name="platformer/bundled").click()
    page.get_by_role("link", name="forward-jumping").click()
    page.locator(".strip a").first.click()
    expect(page.get_by_text(re.compile("the digest equals the stored"))).to_be_visible()
    page.goto(f"{site}levels/")
    expect(page.get_by_role("button", name="Surprise me")).to_be_visible()
    page.goto(f"{site}play/days/{DAY}/")
    expect(page.get_by_text("Press a button to start")).to_be_visible()
    page.goto(f"{site}turing/")
    expect(page.get_by_text("Votes need a server")).to_be_visible()
