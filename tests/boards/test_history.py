"""What a board looked like over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.boards.making import Here

from ludus.benchmarks import find_benchmark
from ludus.boards import accept, read_ledger, remove
from ludus.boards.entry import BoardKey
from ludus.boards.history import FEW_MOMENTS, MANY_LINES, list_moments, read_history
from ludus.boards.ledger import LedgerEvent
from ludus.runs import Store, run

BUNDLED = find_benchmark("platformer/bundled")
KEY = BoardKey.of(0, {})


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LedgerEvent]]:
    """A ledger in which somebody better comes, and is taken off, on one day each."""
    store = Store(str(tmp_path_factory.mktemp("history") / "runs.db"))
    for agent in ("idle", "forward-jumping"):
        played = run(BUNDLED.id, [agent], store=store, executor=Here())
        accept(played.id, store, by="a test")
    assert [one.entries for one in read_history(BUNDLED, KEY, store)][-1] == 2
    remove(BUNDLED.id, "forward-jumping", store, by="a test", why="to see")
    yield [
        replace(event, at=f"2026-11-{number + 10}T08:00:00+00:00")
        for number, event in enumerate(read_ledger(store))
    ]
    store.close()


def test_who_led_when_follows_from_the_ledger(lines: list[LedgerEvent]) -> None:
    moments = list_moments(BUNDLED, KEY, lines)
    found = [(one.at, one.entries, one.best[0].entry.agent) for one in moments]
    assert found == [
        ("2026-11-10 08:00", 1, "idle"),
        ("2026-11-11 08:00", 2, "forward-jumping"),
        ("2026-11-12 08:00", 1, "idle"),
    ]
    assert [one.entry.agent for one in moments[1].best] == ["forward-jumping", "idle"]
    assert not list_moments(BUNDLED, BoardKey.of(7, {}), lines)


def test_a_board_with_many_lines_is_ranked_day_by_day(lines: list[LedgerEvent]) -> None:
    minutes = [f"2026-11-{n // 1_440 + 1:02}T{n // 60 % 24:02}:{n % 60:02}" for n in range(20_000)]
    often = [replace(lines[0], at=at) for at in minutes[:: 20_000 // (MANY_LINES + 10)]]
    assert len(often) >= MANY_LINES
    moments = list_moments(BUNDLED, KEY, often)
    assert len(moments) == FEW_MOMENTS
    assert moments[-1].at == often[-1].at[:10]
