from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Ludus, refused

from ludus import __version__
from ludus.cli import main
from ludus.cli.commands import all_commands
from ludus.cli.families.platformer import demo as demo_command
from ludus.errors import AgentError
from ludus.runs import Store

RUN = ["run", "test/small"]
AGENTS = {
    "syntax.py": "class Agent(:\n",
    "raises.py": "raise RuntimeError('not today')\n",
    "exits.py": "import sys\nsys.exit('bye')\n",
    "empty.py": "",
    "unmade.py": "class Agent:\n    def __init__(self, needed): pass\n",
    "silent.py": "class Agent:\n    name = 'x'\n    def reset(self, scenario): pass\n",
}

WRONG: dict[str, tuple[list[str], str]] = {
    "unknown command": (["dmo"], "No such command 'dmo'"),
    "unknown option": (["demo", "--wrong"], "No such option: --wrong"),
    "option without its value": (["demo", "--out"], "--out"),
    "word too many": (["demo", "extra"], "unexpected extra argument"),
    "not a picture": (["demo", "--out", "x.gif"], "'x.gif' does not end in .png"),
    "no such directory": (["demo", "--out", "/no/such/x.png"], "no directory '/no/such'"),
    "a directory": (["demo", "--out", "."], "does not end in .png"),
    "no benchmark": (["run"], "Missing argument 'BENCHMARK'"),
    "no agent": (RUN, "Missing argument"),
    "unknown benchmark": (["run", "test/smal", "idle"], "did you mean 'test/small'?"),
    "unknown version": (["run", "test/small@2", "idle"], "has version 1 here, not 2"),
    "unknown agent": ([*RUN, "idel"], "did you mean 'idle'?"),
    "missing file": ([*RUN, "none.py:Agent"], "there is no file 'none.py'"),
    "no class named": ([*RUN, "silent.py"], "names no class: try silent.py:Agent"),
    "syntax error": ([*RUN, "syntax.py:Agent"], "invalid syntax in line 1"),
    "file that raises": ([*RUN, "raises.py:Agent"], "RuntimeError: not today"),
    "file that exits": ([*RUN, "exits.py:Agent"], "SystemExit: bye"),
    "missing class": ([*RUN, "empty.py:Agent"], "there is no class 'Agent' in it"),
    "class that needs more": ([*RUN, "unmade.py:Agent"], "cannot be made: TypeError"),
    "class without act": ([*RUN, "silent.py:Agent"], "has no method act()"),
    "no module": ([*RUN, "no.such.module:Agent"], "cannot be imported: ModuleNotFoundError"),
    "no workers": ([*RUN, "idle", "--workers", "0"], "0 workers are too few"),
    "no episodes": ([*RUN, "idle", "--episodes", "0"], "0 episodes are too few"),
    "millions of episodes": (
        [*RUN, "idle", "--episodes", "5000000"],
        "5,000,000 episodes are too many for one run: give 1,000,000 at most",
    ),
    "a season of millions": (
        ["season", "start", "platformer/sprint", "--name", "x", "--episodes", "5000000"],
        "5,000,000 episodes are too many",
    ),
    "a training of millions": (
        ["train", "nematode/foraging-small", "--episodes", "5000000"],
        "5,000,000 episodes are too many for a training: give 100,000 at most",
    ),
    "no number": ([*RUN, "idle", "--seed", "x"], "'--seed': 'x' is not a whole number"),
    "half a number": ([*RUN, "idle", "--seed=1.5"], "'--seed': '1.5' is not a whole number"),
    "no time": ([*RUN, "idle", "--timeout", "soon"], "'--timeout': 'soon' is not a number"),
    "no such mode of play": (["play", "ludus", "--mode", "huge"], "'huge'"),
    "level to no picture": (["level", "make", "ludus", "--png", "x.gif"], "'x.gif'"),
    "level from no file": (["level", "show", "none.json"], "none.json"),
    "knob of no value": (["level", "make", "ludus", "--set", "gaps"], "--set 'gaps' has no value"),
    "scores of no file": (["score", "mario-arena", "none.csv"], "nothing at 'none.csv' to score"),
    "score of no mode": (["score", "mario-arena", "empty.py", "--mode", "x"], "'x'"),
    "folder without a curve": (["plot", "."], "'.'"),
    "training of no folder": (["train", "--resume", "none"], "'none'"),
    "import of no file": (["import", "none.jsonl"], "'none.jsonl'"),
    "pictures into a file": (["plot", "1a2b", "--out", "empty.py"], "'empty.py'"),
    "store that is no store": (["runs", "--store", "mysql://x/y"], "no store at 'mysql://x/y'"),
    "store in no place": (["runs", "--store", "/proc/none/x.db"], "no store at"),
    "store that is a folder": (["runs", "--store", "."], "unable to open database file"),
}


