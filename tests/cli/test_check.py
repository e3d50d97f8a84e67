from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.cli.conftest import Ludus, refused

from ludus.games.game import find_game
from ludus.runs import Store
from ludus.runs.schema import episodes as episodes_table

SMALL = "test/small"


@pytest.fixture
def run(ludus: Ludus) -> str:
    words = ("run", SMALL, "idle", "forward-jumping", "--accept", "--json")
    return str(ludus(*words).json["run"])


def meddle(**values: object) -> None:
    with Store().transaction() as connection:
        connection.execute(
            sa.update(episodes_table).where(episodes_table.c.number == 1).values(values)
        )


def test_a_true_run_is_verified(ludus: Ludus, run: str) -> None:
    said = ludus("verify", run)
    assert said.out.splitlines() == [
        f"12 episodes played again: all is as run {run} says.",
        "Verified on the board: idle, forward-jumping."
        if "idle, forward" in said.out
        else "Verified on the board: forward-jumping, idle.",
    ]
    assert said.err == ""
    assert all(row["verified"] for row in ludus("board", SMALL, "--json").json["rows"])


def test_verified_as_json(ludus: Ludus, run: str) -> None:
    said = ludus("verify", run, "--json").json
    assert (said["good"], said["episodes"], said["differences"]) == (True, 12, [])


def test_what_differs_is_named_and_exit_code_one(ludus: Ludus, run: str) -> None:
    meddle(total=12345)
    said = ludus("verify", run, code=1)
    assert "episode 1: score is stored as 12345" in said.out
    plain = ludus("verify", run, "--json", code=1).json
    assert not plain["good"]
    assert plain["differences"][0]["field"] == "score"
    assert not any(row["verified"] for row in ludus("board", SMALL, "--json").json["rows"])


def test_many_differences_are_not_all_printed(ludus: Ludus, run: str) -> None:
    with Store().transaction() as connection:
        connection.execute(sa.update(episodes_table).values(facts='{"x": 1, "coins": 0}'))
    said = ludus("verify", run, code=1)
    assert len(said.out.splitlines()) == 21
    assert "more: --json shows all" in said.out
    assert len(ludus("verify", run, "--json", code=1).json["differences"]) > 100


def test_other_rules_verify_nothing(
    ludus: Ludus, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_game("platformer"), "rules", lambda _: "framework@2")
    for command in (("verify", run), ("replay", run, "0")):
        assert "Ludus 0.1.0 plays it" in refused(ludus(*command, code=2))


def test_a_score_is_explained(ludus: Ludus, run: str) -> None:
    said = ludus("explain", run, "1")
    assert f"forward-jumping in small 0, episode 1 of {run}" in said.out
    assert "test/small@1: distance + 100 · coins" in said.out
    parts = ludus("explain", run, "1", "--json").json
    assert parts["parts"]["distance"] + parts["parts"]["coins"] == parts["total"]
    for name, value in parts["parts"].items():
        assert f"{name} {value}" in said.words
    assert set(parts["facts"]) == {"x", "coins"}


def test_a_score_that_the_rule_does_not_give_is_told(ludus: Ludus, run: str) -> None:
    meddle(total=12345)
    assert f"The run says 12,345: ludus verify {run}" in ludus("explain", run, "1").out


def test_an_episode_that_is_none(ludus: Ludus, run: str) -> None:
    assert "no episode 12: it has 0 to 11" in refused(ludus("explain", run, "12", code=2))
    assert "no episode 12" in refused(ludus("replay", run, "12", code=2))


def test_a_replay_is_the_same_as_stored(ludus: Ludus, run: str) -> None:
    said = ludus("replay", run, "1")
    assert "The same as stored." in said.out
    plain = ludus("replay", run, "1", "--json").json
    assert plain["as_stored"]
    assert plain["files"] == []
    assert plain["facts"]["x"] > 0


def test_a_replay_that_is_another(ludus: Ludus, run: str) -> None:
    meddle(facts='{"x": 1, "coins": 0}')
    assert "Not as stored: ludus verify" in ludus("replay", run, "1", code=1).out


def test_a_replay_to_look_at(ludus: Ludus, run: str, tmp_path: Path) -> None:
    said = ludus(
        "replay", run, "1", "--png", "a.png", "--gif", "b.gif", "--mp4", "c.mp4", "-o", "d.png"
    )
    for name in ("a.png", "b.gif", "c.mp4", "d.png"):
        assert f"Written: {name}" in said.out
        assert (tmp_path / name).stat().st_size > 100


def test_a_large_film_is_told_to_be_large(
    ludus: Ludus, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludus.cli.check.LARGE_FILM", 0)
    said = ludus("replay", run, "1", "--gif", "b.gif", "--mp4", "c.mp4")
    assert "b.gif (0.1 MB; a lower --fps or a higher --speed makes it smaller)" in said.words
    assert said.words.endswith("c.mp4")


def test_a_film_of_another_size_and_speed(ludus: Ludus, run: str, tmp_path: Path) -> None:
    from PIL import Image

    ludus("replay", run, "1", "--gif", "plain.gif")
    ludus("replay", run, "1", "--gif", "quick.gif", "--scale", "2", "--speed", "4", "--fps", "10")
    with Image.open(tmp_path / "plain.gif") as plain, Image.open(tmp_path / "quick.gif") as quick:
        assert quick.size == (2 * plain.width, 2 * plain.height)
        assert quick.info["duration"] >= 100
        assert getattr(quick, "n_frames", 1) < getattr(plain, "n_frames", 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--png", "a.gif"), "'a.gif' does not end in .png; try --png a.png"),
        (("--gif", "/no/such/a.gif"), "there is no directory '/no/such'"),
        (("--mp4", "."), "does not end in .mp4"),
        (("--gif", "a.gif", "--scale", "9"), "scale must be from 1 to 8: 9"),
        (("--gif", "a.gif", "--speed", "nan"), "speed must be from 0.1 to 100: nan"),
        (("--gif", "a.gif", "--fps", "0"), "fps must be from 1 to 120: 0"),
        (("--gif", "a.gif", "--fps", "60"), "a GIF cannot show 60 frames a second; try 50"),
        (("--png", "a.png", "--speed", "2"), "are of films: try --gif film.gif"),
    ],
)
def test_a_place_that_cannot_be(
    ludus: Ludus, run: str, words: tuple[str, ...], message: str
) -> None:
    assert message in refused(ludus("replay", run, "1", *words, code=2))


def test_agents_are_compared(ludus: Ludus) -> None:
    words = ("run", SMALL, "idle", "forward-jumping", "--episodes", "12", "--json")
    run = ludus(*words).json["run"]
    said = ludus("compare", f"{run}:forward-jumping", f"{run[:6]}:idle")
    assert "how likely it is by chance" in said.words
    (plain,) = ludus("compare", f"{run}:forward-jumping", f"{run}:idle", "--json").json
    assert plain["better"] == "forward-jumping"
    assert plain["scenarios"] == 12
    assert plain["difference"]["value"] > 0
    assert plain["p"] < 0.05


def test_runs_are_compared(ludus: Ludus, run: str) -> None:
    other = ludus("run", SMALL, "idle", "--json").json["run"]
    said = ludus("compare", run, other)
    assert "cannot be told" in said.words
    longer = ludus("run", SMALL, "idle", "--episodes", "11", "--json").json["run"]
    assert f"{run[:8]}:idle" in ludus("compare", run, longer).words.split()
    far = ludus("run", SMALL, "idle", "--seed", "9", "--json").json["run"]
    assert "did not play the same: seed is 0 and 9" in refused(ludus("compare", run, far, code=2))
