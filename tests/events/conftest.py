from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from tests.boards.making import Here
from tests.runs.conftest import postgres, store
from tests.runs.small import SMALL, register

from ludus.api import playing
from ludus.events import Event, create_event
from ludus.runs import Store

__all__ = ["postgres", "store"]

NAME = "cup-2026"
SECRET = bytes(range(32))
RUNNER = """\
class Runner:
    def reset(self, scenario): pass
    def act(self, view): return 2
"""


@pytest.fixture(autouse=True)
def _small_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the small benchmark, and play in this process."""
    register()
    monkeypatch.setattr(playing, "make_executor", lambda workers, on="here": Here())


@pytest.fixture
def event(store: Store) -> Event:
    return create(store)


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """An agent's file in a folder of its own."""
    file = tmp_path / "mine" / "runner.py"
    file.parent.mkdir()
    file.write_text(RUNNER)
    return file


def create(store: Store, name: str = NAME, hours: float = 1, **terms: object) -> Event:
    deadline = store.now() + timedelta(hours=hours)
    return create_event(
        SMALL.id,
        store,
        name=name,
        by="me",
        deadline=deadline.replace(microsecond=0),
        episodes=2,
        secret=SECRET,
        **terms,  # type: ignore[arg-type]
    )
