from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.diplomacy.saving import POWERS, call, expected, game, record, write_game

from ludus.benchmarks.score_files import score_files
from ludus.errors import OptionError

SCORES = {"document": "doc_score", "reference": "ref_game_score"}
END = ("S1926M", {"FRANCE": 11})


def rows(path: Path, rule: str = "document") -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["game"], row["power"]): row for row in score_files("diplomacy", path, rule).rows}


@pytest.mark.parametrize("rule", SCORES)
def test_the_ten_games_are_worth_what_they_should(games: Path, rule: str) -> None:
    found = rows(games, rule)
    wanted = expected()
    assert len(found) == len(wanted) == 70
    for row in wanted:
        one = found[row["game"], row["power"]]
        assert one["game_score"] == int(row[SCORES[rule]]), row
        assert one["raw_supply_centers"] == int(row["final_supply_centers"])
        assert one["max_year"] == int(row["max_year"])
        assert one["last_phase"] == row["last_phase"]
        assert one["model"] == row["model"]
        if rule == "document":
            assert one["outcome"] == row["doc_case"].removesuffix("_win")


def test_outcomes_of_the_reference_are_those_it_has(games: Path) -> None:
    found = {row["outcome"] for row in rows(games, "reference").values()}
    assert found == {"solo", "survived", "eliminated"}


def test_games_that_were_stopped_early_are_marked(games: Path) -> None:
    found = rows(games)
    assert {name for (name, _), row in found.items() if not row["complete"]} == {"s19"}
    assert found["s19", "FRANCE"]["remark"] == "stopped early, in F1908M"
    assert "! s19: stopped early" in score_files("diplomacy", games).report


def test_one_folder_one_file_and_any_depth(tmp_path: Path) -> None:
    values = game(("S1901M", {}), END)
    write_game(tmp_path / "o3-baseline" / "runs" / "run_00000", values)
    (tmp_path / "plain.json").write_text(json.dumps(values))
    deep = "o3-baseline/runs/run_00000"
    assert {name for name, _ in rows(tmp_path)} == {deep, "plain.json"}
    assert {name for name, _ in rows(tmp_path / deep)} == {"run_00000"}
    assert {name for name, _ in rows(tmp_path / deep / "lmvsgame.json")} == {"run_00000"}
    assert {name for name, _ in rows(tmp_path / "plain.json")} == {"plain.json"}


def test_links_are_followed_and_loops_are_not(tmp_path: Path) -> None:
    write_game(tmp_path / "results" / "o3_baseline", game(("S1901M", {}), END))
    (tmp_path / "results" / "again").symlink_to(tmp_path / "results")
    board = tmp_path / "board"
    board.mkdir()
    (board / "o3-baseline").symlink_to(tmp_path / "results" / "o3_baseline")
    assert {name for name, _ in rows(board)} == {"o3-baseline"}
    assert {name for name, _ in rows(tmp_path / "results")} == {"o3_baseline"}


def test_a_missing_overview_is_flagged(tmp_path: Path) -> None:
    write_game(tmp_path / "g", game(("S1901M", {}), END), max_year=None)
    for rule in SCORES:
        found = rows(tmp_path, rule)["g", "FRANCE"]
        assert (found["max_year"], found["max_year_source"]) == (1930, "assumed")
        assert found["game_score"] == 41
        assert "no file tells the last year: 1930 is assumed" in found["remark"]


def test_settings_in_the_game_tell_the_last_year_to_the_document_alone(tmp_path: Path) -> None:
    values = game(("S1901M", {}), END)
    values["phases"][0]["config"] = {"max_year": 1925}
    write_game(tmp_path / "g", values, max_year=None)
    assert rows(tmp_path)["g", "FRANCE"]["game_score"] == 36
    assert rows(tmp_path)["g", "FRANCE"]["max_year_source"] == "settings"
    assert rows(tmp_path, "reference")["g", "FRANCE"]["game_score"] == 41


