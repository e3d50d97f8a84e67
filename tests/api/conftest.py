from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.runs.small import register

BUTTONS = 10  # right and run


class Runner:
    """Runs right."""

    name = "runner"

    def reset(self, scenario: Any) -> None:
        pass

    def act(self, view: Any) -> int:
        return BUTTONS


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store of its own, which is also the user's."""
    register()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "ludus.db"))
    return str(tmp_path / "ludus.db")
