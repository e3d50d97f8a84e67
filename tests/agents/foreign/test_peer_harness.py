"""The harness that measures a checkout of the framework runs on our archive, too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from perf.bench import Row, with_peer
from perf.peer import measure_peer

from ludus.agents.foreign.java_files import find_archive
from ludus.errors import OptionError
from ludus.games.platformer.levels.bundled import bundled_levels

needs_java = pytest.mark.skipif(not shutil.which("javac"), reason="there is no JDK")


@needs_java
def test_our_archive_is_measured() -> None:
    seconds = measure_peer(Path(find_archive()), bundled_levels()[:2])
    assert set(seconds) == {"idle", "run_and_jump", "clone", "node"}
    assert all(0 < each < 1 for each in seconds.values())
    assert seconds["clone"] < seconds["node"]


@needs_java
def test_a_folder_without_the_framework_is_named(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="is no checkout"):
        measure_peer(tmp_path, [])


def test_rows_get_what_was_measured_and_nothing_recorded() -> None:
    rows = [Row("tick", 2e6, "per s", 1.0, None, "idle"), Row("other", 2.0, "us", 9.0)]
    tick, other = with_peer(rows, {"idle": 1e-6})
    assert (tick.peer, tick.ratio) == (1e6, 2)
    assert other.peer is None
