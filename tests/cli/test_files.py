from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused

from ludus.runs import Store

SMALL = "test/small"


@pytest.fixture
def run(ludus: Ludus) -> str:
    return str(ludus("run", SMALL, "idle", "random", "--json").json["run"])


def test_a_run_goes_out_and_comes_in(ludus: Ludus, run: str, tmp_path: Path) -> None:
    assert ludus("export", run).out == f"12 episodes written: {run}.jsonl\n"
    elsewhere = str(tmp_path / "elsewhere.db")
    said = ludus("import", f"{run}.jsonl", "--store", elsewhere)
    assert said.out == f"12 episodes kept as run {run}. Next: ludus verify {run}\n"
    ludus("verify", run, "--store", elsewhere)
    assert Store(elsewhere).run(run) == Store().run(run)
    assert ludus("import", f"{run}.jsonl", "--json").json == {"run": run, "episodes": 12}


@pytest.mark.parametrize("format_", ["csv", "parquet", "jsonl"])
def test_every_format(ludus: Ludus, run: str, tmp_path: Path, format_: str) -> None:
    said = ludus("export", run, "--to", format_, "--out", "x", "--json").json
    assert said == {"run": run, "file": "x", "episodes": 12}
    begins = {"csv": b"run,benchmark", "parquet": b"PAR1", "jsonl": b'{"ludus": "run"'}
    assert (tmp_path / "x").read_bytes().startswith(begins[format_])


def test_the_name_tells_the_format(ludus: Ludus, run: str, tmp_path: Path) -> None:
    ludus("export", run, "--out", "x.csv")
    with (tmp_path / "x.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 12


def test_places_and_formats_that_cannot_be(ludus: Ludus, run: str) -> None:
    assert "there is no directory" in refused(ludus("export", run, "--out", "/no/x.csv", code=2))
    assert "xml" in refused(ludus("export", run, "--to", "xml", code=2))


def test_a_damaged_file_is_not_taken_in(ludus: Ludus, run: str, tmp_path: Path) -> None:
    ludus("export", run)
    file = tmp_path / f"{run}.jsonl"
    file.write_text(file.read_text().replace('"steps": ', '"steps": 1', 2))
    elsewhere = str(tmp_path / "elsewhere.db")
    said = ludus("import", file.name, "--store", elsewhere, code=2)
    assert "line 1: is not as it was written" in refused(said)
    assert Store(elsewhere).runs() == []
    assert "No such file" in refused(ludus("import", "none.jsonl", code=2))


def test_foreign_episodes_are_scored(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "theirs.csv").write_text("agent,x,coins\na,100,1\na,200,0\nb,5,0\n")
    said = ludus("score", SMALL, "theirs.csv")
    lines = said.out.splitlines()
    assert [line.split()[:2] for line in lines[2:4]] == [["a", "2"], ["b", "1"]]
    assert "200.0" in lines[2]
    plain = ludus("score", SMALL, "theirs.csv", "--json").json
    assert plain["rule"] == "test/small@1"
    assert plain["rows"][0] == {
        "line": 2,
        "agent": "a",
        "total": 200,
        "parts": {"distance": 100, "coins": 100},
    }


def test_bad_rows_are_told_on_stderr_and_not_counted(ludus: Ludus, tmp_path: Path) -> None:
    rows = [{"x": 1, "coins": 0}, {"x": "far", "coins": 0}, {"coins": 1}]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = ludus("score", SMALL, "x.jsonl", code=1)
    assert said.err.splitlines() == [
        "line 2: 'x' is 'far', which is not a number",
        "line 3: 'x' is missing",
    ]
    plain = ludus("score", SMALL, "x.jsonl", "--json", code=1).json
    assert len(plain["rows"]) == 1
    assert [problem["line"] for problem in plain["problems"]] == [2, 3]


def test_many_bad_rows_are_not_all_printed(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("x,coins\n" + "far,0\n" * 50)
    said = ludus("score", SMALL, "x.csv", code=1)
    assert len(said.err.splitlines()) == 21
    assert said.err.splitlines()[-1] == "… and 30 more: --json shows all"


def test_no_benchmark_and_no_file(ludus: Ludus) -> None:
    assert "no benchmark 'none'" in refused(ludus("score", "none", "x.csv", code=2))
    assert "No such file" in refused(ludus("score", SMALL, "x.csv", code=2))
