from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludus.benchmarks.mario_arena.score_files import RULES
from ludus.benchmarks.score_files import scorable_families, score_files
from ludus.errors import OptionError

HEAD = "model,world,stage,completed,max_x_pos,steps,coins,time_remaining"
GOOD = """\
fast,1,1,True,3266,342,15,245
fast,1,1,0,1456,892,7,0
slow,1,1,yes,3266.0,500,0,200
slow,1,1,no,100,50,0,390
far, 3, 2, 1, 2888, 415, 22, 198
"""


def file(folder: Path, text: str, name: str = "episodes.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_every_mode_is_a_rule_and_standard_is_the_default() -> None:
    assert RULES == ("standard", "speedrun", "coins", "survival", "style", "strict")
    assert scorable_families()["mario-arena"] == "ludus.benchmarks.mario_arena.score_files"


def test_rows_have_their_scores(tmp_path: Path) -> None:
    made = score_files("mario-arena", file(tmp_path, f"{HEAD}\n{GOOD}"))
    assert made.faults == []
    assert made.rows[0] == {
        "line": 2,
        "model": "fast",
        "level": "1-1",
        "mode": "standard",
        "score": 1_018_181.8,
        "display": 1_018_182,
        "parts": {
            "completion": 1e6, "progress": 14266.0, "coins": 1500.0, "time": 2450.0, "steps": -34.2,
        },
    }  # fmt: skip
    assert [row["display"] for row in made.rows] == [
        1_018_182,
        13_067,
        1_016_216,
        11_095,
        1_039_026,
    ]


def test_levels_have_a_leaderboard_each(tmp_path: Path) -> None:
    report = score_files("mario-arena", file(tmp_path, f"{HEAD}\n{GOOD}")).report
    first, second = report.split("\n\n===")
    assert "level 1-1, mode standard" in first
    assert "1     fast             1,018,182   50%      617" in first
    assert "2     slow             1,016,216   50%      275" in first
    assert "fast: best of 2 (needs 3 episodes); success 1% to 99%;" in first
    assert "mean 515,624 [-38,174, 1,105,830]; std 502,558 (population)" in first
    assert "level 3-2" in second
    assert "far" in second
    assert "far" not in first


def test_json_lines_and_models_without_a_name(tmp_path: Path) -> None:
    values = dict(zip(HEAD.split(","), ["x", 1, 1, True, 3266, 342, 15, 245.0], strict=True))
    nameless = {name: value for name, value in values.items() if name != "model"}
    text = f"{json.dumps(values)}\n\n{json.dumps(nameless)}\n"
    made = score_files("mario-arena", file(tmp_path, text, "episodes.jsonl"))
    assert [(row["line"], row["model"]) for row in made.rows] == [(1, "x"), (3, "–")]


def test_bad_rows_are_named_and_not_counted(tmp_path: Path) -> None:
    bad = """\
b,0,2,1,2888,415,22,198
b,1,2,maybe,2888,415,22,198
b,1,2,1,2888.5,415,22,198
b,1,2,1,2888,1000001,22,198
b,1,2,1,2888,415,-1,198
b,1,2,1,2888,415,22
b,1,2,1,2888,415,22,1,1
good,1,2,1,2888,415,22,198
"""
    made = score_files("mario-arena", file(tmp_path, f"{HEAD}\n{bad}"))
    assert [row["model"] for row in made.rows] == ["good"]
    assert made.faults == [
        "line 2: 'world' is 0, which cannot be: it goes from 1 to 8",
        "line 3: 'completed' is 'maybe', which is neither true nor false",
        "line 4: 'max_x_pos' is '2888.5', which is not a whole number",
        "line 5: 'steps' is 1000001, which cannot be: it goes from 0 to 1,000,000",
        "line 6: 'coins' is -1, which cannot be: it goes from 0 to 99",
        "line 7: 'time_remaining' missing: every row needs it",
        "line 8: has more values than there are columns",
    ]


@pytest.mark.parametrize("sign", [";", "\t", " , "])
def test_columns_may_be_separated_by_other_signs_than_commas(tmp_path: Path, sign: str) -> None:
    text = f"{HEAD}\n{GOOD}".replace(", ", ",").replace(",", sign)
    made = score_files("mario-arena", file(tmp_path, text, "episodes.tsv"))
    assert made.faults == []
    assert [row["model"] for row in made.rows] == ["fast", "fast", "slow", "slow", "far"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{HEAD},world\n{GOOD}", "has the column world twice: leave one out"),
        (f'{HEAD}\n{GOOD}"fast,1,1\n', "line 7: a quotation mark that opens a value is never"),
        (f"{HEAD}{',x' * 1000}\n{GOOD}", "has 1,008 columns: give at most 1,000"),
        (f"{HEAD}\n{'x' * 131_073},1\n", "line 2: a value has more than 131,072 characters"),
    ],
)
def test_columns_that_are_damaged_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        score_files("mario-arena", file(tmp_path, text))


