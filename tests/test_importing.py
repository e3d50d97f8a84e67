"""Files of users are executed once in a process, and again only after they were edited."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.boards.making import Here

from ludus.agents import find, load
from ludus.execution.local import LocalExecutor
from ludus.importing import import_file, import_named_module
from ludus.runs import Store, run

COUNTED = """
from pathlib import Path

with (Path(__file__).parent / "executions.txt").open("a") as log:
    print("executed", file=log)


class Agent:
    name = "counted"

    def reset(self, scenario):
        pass

    def act(self, view):
        return 0


class Other(Agent):
    name = "other"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "counted.py"
    path.write_text(COUNTED)
    return path


def executions(file: Path) -> int:
    return len((file.parent / "executions.txt").read_text().splitlines())


def test_loading_executes_a_file_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(f"{file}:Agent")
    load(f"{file}:Other")
    monkeypatch.chdir(file.parent)
    load("counted.py:Agent")
    assert executions(file) == 1


def test_a_run_executes_a_file_once_to_look_at_an_agent_and_once_to_play_it(
    file: Path, tmp_path: Path
) -> None:
    store = Store(str(tmp_path / "runs.db"))
    specs = [f"{file}:Agent", f"{file}:Other"]
    run("platformer/bundled", specs, store=store, episodes=2, executor=Here())
    assert executions(file) == 4  # each of the two agents has a process of its own
    assert "counted" not in sys.modules


def test_every_worker_executes_a_file_once(file: Path, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "runs.db"))
    spec = f"{file}:Agent"
    run("platformer/bundled", [spec], store=store, episodes=4, executor=LocalExecutor(1))
    assert executions(file) == 2  # for the plan and for the play, each in a process of its own


def test_an_edited_file_is_executed_again(file: Path) -> None:
    before = find(f"{file}:Agent")
    file.write_text(COUNTED.replace('"counted"', '"edited"'))
    after = find(f"{file}:Agent")
    assert (before.name, after.name) == ("counted", "edited")
    assert before.fingerprint != after.fingerprint
    assert executions(file) == 2


def test_a_file_imports_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_the_file.py").write_text("ANSWER = 42\n")
    (tmp_path / "main.py").write_text("from beside_the_file import ANSWER\n")
    assert import_file(tmp_path / "main.py").ANSWER == 42


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("x = 1\ndef (:", "in line 2 of"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_file_that_fails_leaves_nothing_behind(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    before = set(sys.modules)
    with pytest.raises(ImportError, match=message):
        import_file(file)
    assert set(sys.modules) == before
    file.write_text("x = 1")
    assert import_file(file).x == 1


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ImportError, match="there is no file"):
        import_file(tmp_path / "none.py")
    (tmp_path / "picture.png").write_bytes(b"")
    with pytest.raises(ImportError, match="no Python file"):
        import_file(tmp_path / "picture.png")
    with pytest.raises(ImportError, match="ModuleNotFoundError"):
        import_named_module("no_such_module_anywhere")


def test_a_module_may_lie_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "only_in_this_folder.py").write_text("x = 7")
    with pytest.raises(ImportError):
        import_named_module("only_in_this_folder")
    assert import_named_module("only_in_this_folder", tmp_path).x == 7
