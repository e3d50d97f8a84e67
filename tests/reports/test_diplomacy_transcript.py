from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.diplomacy.saving import record, write_game
from tests.games.diplomacy.play import played

from ludus.benchmarks.diplomacy.records import SavedGame, parse_game
from ludus.errors import OptionError
from ludus.reports.diplomacy_transcript import find_game, to_html, write_transcript
from ludus.reports.transcript_pictures import draw_centre_chart
from ludus.runs import Store

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'></p>\n</style>\x1b[31m"


VOID = {"meta", "use", "rect", "polygon", "polyline", "circle"}


class Page(HTMLParser):
    """Collects the tags, attributes and text of a page, and whether its tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src")}
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def talkative(text: str) -> dict[str, Any]:
    """Return a game in which players write this wherever they can."""
    centres = {"FRANCE": 3, "ITALY": 3}
    first = record(
        "S1901M",
        centres,
        orders={"FRANCE": ["A PAR - BUR", text], text: ["A ROM H"], "ITALY": ["A XXX - YYY"]},
        results={"A PAR": ["bounce", text]},
        messages=[{"sender": text, "recipient": text, "message": f"{text}\nHello."}],
        defaults={"FRANCE": ["F BRE H"]},
        state_agents={
            "FRANCE": {"model_id": text, "full_private_diary": [f"[S1901M] {text} Stab Italy."]}
        },
    )
    first["state"]["units"] = {"FRANCE": ["A PAR", text, "*F BRE"], "MOON": ["A PAR"]}
    return {"phases": [first, record("COMPLETED", {**centres, "FRANCE": 4, "MOON": 40})]}


def test_everything_that_happened_is_in_it() -> None:
    page = to_html(parse_game(talkative("Peace."), "7"))
    words = " ".join(Page(page).words.split())
    for shown in (
        "Diplomacy, game 7",
        "Spring 1901, movement",
        "The end, 1901",
        "A PAR - BUR: bounce, Peace.",
        "F BRE H (chosen by the rules)",
        "Hello.",
        "Stab Italy.",
        "Supply centres",
    ):
        assert shown in words


def test_nothing_that_players_write_is_markup() -> None:
    page = to_html(parse_game(talkative(ATTACK), ATTACK))
    read = Page(page)
    assert not read.tags & {"script", "img", "iframe", "object", "link", "foreignobject"}
    assert not [name for name in read.attributes if name.startswith("on")]
    assert all(link.startswith("#") for link in read.links)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    assert "\x1b" not in page
    assert "default-src 'none'" in page
    assert "<script>alert(1)</script>" in read.words


def test_every_shape_that_is_used_is_there_once() -> None:
    page = to_html(parse_game(talkative("Peace."), "g"))
    defined = re.findall(r'<g id="(s\d+)">', page)
    used = set(re.findall(r'<use href="#(s\d+)"', page))
    assert len(defined) == len(set(defined))
    assert used == set(defined)


def test_a_game_of_ludus(tmp_path: Path) -> None:
    table = played(1, years=2)
    saved = parse_game(table.to_saved_game(), "bots")
    text = write_transcript(tmp_path / "game.html", saved).read_text()
    assert text.count("<section") == len(table.history) + 1
    assert len(text) < 60_000 * len(table.history)


def test_long_games_and_messages_are_cut() -> None:
    said = [{"sender": "FRANCE", "recipient": "GLOBAL", "message": "x" * 100_000}] * 600
    first = record("S1901M", {"FRANCE": 3}, messages=said)
    many = {"phases": [first, *[record("F1901M", {"FRANCE": 3})] * 600]}
    page = to_html(parse_game(many, "g"))
    assert "… and 100 more" in page
    assert "… and 101 phases more" in page
    assert len(page) < 12_000_000


@pytest.fixture
def store(tmp_path: Path) -> Any:
    opened = Store(str(tmp_path / "none.db"))
    yield opened
    opened.close()


def test_games_are_found_in_files_and_folders(tmp_path: Path, store: Store) -> None:
    folder = write_game(tmp_path / "g", talkative("Peace."))
    for source in (folder, folder / "lmvsgame.json"):
        assert isinstance(find_game(str(source), store), SavedGame)
    (folder / "second.json").write_text(json.dumps(talkative("War.")))
    with pytest.raises(OptionError, match="has 2 games: name one, such as"):
        find_game(str(folder), store)
    (tmp_path / "none").mkdir()
    with pytest.raises(OptionError, match="there are no games in"):
        find_game(str(tmp_path / "none"), store)
    with pytest.raises(OptionError, match="cannot write"):
        write_transcript(tmp_path / "no" / "where.html", parse_game(talkative("Peace."), "g"))


def test_the_chart_ends_with_the_last_year_that_was_played() -> None:
    names = ("S1901M", "F1901M", "W1901A", "S1902M")
    game = parse_game({"phases": [record(name, {"FRANCE": 3}) for name in names]}, "g")
    chart = draw_centre_chart(game)
    assert ">1900<" in chart
    assert ">1901<" in chart
    assert ">1902<" not in chart
