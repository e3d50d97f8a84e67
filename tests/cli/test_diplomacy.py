from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.benchmarks.diplomacy.saving import call, game, unpack, write_game
from tests.cli.conftest import Ludus, refused

END = ("S1926M", {"FRANCE": 11})
QUICK = ("--against", "hold", "--year", "1902")


@pytest.fixture
def run(ludus: Ludus) -> str:
    words = ("dumb", "dumb#aggressive", "hold", "--games", "3", *QUICK, "--json")
    return str(ludus("run", "diplomacy/gunboat", *words).json["run"])


def test_games_of_others_are_scored(ludus: Ludus, tmp_path: Path) -> None:
    unpack(tmp_path / "games")
    lines = ludus("score", "diplomacy", "games", "--json").out.splitlines()
    rows = {(row["game"], row["power"]): row for row in map(json.loads, lines)}
    assert len(rows) == 70
    assert rows["s01", "FRANCE"]["game_score"] == 61
    assert rows["s01", "ITALY"]["outcome"] == "lost_to_solo"
    reference = ludus("score", "diplomacy", "games", "--rule", "reference")
    assert "rule: reference" in reference.out


def test_faults_end_with_code_1(ludus: Ludus, tmp_path: Path) -> None:
    write_game(tmp_path / "games" / "bad", "{")
    said = ludus("score", "diplomacy", "games", code=1)
    assert "is not JSON" in said.err


def test_tables_of_a_run(ludus: Ludus, run: str) -> None:
    said = ludus("diplomacy", "tables", run[:6], "--out", "new/tables")
    assert "Steerability" in said.out
    assert "not distinguishable" in said.words
    rows = list(csv.DictReader(Path("new/tables/overall_performance.csv").read_text().splitlines()))
    assert {row["model_name"] for row in rows} == {"dumb", "hold"}
    assert rows[-1]["model_name"] == "hold"
    assert float(rows[-1]["avg_phase_time_minutes"]) > 0
    steered = Path("new/tables/steerability.csv").read_text().splitlines()
    assert len(steered) == 2
    beside = json.loads(Path("new/tables/tables.json").read_text())
    assert beside["protocol"][run]["options"] == {"against": "hold", "year": "1902"}


def test_long_conditions_stand_below_the_table(ludus: Ludus, tmp_path: Path) -> None:
    rivals = dict.fromkeys(("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"), "small")
    folder = tmp_path / "games" / "o3-baseline"
    write_game(folder / "run_0", game(("S1901M", {}), END), models=rivals)
    short = game(("S1901M", {}), ("S1911M", {}))
    write_game(folder / "run_1", short, max_year=1910, models={**rivals, "TURKEY": "large"})
    said = ludus("diplomacy", "tables", "games")
    for row in (
        "[1] until 1910, against 5 small, 1 large",
        "[2] until 1925, against 6 small",
    ):
        assert row in said.out
    assert "o3 [1]" in said.out
    assert "o3 [2]" in said.out


def test_tables_of_the_board_are_those_of_the_run(ludus: Ludus, run: str) -> None:
    shown = ludus("show", run, "--json").json["standings"]
    ludus("diplomacy", "tables", run)
    beside = json.loads(Path("tables.json").read_text())
    means = {one["agent"]: one["headline"]["value"] for one in shown}
    assert beside["models"]["hold"]["baseline"]["score"]["value"] == pytest.approx(means["hold"])
    assert beside["models"]["dumb"]["aggressive"]["score"]["value"] == pytest.approx(
        means["dumb-aggressive"]
    )


def test_tables_of_folders_name_what_failed(ludus: Ludus, tmp_path: Path) -> None:
    write_game(tmp_path / "g" / "o3-baseline" / "run_00000", game(("S1901M", {}), END))
    write_game(tmp_path / "g" / "o3-baseline" / "run_00001", game(("S1901M", {}), ("S1905M", {})))
    said = ludus("diplomacy", "tables", "g", "--out", "t", code=1)
    assert "1 game failed" in said.err
    assert Path("t/faults.txt").read_text().count("stopped early") == 1
    assert "run_00001 (o3): stopped early, in S1905M" in said.err
    told = ludus("diplomacy", "tables", "g", "--out", "t", "--rule", "reference", "--json").json
    assert not Path("t/faults.txt").exists()
    assert told["rule"] == "reference"
    assert told["models"]["o3"]["baseline"]["games"] == 2


def test_runs_and_folders_are_drawn(ludus: Ludus, run: str, tmp_path: Path) -> None:
    write_game(tmp_path / "g", game(("S1901M", {}), END), calls=[call("FRANCE", "Success")] * 2)
    said = ludus("diplomacy", "plot", run, "g", "--out", "new", "--dark")
    names = ["france_scores_bar", "centres", "orders", "cost"]
    assert said.out.splitlines() == [str(Path("new") / f"{name}.png") for name in names]
    for line in said.out.splitlines():
        assert Path(line).read_bytes().startswith(b"\x89PNG")


def test_promises_are_listed(ludus: Ludus, tmp_path: Path) -> None:
    values = game(("S1901M", {}), END)
    values["phases"][0]["orders"] = {"FRANCE": ["A PAR - BUR"]}
    values["phases"][0]["messages"] = [
        {"sender": "FRANCE", "recipient": "GERMANY", "message": "I will stay out of Burgundy."}
    ]
    write_game(tmp_path / "g", values)
    assert "France 1 0 1 1 0 100" in ludus("diplomacy", "promises", "g").words
    told = ludus("diplomacy", "promises", "g", "--json").json
    assert told["promises"][0]["against"] == "A PAR - BUR"
    write_game(tmp_path / "h", game(("S1901M", {}), END))
    assert "No promises" in ludus("diplomacy", "promises", "h").out
    write_game(tmp_path / "h" / "torn", "{")
    assert "torn" in ludus("diplomacy", "promises", "h", code=1).err


