from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len
from tests.boards.making import Here
from tests.runs.small import register

from ludus.api import playing
from ludus.api.settings import make_executor
from ludus.cli import main
from ludus.runs import Executor

WIDTH = 80
REPR = re.compile(
    r"Path\(|Decimal\(|Fraction\(|array\(|np\.\w+\(|<class |<function |<\w+\.\w+: | at 0x[0-9a-f]"
)
"""What Python writes of a value, and no person wants to read."""


class Said(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def words(self) -> str:
        """All of it with single blanks, whatever was folded where."""
        return " ".join(self.out.split())


Ludus = Callable[..., Said]


@pytest.fixture
def ludus(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Ludus:
    """Run commands in a folder and with a store of their own, playing in this process."""
    register()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "ludus.db"))
    monkeypatch.setattr(
        playing, "make_executor", lambda workers, on="here": here(make_executor(workers, on))
    )

    def call(*words: str, code: int = 0) -> Said:
        returned = main(words)
        said = Said(returned, *capsys.readouterr())
        assert said.code == code, said
        if "--html" not in words and "--md" not in words and "--csv" not in words:
            assert all(cell_len(line) <= WIDTH for line in tables(said.out)), said.out
        return said

    return call


def here(checked: Executor) -> Executor:
    """Return what plays in this process, in place of an executor that could be made."""
    assert checked is not None
    return Here()


def tables(text: str) -> list[str]:
    """Return the lines of tables: up to the last one after a rule."""
    lines = text.splitlines()
    rules = [number for number, line in enumerate(lines) if line.startswith("───")]
    return lines[max(rules[0] - 2, 0) : rules[-1] + 3] if rules else []


def refused(said: Said) -> str:
    """Return the one line of an error."""
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("error: ")
    assert not REPR.search(said.err), said.err
    return said.err
