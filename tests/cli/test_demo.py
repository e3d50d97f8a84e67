from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

from ludus.cli.app import app
from ludus.cli.families.platformer import demo
from ludus.games.platformer import replay
from ludus.games.platformer.levels.bundled import BUNDLED, bundled_level
from ludus.runs import Store

PNG = b"\x89PNG\r\n\x1a\n"
PLAYERS = ["idle", "random", "forward-jumping", "rule-based", "astar"]


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["demo", *words], catch_exceptions=False)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "winner.png"


@pytest.fixture(scope="module")
def printed(picture: Path) -> str:
    result = run("--out", str(picture))
    assert result.exit_code == 0
    assert all(" of 50 episodes" in line for line in result.stderr.splitlines())  # where it is slow
    return result.stdout


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    result = run("--json", "--out", str(tmp_path_factory.mktemp("demo") / "winner.png"))
    assert result.exit_code == 0
    data: dict[str, Any] = json.loads(result.stdout)
    return data


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo of two episodes."""
    monkeypatch.setattr(demo, "EPISODES", 1)
    monkeypatch.setattr(demo, "PLAYERS", ("idle", "forward-jumping"))


def table(printed: str) -> list[list[str]]:
    return [line.split() for line in printed.splitlines()[3:8]]


def test_the_table_ranks_the_five_players(printed: str) -> None:
    assert [row[1] for row in table(printed)] == PLAYERS[::-1]
    assert [row[0] for row in table(printed)] == ["1", "2", "3", "4", "5"]


def test_the_table_has_its_columns(printed: str) -> None:
    heading = printed.splitlines()[1]
    for name in ("completion %", "group", "wins", "ticks", "coins", "kills"):
        assert name in heading


def test_the_table_fits_a_narrow_terminal(printed: str) -> None:
    assert max(cell_len(line) for line in printed.splitlines()[:-1]) <= 80


def test_every_mean_has_its_interval(printed: str) -> None:
    assert printed.count(" [") == len(PLAYERS)
    assert "95 % interval" in printed


def test_the_weakest_and_the_best_can_be_told_apart(report: dict[str, Any]) -> None:
    groups = {line["agent"]: set(line["group"]) for line in report["standings"]}
    assert not groups["astar"] & groups["idle"]


def test_the_last_line_says_where_the_picture_is(printed: str, picture: Path) -> None:
    last = printed.splitlines()[-1]
    assert last.startswith("50 episodes in ")
    assert last.endswith(f"astar in sprint-10: {picture}")


@pytest.mark.usefixtures("printed")
def test_the_picture_is_a_png(picture: Path) -> None:
    assert picture.read_bytes().startswith(PNG)


def test_the_json_holds_every_episode(report: dict[str, Any]) -> None:
    played = [(episode["level"], episode["agent"]) for episode in report["episodes"]]
    assert played == [(level, agent) for level in BUNDLED for agent in PLAYERS]
    shown = report["episodes"][report["picture"]["episode"]]
    assert (shown["agent"], shown["level"]) == ("astar", "sprint-10")


def test_the_json_can_be_checked_by_replaying_it(report: dict[str, Any]) -> None:
    for episode in report["episodes"]:
        actions = np.frombuffer(bytes.fromhex(episode["actions"]), np.uint8)
        result = replay(bundled_level(episode["level"]), actions, time_limit=40).result()
        assert result.completion == episode["facts"]["completion"]
        assert result.status == episode["facts"]["status"]
        assert 100 * result.completion == episode["score"]


def test_the_json_and_the_table_agree(report: dict[str, Any], printed: str) -> None:
    for line in report["standings"]:
        mean = f"{line['headline']['value']:.1f} ["
        row = next(row for row in printed.splitlines() if f" {line['agent']} " in row)
        assert mean in row


def test_the_planner_and_the_rules_earn_their_places(report: dict[str, Any]) -> None:
    wins = {line["agent"]: line["ties"]["wins"] for line in report["standings"]}
    assert wins["astar"] >= 0.8
    assert wins["rule-based"] >= wins["forward-jumping"] + 0.3


def test_the_race_is_over_soon(report: dict[str, Any]) -> None:
    assert report["seconds"] < 60


@pytest.mark.usefixtures("report")
def test_the_demo_leaves_no_run_behind() -> None:
    assert [run.id for run in Store().runs("platformer/bundled")] == []


@pytest.mark.usefixtures("short")
def test_a_terminal_sees_the_progress_on_stderr(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = run("--out", str(tmp_path / "winner.png"))
    assert result.exit_code == 0
    assert "2/2" in result.stderr
    assert "leader:" in result.stderr
    assert "leader:" not in result.stdout
