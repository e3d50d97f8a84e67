from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused

CORRIDORS = "tests.games.guest.corridors"


def test_a_race_end_to_end(ludus: Ludus, tmp_path: Path) -> None:
    said = ludus("race", "mario-arena/1-1", "random", "forward-jumping", "ppo-1m")
    lines = said.out.splitlines()
    assert lines[0].strip() == "mario-arena/1-1@1, seed 0, 10 episodes each"
    assert lines[1].split()[:5] == ["#", "agent", "score", "group", "success"]
    assert [line.split()[1] for line in lines[3:6]] == ["ppo-1m", "forward-jumping", "random"]
    id_ = ludus("runs", "--json").json[0]["run"]
    assert "30 episodes played again" in ludus("verify", id_).out
    told = ludus("explain", id_, "0").words
    assert "in mode standard" in told
    ludus("replay", id_, "0", "--png", "way.png")
    assert (tmp_path / "way.png").stat().st_size > 1000
    ludus("export", id_, "--out", "run.jsonl")
    ranked = ludus("score", "mario-arena", "run.jsonl")
    assert "MARIO ARENA LEADERBOARD, level 1-1, mode standard" in ranked.out
    shown = [line for line in ranked.out.splitlines() if line[:1].isdigit()]
    assert [line.split()[1] for line in shown] == ["ppo-1m", "forward-jumping", "random"]


def test_modes_have_boards_of_their_own(ludus: Ludus) -> None:
    ludus("run", "mario-arena/1-2", "forward-jumping", "--accept")
    ludus("run", "mario-arena/1-2", "forward-jumping", "--mode", "strict", "--accept")
    plain = ludus("board", "show", "mario-arena/1-2", "--json").json
    strict = ludus("board", "show", "mario-arena/1-2", "--mode", "strict", "--json").json
    first, second = (one["rows"][0]["headline"]["value"] for one in (plain, strict))
    assert first != second
    assert strict["options"] == {"mode": "strict"}


def test_a_best_of_fewer_does_not_get_on_the_board(ludus: Ludus) -> None:
    said = ludus("run", "mario-arena/1-2", "idle", "--episodes", "3", "--accept", code=2)
    assert "takes 10 episodes an agent, not 3" in refused(said)


def test_guests_race_too(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "runner.py").write_text(
        "class Runner:\n"
        "    name = 'runner'\n"
        "    def reset(self, scenario): pass\n"
        "    def act(self, observation): return 1\n"
    )
    env = f"{CORRIDORS}:Modern"
    said = ludus(
        "race", "mario-arena/1-1", "random", "runner.py:Runner", "--env", env, "--json"
    ).json
    assert [one["agent"] for one in said["standings"]] == ["runner", "random"]
    assert said["standings"][0]["ties"]["success"] == 1.0
    ludus("replay", said["run"], "1", "--gif", "film.gif")
    assert (tmp_path / "film.gif").stat().st_size > 100
    wrong = refused(ludus("run", "mario-arena/1-1", "astar", "--env", env, code=2))
    assert "it plays platformer, not guest" in wrong


def test_scores_of_a_file(ludus: Ludus, tmp_path: Path) -> None:
    head = "model,world,stage,completed,max_x_pos,steps,coins,time_remaining\n"
    (tmp_path / "good.csv").write_text(f"{head}mine,1,1,True,3266,342,15,245\n")
    assert "1,018,182" in ludus("score", "mario-arena", "good.csv").out
    row = json.loads(ludus("score", "mario-arena", "good.csv", "--json").out)
    assert (row["score"], row["display"], row["model"]) == (1_018_181.8, 1_018_182, "mine")
    strict = json.loads(ludus("score", "mario-arena", "good.csv", "--mode", "strict", "--json").out)
    assert strict["display"] == 1_013_266
    (tmp_path / "bad.csv").write_text(f"{head}mine,1,9,True,3266,342,15,245\n")
    said = ludus("score", "mario-arena", "bad.csv", code=1)
    assert said.err.strip() == "line 2: 'stage' is 9, which cannot be: it goes from 1 to 4"
    wrong = refused(ludus("score", "mario-arena", "good.csv", "--mode", "fun", code=2))
    assert "no mode 'fun'" in wrong


