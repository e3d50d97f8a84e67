"""Every example in the README and the docs runs, in its order, in a folder of its own."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from tests.docs.pages import GUIDES, blocks, commands, name
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.runs import Store

HAVE_PYTHON = [page for page in GUIDES if any(b.language == "python" for b in blocks(page))]
HAVE_COMMANDS = [page for page in GUIDES if commands(page)]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in a folder and a store of its own, and import modules from that folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "ludus.db"))


def save_files(page: Path) -> None:
    """Save the blocks that have the name of a file."""
    for block in blocks(page):
        if block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")


def last_run() -> str:
    """Return the id of the newest run."""
    store = Store()
    try:
        return store.runs()[0].id
    finally:
        store.close()


@pytest.mark.parametrize("page", HAVE_PYTHON, ids=name)
def test_python_examples_run(page: Path) -> None:
    save_files(page)
    namespace: dict[str, object] = {"__name__": "example"}
    for block in blocks(page):
        if block.language == "python" and not block.file:
            exec(compile(block.text, name(page), "exec"), namespace)
    for block in blocks(page):
        sys.modules.pop(Path(block.file or "-").stem, None)


@pytest.mark.parametrize("page", HAVE_COMMANDS, ids=name)
def test_commands_run(page: Path) -> None:
    save_files(page)
    for command in commands(page):
        if re.search(r"\bRUN\b", command):
            command = re.sub(r"\bRUN\b", last_run(), command)
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exit_code == 0, f"{command}\n{result.output}"
