"""Whatever is changed in a store is found, and named."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa
from tests.runs.small import SMALL

from ludus.benchmarks import benchmarks
from ludus.errors import RunError
from ludus.execution.local import LocalExecutor
from ludus.runs.running import run
from ludus.runs.schema import episodes, runs
from ludus.runs.store import Run, Store
from ludus.runs.verify import verify


@pytest.fixture
def played(store: Store) -> Run:
    agents = ["random", "rule-based"]
    return run(SMALL.id, agents, store=store, episodes=3, executor=LocalExecutor(1))


def change(store: Store, table: sa.Table, where: Any, **values: Any) -> None:
    with store.transaction() as connection:
        assert connection.execute(table.update().where(where).values(**values)).rowcount == 1


def fields(store: Store, played: Run) -> list[tuple[int | None, str]]:
    found = verify(played.id, store=store)
    assert not found.good
    return [(difference.episode, difference.field) for difference in found.differences]


def test_a_true_run_is_found_true(store: Store, played: Run) -> None:
    heard: list[int] = []
    found = verify(played.id, store=store, on_episode=heard.append)
    assert found.good
    assert found.episodes == 6
    assert heard == list(range(6))


def test_a_changed_action_is_found(store: Store, played: Run) -> None:
    record = bytearray(store.episodes(played.id)[3].episode.record)
    record[5] ^= 2
    change(store, episodes, episodes.c.number == 3, record=bytes(record))
    assert (3, "state") in fields(store, played)


def test_a_changed_score_is_found(store: Store, played: Run) -> None:
    total = store.episodes(played.id)[2].score.total
    change(store, episodes, episodes.c.number == 2, total=total + 1)
    assert fields(store, played) == [(2, "score")]


def test_a_changed_part_or_fact_is_found(store: Store, played: Run) -> None:
    one = store.episodes(played.id)[1]
    change(
        store, episodes, episodes.c.number == 1, parts=json.dumps({**one.score.parts, "coins": 900})
    )
    assert fields(store, played) == [(1, "score: coins")]
    facts = json.dumps({**one.episode.facts, "coins": 9})
    change(store, episodes, episodes.c.number == 1, facts=facts)
    assert (1, "coins") in fields(store, played)


def test_a_changed_seed_is_found(store: Store, played: Run) -> None:
    plan = json.loads(played.plan.to_json()) | {"seed": 77}
    change(store, runs, runs.c.id == played.id, plan=json.dumps(plan))
    found = fields(store, played)
    assert (None, "identity") in found
    assert (None, "scenario 0") in found


def test_an_episode_given_to_another_agent_is_found(store: Store, played: Run) -> None:
    change(store, episodes, episodes.c.number == 0, agent=1)
    assert fields(store, played) == [(0, "agent")]


def test_a_missing_episode_is_found(store: Store, played: Run) -> None:
    with store.transaction() as connection:
        connection.execute(episodes.delete().where(episodes.c.number == 4))
    assert fields(store, played) == [(None, "episodes")]


def test_nonsense_instead_of_actions_is_found(store: Store, played: Run) -> None:
    change(store, episodes, episodes.c.number == 0, record=b"\xff\xff")
    assert fields(store, played) == [(0, "record")]


def test_other_rules_or_another_version_cannot_judge(store: Store, played: Run) -> None:
    plan = json.loads(played.plan.to_json())
    change(store, runs, runs.c.id == played.id, plan=json.dumps(plan | {"rules": "framework@7"}))
    with pytest.raises(RunError, match="'framework@7', this Ludus plays 'framework@1': no rel"):
        verify(played.id, store=store)
    change(store, runs, runs.c.id == played.id, plan=json.dumps(plan | {"version": 0}))
    with pytest.raises(RunError, match="test/small@0"):
        verify(played.id, store=store)
    assert SMALL.id in benchmarks()