HEAD = "world,stage,completed,max_x_pos,steps,coins,time_remaining,full_game\n"


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("empty.csv", "", "'empty.csv' is empty: give rows of values"),
        ("blank.jsonl", "\n\n", "'blank.jsonl' is empty: give rows of values"),
        ("head.csv", HEAD, "'head.csv' holds no rows of values: give one or more"),
        ("array.json", "[]", "'array.json' holds no rows of values: give one or more"),
        ("other.csv", "a,b\n1,2\n", "has no column world, stage, completed, max_x_pos, steps"),
    ],
)
def test_files_without_rows_are_refused(
    ludus: Ludus, tmp_path: Path, name: str, text: str, fault: str
) -> None:
    (tmp_path / name).write_text(text)
    assert fault in refused(ludus("score", "mario-arena", name, code=2))


def test_a_full_game_ends_in_its_last_level(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "game.csv").write_text(f"{HEAD}2,1,1,9,9,0,0,1\n8,4,1,9,9,0,0,1\n2,1,0,9,9,0,0,1\n")
    said = ludus("score", "mario-arena/full-game", "game.csv", code=1)
    assert said.err.strip().startswith("line 2: the full game is 'completed' in 2-1")
    assert "best of 2" in said.out


def test_rows_of_one_track_in_every_form(
    ludus: Ludus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {"world": 1, "stage": 1, "completed": 1, "max_x_pos": 9, "steps": 9, "coins": 0}
    rows = [values | {"time_remaining": 0}, values | {"time_remaining": 0, "stage": 2}]
    (tmp_path / "rows.json").write_text(json.dumps(rows, indent=1))
    said = ludus("score", "mario-arena/1-1", "rows.json", "--mode", "speedrun", code=1)
    assert "level 1-1, mode speedrun" in said.out
    assert said.err.strip() == "line 2: is of 1-2, not of 1-1"
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows)), f"{HEAD}1,1,1,9,9,0,0,0\n"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert "level 1-1" in ludus("score", "mario-arena", "-").out


@pytest.mark.parametrize("track", ["mario-arena/1-2", "mario-arena/full-game"])
def test_a_mode_is_told_with_its_own_formula(ludus: Ludus, track: str) -> None:
    run = ludus("run", track, "random", "--mode", "coins", "--episodes", "1", "--json").json["run"]
    worth = "+ 1,000·coins" if track.endswith("game") else "+ 5,000·coins"
    board = ludus("board", "show", track, "--mode", "coins", "--md")
    for told in (board.out, ludus("explain", run, "0").out):
        words = " ".join(told.split())
        assert "in mode coins: " in words
        assert worth in words
    assert worth in ludus("board", "show", track, "--mode", "coins", "--json").json["formula"]
    assert worth not in ludus("board", "show", track, "--json").json["formula"]


def test_a_number_of_an_episode_is_whole(ludus: Ludus) -> None:
    said = refused(ludus("replay", "run", "x", code=2))
    assert said.startswith("error: Invalid value for 'EPISODE': give a whole number (see")


def test_files_without_a_good_row_have_no_table(ludus: Ludus) -> None:
    Path("row.json").write_text('{"world": 1}\n')
    said = ludus("score", "mario-arena/all", "row.json", code=1)
    assert said.out == ""
    assert "line 1: " in said.err


def test_rows_of_the_full_game_say_so(ludus: Ludus) -> None:
    names = "world,stage,completed,max_x_pos,steps,coins,time_remaining"
    Path("level.csv").write_text(f"{names}\n2,1,no,1200,2456,3,0\n")
    said = ludus("score", "mario-arena/full-game", "level.csv", code=1)
    assert "is of 2-1, not of full-game: full_game is 1 there" in said.err
    Path("game.csv").write_text(f"{names},full_game\n2,1,no,1200,2456,3,0,1\n")
    assert "21,954" in ludus("score", "mario-arena/full-game", "game.csv").out
