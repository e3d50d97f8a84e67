"""Every page of an arena that was really played."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from fastapi.testclient import TestClient
from tests.web.conftest import HOSTILE, Played, settings

from ludus.boards import BoardEntry, board
from ludus.boards.entry import BoardKey
from ludus.boards.ledger import LedgerDraft, LedgerEventKind, append_events
from ludus.games.platformer import replay
from ludus.games.platformer.scenario import read_level
from ludus.runs import Store
from ludus.web.addresses import entry_path, key_word
from ludus.web.app import create_app
from ludus.web.charts import draw_brackets, draw_spread
from ludus.web.settings import read_prefix

LARGEST = 300_000
LEFT_OUT = re.compile(r"/picture$|/levels/(?!1-1\b)[^/]")
"""Films that take long, and most of the 42 levels."""
ENTRIES = 500
BOARD = "/boards/platformer/bundled/seed-0/"


def all_pages(client: TestClient) -> dict[str, str]:
    """Follow all links from the first page and return what they lead to."""
    waiting, found = ["/"], dict[str, str]()
    while waiting:
        path = waiting.pop()
        answer = client.get(path)
        assert answer.status_code == 200, path
        html = answer.headers["content-type"].startswith("text/html")
        found[path] = answer.text if html else ""
        for link in re.findall(r'(?:href|src|data-source)="([^"#]*)', found[path]):
            target = urljoin(path, link)
            known = target in found or target in waiting or LEFT_OUT.search(target)
            if not known:
                waiting.append(target)
    return found


class Outline(HTMLParser):
    """What a screen reader goes by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.bad: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.tags.append(tag)
        self.ids += [names["id"] or ""] if "id" in names else []
        self.bad += [f"{tag} {name}" for name in names if name == "style" or name.startswith("on")]
        if tag == "img" and "alt" not in names:
            self.bad.append("img without alt")
        if tag == "th" and "scope" not in names:
            self.bad.append("th without scope")
        if tag == "script" and not names.get("src"):
            self.bad.append("inline script")


def test_every_link_leads_to_a_page_that_can_be_read_aloud(client: TestClient) -> None:
    pages = {path: text for path, text in all_pages(client).items() if text}
    kinds = ("/", "/boards/", BOARD, "/runs/", "/levels/", "/play/", "/play/levels/1-1/")
    assert set(kinds) < set(pages)
    assert sum("/episodes/" in path for path in pages) >= 30
    assert sum("/entries/" in path for path in pages) == 4
    for path, text in pages.items():
        outline = Outline(text)
        assert not outline.bad, path
        assert outline.tags.count("h1") == outline.tags.count("main") == 1, path
        framed = path.endswith("/embed/")
        around = {"title"} if framed else {"header", "nav", "footer", "title"}
        assert around <= set(outline.tags), path
        assert len(outline.ids) == len(set(outline.ids)), path
        assert HOSTILE not in text, path
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in pages[BOARD]


