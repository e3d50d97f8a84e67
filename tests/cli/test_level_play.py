"""``ludus level play`` writes what an agent pressed, whatever the agent and the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludus.cli import main
from ludus.games.platformer import Level, World, replay
from ludus.games.platformer.levels.bundled import bundled_level

TEXT = "M-----------g----------F\nXXXXXXXXXXXXXXXXXXXXXXXX\n"
CRASHING = """
class Agent:
    name = "crashing"
    def reset(self, scenario): pass
    def act(self, view):
        if view.tick > 3:
            raise ValueError("no idea")
        return 2
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("level.txt").write_text(TEXT)


def read(file: str) -> list[int]:
    return [int(line) for line in Path(file).read_text().splitlines()]


def test_the_buttons_lead_to_the_same_end(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["level", "play", "level.txt", "--agent", "forward-jumping", "--time-limit", "20"]
    assert main([*words, "--mode", "2", "--actions", "out.txt", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["actions"] == read("out.txt")
    assert (shown["ending"], shown["facts"]["status"]) == ("finished", 1)
    world = replay(Level.parse(TEXT), bytes(read("out.txt")), 2, 20)
    assert f"{world.hash():016x}" == shown["facts"]["state"]


def test_it_stops_after_the_ticks(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["level", "play", "level.txt", "--agent", "run-right", "--ticks", "7"]
    assert main([*words, "--actions", "out.txt"]) == 0
    assert len(read("out.txt")) == 7
    assert "stopped" in capsys.readouterr().out


def test_the_numbers_are_those_of_the_framework_under_all_rules() -> None:
    words = ["level", "play", "sprint-01", "--agent", "forward-jumping", "--ticks", "40"]
    assert main([*words, "--rules", "2009", "--actions", "out.txt"]) == 0
    pressed = read("out.txt")
    assert 2 | 8 | 16 in pressed  # RIGHT, SPEED and JUMP
    world = World(bundled_level("sprint-01").for_rules("2009"), 0, 40)
    for number in pressed:
        mario = world.mario
        jumps = mario.may_jump or not mario.on_ground
        assert number == (2 | 8 | 16 if jumps else 2)
        world.step(number & ~24 | (8 if number & 16 else 0) | (16 if number & 8 else 0))


def test_an_agent_that_crashes_is_reported_and_what_it_played_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("agent.py").write_text(CRASHING)
    words = ["level", "play", "level.txt", "--agent", "agent.py:Agent", "--actions", "out.txt"]
    assert main(words) == 1
    assert "ValueError: no idea" in capsys.readouterr().out
    assert read("out.txt") == [2, 2, 2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--agent", "nobody"], "no agent 'nobody'"),
        (["--agent", "idle", "--ticks", "-1"], "-1 ticks"),
        (["--agent", "idle", "--mode", "5"], "mode 5"),
        (["--agent", "idle", "--rules", "nobody's"], "rules"),
        (["--agent", "idle", "--actions", "no/where.txt"], "cannot write"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["level", "play", "level.txt", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
