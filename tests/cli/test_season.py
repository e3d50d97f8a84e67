from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus

SMALL = "test/small"
NAME = "2026-autumn"


@pytest.fixture
def season(ludus: Ludus) -> str:
    """Start a season and return its commitment."""
    said = ludus("season", "start", SMALL, "--name", NAME, "--episodes", "2", "--json")
    return str(said.json["commitment"])


def test_a_season_from_start_to_reveal(ludus: Ludus, tmp_path: Path) -> None:
    said = ludus("season", "start", SMALL, "--name", NAME, "--ends", "2126-12-31")
    assert said.out.startswith(f"Season {NAME} of {SMALL} has started.\nPublish this commitment: ")
    assert "Keep this file to yourself" in said.out
    said = ludus("season", "play", NAME, "idle", "random")
    assert f"season {NAME}" in said.out
    assert "idle is on the board." in said.out
    (run,) = (run["run"] for run in ludus("runs", "--json").json)
    assert f"Sealed until season {NAME} is revealed." in ludus("show", run).out
    said = ludus("export", run)
    assert "publish it after the reveal" in said.err
    assert ludus("verify", run).code == 0
    said = ludus("season", "reveal", NAME, "--yes")
    assert f"Season {NAME} is revealed. Its secret is" in said.out
    ludus("board", "export")
    said = ludus("board", "rebuild", f"{run}.jsonl", "ledger.jsonl")
    assert "Everything is as the files say." in said.out
    assert "publish it after" not in ludus("export", run).err
    assert "Sealed" not in ludus("show", run).out


def test_no_command_prints_the_secret_before_the_reveal(ludus: Ludus, season: str) -> None:
    file = Path(ludus("season", "list", "--store", "ludus.db", "--json").json[0]["commitment"])
    secret = json.loads(Path(f"ludus.db.seasons/{file}.json").read_text())["secret"]
    ludus("season", "play", NAME, "idle")
    (run,) = (run["run"] for run in ludus("runs", "--json").json)
    ludus("export", run, "--out", "run.jsonl")
    ludus("board", "export")
    texts = [Path(name).read_text() for name in ("run.jsonl", "ledger.jsonl")]
    commands = (
        ["season", "show", NAME],
        ["season", "show", NAME, "--json"],
        ["season", "list", "--json"],
        ["show", run, "--episodes"],
        ["show", run, "--json", "--episodes"],
        ["runs", "--json"],
        ["explain", run, "0"],
        ["replay", run, "0"],
        ["verify", run, "--json"],
        ["board", SMALL, "--season", NAME, "--json"],
        ["board", "history", SMALL, "--json"],
    )
    texts += [ludus(*words).out for words in commands]
    assert all(secret not in text for text in texts)


def test_the_board_of_a_season_names_its_commitment(ludus: Ludus, season: str) -> None:
    ludus("season", "play", NAME, "idle")
    said = ludus("board", SMALL, "--season", NAME)
    assert f"season {NAME}, sealed" in said.out
    assert season in said.words
    said = ludus("board", SMALL, "--season", NAME, "--json").json
    assert (said["kind"], said["season"]["commitment"]) == ("sealed", season)
    assert ludus("board", SMALL, "--json").json["kind"] == "practice"


def test_list_and_show(ludus: Ludus, season: str) -> None:
    assert NAME in ludus("season", "list").out
    said = ludus("season", "show", NAME)
    assert season in said.words
    assert "sealed" in said.words
    assert ludus("season", "show", NAME, "--json").json["secret"] is None


def test_there_may_be_none(ludus: Ludus) -> None:
    assert "There are none yet. Try: ludus season start" in ludus("season", "list").out
    assert ludus("season", "list", "--json").json == []
    assert "Usage: ludus season" in ludus("season").out


def test_a_reveal_asks_first(ludus: Ludus, season: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.confirm", refuse)
    ludus("season", "reveal", NAME, code=130)
    assert ludus("season", "show", NAME, "--json").json["state"] == "sealed"


def refuse(question: str, **_: object) -> None:
    from typer import Abort

    assert "Once it is revealed, nobody can enter." in question
    raise Abort


def test_a_revealed_season_is_opened_elsewhere(ludus: Ludus, season: str) -> None:
    ludus("season", "play", NAME, "idle")
    (run,) = (run["run"] for run in ludus("runs", "--json").json)
    ludus("export", run, "--out", "run.jsonl")
    ludus("board", "export")
    other = ["--store", "other.db"]
    ludus("import", "run.jsonl", *other)
    assert "sealed until season" in ludus("verify", run, *other, code=2).err
    assert "reveals no season yet" in ludus("season", "open", "ledger.jsonl", *other).out
    ludus("season", "reveal", NAME, "--yes")
    ludus("board", "export")
    assert f"Season {NAME} is open" in ludus("season", "open", "ledger.jsonl", *other).out
    assert ludus("verify", run, *other).code == 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["start", SMALL, "--name", NAME], f"there is a season '{NAME}' since"),
        (["start", SMALL, "--name", "Nope"], "'Nope' cannot name a season"),
        (["start", SMALL, "more", "--name", "x"], "'more' is one word too many"),
        (["start", SMALL, "--name", "x", "--ends", "2020-01-01"], "would have ended on 2020-01-01"),
        (["start", SMALL, "--name", "x", "--ends", "soon"], "'soon'"),
        (["play", "other", "idle"], "no season 'other'; there is 2026-autumn"),
        (["play", NAME, "nobody"], "no agent 'nobody'"),
        (["play", NAME, "idle", "--clock", "3"], "a season has its own options"),
        (["reveal", "other"], "no season 'other'"),
        (["show", "other"], "no season 'other'"),
        (["open", "missing.jsonl"], "missing.jsonl"),
    ],
)
def test_mistakes_are_one_line(ludus: Ludus, season: str, words: list[str], line: str) -> None:
    said = ludus("season", *words, code=2)
    assert line in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        "season start no/such --name x",
        "season start test/small --name x --ends 2020-01-01",
        "event create no/such --name x --deadline 2126-12-31",
        "event create test/small --name x --deadline 2020-01-01",
        "event create test/small --name x --deadline 2126-12-31 --episodes 0",
    ],
)
def test_what_is_refused_leaves_no_store(ludus: Ludus, tmp_path: Path, words: str) -> None:
    store = tmp_path / "new.db"
    ludus(*words.split(), "--store", str(store), code=2)
    assert not store.exists()


def test_play_after_the_reveal_is_one_line(ludus: Ludus, season: str) -> None:
    ludus("season", "reveal", NAME, "--yes")
    said = ludus("season", "play", NAME, "idle", code=2)
    assert "it takes no more entries" in said.err
    assert len(said.err.splitlines()) == 1
