from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from scipy.stats import ttest_ind  # type: ignore[import-untyped]
from tests.benchmarks.diplomacy.saving import call, game, write_game

from ludus.benchmarks.diplomacy.folders import read_folder, split_variant
from ludus.benchmarks.diplomacy.results import PlayedGame, TableResults, TableSettings
from ludus.benchmarks.diplomacy.tables import (
    OVERALL,
    STEERABILITY,
    overall_performance,
    sidecar,
    steerability,
    write_tables,
)
from ludus.errors import OptionError


def games(model: str, variant: str, *results: tuple[float, int]) -> list[PlayedGame]:
    return [
        PlayedGame(model, variant, f"{n}", score, centres, centres >= 18, pair=f"{n}")
        for n, (score, centres) in enumerate(results)
    ]


def results(*played: list[PlayedGame], reading: str = "best") -> TableResults:
    return TableResults(TableSettings(reading=reading), tuple(one for own in played for one in own))


BOTH = (
    games("a", "baseline", (30, 5), (36, 11), (48, 18)),
    games("a", "aggressive", (40, 15), (42, 17), (44, 0), (62, 20)),
)


def test_columns_are_those_of_the_document() -> None:
    assert ",".join(OVERALL) == (
        "model_name,best_variant,france_mean_score,france_median_score,raw_supply_centers_mean,"
        "raw_supply_centers_median,france_win_rate,total_games,avg_phase_time_minutes,error_rate"
    )
    assert ",".join(STEERABILITY) == (
        "model_name,baseline_mean_score,aggressive_mean_score,baseline_raw_supply_centers,"
        "aggressive_raw_supply_centers,steerability_score,steerability_percentage,"
        "steerability_score_raw,steerability_percentage_raw,direction,baseline_games,"
        "aggressive_games"
    )


def test_a_row_is_of_the_best_variant() -> None:
    (row,) = overall_performance(results(*BOTH))
    assert row == {
        "model_name": "a",
        "best_variant": "aggressive",
        "france_mean_score": 47.0,
        "france_median_score": 43.0,
        "raw_supply_centers_mean": 13.0,
        "raw_supply_centers_median": 16.0,
        "france_win_rate": 25.0,
        "total_games": 4,
        "avg_phase_time_minutes": None,
        "error_rate": None,
    }


def test_a_row_can_be_of_both_variants() -> None:
    (row,) = overall_performance(results(*BOTH, reading="pooled"))
    assert (row["best_variant"], row["total_games"]) == ("aggressive", 7)
    assert row["france_mean_score"] == pytest.approx(302 / 7)
    assert row["france_median_score"] == 42
    assert row["france_win_rate"] == pytest.approx(200 / 7)


def test_of_equal_variants_the_baseline_is_best() -> None:
    equal = (games("a", "aggressive", (30, 5)), games("a", "baseline", (30, 5)))
    assert overall_performance(results(*equal))[0]["best_variant"] == "baseline"


def test_models_are_sorted_by_score_and_then_by_name() -> None:
    played = [
        games(name, "baseline", (score, 5)) for name, score in (("b", 30), ("a", 30), ("c", 31))
    ]
    assert [row["model_name"] for row in overall_performance(results(*played))] == ["c", "a", "b"]


def test_steerability() -> None:
    (row,) = steerability(results(*BOTH))
    assert row["baseline_mean_score"] == 38
    assert row["aggressive_mean_score"] == 47
    assert row["steerability_score"] == 9
    assert row["steerability_percentage"] == pytest.approx(900 / 38)
    assert row["steerability_score_raw"] == pytest.approx(13 - 34 / 3)
    assert row["steerability_percentage_raw"] == pytest.approx(100 * (13 - 34 / 3) / (34 / 3))
    assert row["direction"] == "positive"
    assert (row["baseline_games"], row["aggressive_games"]) == (3, 4)


