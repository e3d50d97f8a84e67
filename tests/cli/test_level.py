from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

from ludus.cli import main
from ludus.cli.app import app
from ludus.games.platformer import Status, replay
from ludus.games.platformer.formats import decode_level, read_level
from ludus.games.platformer.generators import generate, names
from ludus.games.platformer.levels.bundled import BUNDLED, bundled_level
from ludus.games.platformer.levels.campaign import STAGES, campaign_level
from ludus.games.platformer.levels.metrics import describe
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.pictures.rows import WIDEST

PNG = b"\x89PNG\r\n\x1a\n"
COMMANDS = ("make", "show", "options", "campaign", "describe", "check", "range", "play")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["level", *words], catch_exceptions=False)


def printed(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0
    assert result.stderr == ""
    return result.stdout


def fits(text: str) -> bool:
    return max(cell_len(line) for line in text.splitlines()) <= 80


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_make_prints_the_level_s_text() -> None:
    text = printed("make", "notch-framework", "--seed", "7", "--difficulty", "3")
    level = decode_level(text, "text")
    assert level == generate("notch-framework", seed=7, difficulty=3)
    assert level.recipe is not None
    assert text == printed("make", "notch-framework", "--seed", "7", "--difficulty", "3", "--text")


def test_make_takes_a_player_s_profile() -> None:
    level = decode_level(printed("make", "hopper", "--seed", "3", "--set", "profile=expert"))
    assert level == generate("hopper", seed=3, profile="expert")
    assert "average" in printed("options", "hopper")
    schema = json.loads(printed("options", "hopper", "--json"))
    assert schema["properties"]["profile"]["default"] == "average"
    assert main(["level", "make", "hopper", "--set", "profile=nobody"]) == 2


def test_make_takes_every_knob() -> None:
    words = ("--seed", "3", "--width", "64", "--set", "gaps=off", "--set", "hidden-blocks=on")
    level = decode_level(printed("make", "tunable-2010", *words))
    options: dict[str, Any] = {"seed": 3, "width": 64, "gaps": False, "hidden_blocks": True}
    assert level.text == generate("tunable-2010", **options).text
    assert level.recipe is not None
    assert options.items() <= level.recipe.options.items()


def test_make_writes_files(folder: Path) -> None:
    words = ("--seed", "5", "--png", "level.png", "--out", "level.json")
    line = printed("make", "tunable-2010", *words)
    level = generate("tunable-2010", seed=5)
    assert (folder / "level.png").read_bytes().startswith(PNG)
    assert int.from_bytes((folder / "level.png").read_bytes()[16:20], "big") <= WIDEST
    assert read_level(folder / "level.json") == level
    assert line.startswith("level.json and level.png: 256 × 15, ")


def test_make_prints_json_and_a_coloured_map() -> None:
    level = generate("notch-framework", seed=2)
    assert decode_level(printed("make", "notch-framework", "--seed", "2", "--json")) == level
    lines = printed("make", "notch-framework", "--seed", "2", "--ansi").splitlines()
    assert {line.count("▀") for line in lines} == {80, 60, 0}
    assert len(lines) == 4 * 16 + 3


def test_make_takes_a_function_in_a_file(folder: Path) -> None:
    (folder / "own.py").write_text(
        "def steps(seed: int = 0, width: int = 9) -> str:\n"
        "    return 'M' + '-' * (width - 2) + 'F\\n' + 'X' * width\n"
    )
    level = decode_level(printed("make", "own.py:steps", "--width", "12"))
    assert level.text == "M----------F\nXXXXXXXXXXXX"


def test_a_width_can_be_a_length_and_a_word_none(folder: Path) -> None:
    (folder / "own.py").write_text(
        "def steps(length: int = 9, top: int | None = 3) -> str:\n"
        "    return 'M' + '-' * (length - 2) + 'F\\n' + str(top)[0] * length\n"
    )
    level = decode_level(printed("make", "own.py:steps", "--width", "5", "--set", "top=none"))
    assert level.text == "M---F\nNNNNN"
    level = decode_level(printed("make", "own.py:steps", "--width", "5", "--set", "top=2"))
    assert level.text == "M---F\n22222"


def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "▀" in printed("show", "sprint-01")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "▀" not in printed("show", "sprint-01")


def test_show_finds_names_and_files(folder: Path) -> None:
    level = bundled_level("sprint-02")
    assert printed("show", "sprint-02") == level.text + "\n"
    printed("show", "sprint-02", "--out", "level.json")
    assert printed("show", "level.json") == level.text + "\n"
    printed("show", "level.json", "--png", "level.png")
    assert (folder / "level.png").read_bytes().startswith(PNG)
    printed("show", "sprint-02", "-o", "level.tmx")
    assert (folder / "level-tiles.png").exists()


def test_a_file_goes_before_a_name(folder: Path) -> None:
    (folder / "sprint-01").write_text("M-F\nXXX\n")
    assert printed("show", "sprint-01") == "M-F\nXXX\n"


@pytest.mark.parametrize("generator", ["notch-2009", "tunable-2010", "notch-framework"])
def test_options_list_every_knob(generator: str) -> None:
    table = printed("options", generator)
    schema = json.loads(printed("options", generator, "--json"))
    assert fits(table)
    for knob in schema["properties"]:
        assert f"│ {knob} " in table
    assert "0 to 100" in table


def test_options_without_a_generator_list_them_all() -> None:
    table = printed("options")
    assert fits(table)
    assert json.loads(printed("options", "--json")) == names()
    for name in names():
        assert name in table


def test_describe_one_level() -> None:
    table = printed("describe", "sprint-05")
    found = describe(bundled_level("sprint-05"))
    assert fits(table)
    assert f"{found.leniency:.3f}" in table
    assert f"│ widest gap                         │ {found.widest_gap:10} │" in table
    assert "green koopa winged" in table
    assert "nodes" not in table


def test_describe_many_levels(folder: Path) -> None:
    words = [*BUNDLED, f"{'long-name-' * 3}.txt", "[x].txt"]
    for name in words[-2:]:
        (folder / name).write_text("M-F\nXXX\n")
    table = printed("describe", *words)
    assert fits(table)
    for name in (*BUNDLED, "[x].txt"):
        assert name in table
    report = json.loads(printed("describe", *words, "--json"))
    assert [line.pop("level") for line in report] == words
    assert report[2]["gaps"] == describe(bundled_level("sprint-03")).gaps


def test_check_is_fine_if_all_are_solved() -> None:
    table = printed("check", "sprint-01", "sprint-02")
    assert fits(table)
    assert table.count("solved") == 2


def test_check_is_exit_code_one_if_any_is_not() -> None:
    printed("make", "ludus", "--seed", "1", "--set", "impossible=on", "--out", "wall.txt")
    result = run("check", "sprint-01", "wall.txt")
    assert result.exit_code == 1
    assert "impossible" in result.stdout
    result = run("check", "sprint-01", "wall.txt", "--json")
    assert result.exit_code == 1
    one, other = json.loads(result.stdout)
    assert (one["outcome"], other["outcome"]) == ("solved", "impossible")
    assert replay(bundled_level("sprint-01"), bytes.fromhex(one["actions"])).status == Status.WIN
    assert other["actions"] == ""


def test_a_check_can_run_out_of_budget() -> None:
    result = run("check", "sprint-10", "--budget", "3")
    assert result.exit_code == 1
    assert "unknown" in result.stdout


def test_describe_can_ask_the_solver() -> None:
    nodes = solve(bundled_level("sprint-01")).nodes
    assert f" {nodes} " in printed("describe", "sprint-01", "--solve")
    table = printed("describe", "sprint-01", "sprint-02", "--solve")
    assert fits(table)
    assert "sprint-02" in table
    assert f" {nodes} " in table


def test_progress_is_for_terminals_and_on_stderr(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = run("describe", "sprint-01", "sprint-02", "--json")
    assert "2/2" in result.stderr
    json.loads(result.stdout)


def test_range_draws_and_sums_up(folder: Path) -> None:
    words = ("notch-framework", "tunable-2010", "-n", "5", "--difficulty", "3")
    table = printed("range", *words, "--set", "width=100", "--out", "range.png")
    assert fits(table)
    assert "± " in table
    assert table.splitlines()[-1] == "10 levels: range.png"
    assert (folder / "range.png").read_bytes().startswith(PNG)


def test_range_for_machines(folder: Path) -> None:
    words = ("notch-2009", "notch-2009", "-n", "4", "--dark", "--json", "-o", "range.svg")
    report = json.loads(printed("range", *words))
    assert report["picture"] == "range.svg"
    assert list(report["generators"]) == ["notch-2009"]
    spread = report["generators"]["notch-2009"]
    levels = [describe(generate("notch-2009", seed=seed)) for seed in range(4)]
    assert spread["levels"] == 4
    assert spread["leniency"]["most"] == max(level.leniency for level in levels)
    assert "<svg" in (folder / "range.svg").read_text()


def test_range_without_matplotlib_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["level", "range", "notch-2009"]) == 2
    assert 'pip install "ludus-arena[plots]"' in capsys.readouterr().err


def test_the_campaign_is_listed() -> None:
    table = printed("campaign")
    assert fits(table)
    report = json.loads(printed("campaign", "--json"))
    assert [line["level"] for line in report] == list(STAGES)
    for line in report:
        assert f"│ {line['level']}   │     {line['width']:3} │" in table


def test_levels_of_the_campaign_have_names() -> None:
    assert decode_level(printed("show", "2-1")) == campaign_level("2-1")


WRONG: dict[str, tuple[list[str], str]] = {
    "no such command": (["mke"], "No such command 'mke'"),
    "no generator": (["make"], "Missing argument"),
    "unknown generator": (["make", "notch"], "no generator 'notch'; did you mean 'notch-2009'?"),
    "no such file of a generator": (["make", "x.py:f"], "no file 'x.py'"),
    "difficulty": (
        ["make", "notch-2009", "--difficulty", "101"],
        "difficulty 101 is out of range: give 0 to 100",
    ),
    "no number": (
        ["make", "tunable-2010", "--seed", "x"],
        "seed 'x' is no whole number: give 0 or more",
    ),
    "no switch": (
        ["make", "tunable-2010", "--set", "gaps=maybe"],
        "gaps 'maybe' is out of range: give on, off",
    ),
    "no choice": (["make", "ludus", "--set", "type=sea"], "give overground, underground, castle"),
    "unknown knob": (["make", "notch-2009", "--set", "wdth=9"], "did you mean 'width'?"),
    "knob without value": (["make", "notch-2009", "--set", "width"], "try --set width=1"),
    "two prints": (["make", "notch-2009", "--text", "--json"], "give one of them"),
    "not a PNG": (["make", "notch-2009", "--png", "x.gif"], "try --png x.png"),
    "no format": (["make", "notch-2009", "--out", "x.gif"], "does not end in .vglc, .txt"),
    "no directory": (["make", "notch-2009", "--out", "no/x.txt"], "no directory 'no'"),
    "no level": (["show", "sprint-99"], "no level 'sprint-99': give 1-1 … 8-4, sprint-01"),
    "no file": (["show", "x.txt"], "x.txt: cannot be read: No such file"),
    "nothing to describe": (["describe"], "Missing argument"),
    "nothing to check": (["check"], "Missing argument"),
    "budget": (["check", "sprint-01", "--budget", "0"], "a budget of 0 nodes is too small: give 1"),
    "knobs of nothing": (["options", "notch"], "no generator 'notch'"),
    "range of nothing": (["range"], "Missing argument"),
    "range without levels": (["range", "notch-2009", "-n", "0"], "0 levels have no range"),
    "range's picture": (["range", "notch-2009", "-o", "x.gif"], "does not end in .png, .svg"),
    "range's knob": (["range", "notch-2009", "--set", "height=9"], "no option 'height'"),
    "too many ranges": (["range", *"abcdefg"], "7 generators do not fit a picture"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_two(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["level", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(("error: ", "\x1b[31merror: "))
    assert message in err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.txt", "M-F\nXX", "x.txt: row 1 ends at column 2"),
        ("x.vglc", "---\nXgX", "x.vglc: row 1 has 'g' at column 1"),
        ("x.json", '{"rows": []}', "x.json: $.format: is missing"),
    ],
)
def test_a_broken_file_says_where(
    name: str, content: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text(content)
    assert main(["level", "describe", "sprint-01", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


@pytest.mark.parametrize("option", ["--png", "--out"])
def test_a_file_that_cannot_be_written_is_one_line(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    name = "x.png" if option == "--png" else "x.txt"
    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["level", "show", "sprint-01", option, str(folder / name)]) == 2
    assert "No space left on device" in capsys.readouterr().err


def test_no_command_is_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["level"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for command in COMMANDS:
        assert command in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["level", command, "--help"]) == 0
    assert f"Example: ludus level {command}" in capsys.readouterr().out


def test_every_command_is_in_the_tests_above() -> None:
    from ludus.cli.families.platformer.level import level

    found: set[Callable[..., Any] | str | None] = {
        info.name or (info.callback.__name__ if info.callback else None)
        for info in level.registered_commands
    }
    assert found == set(COMMANDS)