def test_every_answer_has_the_headers_that_keep_scripts_out(
    client: TestClient, played: Played
) -> None:
    for path in ("/", "/nothing/", "/api/v1/boards.json", "/static/style.css"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'self'" in policy
        assert headers["x-content-type-options"] == "nosniff"
    embedded = client.get(f"/runs/{played.bundled}/episodes/0/embed/")
    assert "frame-ancestors *" in embedded.headers["content-security-policy"]


def test_files_are_sent_once_and_then_known(client: TestClient) -> None:
    for path, kind in (
        ("/static/style.css", "text/css"),
        ("/static/replay.js", "text/javascript"),
        ("/static/engine/ludus.wasm", "application/wasm"),
    ):
        answer = client.get(path)
        assert answer.headers["content-type"].startswith(kind)
        assert answer.headers["cache-control"] == "no-cache"
        assert int(answer.headers["content-length"]) == len(answer.content) > 0
        tag = answer.headers["etag"]
        for sent, status in ((tag, 304), (f'"other", W/{tag}', 304), ('"other"', 200)):
            again = client.get(path, headers={"If-None-Match": sent})
            assert (again.status_code, again.headers["etag"]) == (status, tag)
            assert bool(again.content) == (status == 200)
    for path in ("/static/", "/static/nothing.js", "/static/%2e%2e/app.py", "/static//etc/passwd"):
        assert client.get(path).status_code == 404
    assert client.post("/static/style.css").status_code == 404


def test_a_board_shows_ranks_intervals_proofs_and_a_worked_example(client: TestClient) -> None:
    text = client.get(BOARD).text
    assert "<h1>How far does a player get on the ten levels that come with Ludus?</h1>" in text
    assert re.search(r'class="number rank">1<.*forward-jumping', text, re.DOTALL)
    assert 'class="range"' in text
    assert "replayed" in text
    assert "For example: forward-jumping on sprint-01" in text
    filtered = client.get(BOARD, params={"q": "RANDOM"}).text
    assert "1 found" in filtered
    assert "forward-jumping</a>" not in filtered


def test_an_entry_is_compared_in_a_sentence(client: TestClient, played: Played) -> None:
    rows = board("platformer/bundled", played.store).rows
    best, last = rows[0].entry, rows[-1].entry
    path = f"/{entry_path('platformer/bundled', best)}"
    text = client.get(path, params={"with": entry_path("", last).split("/")[-2]}).text
    assert f"1st of {len(rows)}" in text
    assert re.search(r"is better than .* by .* \(95 % interval", text)
    assert text.count('class="level"') == 10
    assert client.get(path, params={"with": "nobody"}).status_code == 404


def test_the_data_of_a_board_are_those_of_the_command_line(
    client: TestClient, played: Played
) -> None:
    values = client.get(f"/api/v1{BOARD}board.json").json()
    assert values["rows"][0]["agent"] == "forward-jumping"
    lines = client.get(f"/api/v1{BOARD}board.csv").text.splitlines()
    assert len(lines) == 1 + len(board("platformer/bundled", played.store).rows)
    (first, *_) = client.get("/api/v1/boards.json").json()
    assert client.get(f"/{first['boards'][0]}").status_code == 200


@pytest.mark.parametrize("which", ["bundled", "arena"])
def test_a_replay_comes_to_its_stored_digest(
    client: TestClient, played: Played, which: str
) -> None:
    run = getattr(played, which)
    document = client.get(f"/api/v1/runs/{run}/episodes/0/replay.json").json()
    assert document["format"] == 1
    for part in document["rounds"]:
        level = read_level(part["level"])
        for track in part["tracks"]:
            actions = base64.b64decode(track["actions"])
            world = replay(level, actions, part["mode"], part["time_limit"])
            assert f"{world.hash():016x}" == track["digest"]
            assert track["ticks"] == len(actions)
    stored = played.store.episodes(run, [0])[0].episode.facts["state"]
    assert document["rounds"][-1]["tracks"][0]["digest"] == stored


def test_a_run_that_is_complete_ends_its_events(client: TestClient, played: Played) -> None:
    lines = client.get(f"/api/v1/runs/{played.bundled}/progress").text.split("\n\n")
    assert '"played":30,"planned":30' in lines[0]
    assert lines[1].startswith("event: complete")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nothing/", 404, "there is nothing at &#39;/nothing/&#39;"),
        ("/boards/platformer/nothing/", 404, "no benchmark"),
        ("/boards/platformer/bundled/seed-99/", 404, "no board"),
        ("/boards/platformer/bundled/seed-0/page/7/", 404, "no page 7"),
        ("/runs/00000000-00000000/", 404, "no run"),
        ("/runs/..%2f..%2fetc/", 404, "Not Found"),
        ("/runs/x/episodes/0/", 404, "there is nothing at"),
        ("/runs/00000000-00000000/episodes/x/", 404, "there is nothing at"),
        ("/api/v1/runs/x/progress.json", 422, "run"),
        ("/play/levels/..%2fsecret/", 404, "Not Found"),
        ("/play/levels/pyproject.toml/", 422, "no level"),
        ("/play/?generator=file.py:function", 422, "no generator"),
        ("/play/?generator=ludus&length=100000", 422, "length"),
        ("/play/days/2030-01-01/", 422, "not there before"),
        ("/static/../app.py", 404, "Not Found"),
        ("/runs/?page=99", 404, "no page 99 of runs"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    client: TestClient, path: str, status: int, words: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert words in answer.text
    assert "Traceback" not in answer.text


def test_the_api_says_what_is_wrong_as_problem_json(client: TestClient) -> None:
    answer = client.get("/api/v1/runs/00000000-00000000/progress.json")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code == 404
    assert "\n" not in answer.json()["detail"]


def test_what_nobody_foresaw_is_answered_without_a_traceback(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "empty.db"))
    app = create_app(store, settings())

    @app.get("/broken/")
    def fail() -> None:
        raise ZeroDivisionError("secret of the server")

    answer = TestClient(app).get("/broken/")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "content-security-policy" in answer.headers
    empty = TestClient(app).get("/")
    assert empty.status_code == 200  # an empty store has pages, too
    first = empty.text.index("nematode/foraging-small, sensing=klinotaxis</a>")
    assert first < empty.text.index("nematode/foraging-small</a>")  # the headline comes first
    store.close()


@pytest.mark.parametrize("cut", [False, True])
def test_pages_work_below_a_prefix(played: Played, cut: bool) -> None:
    client = TestClient(create_app(played.store, settings(read_prefix("arena/"))))
    base = "" if cut else "/arena"  # a proxy may cut the prefix off, or not
    for path in ("/", BOARD):
        text = client.get(base + path).text
        links = re.findall(r'(?:href|src)="([^"#]*)', text)
        assert links
        assert not any(link.startswith(("/", "http")) for link in links)
        sheet = urljoin(base + path, next(link for link in links if link.endswith(".css")))
        assert sheet == f"{base}/static/style.css"
        assert client.get(sheet).status_code == 200
    moved = client.get(f"{base}/boards/platformer/bundled", follow_redirects=False)
    assert moved.status_code == 308
    assert moved.headers["location"] == "bundled/"


def test_a_board_of_hundreds_is_a_small_page(played: Played, tmp_path: Path) -> None:
    first = board("platformer/bundled", played.store).rows[0].entry
    store = Store(str(tmp_path / "large.db"))
    append_events(store, lambda _: [accepted(first, n) for n in range(ENTRIES)])
    client = TestClient(create_app(store, settings()))
    answer = client.get(BOARD)
    assert answer.status_code == 200
    assert len(answer.content) <= LARGEST
    assert f"Page 1 of {ENTRIES // 100}" in answer.text
    assert client.get(f"{BOARD}page/{ENTRIES // 100}/").status_code == 200
    store.close()


def accepted(entry: BoardEntry, number: int) -> LedgerDraft:
    """Return a line of a ledger by which one more agent is on a board."""
    values = {**entry.to_dict(), "agent": f"agent {number}"}
    body = {"agent": f"agent {number}", "seed": 0, "options": {}, "by": "a test", "entry": values}
    return LedgerDraft(LedgerEventKind.ACCEPTED, "platformer/bundled", 1, body)


def test_words_of_addresses_hold_no_text_of_others() -> None:
    assert key_word(BoardKey.of(3, {"against": "../../etc"})).startswith("seed-3-")
    assert "/" not in key_word(BoardKey.of(0, {}, "../season"))


def test_drawings() -> None:
    assert draw_brackets(["a", "b", "c"]) == [[], [], []]  # nobody shares a group
    (first, last) = draw_brackets(["a", "a"])
    assert (first[0].first, first[0].last, last[0].last) == (True, False, True)
    spread = draw_spread([0.0, 5.0, 10.0, 10.0])
    assert sum(spread.counts) == 4
    assert spread.mean == 62.5
    assert draw_spread([7.0]).bars == [(0.0, 100.0, 100.0)]


def test_a_board_shows_its_own_history(client: TestClient, played: Played) -> None:
    text = client.get(BOARD).text
    history = text[text.index("<summary>History") : text.index("<summary>Cite")]
    assert history.count("<li>") == len(board("platformer/bundled", played.store).rows)
    assert "by a test: for pages" in history
    daily = client.get("/boards/platformer/daily/").text
    assert "forward-jumping</b> came on" in daily


def test_the_history_of_a_board_says_who_led_when(client: TestClient) -> None:
    assert f"{BOARD.removeprefix('/boards/platformer/bundled/')}history/" in client.get(BOARD).text
    text = client.get(f"{BOARD}history/").text
    assert "Who led when" in text
    assert re.search(r"<b>forward-jumping</b> <span class=\"proof\">new leader", text)
    assert client.get("/boards/platformer/bundled/seed-9/history/").status_code == 404