def test_everybody_at_the_table_is_rated(ludus: Ludus, run: str) -> None:
    rated = ludus("diplomacy", "rate", run, "--json").json["ratings"]
    assert {one["player"] for one in rated} == {"dumb", "dumb-aggressive", "hold"}
    assert rated[-1]["player"] == "hold"
    assert rated[0]["rating"] > 1500


def test_a_league_is_played_and_rated(ludus: Ludus) -> None:
    words = ("dumb", "hold", "--games", "3", "--year", "1902")
    said = ludus("diplomacy", "league", *words)
    assert "rating" in said.out
    (kept,) = ludus("runs", "--json").json
    assert kept["benchmark"] == "diplomacy/league"
    assert ludus("verify", kept["run"]).code == 0
    line = refused(ludus("diplomacy", "tables", kept["run"], code=2))
    assert f"ludus diplomacy rate {kept['run']}" in line


def test_the_demo_runs_from_end_to_end(ludus: Ludus) -> None:
    said = ludus("diplomacy", "demo", "--games", "1", "--year", "1901", "--out", "demo")
    assert "Steerability" in said.out
    for name in (
        "overall_performance.csv",
        "steerability.csv",
        "france_scores_bar.png",
        "centres.png",
    ):
        assert str(Path("demo") / name) in said.out.splitlines()


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_exported_runs_score_as_they_did(ludus: Ludus, run: str, form: str) -> None:
    ludus("export", run, "--out", f"run.{form}")
    scored = ludus("score", "diplomacy/gunboat", f"run.{form}", "--json").json
    shown = ludus("show", run, "--episodes", "--json").json["episodes"]
    assert [row["total"] for row in scored["rows"]] == [one["score"] for one in shown]


def test_games_of_a_run_are_saved_and_score_the_same(ludus: Ludus, run: str) -> None:
    assert "9 games written: out" in ludus("diplomacy", "save", run, "--out", "out").out
    names = {place.name for place in Path("out").iterdir()}
    assert names == {"dumb-baseline", "dumb-aggressive", "hold-baseline"}
    lines = ludus("score", "diplomacy", "out", "--json").out.splitlines()
    own = [row for row in map(json.loads, lines) if row["power"] == "FRANCE"]
    scored = ludus("show", run, "--episodes", "--json").json["episodes"]
    assert sorted(row["game_score"] for row in own) == sorted(one["score"] for one in scored)
    assert {row["model"] for row in own} == {"dumb", "dumb-aggressive", "hold"}
    ludus("diplomacy", "tables", "out", "--out", "of-files")
    ludus("diplomacy", "tables", run, "--out", "of-run")
    for name in ("overall_performance.csv", "steerability.csv"):
        assert Path(f"of-files/{name}").read_text() == Path(f"of-run/{name}").read_text()
    of_files, of_run = (
        json.loads(Path(f"of-{k}/tables.json").read_text()) for k in ("files", "run")
    )
    for part in ("models", "conditions", "steerability", "failed_games"):
        assert of_files[part] == of_run[part]
    ludus("diplomacy", "tables", "out", run, "--out", "of-both")
    both = json.loads(Path("of-both/tables.json").read_text())["models"]
    assert {name: own["baseline"]["games"] for name, own in both.items()} == {"dumb": 6, "hold": 6}
    assert ludus("diplomacy", "rate", "out", "--json").json["ratings"][-1]["player"] == "hold"


def test_a_position_is_played_on_by_several(ludus: Ludus, tmp_path: Path) -> None:
    unpack(tmp_path / "games")
    position = "games/s07/lmvsgame.json@F1910M"
    words = ("hold", "dumb", "--games", "2", "--year", "1910", "--position", position)
    standings = ludus("run", "diplomacy/critical", *words, "--json").json["standings"]
    assert {one["agent"] for one in standings} == {"hold", "dumb"}


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("tables", "nothing"), "no run 'nothing'"),
        (("tables", "."), "no game counts"),
        (("tables", ".", "--rule", "x"), "no rule 'x'"),
        (("tables", ".", "--power", "SPAIN"), "no power 'SPAIN'"),
        (("tables", ".", "--steer", "x"), "'x' is not two variants"),
        (("tables", ".", "--reading", "x"), "no reading 'x'"),
        (("plot", "."), "no game counts"),
        (("rate", "."), "two different players"),
        (("league", "dumb"), "is no league"),
        (("plot", ".", "--out", "file"), "'file' is a file"),
    ],
)
def test_what_is_refused(ludus: Ludus, words: tuple[str, ...], fault: str) -> None:
    Path("file").write_text("")
    assert fault in refused(ludus("diplomacy", *words, code=2))


def test_runs_of_other_games_are_refused(ludus: Ludus) -> None:
    other = ludus("run", "test/small", "idle", "--json").json["run"]
    said = refused(ludus("diplomacy", "tables", other, code=2))
    assert "not of Diplomacy" in said


def test_another_seat_has_to_be_named(ludus: Ludus) -> None:
    words = ("hold", "--games", "1", "--seat", "ITALY", *QUICK, "--json")
    run = ludus("run", "diplomacy/gunboat", *words).json["run"]
    assert "give --power ITALY" in refused(ludus("diplomacy", "tables", run, code=2))
    ludus("diplomacy", "tables", run, "--power", "italy")
    assert "italy_mean_score" in Path("overall_performance.csv").read_text()