def test_the_first_line_with_a_last_year_counts(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "g", game(("S1901M", {}), END))
    lines = ['{"max_year": null}', "torn {", '{"max_year": "1925"}', '{"max_year": 1910}']
    (folder / "overview.jsonl").write_text("\n".join(lines))
    found = score_files("diplomacy", tmp_path)
    assert found.rows[0]["max_year"] == 1925
    assert len(found.faults) == 1
    assert "overview.jsonl', line 2, is not JSON" in found.faults[0]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is not JSON"),
        ('{"phases": [', "is not JSON"),
        ("[" * 100_000, "is nested more than 64 levels deep"),
        ("[]", "has no list of 'phases'"),
        ('{"phases": []}', "has no list of 'phases'"),
        ('{"phases": [1]}', "record 0 has no name"),
        ('{"phases": [{"name": "S1901M"}]}', "record 0 (S1901M) has no 'centers'"),
        (
            '{"phases": [{"name": "S1901M", "state": {"centers": {"ITALY": "ROM"}}}]}',
            "record 0 (S1901M) has 'ROM' for a list of centres",
        ),
    ],
)
def test_broken_games_are_named_and_skipped(tmp_path: Path, text: str, fault: str) -> None:
    write_game(tmp_path / "bad", text)
    write_game(tmp_path / "good", game(("S1901M", {}), END))
    found = score_files("diplomacy", tmp_path)
    assert {row["game"] for row in found.rows} == {"good"}
    assert len(found.faults) == 1
    assert fault in found.faults[0]
    assert str(tmp_path / "bad") in found.faults[0]


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    write_game(tmp_path / "bad", "{}")
    (tmp_path / "bad" / "lmvsgame.json").write_bytes(b"\xff\xfe\x00{")
    found = score_files("diplomacy", tmp_path)
    assert not found.rows
    assert "is not text in UTF-8" in found.faults[0]


def test_runs_that_left_no_game_are_named(tmp_path: Path) -> None:
    crashed = tmp_path / "o3-baseline" / "runs" / "run_00001"
    crashed.mkdir(parents=True)
    (crashed / "console.log").write_text("Traceback")
    (tmp_path / "o3-baseline" / "config.json").write_text("{}")
    found = score_files("diplomacy", tmp_path)
    assert len(found.faults) == 1
    assert "run_00001' has no lmvsgame.json" in found.faults[0]


def test_folders_without_games_say_so(tmp_path: Path) -> None:
    assert "no games in" in score_files("diplomacy", tmp_path).faults[0]
    with pytest.raises(OptionError, match="nothing at"):
        score_files("diplomacy", tmp_path / "nowhere")
    with pytest.raises(OptionError, match="no mode 'summary'"):
        score_files("diplomacy", tmp_path, "summary")


def test_calls_are_counted_and_torn_rows_named(tmp_path: Path) -> None:
    calls = [
        call("FRANCE", "Success"),
        call("FRANCE", "TRUE: partial"),
        call("FRANCE", "Success: No valid messages"),
        call("FRANCE", "Failure: Invalid LLM Moves (2): A PAR-BUR"),
        call("ITALY", "false"),
        call("ITALY", "Exception: some ERROR"),
        call("game", "failed"),
    ]
    folder = write_game(tmp_path / "g", game(("S1901M", {}), END), calls=calls)
    with (folder / "llm_responses.csv").open("a") as file:
        file.write('"1","some/model","FRA\n')
    found = score_files("diplomacy", tmp_path)
    own = {row["power"]: row for row in found.rows}
    assert (own["FRANCE"]["llm_calls"], own["FRANCE"]["llm_failed"]) == (4, 1)
    assert own["FRANCE"]["error_rate"] == 25.0
    assert own["ITALY"]["error_rate"] == 100.0
    assert own["TURKEY"]["error_rate"] is None
    assert "llm_responses.csv': 1 torn rows" in found.faults[0]


def test_tables_of_calls_that_are_none_are_named(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "g", game(("S1901M", {}), END))
    (folder / "llm_responses.csv").write_text("a,b\n1,2\n")
    found = score_files("diplomacy", tmp_path)
    assert len(found.rows) == 7
    assert "it has no column 'power'" in found.faults[0]


