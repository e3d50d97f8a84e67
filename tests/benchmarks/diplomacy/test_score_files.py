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
        ("[" * 100_000, "is not JSON"),
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
    with pytest.raises(OptionError, match="no rule 'summary'"):
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
