"""The process that starts agents begins with nothing of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludus.agents.isolation import nursery


def test_a_confined_nursery_imports_nothing_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "numpy", "random", "socket"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('this is no module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(nursery, "find_fault", lambda: "where bubblewrap holds, it is not seen")
    own = nursery._Nursery(confined=True)
    own._start()  # waits until it answers
    own.close()
