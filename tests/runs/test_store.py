from __future__ import annotations

import sqlite3
import stat
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.runs.small import SMALL

from ludus.benchmarks import Score
from ludus.errors import RunError, StoreError
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import make_plan
from ludus.limits import Usage
from ludus.runs.schema import metadata
from ludus.runs.store import ScoredEpisode, Store, default_store


def episode(number: int, total: float = 5) -> ScoredEpisode:
    return ScoredEpisode(
        Episode(number, 0, number, EpisodeEnding.FINISHED, "", b"\x02", {"x": 1.5}, 1, 0.5),
        Score(total, {"a": total}),
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "sqlite":
        return Store(str(tmp_path / "any.db"))
    return Store(str(request.getfixturevalue("postgres")))


def test_what_is_kept_comes_back(any_store: Store) -> None:
    plan = make_plan(SMALL.id, ["idle"], episodes=3, seed=2**63 - 1)
    run = any_store.add(plan)
    assert (run.played, run.planned, run.complete) == (0, 3, False)
    assert run.plan == plan
    any_store.add_episodes(run.id, [episode(1), episode(0, 2.5)])
    any_store.add_episodes(run.id, [episode(1, 99)])
    any_store.add_episodes(run.id, [])
    assert any_store.played_numbers(run.id) == {0, 1}
    assert any_store.episodes(run.id) == [episode(0, 2.5), episode(1)]
    assert any_store.run(run.id[:9]).played == 2
    any_store.delete(run.id)
    with pytest.raises(RunError, match=f"no run {run.id!r}"):
        any_store.run(run.id)
    any_store.close()


def test_runs_come_newest_first_and_by_the_beginning_of_their_ids(store: Store) -> None:
    plan = make_plan(SMALL.id, ["idle"], episodes=1)
    made = [store.add(plan).id for _ in range(3)]
    assert {run.id for run in store.runs(SMALL.id)} == set(made)
    assert store.runs("other") == []
    with pytest.raises(RunError, match="3 runs begin with"):
        store.run(made[0][:8])
    with pytest.raises(RunError, match="no run '%'"):
        store.run("%")


def test_the_migrations_make_the_tables_of_the_schema(any_store: Store) -> None:
    with any_store.transaction() as connection:
        found = sa.inspect(connection)
        for name, table in metadata.tables.items():
            columns = {column["name"]: column["nullable"] for column in found.get_columns(name)}
            assert columns == {column.name: bool(column.nullable) for column in table.columns}
    any_store.close()


def test_a_store_of_a_newer_ludus_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    Store(str(path)).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer Ludus.*9999"):
        Store(str(path))
    assert path.read_bytes() == before


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello " * 1000)
    with pytest.raises(StoreError, match="not a database"):
        Store(str(path))
    assert path.read_text() == "hello " * 1000


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense://z", "postgresql://u@127.0.0.1:1/x"])
def test_a_store_that_cannot_be_reached_is_one_line(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        Store(url)
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="no store at"):
        Store(str(blocked / "deeper" / "runs.db"))


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "full.db"))
    run = store.add(make_plan(SMALL.id, ["idle"], episodes=3))
    store.add_episodes(run.id, [episode(0)])
    with store.transaction() as connection:
        pages = connection.scalar(sa.text("PRAGMA page_count"))
        connection.execute(sa.text(f"PRAGMA max_page_count = {pages}"))
    big = ScoredEpisode(
        Episode(1, 0, 1, EpisodeEnding.FINISHED, "", bytes(10**7), {}, 1, 0.5), Score(1)
    )
    with pytest.raises(StoreError, match="full"):
        store.add_episodes(run.id, [big])
    assert store.played_numbers(run.id) == {0}
    store.close()


def test_a_read_only_store_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "fixed.db"
    Store(str(path)).close()
    path.chmod(stat.S_IRUSR)
    url = f"sqlite:///file:{path}?mode=ro&uri=true"
    store = Store(url)
    with pytest.raises(StoreError, match="cannot be written"):
        store.add(make_plan(SMALL.id, ["idle"]))
    store.close()


def test_the_store_is_named_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LUDUS_STORE", "postgresql://there")
    assert default_store() == "postgresql://there"
    monkeypatch.delenv("LUDUS_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_store() == f"sqlite:///{tmp_path}/ludus/ludus.db"


def test_what_an_agent_used_is_kept(any_store: Store) -> None:
    run = any_store.add(make_plan(SMALL.id, ["idle"], episodes=2))
    usage = Usage(units=2**62, peak_memory=2**40, processor_seconds=0.25, over_budget=3)
    measured = replace(episode(0), episode=replace(episode(0).episode, usage=usage))
    any_store.add_episodes(run.id, [measured, episode(1)])
    assert [one.episode.usage for one in any_store.episodes(run.id)] == [usage, Usage()]
    any_store.delete(run.id)
    any_store.close()