@pytest.mark.parametrize(
    ("before", "after", "direction", "raw"),
    [(10, 5, "negative", None), (10, 10, "neutral", None), (5, 10, "positive", None)],
)
def test_nothing_is_a_percentage_of_no_centres(
    before: int, after: int, direction: str, raw: None
) -> None:
    both = (games("a", "baseline", (before, 0)), games("a", "aggressive", (after, 4)))
    (row,) = steerability(results(*both))
    assert row["direction"] == direction
    assert row["steerability_percentage_raw"] is raw
    assert row["steerability_score_raw"] == 4


def test_models_with_one_variant_are_left_out_of_steerability() -> None:
    played = results(*BOTH, games("b", "baseline", (30, 5)), games("c", "aggressive", (31, 5)))
    assert [row["model_name"] for row in steerability(played)] == ["a"]
    assert len(overall_performance(played)) == 3


def test_steerability_is_sorted_by_difference() -> None:
    played = [
        games(name, variant, (score, 1))
        for name, scores in {"a": (30, 31), "b": (30, 35), "c": (30, 31)}.items()
        for variant, score in zip(("baseline", "aggressive"), scores, strict=True)
    ]
    assert [row["model_name"] for row in steerability(results(*played))] == ["b", "a", "c"]


def test_the_sidecar_tells_how_sure_and_how_made() -> None:
    paired = (
        games("a", "baseline", *[(30 + n % 3, 5) for n in range(12)]),
        games("a", "aggressive", *[(34 + n % 3, 9) for n in range(12)]),
    )
    found = sidecar(results(*paired))
    assert found["rule"] == "document"
    own = found["models"]["a"]["baseline"]["score"]
    assert own["low"] < own["value"] == 31 < own["high"]
    assert found["steerability"]["a"]["value"] == 4
    assert found["steerability"]["a"]["low"] is None
    assert found["steerability"]["a"]["remark"] == "all 12 equal"
    unpaired = sidecar(results(paired[0], paired[1][:5]))["steerability"]["a"]
    assert unpaired["method"] == "welch"
    assert unpaired["low"] < unpaired["value"] < unpaired["high"]


def test_differences_without_pairs_are_welchs() -> None:
    first, second = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9], [27.1, 22.0, 20.8, 23.4, 23.4]
    before = games("a", "baseline", *[(score, 1) for score in first])
    after = games("a", "aggressive", *[(score, 1) for score in second])
    found = sidecar(results(before, after))["steerability"]["a"]
    interval = ttest_ind(second, first, equal_var=False).confidence_interval()
    assert found["low"] == pytest.approx(interval.low, abs=1e-5)
    assert found["high"] == pytest.approx(interval.high, abs=1e-5)


def test_another_seat_names_its_columns() -> None:
    played = TableResults(TableSettings(power="ITALY"), tuple(BOTH[0]))
    assert "italy_mean_score" in overall_performance(played)[0]


def test_tables_as_files(tmp_path: Path) -> None:
    files = write_tables(tmp_path / "new", results(*BOTH))
    assert [file.name for file in files] == [
        "overall_performance.csv",
        "steerability.csv",
        "tables.json",
    ]
    assert not (tmp_path / "new" / "faults.txt").exists()
    rows = list(csv.DictReader(files[0].read_text().splitlines()))
    assert tuple(rows[0]) == OVERALL
    assert (rows[0]["france_mean_score"], rows[0]["error_rate"]) == ("47.0", "")
    steered = list(csv.DictReader(files[1].read_text().splitlines()))
    assert tuple(steered[0]) == STEERABILITY
    assert steered[0]["steerability_percentage"] == "23.684211"
    assert json.loads(files[2].read_text())["choices"]["row"].startswith("best")


def test_what_cannot_be_tables(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no game counts"):
        write_tables(tmp_path, results())
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="cannot write"):
        write_tables(tmp_path / "file", results(*BOTH))
    with pytest.raises(OptionError, match="no reading 'all'"):
        TableSettings(reading="all")


