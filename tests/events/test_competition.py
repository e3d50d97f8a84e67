"""A competition like that of the paper, from the call to results that anybody verifies."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ludus
from ludus.agents.platformer import forward_jumping
from ludus.api import EventResult, VerifiedEvent
from ludus.errors import BoardError, LudusError
from ludus.events import Description
from ludus.events.terms import read_time
from ludus.limits import Limits

NAME = "cig-2026"
HOSTILE = """\
import os
from pathlib import Path

class Agent:
    def reset(self, scenario):
        for path in Path(__file__).parent.parent.rglob("*.py"):
            path.write_text("stolen")
    def act(self, view):
        os.kill(os.getppid(), 9)
"""
SLOW = """\
import time

class Agent:
    def reset(self, scenario): pass
    def act(self, view):
        time.sleep(60)
"""
JUMPING = Path(forward_jumping.__file__).read_text()
ENTRIES: dict[str, tuple[str, str]] = {
    "Robin B.": ("astar", "A*"),
    "Trond": ("rule-based", "RB"),
    "Sergio L.": ("jumping.py:ForwardJumping", "RB"),
    "=1+1 <b>": ("random", "none"),
    "Eve": ("hostile.py:Agent", "theft"),
    "Glenn": ("slow.py:Agent", "NN"),
}
FILES = {"jumping.py": JUMPING, "hostile.py": HOSTILE, "slow.py": SLOW}


class Held(NamedTuple):
    """A competition that was held."""

    store: str
    result: EventResult
    published: Path
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Held:
    folder = tmp_path_factory.mktemp("competition")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    store = str(folder / "organiser" / "ludus.db")
    limits = Limits(seconds=40, decision_seconds=6.0, memory=2**30)
    ludus.create_event(
        "platformer/sprint",
        NAME,
        deadline=read_time("2126-12-31"),
        episodes=2,
        limits=limits,
        rules="One entry each.",
        store=store,
    )
    tokens = {}
    for entrant, (agent, approach) in ENTRIES.items():
        spec = f"{folder}/{agent}" if ":" in agent else agent
        described = Description(approach, licence="MIT", method="As in the paper.")
        receipt = ludus.enter_event(
            NAME, spec, entrant=entrant, score=917.5, description=described, store=store
        )
        tokens[entrant] = receipt.token
    for name in FILES:
        (folder / name).write_text("changed after it was entered")
    ludus.check_claims(NAME, store=store, workers=2)
    ludus.close_event(NAME, store=store)
    ludus.run_event(NAME, store=store, workers=2)
    ludus.reveal_event(NAME, store=store)
    published = folder / "published"
    ludus.publish_event(NAME, published, store=store, films=1)
    return Held(store, ludus.event_results(NAME, store=store), published, tokens)


def row(held: Held, competitor: str) -> dict[str, Any]:
    return next(one for one in held.result.to_dicts() if one["competitor"] == competitor)


def test_the_best_is_first_and_the_disqualified_are_last(held: Held) -> None:
    rows = held.result.to_dicts()
    assert rows[0]["competitor"] == "Robin B."
    assert {one["competitor"] for one in rows[-2:]} == {"Eve", "Glenn"}
    assert [one["disqualified"] for one in rows] == [0, 0, 0, 0, 2, 2]


def test_the_hostile_entry_harms_nobody_and_the_slow_one_is_stopped(held: Held) -> None:
    assert "PermissionError" in row(held, "Eve")["reason"]
    assert "longer than 6 seconds for a decision" in row(held, "Glenn")["reason"]
    source = next((held.published / "entries").glob("03-*/source/*.py"))
    assert source.read_text() == JUMPING
    alone = ludus.run("platformer/sprint", "forward-jumping", episodes=2, store="sqlite://")
    claimed = row(held, "Sergio L.")["check"]["measured"]
    assert claimed == alone.summaries[0].headline.value


def test_claims_are_shown_beside_what_was_measured(held: Held) -> None:
    verdicts = {one["competitor"]: one["check"]["verdict"] for one in held.result.to_dicts()}
    assert verdicts["Sergio L."] == "confirmed"
    assert verdicts["Robin B."] == "not confirmed"
    assert verdicts["Eve"] == "faulty"
    assert any(note.startswith("Robin B. claims 917.5") for note in held.result.view.notes)


def test_the_table_is_that_of_a_paper(held: Held) -> None:
    latex = held.result.to_latex()
    assert r"\# & competitor & approach & progress & disqualified & wins" in latex
    assert r"=1+1 \textless{}b\textgreater{}" in latex
    assert "'=1+1 <b>" in held.result.to_csv()  # no spreadsheet computes it
    assert "&lt;b&gt;" in held.result._repr_html_()
    levels = held.result.by_level()
    assert len(levels.to_dicts()) == 12
    assert levels.view.headings == ["level", *ENTRIES]


def test_what_is_published_is_plain_and_verified_by_anybody(held: Held) -> None:
    names = {path.name for path in held.published.iterdir()}
    assert names == {
        "README.md",
        "entries",
        "event.json",
        "films",
        "ledger.jsonl",
        "levels.csv",
        "results.csv",
        "results.json",
        "results.tex",
        "run.jsonl",
    }
    with (held.published / "levels.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 12
    assert [path.name for path in (held.published / "films").iterdir()] == ["01-robin-b.gif"]
    outcome = ludus.verify_event(held.published)
    assert outcome.problems == ()
    assert outcome.episodes == 12


def test_no_token_is_published(held: Held) -> None:
    texts = [path.read_bytes() for path in held.published.rglob("*") if path.is_file()]
    for token in held.tokens.values():
        assert not any(token.encode() in text for text in texts)


def test_an_entrant_needs_only_the_event_file(held: Held, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(JUMPING)
    terms = ludus.event_terms(str(held.published / "event.json"))
    checked = ludus.check(f"{tmp_path}/mine.py:ForwardJumping", event=terms)
    assert checked.score == row(held, "Sergio L.")["check"]["measured"]
    assert checked.limits.memory == 2**30
    assert "--score" in checked.view.notes[-1]


def test_the_track_of_2009_has_the_columns_of_the_paper(tmp_path: Path) -> None:
    store = str(tmp_path / "ludus.db")
    ludus.create_event(
        "mario-ai/gameplay-2009-cig",
        NAME,
        deadline=read_time("2126-12-31"),
        episodes=2,
        store=store,
    )
    for agent in ("idle", "forward-jumping"):
        ludus.enter_event(NAME, agent, entrant=agent, score=1, store=store)
    ludus.close_event(NAME, store=store)
    result = ludus.run_event(NAME, store=store, workers=1)
    assert [one["competitor"] for one in result.to_dicts()] == ["forward-jumping", "idle"]
    assert result.view.headings[1:9] == [
        "competitor",
        "approach",
        "distance",
        "disqualified",
        "time left",
        "kills",
        "mode sum",
        "levels cleared",
    ]


# ---- forged publications


def change_json(name: str, **changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        values = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps({**values, **changes}))

    return change


def change_first_result(folder: Path) -> None:
    values = json.loads((folder / "results.json").read_text())
    values["results"][0]["score"] += 1
    (folder / "results.json").write_text(json.dumps(values))


def change_source(folder: Path) -> None:
    next((folder / "entries").glob("03-*/source/*.py")).write_text("another")


def add_source(folder: Path) -> None:
    (next((folder / "entries").glob("03-*/source")) / "more.py").write_text("another")


def remove_source(folder: Path) -> None:
    shutil.rmtree(next((folder / "entries").glob("03-*")))


def link_source(folder: Path) -> None:
    file = next((folder / "entries").glob("03-*/source/*.py"))
    file.unlink()
    file.symlink_to("/etc/passwd")


def change_ledger(folder: Path) -> None:
    text = (folder / "ledger.jsonl").read_text()
    (folder / "ledger.jsonl").write_text(text.replace("Robin B.", "Robin C."))


def drop_line(folder: Path) -> None:
    lines = (folder / "ledger.jsonl").read_text().splitlines(keepends=True)
    (folder / "ledger.jsonl").write_text("".join(lines[:4] + lines[5:]))


def change_run(folder: Path) -> None:
    text = (folder / "run.jsonl").read_text()
    (folder / "run.jsonl").write_text(text.replace('"score": ', '"score": 1', 1))


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (change_first_result, "'results' of results.json"),
        (change_json("results.json", run="other"), "'run' of results.json"),
        (change_json("event.json", secret="11" * 32), "'secret' of event.json"),
        (change_json("event.json", entries=[]), "'entries' of event.json"),
        (change_json("event.json", commitment="0" * 64), "not as they were written"),
        (change_source, "source of Sergio L. is not what was entered"),
        (add_source, "source of Sergio L. is not what was entered"),
        (remove_source, "source of Sergio L. is not what was entered"),
        (link_source, "source of Sergio L. cannot be read"),
        (change_ledger, "line"),
        (drop_line, "line"),
        (change_run, "line"),
    ],
)
def test_a_changed_publication_is_found_out(
    held: Held, tmp_path: Path, forge: Callable[[Path], None], words: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(held.published, folder, symlinks=True)
    forge(folder)
    assert words in _problem(folder)


def _problem(folder: Path) -> str:
    try:
        outcome: VerifiedEvent = ludus.verify_event(folder)
    except LudusError as error:
        return str(error)
    return outcome.problems[0] if outcome.problems else "all is so"


def test_it_is_published_once_it_is_revealed_and_over_nothing(held: Held, tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="is not empty"):
        ludus.publish_event(NAME, held.published, store=held.store)
    with pytest.raises(BoardError, match="no event 'other'"):
        ludus.publish_event("other", tmp_path / "new", store=held.store)
    assert not (tmp_path / "new").exists()
