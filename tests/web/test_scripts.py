"""The pages' scripts in a real browser, under the content security policy that pages have."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.native.building import ROOT, require

from ludus.games.platformer import Level, replay
from ludus.games.platformer.generators import generate
from ludus.games.platformer.scenario import level_to_dict

STATIC = ROOT / "src/ludus/web/static"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'"
)
HOSTILE = "<img src=x onerror=alert(1)>"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,">
<script type="module" src="static/replay.js"></script>
<script type="module" src="static/play.js"></script>
<script type="module" src="static/levels.js"></script></head>
<body><section id="replay" data-source="{replay}"></section>
<section id="play" data-source="round.json" data-plays=""></section>
<section id="levels" data-play="play.html"></section></body></html>
"""


class Handler(SimpleHTTPRequestHandler):
    """Serves files as a page's server does."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing."""


def make_round(level: Level, actions: bytes, digest: str | None = None) -> dict[str, Any]:
    """Return a round as ``docs/web.md`` describes it, with one hostile name."""
    world = replay(level, actions, 0, 40)
    track = {
        "agent": HOSTILE,
        "actions": base64.b64encode(actions).decode(),
        "ticks": len(actions),
        "digest": digest or f"{world.hash():016x}",
        "result": {"status": world.status},
        "link": "",
    }
    return {
        "name": HOSTILE, "source": "", "rules": level.rules, "rules_version": 1,
        "level": level_to_dict(level), "mode": 0, "time_limit": 40, "tracks": [track],
    }  # fmt: skip


def write_site(folder: Path) -> None:
    """Write a page of an honest replay, and one of a forged digest."""
    level = generate("tunable-2010", seed=3, creatures="")
    short = Level.parse("M----F\nXXXXXX")
    rounds = {
        "honest": [make_round(level, bytes([10] * 20)), make_round(short, bytes([2] * 4))],
        "forged": [make_round(short, bytes([2] * 4), "0" * 16)],
    }
    for name, listed in rounds.items():
        document = {"format": 1, "game": "platformer", "title": name, "rounds": listed}
        (folder / f"{name}.json").write_text(json.dumps(document))
        (folder / f"{name}.html").write_text(PAGE.format(replay=f"{name}.json"))
    (folder / "round.json").write_text(json.dumps(rounds["honest"][0]))
    (folder / "static").symlink_to(STATIC)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a folder of pages."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def open_page(address: str, folder: Path) -> tuple[str, str]:
    """Return the page as it is after its scripts have run, and what the browser complained of."""
    require("chromium")
    done = subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={folder}", "--enable-logging=stderr", "--virtual-time-budget=10000",
            "--dump-dom", address,
        ],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return done.stdout, "\n".join(complaints)


def test_scripts_fill_their_elements(site: str, tmp_path: Path) -> None:
    page, complaints = open_page(f"{site}/honest.html", tmp_path)
    assert not complaints
    assert re.search(r"(20|4) ticks replayed here in [\d.]+ ms; the digest equals the stored", page)
    assert "Press a button to start" in page
    assert re.search(r"creatures <b>\d+</b>", page)
    assert 'role="alert" hidden' in page.replace('hidden=""', "hidden")
    assert HOSTILE not in page
    assert HOSTILE.replace("<", "&lt;").replace(">", "&gt;") in page


def test_a_forged_digest_is_told(site: str, tmp_path: Path) -> None:
    page, complaints = open_page(f"{site}/forged.html", tmp_path)
    assert not complaints
    assert "is NOT the stored one" in page
    assert "the digest equals" not in page
