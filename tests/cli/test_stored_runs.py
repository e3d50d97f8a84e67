from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.cli.conftest import Ludus, refused

from ludus.benchmarks import benchmarks
from ludus.runs import Store

SMALL = "test/small"


@pytest.fixture
def run(ludus: Ludus) -> str:
    return str(ludus("run", SMALL, "idle", "random", "--json").json["run"])


def test_no_runs_yet(ludus: Ludus) -> None:
    assert "There are none yet. Try: ludus run" in ludus("runs").out
    assert ludus("runs", "--json").json == []


def test_runs_are_listed(ludus: Ludus, run: str) -> None:
    said = ludus("runs")
    assert run[:8] in said.out
    assert "test/small@1" in said.out
    assert "12/12" in said.out
    assert "idle, random" in said.out
    (plain,) = ludus("runs", "--json").json
    assert (plain["run"], plain["agents"]) == (run, ["idle", "random"])


def test_runs_of_one_benchmark(ludus: Ludus, run: str) -> None:
    assert run[:8] in ludus("runs", "--benchmark", SMALL).out
    assert run[:8] not in ludus("runs", "--benchmark", "platformer/bundled").out


def test_many_agents_still_fit(ludus: Ludus) -> None:
    ludus("run", SMALL, *["forward-jumping"] * 12, "--episodes", "1")
    assert "forward-jumping-12" in ludus("runs").words


def test_a_run_is_shown(ludus: Ludus, run: str) -> None:
    assert "test/small@1, seed 0, 6 episodes each" in ludus("show", run).out
    assert "small 5" not in ludus("show", run).out
    listed = ludus("show", run, "--episodes").out
    assert listed.count(" over ") == 12
    assert "small 5" in listed


def test_a_run_as_json(ludus: Ludus, run: str) -> None:
    said = ludus("show", run, "--json").json
    assert said["run"] == run
    assert "episodes" not in said
    episodes = ludus("show", run, "--json", "--episodes").json["episodes"]
    assert [one["episode"] for one in episodes] == list(range(12))


def test_a_run_is_deleted(ludus: Ludus, run: str) -> None:
    assert ludus("delete", run).out == f"Run {run} with 12 episodes is deleted.\n"
    assert Store().runs() == []


def test_deleting_takes_the_whole_id(ludus: Ludus, run: str) -> None:
    assert f"ludus delete {run}" in refused(ludus("delete", run[:5], code=2))
    assert len(Store().runs()) == 1
    assert ludus("delete", run, "--json").json == {"deleted": run, "episodes": 12}


def test_what_is_on_a_board_is_not_deleted(ludus: Ludus, run: str) -> None:
    ludus("board", "accept", run)
    said = refused(ludus("delete", run, code=2))
    assert "is on the board for" in said
    assert len(Store().runs()) == 1
    for agent in ("idle", "random"):
        ludus("board", "remove", SMALL, agent, "--why", "the run shall go")
    ludus("delete", run)


def test_a_run_that_is_none(ludus: Ludus, run: str) -> None:
    for command in ("show", "delete", "resume", "verify"):
        assert "no run 'zzz' in the store: try 'ludus runs'" in refused(
            ludus(command, "zzz", code=2)
        )
    empty = refused(ludus("show", run, "--store", "other.db", code=2))
    assert f"no run '{run}': the store 'other.db' is empty" in empty
    ludus("run", SMALL, "idle", "random")
    said = refused(ludus("show", run[:8], code=2))
    assert f"2 runs begin with '{run[:8]}'" in said


def test_a_run_of_an_older_benchmark_can_be_deleted_but_not_shown(
    ludus: Ludus, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(benchmarks(), SMALL, replace(benchmarks()[SMALL], version=2))
    for command in ("show", "resume"):
        assert "has version 2 here, not 1" in refused(ludus(command, run, code=2))
    assert run[:8] in ludus("runs").out
    ludus("delete", run)


def test_a_very_long_run_is_shown_by_its_totals(
    ludus: Ludus, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = ludus("run", SMALL, "idle", "forward-jumping", "--json").json["run"]
    whole = ludus("show", id_).out
    monkeypatch.setattr("ludus.cli.stored_runs.MANY", 11)
    short = ludus("show", id_)
    assert "12 episodes" in short.words
    places = re.compile(r"^(\d+)  (\S+)", re.MULTILINE)
    assert places.findall(short.out) == places.findall(whole) != []
    assert "ticks" not in short.out
    assert "ticks" in ludus("show", id_, "--episodes").out
