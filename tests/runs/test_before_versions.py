"""Runs, stores and ledgers of a Ludus that named engines by the digest of their sources."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from tests.boards.making import Here
from tests.runs.small import SMALL

from ludus.boards import board, rebuild, rescore, verify_entry
from ludus.boards.comparing import compare_runs
from ludus.boards.ledger import insert_events
from ludus.boards.ledger_files import read_ledger_file
from ludus.limits import Usage
from ludus.runs import Plan, Store, export, import_run, replay_episode, resume, run, verify
from ludus.runs.schema import episodes

DATA = Path(__file__).with_name("data")
RUN = DATA / "before_versions.jsonl"
ARENA = DATA / "before_versions_arena.jsonl"
LEDGER = DATA / "before_versions_ledger.jsonl"


def head(path: Path) -> dict[str, object]:
    first: dict[str, object] = json.loads(path.read_text().splitlines()[0])
    return first


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.db'}"
        return
    server = str(request.getfixturevalue("postgres")).replace("postgresql:", "postgresql+psycopg:")
    name = f"old_{uuid.uuid4().hex}"
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    yield f"{server.rpartition('/')[0]}/{name}"


def old_store(url: str) -> None:
    """Make a store of the first schema, with the old run in it."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "ludus.runs:migrations")
        command.upgrade(config, "0001")
        first, *lines = map(json.loads, RUN.read_text().splitlines())
        old_runs = sa.Table("runs", sa.MetaData(), autoload_with=connection)
        plan = first["plan"]
        values = {name: first[name] for name in ("id", "created", "identity")}
        values |= {name: plan[name] for name in ("benchmark", "version", "engine")}
        values |= {"seed": str(plan["seed"]), "planned": 12, "plan": json.dumps(plan)}
        connection.execute(old_runs.insert().values(**values))
        for line in lines:
            del line["digest"]
            line |= {"run": first["id"], "total": line.pop("score"), "record": b""}
            for name in ("facts", "parts"):
                line[name] = json.dumps(line[name])
            connection.execute(episodes.insert().values(**line))
    engine.dispose()


def test_a_store_of_before_is_brought_up(url: str) -> None:
    old_store(url)
    store = Store(url)
    (found,) = store.runs()
    assert (found.played, found.planned, found.identity) == (12, 12, head(RUN)["identity"])
    assert found.plan.rules == "framework@1"
    assert found.plan.provenance == {"engine": head(RUN)["plan"]["engine"]}  # type: ignore[index]
    assert found.plan.identity == found.identity
    with store.connection() as connection:
        assert connection.scalar(sa.text("SELECT rules FROM runs")) == "framework@1"
    assert [one.episode.usage for one in store.episodes(found.id)] == 12 * [Usage()]
    store.close()
    Store(url).close()


def test_an_old_file_is_imported_and_exported_as_it_was(store: Store, tmp_path: Path) -> None:
    for path in (RUN, ARENA):
        taken = import_run(path, store)
        export(taken.id, store, tmp_path / "again.jsonl")
        assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()
    assert taken.plan.rules == "arena@1+framework@1"


@pytest.mark.parametrize("path", [RUN, ARENA])
def test_old_runs_are_verified_but_for_their_states(store: Store, path: Path) -> None:
    taken = import_run(path, store)
    with store.transaction() as connection:  # as an engine with other memory would have it
        facts = sa.func.replace(episodes.c.facts, '"state": "', '"state": "f')
        connection.execute(episodes.update().values(facts=facts))
    outcome = verify(taken.id, store=store)
    assert outcome.good
    note = "state is not compared: the run has it in version 1, this Ludus in 2"
    assert outcome.notes == (note,)
    with store.transaction() as connection:
        facts = sa.func.replace(episodes.c.facts, '"coins": ', '"coins": 1')
        connection.execute(episodes.update().values(facts=facts))
    assert {one.field for one in verify(taken.id, store=store).differences} >= {"coins"}


def test_states_of_today_are_compared(store: Store) -> None:
    played = run(SMALL.id, ["idle"], store=store, episodes=1, executor=Here())
    assert verify(played.id, store=store).notes == ()
    with store.transaction() as connection:
        facts = sa.func.replace(episodes.c.facts, '"state": "', '"state": "f')
        connection.execute(episodes.update().values(facts=facts))
    assert [one.field for one in verify(played.id, store=store).differences] == ["state"]


def test_old_runs_go_on_are_replayed_and_compared_with_new_ones(store: Store) -> None:
    taken = import_run(RUN, store)
    assert replay_episode(taken.id, 0, store)["x"] == store.episodes(taken.id)[0].episode.facts["x"]
    with store.transaction() as connection:
        connection.execute(episodes.delete().where(episodes.c.number == 11))
    assert resume(taken.id, store=store, executor=Here()).complete
    fresh = run(SMALL.id, ["idle", "forward-jumping"], store=store, executor=Here())
    found = compare_runs(taken.id, fresh.id, store)
    assert [one.comparison.difference.value for one in found] == [0, 0]


def test_entries_of_an_old_ledger_stay_true(store: Store) -> None:
    taken = import_run(RUN, store)
    insert_events(store, read_ledger_file(LEDGER))
    assert rescore(SMALL.id, store, by="me", why="new figures") == []
    assert verify_entry(taken.id, store, by="me").good
    rows = board(SMALL.id, store).rows
    assert [row.entry.agent for row in rows] == ["forward-jumping", "idle"]
    assert all(len(row.entry.rules) == 64 for row in rows)
    assert rebuild([RUN, LEDGER]).problems == []


def test_how_an_engine_was_built_is_no_part_of_what_a_run_is(store: Store) -> None:
    played = run(SMALL.id, ["idle"], store=store, episodes=1, executor=Here())
    plan = played.plan
    assert {"ludus", "compiler", "flags", "source_hash"} <= plan.provenance.keys()
    values = json.loads(plan.to_json())
    values["provenance"]["source_hash"] = "0" * 64
    other = Plan.from_json(json.dumps(values))
    assert other.identity == plan.identity
    assert other.check_unchanged() is SMALL


@pytest.mark.parametrize("scenarios", [[{}], [5], [{"level": None}]])
def test_a_plan_of_nonsense_is_refused_in_one_line(
    store: Store, tmp_path: Path, scenarios: list[object]
) -> None:
    from ludus.errors import RunError

    plan = run(SMALL.id, ["idle"], store=store, episodes=1, executor=Here()).plan
    values = json.loads(plan.to_json()) | {"scenarios": scenarios}
    with pytest.raises(RunError, match="no scenarios of platformer"):
        Plan.from_json(json.dumps(values)).check_rules()
