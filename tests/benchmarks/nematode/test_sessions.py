from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.nematode.published import unpack

from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.errors import OptionError


def test_broken_files_are_named_and_the_others_read(tmp_path: Path) -> None:
    folder = unpack(tmp_path / "sessions")
    whole = len(read_sessions(folder)[0])
    (folder / "broken.json").write_text("{", encoding="utf-8")
    (folder / "submission.json").write_text('{"notes": "no session"}', encoding="utf-8")
    sessions, faults = read_sessions(folder)
    assert len(sessions) == whole
    assert len(faults) == 1
    assert "broken.json: is not JSON" in faults[0]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="there is no session"):
        read_sessions(tmp_path)