def test_blank_lines_before_the_columns_are_counted(tmp_path: Path) -> None:
    made = score_files("mario-arena", file(tmp_path, f"\n\n{HEAD}\n{GOOD}"))
    assert [row["line"] for row in made.rows] == [4, 5, 6, 7, 8]


def test_names_are_one_short_line(tmp_path: Path) -> None:
    names = ["a\nb", "\x1b[2Jred", "x" * 300, " "]
    rows = "".join(f'"{name}",1,1,1,3266,342,15,245\n' for name in names)
    made = score_files("mario-arena", file(tmp_path, f"{HEAD}\n{rows}"))
    assert [row["model"] for row in made.rows] == ["a b", "[2Jred", "x" * 199 + "…", "–"]


def test_an_object_may_have_several_lines(tmp_path: Path) -> None:
    values = dict(zip(HEAD.split(","), ["x", 1, 1, True, 3266, 342, 15, 245], strict=True))
    text = json.dumps(values, indent=2)
    made = score_files("mario-arena", file(tmp_path, text, "episode.json"))
    assert [(row["line"], row["display"]) for row in made.rows] == [(1, 1_018_182)]
    named = file(tmp_path, json.dumps([{**values, "model": [1]}]), "named.json")
    assert score_files("mario-arena", named).faults == ["line 1: 'model' is [1], which is no name"]


def test_lines_that_are_no_json(tmp_path: Path) -> None:
    text = 'nonsense\n[1, 2]\n{"ludus": "run"}\n'
    made = score_files("mario-arena", file(tmp_path, text, "episodes.jsonl"))
    assert not made.rows
    assert [fault[:25] for fault in made.faults] == [
        "line 1: is not JSON: Expe",
        "line 2: is not an object ",
    ]


def test_models_that_played_unequally_often_are_told(tmp_path: Path) -> None:
    text = f"{HEAD}\n{GOOD}slow,1,1,0,10,10,0,0\n"
    report = score_files("mario-arena", file(tmp_path, text)).report
    assert "The best of 2 and 3 episodes do not compare" in report


def test_figures_of_a_model_do_not_depend_on_the_others(tmp_path: Path) -> None:
    lines = [f"{GOOD}slow,1,1,0,10,10,0,0\n".splitlines(), ["other,1,1,1,3266,400,1,100"] * 2]
    together = "\n".join([HEAD, *lines[0], *lines[1]])
    report = score_files("mario-arena", file(tmp_path, together)).report
    for model in ("fast", "slow", "other"):
        own = [line for part in lines for line in part if line.startswith(model)]
        alone = score_files("mario-arena", file(tmp_path, "\n".join([HEAD, *own]))).report
        (figures,) = (line for line in alone.splitlines() if line.startswith(f"{model}:"))
        assert figures in report.splitlines()


def test_modes_need_their_columns(tmp_path: Path) -> None:
    made = score_files("mario-arena", file(tmp_path, f"{HEAD}\n{GOOD}"), "survival")
    assert not made.rows
    assert made.faults[0] == "line 2: 'lives', 'power' missing: every row needs them"
    full = f"{HEAD},lives,power\nfast,1,1,1,3266,342,15,245,2,1\n"
    assert (
        score_files("mario-arena", file(tmp_path, full), "survival").rows[0]["score"] == 1_124_231.8
    )


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(OptionError, match="is neither CSV nor lines of JSON"):
        score_files("mario-arena", tmp_path / "binary.csv")
    with pytest.raises(OptionError, match="cannot read"):
        score_files("mario-arena", tmp_path)
