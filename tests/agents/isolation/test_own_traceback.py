from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludus.agents.isolation.own_traceback import format_own_traceback
from ludus.importing import import_file

CODE = """
import json
def parse(text):
    return json.loads(text)
def chain(text):
    try:
        parse(text)
    except ValueError as error:
        raise KeyError("no move") from error
def sink():
    sink()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(CODE)
    return path


def traceback_of(file: Path, function: str, *arguments: str, own: str = "") -> list[str]:
    try:
        getattr(import_file(file), function)(*arguments)
    except Exception as error:
        return format_own_traceback(error, [own or str(file)]).splitlines()
    raise AssertionError("it has not failed")


def frames(lines: list[str]) -> list[str]:
    return [line.strip() for line in lines if line.startswith("  File ")]


def test_frames_of_other_files_are_left_out(file: Path) -> None:
    lines = traceback_of(file, "parse", "{")
    assert frames(lines) == [f'File "{file}", line 4, in parse']
    assert "    return json.loads(text)" in lines
    assert lines[-1].startswith("json.decoder.JSONDecodeError: ")
    assert __file__ not in "\n".join(lines)
    assert json.__file__ not in "\n".join(lines)


def test_causes_are_shown_alike(file: Path) -> None:
    assert frames(traceback_of(file, "chain", "{")) == [
        f'File "{file}", line 7, in chain',
        f'File "{file}", line 4, in parse',
        f'File "{file}", line 9, in chain',
    ]


def test_a_folder_stands_for_its_files(file: Path) -> None:
    assert len(frames(traceback_of(file, "parse", "{", own=str(file.parent)))) == 1
    assert frames(traceback_of(file, "parse", "{", own=str(file.parent / "other.py"))) == []


def test_a_deep_recursion_is_short(file: Path) -> None:
    lines = traceback_of(file, "sink")
    assert len(lines) < 20
    assert lines[-1].startswith("RecursionError: ")
