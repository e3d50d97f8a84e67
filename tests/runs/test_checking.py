from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from ludus.errors import OptionError
from ludus.execution.in_process import InProcessExecutor
from ludus.runs import Store, checking, run, verify
from ludus.runs.schema import episodes, runs

SPRINT = "platformer/sprint"


@pytest.fixture
def played(store: Store) -> str:
    return run(SPRINT, ["forward-jumping", "random"], store=store, executor=InProcessExecutor()).id


@pytest.fixture
def others_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes help from the second episode on."""
    monkeypatch.setattr(checking, "ALONE_SECONDS", 0.0)


@pytest.mark.usefixtures("others_help")
def test_several_processes_find_what_one_finds(store: Store, played: str) -> None:
    changes: dict[int, dict[str, Any]] = {
        2: {"total": 1.5},
        7: {"facts": "nonsense"},
        11: {"record": b"\xff" * 9},
        13: {"agent": 0},
        19: {"steps": -1},
    }
    with store.transaction() as connection:
        for number, values in changes.items():
            where = sa.and_(episodes.c.run == played, episodes.c.number == number)
            connection.execute(episodes.update().where(where).values(**values))
    alone = verify(played, store=store, workers=1)
    numbers: list[int] = []
    together = verify(played, store=store, workers=2, on_episode=numbers.append)
    assert together == alone
    assert {difference.episode for difference in together.differences} == set(changes)
    assert numbers == list(range(20))


@pytest.mark.usefixtures("others_help")
def test_several_processes_find_nothing_where_nothing_is(store: Store, played: str) -> None:
    outcome = verify(played, store=store, workers=2)
    assert (outcome.good, outcome.episodes) == (True, 20)


def test_chunks_are_bounded_by_rows_and_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_BYTES", 100)

    def rows(*sizes: int) -> Iterator[dict[str, Any]]:
        yield from ({"number": k, "record": bytes(size)} for k, size in enumerate(sizes))

    def lengths(*sizes: int, most: int) -> list[int]:
        return [len(chunk) for chunk in checking._split(rows(*sizes), most)]

    assert lengths(1, 1, 1, 1, 1, most=2) == [2, 2, 1]
    assert lengths(200, 1, 99, 1, most=10) == [1, 2, 1]
    assert lengths(most=3) == []
    assert lengths(*[0] * 2_500, most=10**6) == [1_000, 1_000, 500]


def test_less_than_one_process_is_refused(store: Store, played: str) -> None:
    with pytest.raises(OptionError, match="0 workers are too few"):
        verify(played, store=store, workers=0)


def test_another_seed_in_a_plan_is_named_with_all_else(store: Store, played: str) -> None:
    text = store.run(played).text.replace('"seed": 0', '"seed": 1')
    with store.transaction() as connection:
        connection.execute(runs.update().values(plan=text))
    fields = {one.field for one in verify(played, store=store).differences}
    assert {"seed", "identity", "scenarios"} <= fields