def test_files_of_every_age_are_read(tmp_path: Path) -> None:
    old = record("S1901M", dict.fromkeys(POWERS, 3))
    may = {**old, "agent_relationships": {"FRANCE": {"ITALY": "Ally"}}}
    agent = {"model_id": "m", "relationships": {"ITALY": "Enemy"}, "goals": []}
    new = {**old, "state_agents": {"FRANCE": agent}, "order_results": {}, "config": {}}
    small = {"name": "S1926M", "centers": {power: ["XXX"] for power in POWERS}}
    values = {"phases": [old, may, new, small]}
    write_game(tmp_path / "g", values)
    found = rows(tmp_path)["g", "FRANCE"]
    assert (found["game_score"], found["model"]) == (26, "m")


def test_other_maps_have_their_own_powers(tmp_path: Path) -> None:
    phases = [record(name, {"ROME": 5, "EGYPT": 2}) for name in ("S1901M", "S1926M")]
    write_game(tmp_path / "g", {"map": "ancmed", "phases": phases})
    found = rows(tmp_path)
    assert {power: row["game_score"] for (_, power), row in found.items()} == {
        "ROME": 30,
        "EGYPT": 27,
    }


def test_every_layout_is_found(tmp_path: Path) -> None:
    values = game(("S1901M", {}), END)
    values["config"] = {"max_year": 1925}
    old = tmp_path / "old"
    old.mkdir()
    for name in ("lmvsgame.json", "lmvsgame.json_20250214_1201.json", "second.json"):
        (old / name).write_text(json.dumps(values))
    write_game(old / "inner", values)
    lines = [json.dumps(values), "", "torn {", json.dumps({"phases": []}), json.dumps(values)]
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    found = score_files("diplomacy", tmp_path)
    assert {row["game"] for row in found.rows} == {
        "old",
        "old/lmvsgame.json_20250214_1201.json",
        "old/second.json",
        "old/inner",
        "games.jsonl:1",
        "games.jsonl:5",
    }
    assert len(found.faults) == 2
    assert "games.jsonl', line 3, is not JSON" in found.faults[0]
    assert "games.jsonl', line 4, is no saved game" in found.faults[1]
    assert len(score_files("diplomacy", tmp_path / "games.jsonl").rows) == 14


def test_other_files_beside_games_are_no_faults(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "g", game(("S1901M", {}), END))
    for name in ("config.json", "FRANCE_memory.json", "runs_summary.json"):
        (folder / name).write_text(json.dumps({"goals": ["win"], "phases": 3}))
    (folder / "diary.jsonl").write_text('{"entry": 1}\n{"entry": 2}\ntorn {')
    found = score_files("diplomacy", tmp_path)
    assert found.faults == []
    assert {row["game"] for row in found.rows} == {"g"}
    found = score_files("diplomacy", folder / "config.json")
    assert "config.json' is no saved game: it has no list of 'phases'" in found.faults[0]


def test_folders_of_runs_without_games_are_named(tmp_path: Path) -> None:
    write_game(tmp_path / "good", game(("S1901M", {}), END))
    (tmp_path / "lost").mkdir()
    (tmp_path / "lost" / "overview.jsonl").write_text('{"max_year": 1925}')
    (tmp_path / "plots").mkdir()
    assert [fault for fault in score_files("diplomacy", tmp_path).faults if "lost" in fault]


def test_an_overview_tells_of_the_games_that_are_its_own(tmp_path: Path) -> None:
    values = game(("S1901M", {}), END)
    folder = write_game(tmp_path / "g", values)
    (folder / "other.json").write_text(json.dumps(values))
    years = {row["game"]: row["max_year_source"] for row in score_files("diplomacy", folder).rows}
    assert years == {"g": "overview.jsonl", "other.json": "assumed"}
    (folder / "lmvsgame.json").unlink()
    (row, *_) = score_files("diplomacy", folder).rows
    assert (row["game"], row["max_year_source"]) == ("other.json", "overview.jsonl")


