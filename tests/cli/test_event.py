"""``ludus event`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused
from tests.runs.small import SMALL

NAME = "cup-2026"
AGENT = """
class Good:
    def reset(self, scenario): pass
    def act(self, view): return 2
class Nosy(Good):
    def act(self, view): return len(open("/etc/hostname").read())
"""
ENTER = ["--as", "Robin B.", "--score", "12.5"]


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    file = tmp_path / "mine" / "agents.py"
    file.parent.mkdir()
    file.write_text(AGENT)
    return file


@pytest.fixture
def event(ludus: Ludus) -> str:
    """Create an event and return its commitment."""
    words = ["--name", NAME, "--deadline", "2126-12-31", "--episodes", "2", "--json"]
    return str(ludus("event", "create", SMALL.id, *words).json["commitment"])


def test_a_competition_from_the_call_to_the_results(ludus: Ludus, agents: Path) -> None:
    Path("rules.txt").write_text("Play fair.\n")
    said = ludus(
        "event", "create", SMALL.id, "--name", NAME, "--deadline", "2126-12-31", "--episodes", "2",
        "--rules", "rules.txt", "--limit", "memory=512MiB", "--limit", "seconds=30",
        "--limit", "forward_model=no", "--clock", "9",
    )  # fmt: skip
    assert "takes entries until 2126-12-31 23:59 UTC." in said.out
    assert "Publish this commitment: " in said.out
    shown = ludus("event", "show", NAME, "--json")
    ludus("event", "show", NAME, "--out", "cup.json")
    assert shown.json["limits"]["memory"] == 512 * 2**20
    assert shown.json["options"] == {"clock": "9"}
    assert "Play fair." in ludus("event", "show", NAME).out
    for source in (NAME, "cup.json"):
        said = ludus("check", f"{agents}:Good", "--event", source)
        assert "forward model: not allowed" in said.out
        (score,) = [line.split()[-1] for line in said.out.splitlines() if "--score" in line]
    said = ludus("event", "enter", NAME, f"{agents}:Good", "--as", "Robin", "--score", score,
                 "--approach", "rules")  # fmt: skip
    assert "Robin has entered cup-2026: 1 files" in said.out
    token = said.out.split("shown only now: ")[1].split()[0]
    said = ludus("event", "enter", NAME, f"{agents}:Nosy", "--as", "Eve", "--score", "1", "--json")
    ludus("event", "withdraw", NAME, "Eve", "--token", said.json["token"])
    said = ludus("event", "enter", NAME, f"{agents}:Nosy", "--as", "Eve", "--score", "1",
                 "--token", said.json["token"])  # fmt: skip
    assert "this is number 2" in said.out
    said = ludus("event", "verify-claims", NAME, code=1)
    assert "confirmed" in said.out
    assert "PermissionError" in said.words
    assert "nothing to measure" in ludus("event", "verify-claims", NAME).out
    ludus("event", "close", NAME, "--yes", "--why", "enough")
    said = ludus("event", "run", NAME)
    assert "competitor" in said.out
    (row,) = [line for line in said.out.splitlines() if line.startswith("1")]
    assert "Robin" in row
    assert "crashed in episodes" in said.words
    run = ludus("event", "results", NAME, "--json").json["run"]
    assert "counts in event 'cup-2026'" in refused(ludus("delete", run, code=2))
    assert ludus("event", "results", NAME, "--json").json["results"][0]["competitor"] == "Robin"
    assert ludus("event", "results", NAME, "--latex").out.count(r"\\") == 3
    assert ludus("event", "results", NAME, "--csv").out.startswith("rank,competitor,approach")
    assert len(ludus("event", "results", NAME, "--levels", "--json").json) == 4
    assert "Level by level" in ludus("event", "results", NAME, "--levels").out
    assert "is revealed. Its secret is" in ludus("event", "reveal", NAME).out
    said = ludus("event", "publish", NAME, "results")
    assert "ludus verify results" in said.out
    assert "4 episodes of event cup-2026 played again: all is so." in ludus("verify", "results").out
    assert ludus("event", "list", "--json").json[0]["state"] == "revealed"
    assert token not in "".join(
        path.read_text() for path in Path("results").rglob("*") if path.is_file()
    )
    Path("results/results.json").write_text("{}")
    assert "results.json" in ludus("verify", "results", code=1).out
    assert ludus("verify", "results", "--json", code=1).json["good"] is False


def test_no_command_prints_the_secret_before_the_reveal(ludus: Ludus, event: str) -> None:
    ludus("event", "enter", NAME, "idle", *ENTER)
    ludus("event", "verify-claims", NAME, code=1)
    ludus("event", "close", NAME, "--yes")
    ludus("event", "run", NAME)
    secret = json.loads(Path(f"ludus.db.seasons/{event}.json").read_text())["secret"]
    texts = [
        ludus(*words).out
        for words in (
            ["event", "show", NAME],
            ["event", "show", NAME, "--json"],
            ["event", "list", "--json"],
            ["event", "results", NAME, "--json"],
            ["event", "results", NAME, "--levels", "--json"],
            ["board", "history", SMALL.id, "--json"],
            ["board", "history", SMALL.id],
        )
    ]
    assert all(secret not in text for text in texts)
    assert all(event in text for text in texts[1:3])


def test_there_may_be_none(ludus: Ludus) -> None:
    assert "There are none yet. Try: ludus event create" in ludus("event", "list").out
    assert ludus("event", "list", "--json").json == []
    assert "Usage: ludus event" in ludus("event").out


def test_a_token_may_come_from_the_environment(
    ludus: Ludus, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = ludus("event", "enter", NAME, "idle", *ENTER, "--json").json["token"]
    monkeypatch.setenv("LUDUS_ENTRY_TOKEN", token)
    assert "number 2" in ludus("event", "enter", NAME, "random", *ENTER).out
    assert "has withdrawn" in ludus("event", "withdraw", NAME, "Robin B.").out
    assert "withdrawn" in ludus("event", "show", NAME).out


def test_a_close_asks_first(ludus: Ludus, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer import Abort

    def refuse(question: str, **_: object) -> None:
        assert "Nobody can enter" in question
        raise Abort

    monkeypatch.setattr("typer.confirm", refuse)
    ludus("event", "close", NAME, code=130)
    assert ludus("event", "show", NAME, "--json").json["state"] == "open"


CREATE = ["create", SMALL.id, "--name", "x", "--deadline"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([*CREATE, "soon"], "'soon' is no time"),
        ([*CREATE, "2020-01-01"], "give a deadline to come"),
        ([*CREATE, "2126-01-01", "--limit", "power=9"], "no limit 'power'; there are seconds"),
        ([*CREATE, "2126-01-01", "--limit", "memory=much"], "limit memory=much is no amount"),
        ([*CREATE, "2126-01-01", "--limit", "seconds=-1"], "not above 0"),
        ([*CREATE, "2126-01-01", "--rules", "none.txt"], "cannot read 'none.txt'"),
        ([*CREATE, "2126-01-01", "--speed", "9"], "no option 'speed'"),
        (["create", "nope", "--name", "x", "--deadline", "2126-01-01"], "nope"),
        (["show", NAME, "--out", "cup.txt"], "does not end in .json"),
        (["show", "other"], "no event 'other'; there is cup-2026"),
        (["enter", "other", "idle", *ENTER], "no event 'other'"),
        (["enter", NAME, "nobody", *ENTER], "'nobody' cannot be entered"),
        (["enter", NAME, "gone.py:Agent", *ENTER], "is no file"),
        (["enter", NAME, "idle", "--as", "x", "--score", "nan"], "is no score"),
        (["enter", NAME, "idle", "--as", "a\x1b[2J", "--score", "1"], "cannot be seen"),
        (["enter", NAME, "idle", *ENTER, "--token", "x"], "nobody called 'Robin B.'"),
        (["withdraw", NAME, "Robin", "--token", "x"], "no entrant 'Robin'"),
        (["run", NAME], "takes entries until"),
        (["reveal", NAME], "takes entries until"),
        (["results", NAME], "has no results yet"),
        (["publish", NAME, "folder"], "has no results yet"),
    ],
)
def test_mistakes_are_one_line(ludus: Ludus, event: str, words: list[str], line: str) -> None:
    assert line in refused(ludus("event", *words, code=2))


def test_a_season_of_an_event_is_played_and_revealed_by_the_event(ludus: Ludus, event: str) -> None:
    assert "ludus event enter" in refused(ludus("season", "play", NAME, "idle", code=2))
    assert "ludus event reveal" in refused(ludus("season", "reveal", NAME, "--yes", code=2))


def test_a_check_for_an_event_has_its_own_track_and_seed(ludus: Ludus, event: str) -> None:
    line = refused(ludus("check", "idle", SMALL.id, "--event", NAME, code=2))
    assert "leave yours out" in line
    assert "leave yours out" in refused(
        ludus("check", "idle", "--seed", "1", "--event", NAME, code=2)
    )
    Path("cup.json").write_text("{}")
    assert "is no event" in refused(ludus("check", "idle", "--event", "cup.json", code=2))
    said = ludus("check", "idle", "--event", NAME, "--json").json
    assert said["event"] == NAME
    assert len(said["episodes"]) == 2
