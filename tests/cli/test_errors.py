from __future__ import annotations

from pathlib import Path

import pytest

from ludus import __version__
from ludus.cli import app, main
from ludus.cli import demo as demo_command
from ludus.errors import AgentError

WRONG = {
    "unknown command": (["dmo"], "No such command 'dmo'"),
    "unknown option": (["demo", "--wrong"], "No such option: --wrong"),
    "option without its value": (["demo", "--out"], "--out"),
    "word too many": (["demo", "extra"], "unexpected extra argument"),
    "not a picture": (["demo", "--out", "x.gif"], "'x.gif' is not the name of a PNG"),
    "no such directory": (["demo", "--out", "/no/such/x.png"], "no directory '/no/such'"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_two(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "error: " in err
    assert message in err


def test_a_usage_error_says_whose_help_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    main(["demo", "--wrong"])
    assert "(see ludus demo --help)" in capsys.readouterr().err


def test_a_directory_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "folder.png"
    folder.mkdir()
    assert main(["demo", "--out", str(folder)]) == 2
    assert "is a directory" in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(demo_command, "PLAYERS", ("idle",))
    monkeypatch.setattr(demo_command, "write_png", full)
    assert main(["demo", "--out", str(tmp_path / "x.png")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "No space left on device" in err


def test_an_error_of_the_library_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: str) -> None:
        raise AgentError("no agent 'x';\nthere are none")

    monkeypatch.setattr(demo_command, "load", fail)
    assert main(["demo"]) == 2
    assert capsys.readouterr().err == "error: no agent 'x'; there are none\n"


def test_an_interrupt_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo_command, "load", interrupt)
    assert main(["demo"]) == 130
    assert capsys.readouterr() == ("", "")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ludus {__version__}\n"


def test_no_command_is_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "demo" in out
    assert "doctor" in out


@pytest.mark.parametrize("command", ["demo", "doctor"])
def test_every_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"Example: ludus {command}" in capsys.readouterr().out


def test_every_command_is_in_the_test_above() -> None:
    names = {info.callback.__name__ for info in app.registered_commands if info.callback}
    assert names == {"demo", "doctor"}