def test_a_year_can_be_given(tmp_path: Path) -> None:
    write_game(tmp_path / "g", game(("S1901M", {}), END), max_year=None)
    found = score_files("diplomacy", tmp_path, year=1925)
    assert found.faults == []
    france = next(row for row in found.rows if row["power"] == "FRANCE")
    assert (france["game_score"], france["max_year_source"]) == (36, "given")
    with pytest.raises(OptionError, match="max_year is '25'"):
        score_files("diplomacy", tmp_path, year=25)
    (tmp_path / "episodes.csv").write_text("")
    with pytest.raises(OptionError, match="have no last year"):
        score_files("mario-arena", tmp_path / "episodes.csv", year=1925)


@pytest.mark.parametrize("rule", SCORES)
def test_a_year_that_the_record_contradicts_is_an_error(tmp_path: Path, rule: str) -> None:
    long = game(("S1901M", {}), ("F1940M", {}), ("S1941M", {}))
    write_game(tmp_path / "long", long, max_year=None)
    found = score_files("diplomacy", tmp_path, rule)
    (fault,) = found.faults
    assert fault.startswith(repr(str(tmp_path / "long" / "lmvsgame.json")))
    words = "the record goes to 1940, beyond the last year, 1930 (assumed); give --year"
    assert fault.endswith(words)
    assert {row["game"] for row in found.rows} == ({"long"} if rule == "reference" else set())
    assert all("beyond the last year" in row["remark"] for row in found.rows)
    assert score_files("diplomacy", tmp_path, rule, year=1940).faults == []
    write_game(tmp_path / "long", long, max_year=1910)
    assert "1910 (overview.jsonl)" in score_files("diplomacy", tmp_path, rule).faults[0]


def test_games_beside_one_that_goes_too_far_are_scored(tmp_path: Path) -> None:
    write_game(tmp_path / "long", game(("S1901M", {}), ("F1940M", {}), ("S1941M", {})))
    write_game(tmp_path / "short", game(("S1901M", {}), END))
    found = score_files("diplomacy", tmp_path)
    assert {row["game"] for row in found.rows} == {"short"}
    assert "long" not in found.report
    assert len(found.faults) == 1


@pytest.mark.parametrize("year", [0, 25, -1925, True, "soon", 1925.5, 10**30, [1925]])
def test_years_that_are_none_are_errors(tmp_path: Path, year: Any) -> None:
    folder = write_game(tmp_path / "told", game(("S1901M", {}), END), max_year=None)
    (folder / "overview.jsonl").write_text(json.dumps({"max_year": year}))
    (tmp_path / "own.json").write_text(
        json.dumps({**game(("S1901M", {}), END), "config": {"max_year": year}})
    )
    found = score_files("diplomacy", tmp_path)
    assert found.rows == []
    assert len(found.faults) == 2
    for fault, place in zip(sorted(found.faults), ("own.json", "overview.jsonl"), strict=True):
        assert place in fault
        assert "max_year is" in fault


@pytest.mark.parametrize("name", ["X1901M", "S1901", "spring 1901", "S190١M", "COMPLETE", ""])
def test_unknown_phases_are_errors(tmp_path: Path, name: str) -> None:
    write_game(tmp_path / "g", game(("S1901M", {}), (name, {})))
    found = score_files("diplomacy", tmp_path)
    assert found.rows == []
    assert f"record 1 has the unknown phase {name!r}" in found.faults[0]
    assert "lmvsgame.json" in found.faults[0]


def test_records_out_of_order_are_errors(tmp_path: Path) -> None:
    write_game(tmp_path / "g", game(("S1902M", {}), ("F1901M", {}), END))
    found = score_files("diplomacy", tmp_path)
    assert found.rows == []
    assert "record 1 (F1901M) is earlier than S1902M" in found.faults[0]


def test_long_names_keep_the_table_narrow(tmp_path: Path) -> None:
    write_game(tmp_path / ("m" * 60 + "-baseline") / "run_00000", game(("S1901M", {}), END))
    report = score_files("diplomacy", tmp_path).report.splitlines()
    assert max(len(line) for line in report if "run_00000" not in line) <= 80