@pytest.fixture(autouse=True)
def _agents(tmp_path: Path) -> None:
    for name, text in AGENTS.items():
        (tmp_path / name).write_text(text)


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_two(
    ludus: Ludus, words: list[str], message: str
) -> None:
    assert message in refused(ludus(*words, code=2))
    assert Store().runs() == []


def broken(path: Path, sql: str) -> str:
    store = Store(str(path))
    with store.transaction() as connection:
        connection.exec_driver_sql(sql)
    store.close()
    return str(path)


@pytest.mark.parametrize("command", [["runs"], [*RUN, "idle"], ["board", "test/small"]])
def test_a_store_of_a_newer_ludus_is_left_alone(
    ludus: Ludus, tmp_path: Path, command: list[str]
) -> None:
    url = broken(tmp_path / "newer.db", "UPDATE alembic_version SET version_num = '9999'")
    before = (tmp_path / "newer.db").read_bytes()
    said = refused(ludus(*command, "--store", url, code=2))
    assert "written by a newer Ludus (its schema is 9999" in said
    assert "update Ludus" in said
    assert (tmp_path / "newer.db").read_bytes() == before


def test_a_store_that_can_only_be_read(ludus: Ludus, tmp_path: Path) -> None:
    url = broken(tmp_path / "old.db", "PRAGMA journal_mode=DELETE")
    read_only = f"sqlite:///file:{url}?mode=ro&uri=true"
    assert "readonly database" in refused(ludus(*RUN, "idle", "--store", read_only, code=2))


def test_a_file_that_is_no_store(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam, " * 100)
    said = ludus("runs", "--store", "letter.txt", code=2)
    assert "file is not a database" in refused(said)
    assert (tmp_path / "letter.txt").read_text().startswith("Dear Sir")


def test_a_usage_error_says_whose_help_to_read(ludus: Ludus) -> None:
    assert "(see ludus demo --help)" in ludus("demo", "--wrong", code=2).err
    assert "(see ludus board accept --help)" in ludus("board", "accept", "--wrong", code=2).err


def test_a_picture_that_cannot_be_written_is_one_line(
    ludus: Ludus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(demo_command, "PLAYERS", ("idle",))
    monkeypatch.setattr(demo_command, "EPISODES", 1)
    monkeypatch.setattr("ludus.games.media.video.write_png", full)
    assert "No space left on device" in refused(ludus("demo", code=2))


def test_an_error_of_the_library_is_one_line(ludus: Ludus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AgentError("no agent 'x';\nthere are none")

    monkeypatch.setattr("ludus.api.playing.make_plan", fail)
    assert ludus("demo", code=2).err == "error: no agent 'x'; there are none\n"


def test_an_interrupt_is_no_traceback(ludus: Ludus, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludus.api.playing.make_plan", interrupt)
    assert ludus("demo", code=130)[1:] == ("", "")


def test_the_version_is_that_of_the_package(ludus: Ludus) -> None:
    assert ludus("--version").out == f"ludus {__version__}\n"


def test_no_command_is_the_help(ludus: Ludus) -> None:
    assert "Begin here" in ludus().out


LOADED = {mounted.command.name: mounted.load() for mounted in all_commands()}


def commands(group: Mapping[str, Any], *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command there is."""
    for name, command in group.items():
        yield (*path, name)
        yield from commands(getattr(command, "commands", {}), *path, name)


@pytest.mark.parametrize("path", sorted(commands(LOADED)), ids=" ".join)
def test_every_help_has_an_example(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*path, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Example: ludus " in said
    if path != ("board", "show"):
        assert f"Example: ludus {' '.join(path)}" in said


@pytest.mark.parametrize("path", sorted(commands(LOADED)), ids=" ".join)
def test_every_command_speaks_json(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    if path in {inner[:-1] for inner in commands(LOADED)}:
        return  # a group of commands
    main([*path, "--help"])
    assert "--json" in capsys.readouterr().out
