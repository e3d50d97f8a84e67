from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.benchmarks.nematode.making import small_submission
from tests.boards.making import Here

from ludus.api.families.nematode_behaviour import behaviour
from ludus.api.settings import open_store
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.cli import main
from ludus.errors import OptionError
from ludus.reports.worm_behaviour import describe_sample, measure_sessions
from ludus.runs import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(small_submission(tmp_path_factory.mktemp("worms") / "one"))


def test_figures_are_printed_with_chance_literature_and_n(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["nematode", "behaviour", folder]) == 0
    said = capsys.readouterr().out
    assert "nose on foraging-small@head" in said
    head = next(line for line in said.splitlines() if line.startswith("figure"))
    assert head.split()[:5] == ["figure", "value", "chance", "literature", "n"]
    assert "Bargmann et al. 1993" in said
    assert "For klinokinesis, weathervane our sources give no band" in said
    table = said.splitlines()[:7]
    assert all(len(line.rstrip()) <= 80 for line in table)


def test_the_same_figures_come_as_values(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nematode", "behaviour", folder, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert main(["nematode", "behaviour", folder, "--csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["figure"] for row in rows] == [line["figure"] for line in lines]
    assert rows[0]["literature_low"] == 0.5
    assert lines[1]["literature_low"] == ""
    assert float(lines[0]["value"]) == rows[0]["value"]
    assert {"chance_value", "chance_low", "chance_high", "n", "unit"} <= rows[0].keys()


def test_curves_come_with_units_and_chance(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nematode", "behaviour", folder, "--curves"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(line["curve"], line["of"]) for line in lines} == {
        (curve, who) for curve in ("klinokinesis", "weathervane") for who in ("brain", "chance")
    }
    assert all("radians" in line["y_is"] for line in lines if line["curve"] == "weathervane")


def test_agents_of_a_stored_run_are_measured(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with open_store(url) as store:
        specs = ["gradient", "random-walk"]
        played = run("worm/foraging-small", specs, store=store, episodes=4, executor=Here())
        measured = behaviour(played.id, agent="gradient", store=store)
        assert [row["brain"] for row in measured.to_dicts()] == ["gradient"] * 3
        assert measured.behaviours["gradient"].groups == 4
        with pytest.raises(OptionError, match="no agent 'nobody'; there are gradient, random-walk"):
            behaviour(played.id, agent="nobody", store=store)


def test_what_is_not_of_worms_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["nematode", "behaviour", str(tmp_path / "empty")]) == 2
    assert "there is no session" in capsys.readouterr().err
    assert main(["nematode", "behaviour", "x", "--csv", "--json"]) == 2


def test_titles_tell_of_all_samples_not_of_the_first(folder: str) -> None:
    sessions = read_sessions(Path(folder))[0]
    few = [replace(one, seed=7) for one in sessions[:2]]
    title = describe_sample({"a": measure_sessions(sessions), "b": measure_sessions(few)})
    assert title.startswith("2 brains on ")
    assert title.endswith("of 2 to 3 trainings, seeds 0, 7")