# ---- folders


@pytest.mark.parametrize(
    ("folder", "model", "variant"),
    [
        ("o3-baseline", "o3", "baseline"),
        ("kimi_k2_aggressive", "kimi-k2", "aggressive"),
        ("gpt-4o-mini", "gpt-4o-mini", ""),
        ("baseline", "baseline", ""),
    ],
)
def test_names_of_folders(folder: str, model: str, variant: str) -> None:
    assert split_variant(folder) == (model, variant)


END = ("S1926M", {"FRANCE": 11})
LOG = "… Phase S1901M took 90.00s\n… Phase W1901A took 30 s\n"


def test_a_folder_of_models(tmp_path: Path) -> None:
    calls = [call("FRANCE", "Success")] * 3 + [call("FRANCE", "Failure: x"), call("ITALY", "false")]
    own = game(("S1901M", {}), END)
    for number in range(2):
        write_game(
            tmp_path / "o3-baseline" / "runs" / f"run_0000{number}", own, calls=calls, log=LOG
        )
    write_game(tmp_path / "o3_aggressive" / "run_00000", game(("S1901M", {}), ("S1926M", {})))
    found = read_folder(tmp_path)
    (row,) = overall_performance(found)
    assert (row["model_name"], row["best_variant"], row["total_games"]) == ("o3", "baseline", 2)
    assert (row["error_rate"], row["avg_phase_time_minutes"]) == (25.0, 1.0)
    assert steerability(found)[0]["steerability_score"] == 28 - 36
    details = sidecar(found)["models"]["o3"]["baseline"]
    assert details["avg_movement_time_minutes"] == 1.5


def test_games_that_do_not_count_are_counted(tmp_path: Path) -> None:
    write_game(tmp_path / "o3-baseline" / "run_00000", game(("S1901M", {}), END))
    write_game(tmp_path / "o3-baseline" / "run_00001", game(("S1901M", {}), ("S1908M", {})))
    write_game(tmp_path / "o3-baseline" / "run_00002", game(("S1901M", {}), END), max_year=None)
    write_game(tmp_path / "o3-baseline" / "run_00003", "{")
    (tmp_path / "o3-baseline" / "run_00004").mkdir()
    found = read_folder(tmp_path)
    assert [one.game for one in found.failures] == [
        "o3-baseline/run_00001",
        "o3-baseline/run_00002",
    ]
    assert len(found.faults) == 2
    assert overall_performance(found)[0]["total_games"] == 1
    assert len(sidecar(found)["failed_games"]) == 2
    assert overall_performance(read_folder(tmp_path, year=1925))[0]["total_games"] == 2
    reference = read_folder(tmp_path, TableSettings(rule="reference"))
    rows = {row["model_name"]: row["total_games"] for row in overall_performance(reference)}
    assert rows == {"o3 (until 1925)": 2, "o3 (until 1930)": 1}


def test_models_are_found_without_names_of_folders(games: Path) -> None:
    found = overall_performance(read_folder(games))
    names = {row["model_name"].split(" (")[0] for row in found}
    assert names == {"bot:dumb", "bot:random", "bot:hold"}
    assert sum(row["total_games"] for row in found) == 9


def test_powers_that_are_not_there(tmp_path: Path) -> None:
    write_game(tmp_path / "g", game(("S1901M", {}), END))
    with pytest.raises(OptionError, match="no power 'SPAIN'"):
        read_folder(tmp_path, TableSettings(power="SPAIN"))


# ---- how games were played


