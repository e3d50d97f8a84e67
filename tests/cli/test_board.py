from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.cli.conftest import Ludus, refused

from ludus.runs import Store
from ludus.runs.schema import events as events_table

SMALL = "test/small"


@pytest.fixture
def run(ludus: Ludus) -> str:
    words = ("run", SMALL, "idle", "forward-jumping", "--accept", "--json")
    return str(ludus(*words).json["run"])


def break_line(number: int) -> None:
    with Store().transaction() as connection:
        connection.execute(
            sa.update(events_table).where(events_table.c.number == number).values(at="long ago")
        )


def test_a_board_in_the_terminal(ludus: Ludus, run: str) -> None:
    said = ludus("board", SMALL)
    lines = said.out.splitlines()
    assert lines[0].strip() == "test/small, version 1, seed 0, practice"
    assert lines[1].split()[:6] == ["#", "agent", "score", "group", "proof", "ticks"]
    assert [line.split()[1] for line in lines[3:5]] == ["forward-jumping", "idle"]
    assert "distance + 100 · coins" in said.words
    assert said.out == ludus("board", "show", SMALL).out


def test_an_empty_board(ludus: Ludus) -> None:
    assert "Nobody is on it yet. Try: ludus run test/small" in ludus("board", SMALL).out
    invitation = "ludus run worm/foraging-small run-and-tumble --accept"  # plays by all senses
    assert invitation in ludus("board", "worm/foraging-small").out


def test_a_board_in_every_form(ludus: Ludus, run: str) -> None:
    assert [row["rank"] for row in ludus("board", SMALL, "--json").json["rows"]] == [1, 2]
    rows = list(csv.DictReader(io.StringIO(ludus("board", "--csv", SMALL).out)))
    assert [row["agent"] for row in rows] == ["forward-jumping", "idle"]
    assert ludus("board", SMALL, "--md").out.startswith("## test/small")
    assert ludus("board", SMALL, "--html").out.endswith("</html>\n")
    assert "only one of" in refused(ludus("board", SMALL, "--md", "--csv", code=2))


def test_a_benchmark_that_is_none(ludus: Ludus) -> None:
    assert "no benchmark 'test/smal'; did you mean 'test/small'?" in refused(
        ludus("board", "test/smal", code=2)
    )


def test_boards_of_seeds(ludus: Ludus, run: str) -> None:
    ludus("run", SMALL, "idle", "--seed", "7", "--accept")
    assert "There are more entries: 1 on seed 7." in ludus("board", SMALL).words
    assert "seed 7" in ludus("board", SMALL, "--seed", "7").out.splitlines()[0]


def test_accept_and_remove(ludus: Ludus) -> None:
    run = ludus("run", SMALL, "idle", "random", "--json").json["run"]
    said = ludus("board", "accept", run, "--agent", "idle", "--by", "judge", "--why", "a guest")
    assert said.out == "idle is on the board.\n"
    assert ludus("board", "accept", run, "--json").json[0]["run"] == run
    assert "--why" in refused(ludus("board", "remove", SMALL, "idle", code=2))
    said = ludus("board", "remove", SMALL, "idle", "--why", "has left")
    assert said.out == f"idle with run {run} is off the board.\n"
    assert "is not on the board" in refused(
        ludus("board", "remove", SMALL, "idle", "--why", "x", code=2)
    )
    said = ludus("board", "remove", SMALL, "random", "--why", "too", "--json")
    assert said.json == {"removed": "random", "run": run}


def test_the_history_tells_all(ludus: Ludus, run: str) -> None:
    ludus("verify", run)
    ludus("board", "remove", SMALL, "idle", "--why", "has left", "--by", "judge")
    said = ludus("board", "history", SMALL)
    for word in ("accepted", "verified", "removed", "has left", "judge"):
        assert word in said.words
    events = ludus("board", "history", SMALL, "--json").json
    assert [event["number"] for event in events] == [1, 2, 3, 4, 5]
    assert events[-1]["body"]["why"] == "has left"


def test_the_ledger_is_checked(ludus: Ludus, run: str) -> None:
    plain = ludus("board", "check", "--json").json
    assert plain["good"]
    assert plain["lines"] == 2
    said = ludus("board", "check", "--head", plain["head"])
    assert "2 lines, all as they were written" in said.words
    missing = ludus("board", "check", "--head", "0" * 64, code=1)
    assert "lines are missing" in missing.words
    break_line(2)
    assert "line 2 is not as it was written" in ludus("board", "check", code=1).words
    assert ludus("board", "check", "--json", code=1).json["broken"] == 2
    assert "The ledger is broken: line 2" in ludus("board", SMALL).words


def test_an_empty_ledger_is_whole(ludus: Ludus) -> None:
    assert "0 lines" in ludus("board", "check").out


def test_scoring_anew(ludus: Ludus, run: str) -> None:
    said = ludus("board", "rescore", SMALL, "--why", "to be sure")
    assert said.out == "0 entries have changed.\n"
    assert ludus("board", "rescore", SMALL, "--why", "to be sure", "--json").json == []


def test_a_board_is_rebuilt_from_files(ludus: Ludus, run: str, tmp_path: Path) -> None:
    ludus("verify", run)
    ludus("export", run)
    assert ludus("board", "export").out == "4 lines written: ledger.jsonl\n"
    (tmp_path / "board.json").write_text(ludus("board", SMALL, "--json").out)
    said = ludus("board", "rebuild", f"{run}.jsonl", "ledger.jsonl", "--against", "board.json")
    assert "Everything is as the files say." in said.out
    assert "forward-jumping" in said.out
    plain = ludus("board", "rebuild", f"{run}.jsonl", "--json").json
    assert plain["problems"] == []
    assert [row["agent"] for row in plain["boards"][0]["rows"]] == ["forward-jumping", "idle"]


def test_a_published_board_that_the_files_do_not_give(
    ludus: Ludus, run: str, tmp_path: Path
) -> None:
    ludus("export", run)
    published = ludus("board", SMALL, "--json").json
    published["rows"][0]["headline"]["value"] += 1
    (tmp_path / "board.json").write_text(json.dumps(published))
    said = ludus("board", "rebuild", f"{run}.jsonl", "--against", "board.json", code=1)
    assert "forward-jumping: headline is published as" in said.words
    assert "Not so: 1." in said.out
    published["seed"] = 5
    (tmp_path / "board.json").write_text(json.dumps(published))
    said = ludus("board", "rebuild", f"{run}.jsonl", "--against", "board.json", code=1)
    assert "no board of test/small, seed 5, in the files" in said.words


@pytest.mark.parametrize("text", ["x", "[]", "{}"])
def test_what_is_no_board(ludus: Ludus, run: str, tmp_path: Path, text: str) -> None:
    ludus("export", run)
    (tmp_path / "board.json").write_text(text)
    words = ("board", "rebuild", f"{run}.jsonl", "--against", "board.json")
    assert "'board.json' is no board" in refused(ludus(*words, code=2))


def test_files_that_are_none(ludus: Ludus, tmp_path: Path) -> None:
    assert "neither a run nor a ledger" in refused(ludus("board", "rebuild", "x", code=2))


def test_without_a_word_the_board_shows_its_help(ludus: Ludus) -> None:
    assert "rebuild" in ludus("board").out
    assert ludus("board", "--help").out == ludus("board").out
