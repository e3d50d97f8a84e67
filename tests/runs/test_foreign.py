from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.boards.making import Here
from tests.runs.small import SMALL

from ludus.benchmarks import Score, find_benchmark
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.runs import Store, export, run, score_file
from ludus.runs.foreign import ScoredFile

GOOD = {"x": 100.5, "coins": 2}


def scored(tmp_path: Path, text: str, name: str = "x.jsonl") -> ScoredFile:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return score_file(SMALL, tmp_path / name)


def only_problem(tmp_path: Path, text: str, name: str = "x.jsonl") -> str:
    rows, problems = scored(tmp_path, text, name)
    assert rows == []
    (problem,) = problems
    return str(problem)


def test_lines_of_facts(tmp_path: Path) -> None:
    text = "\n".join(json.dumps(row) for row in ({**GOOD, "agent": "a"}, {"x": 3, "coins": 0}))
    rows, problems = scored(tmp_path, text)
    assert problems == []
    assert [(row.line, row.agent, row.score.total) for row in rows] == [(1, "a", 300), (2, "", 3)]
    assert rows[0].score.parts == {"distance": 100, "coins": 200}


def test_columns_of_facts(tmp_path: Path) -> None:
    rows, problems = scored(tmp_path, "agent,coins,x,more\na,2,100.5,?\n,0,3,\n", "x.csv")
    assert problems == []
    assert [(row.line, row.agent, row.score.total) for row in rows] == [(2, "a", 300), (3, "", 3)]


def test_words_for_true_and_false(tmp_path: Path) -> None:
    benchmark = find_benchmark("diplomacy/france")
    rule = replace(benchmark, score=lambda facts: Score(int(facts["stopped_early"] is True)))
    (tmp_path / "x.csv").write_text("stopped_early\ntrue\nFALSE\nTrue\n", encoding="utf-8")
    rows, problems = score_file(rule, tmp_path / "x.csv")
    assert problems == []
    assert [row.score.total for row in rows] == [1, 0, 1]


def test_a_file_from_a_spreadsheet(tmp_path: Path) -> None:
    rows, _ = scored(tmp_path, '\ufeffx,coins\r\n"100.5",2\r\n', "x.csv")
    assert rows[0].score.total == 300


def test_blank_lines_are_none(tmp_path: Path) -> None:
    rows, problems = scored(tmp_path, f"\n{json.dumps(GOOD)}\n\n")
    assert [row.line for row in rows] == [2]
    assert problems == []


BAD: dict[str, tuple[Any, str]] = {
    "missing": ({"x": 1}, "line 1: 'coins' is missing"),
    "null": ({"x": None, "coins": 1}, "line 1: 'x' is empty"),
    "empty": ({"x": "", "coins": 1}, "line 1: 'x' is empty"),
    "word": ({"x": "far", "coins": 1}, "line 1: 'x' is 'far', which is not a number"),
    "list": ({"x": [1], "coins": 1}, "line 1: 'x' is [1], which is not a number"),
    "true": ({"x": True, "coins": 1}, "line 1: 'x' is True, which is not a number"),
    "not whole": ({"x": 1, "coins": 1.5}, "line 1: 'coins' is 1.5, which is not a whole number"),
    "nan": ({"x": float("nan"), "coins": 1}, "line 1: is not JSON: NaN is no number"),
    "infinite": ({"x": float("inf"), "coins": 1}, "line 1: is not JSON: Infinity is no number"),
    "no object": ([1, 2], "line 1: is not an object of facts by name"),
}


@pytest.mark.parametrize(("row", "message"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_and_not_counted(tmp_path: Path, row: Any, message: str) -> None:
    assert only_problem(tmp_path, json.dumps(row)) == message


def test_a_line_that_is_not_json(tmp_path: Path) -> None:
    assert only_problem(tmp_path, '{"x": 1,').startswith("line 1: is not JSON: ")


BAD_COLUMNS = {
    "missing column": ("x\n1\n", "line 2: 'coins' is missing"),
    "empty cell": ("x,coins\n,1\n", "line 2: 'x' is empty"),
    "short row": ("x,coins\n1\n", "line 2: 'coins' is empty"),
    "long row": ("x,coins\n1,2,3\n", "line 2: has more values than there are columns"),
    "word": ("x,coins\n1,many\n", "line 2: 'coins' is 'many', which is not a whole number"),
    "nan": ("x,coins\nnan,1\n", "line 2: 'x' is 'nan', which is not a number"),
}


@pytest.mark.parametrize(("text", "message"), BAD_COLUMNS.values(), ids=BAD_COLUMNS)
def test_a_bad_row_is_named_and_not_counted(tmp_path: Path, text: str, message: str) -> None:
    assert only_problem(tmp_path, text, "x.csv") == message


def test_good_rows_count_beside_bad_ones(tmp_path: Path) -> None:
    rows, problems = scored(tmp_path, "x,coins\n1,1\nfar,1\n2,1\n", "x.csv")
    assert [row.line for row in rows] == [2, 4]
    assert [(problem.line, problem.field, problem.value) for problem in problems] == [
        (3, "x", "far")
    ]


def test_a_rule_that_fails_names_what_it_read_last(tmp_path: Path) -> None:
    def rule(facts: Facts) -> Score:
        return Score(1 // int(facts["coins"] or 0), {})

    (tmp_path / "x.jsonl").write_text(json.dumps({"coins": 0}))
    _, (problem,) = score_file(replace(SMALL, score=rule), tmp_path / "x.jsonl")
    assert str(problem) == "line 1: 'coins' is 0, integer division or modulo by zero"


def test_facts_that_ludus_does_not_know_are_taken_as_they_are(tmp_path: Path) -> None:
    def rule(facts: Facts) -> Score:
        return Score(len(str(facts["word"])) + float(facts["speed"] or 0), {})

    (tmp_path / "x.csv").write_text("word,speed\nabc,1.5\n")
    rows, problems = score_file(replace(SMALL, score=rule), tmp_path / "x.csv")
    assert problems == []
    assert rows[0].score.total == 4.5


def test_text_stays_text(tmp_path: Path) -> None:
    def rule(facts: Facts) -> Score:
        return Score(len(str(facts["state"])), {})

    (tmp_path / "x.csv").write_text("state\n0000000000000012\n")
    rows, _ = score_file(replace(SMALL, score=rule), tmp_path / "x.csv")
    assert rows[0].score.total == 16


@pytest.mark.parametrize("format_", ["jsonl", "csv"])
def test_a_run_of_ludus_scores_as_it_did(store: Store, tmp_path: Path, format_: Any) -> None:
    made = run(SMALL.id, ["idle", "random"], store=store, episodes=3, executor=Here())
    export(made.id, store, tmp_path / f"x.{format_}", format_)
    rows, problems = score_file(SMALL, tmp_path / f"x.{format_}")
    assert problems == []
    assert [row.agent for row in rows] == ["idle", "random"] * 3
    assert [row.score for row in rows] == [one.score for one in store.episodes(made.id)]


@pytest.mark.parametrize("content", [b"\xff\xfe\x01", b"x,coins\n1,\x00\xff\n"])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(OptionError, match="is not text"):
        score_file(SMALL, tmp_path / "x.csv")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="No such file"):
        score_file(SMALL, tmp_path / "none.csv")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text())
def test_no_text_makes_it_fall_over(tmp_path: Path, text: str) -> None:
    for name in ("x.jsonl", "x.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
        try:
            rows, problems = score_file(SMALL, tmp_path / name)
        except OptionError:
            continue
        assert rows == []
        assert all(str(problem).startswith("line ") for problem in problems)