def test_games_that_were_played_differently_share_no_row(tmp_path: Path) -> None:
    own = game(("S1901M", {}), END)
    short = game(("S1901M", {}), ("S1911M", {}))
    rivals = dict.fromkeys(("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA"), "small")
    first, second = {**rivals, "TURKEY": "small"}, {**rivals, "TURKEY": "large"}
    folder = tmp_path / "o3-baseline"
    write_game(folder / "run_0", own, models=first)
    write_game(folder / "run_1", own, models=first)
    write_game(folder / "run_2", short, max_year=1910, models=first)
    write_game(folder / "run_3", own, models=second)
    write_game(tmp_path / "o3-aggressive" / "run_0", short, max_year=1910, models=first)
    found = read_folder(tmp_path)
    rows = {row["model_name"]: row["total_games"] for row in overall_performance(found)}
    assert rows == {
        "o3 (until 1925, against 6 small)": 2,
        "o3 (until 1910, against 6 small)": 1,
        "o3 (until 1925, against 5 small, 1 large)": 1,
    }
    (steered,) = steerability(found)
    assert steered["model_name"] == "o3 (until 1910, against 6 small)"
    told = sidecar(found)["conditions"]["o3 (until 1910, against 6 small)"]
    assert (told["until"], told["press"], told["start"]) == (1910, "no press", "S1901M")


@pytest.mark.parametrize("change", ["press", "rules", "start", "seats"])
def test_press_rules_starts_and_seats_divide_rows(tmp_path: Path, change: str) -> None:
    own = game(("S1901M", {}), END)
    other = json.loads(json.dumps(own))
    seats = [{"AUSTRIA": "a", "ENGLAND": "b"}] * 2
    if change == "press":
        other["phases"][0]["messages"] = [
            {"sender": "ITALY", "recipient": "GLOBAL", "message": "x"}
        ]
    elif change == "rules":
        other["rules"] = ["CD_DUMMIES"]
    elif change == "start":
        other = game(("S1902M", {}), END)
    else:
        seats = [{"AUSTRIA": "a", "ENGLAND": "b"}, {"AUSTRIA": "b", "ENGLAND": "a"}]
    write_game(tmp_path / "o3-baseline" / "run_0", own, models=seats[0])
    write_game(tmp_path / "o3-baseline" / "run_1", other, models=seats[1])
    rows = overall_performance(read_folder(tmp_path))
    assert len({row["model_name"] for row in rows}) == 2
    assert [row["total_games"] for row in rows] == [1, 1]


def test_a_game_that_tests_another_seat_is_refused(tmp_path: Path) -> None:
    own = {**game(("S1901M", {}), END), "settings": {"power": "ITALY"}}
    write_game(tmp_path / "g", own)
    with pytest.raises(OptionError, match="tests ITALY, not FRANCE: give --power ITALY"):
        read_folder(tmp_path)


def test_differences_that_may_be_none_are_not_distinguishable() -> None:
    unsure = (
        games("a", "baseline", *[(30 + 5 * (n % 4), 5) for n in range(12)]),
        games("a", "aggressive", *[(31 + 5 * ((n + 1) % 4), 9) for n in range(12)]),
    )
    told = sidecar(results(*unsure))["steerability"]["a"]
    assert told["low"] < 0 < told["high"]
    assert told["distinguishable"] is False
    sure = (unsure[0], games("a", "aggressive", *[(60 + n % 3, 9) for n in range(12)]))
    assert sidecar(results(*sure))["steerability"]["a"]["distinguishable"] is True
    single = (games("a", "baseline", (30, 5)), games("a", "aggressive", (60, 5)))
    assert sidecar(results(*single))["steerability"]["a"]["distinguishable"] is False


def test_all_faults_are_listed_in_a_file(tmp_path: Path) -> None:
    write_game(tmp_path / "g" / "run_00", game(("S1901M", {}), END))
    for number in range(15):
        write_game(tmp_path / "g" / f"run_9{number}", "{\n\x1b[31m")
    (*_, file) = write_tables(tmp_path / "t", read_folder(tmp_path / "g"))
    assert file.name == "faults.txt"
    lines = file.read_text().splitlines()
    assert len(lines) == 15
    assert all("run_9" in line and "\x1b" not in line for line in lines)
