"""A store that somebody deletes, replaces or damages under a run is one clear line."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.boards.making import Here, played
from tests.runs.small import SMALL

from ludus.errors import StoreError
from ludus.execution.plan import make_plan
from ludus.runs import Store, continue_run

PAGE = 4096


def remove(path: Path) -> None:
    path.unlink()


def replace_by_copy(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


@pytest.mark.parametrize("change", [remove, replace_by_copy])
def test_a_file_that_goes_while_a_run_is_played_stops_the_run(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "runs.db"
    store = Store(str(path))
    started = store.add(make_plan(SMALL.id, ["idle"], episodes=5))
    heard = []

    def go(scored: object) -> None:
        heard.append(scored)
        if len(heard) == 2:
            change(path)

    with pytest.raises(StoreError, match="was deleted or replaced while it was open") as caught:
        continue_run(started, store, executor=Here(), on_episode=go)
    assert len(heard) == 2
    assert "\n" not in str(caught.value)
    store.close()


def test_what_is_read_from_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    store = Store(str(path))
    run = played(store, "idle", "random")
    store.close()
    content = bytearray(path.read_bytes())
    for start in range(2 * PAGE, len(content), PAGE):
        content[start : start + 100] = bytes([255]) * 100
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"fails: .*it is damaged: restore a copy") as caught:
        Store(str(path)).episodes(run.id)
    assert "\n" not in str(caught.value)


def test_a_file_that_was_cut_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    store = Store(str(path))
    run = played(store, "idle", "random")
    store.close()
    path.write_bytes(path.read_bytes()[: 3 * PAGE])
    with pytest.raises(StoreError, match="it is damaged: restore a copy"):
        Store(str(path)).episodes(run.id)
