"""Whoever may only read a store can do all that only reads, and is told so for the rest."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.boards.making import played
from tests.runs.conftest import postgres
from tests.runs.small import SMALL, register

from ludus.boards import accept
from ludus.runs import Store, export

__all__ = ["postgres"]

UNPRIVILEGED = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
"""Makes root an owner of files like any other: what is protected cannot be written."""


class Outcome(tuple[int, str, str]):
    """Exit code, stdout and stderr of a command."""

    code = property(lambda self: self[0])
    out = property(lambda self: self[1])
    err = property(lambda self: self[2])


def call(*commands: list[str], store: str) -> list[Outcome]:
    done = subprocess.run(
        [*UNPRIVILEGED, sys.executable, "-m", "tests.cli.many"],
        input=json.dumps([[*words, "--store", store] for words in commands]),
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [Outcome(values) for values in json.loads(done.stdout)]


def fill(url: str) -> tuple[str, str]:
    """Make a store with a run that is on the board and one that is not, and return their ids."""
    register()
    store = Store(url)
    run = played(store, "idle", "forward-jumping")
    accept(run.id, store, by="tests")
    other = played(store, "idle", seed=1)
    store.close()
    return run.id, other.id


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    inner = tmp_path / "protected"
    inner.mkdir()
    yield inner
    inner.chmod(0o755)


def protect(folder: Path) -> None:
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def reading(run: str, out: Path) -> list[list[str]]:
    return [
        ["runs"],
        ["show", run, "--episodes"],
        ["verify", run],
        ["explain", run, "0"],
        ["replay", run, "0", "--out", str(out / "0.png")],
        ["compare", f"{run}:idle", f"{run}:forward-jumping"],
        ["export", run, "--out", str(out / "run.jsonl")],
        ["plot", run, "--out", str(out / "plots")],
        ["board", "show", SMALL.id],
        ["board", "history", SMALL.id],
        ["board", "check"],
        ["board", "export", "--out", str(out / "ledger.jsonl")],
        ["resume", run],
    ]


def writing(out: Path, other: str) -> list[list[str]]:
    return [
        ["run", SMALL.id, "idle", "--episodes", "1"],
        ["race", SMALL.id, "idle", "random", "--episodes", "1"],
        ["import", str(write_foreign_run(out))],
        ["board", "remove", SMALL.id, "idle", "--why", "test"],
        ["delete", other],
    ]


def write_foreign_run(folder: Path) -> Path:
    store = Store(str(folder / "elsewhere.db"))
    export(played(store, "random").id, store, folder / "foreign.jsonl")
    store.close()
    return folder / "foreign.jsonl"


def check_all(ids: tuple[str, str], url: str, out: Path) -> None:
    reads, writes = reading(ids[0], out), writing(out, ids[1])
    outcomes = call(*reads, *writes, store=url)
    for words, outcome in zip(reads, outcomes, strict=False):
        assert outcome.code == 0, (words, outcome)
    for words, outcome in zip(writes, outcomes[len(reads) :], strict=True):
        assert outcome.code != 0, (words, outcome)
        assert "cannot be written" in outcome.err, (words, outcome)
        assert len(outcome.err.strip().splitlines()) == 1, (words, outcome)


def test_a_protected_file_in_a_protected_folder_can_be_read(folder: Path, tmp_path: Path) -> None:
    ids = fill(str(folder / "runs.db"))
    before = sorted(folder.iterdir())
    content = (folder / "runs.db").read_bytes()
    protect(folder)
    check_all(ids, str(folder / "runs.db"), tmp_path)
    assert sorted(folder.iterdir()) == before
    assert (folder / "runs.db").read_bytes() == content


def test_a_role_that_may_only_select_can_read(postgres: str, tmp_path: Path) -> None:
    admin = sa.create_engine(
        postgres.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    with admin.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE readable"))
        connection.execute(sa.text("CREATE ROLE reader LOGIN"))
    url = postgres.removesuffix("postgres") + "readable"
    ids = fill(url)
    owner = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with owner.begin() as connection:
        connection.execute(sa.text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"))
    reader = url.replace("ludus@", "reader@")
    check_all(ids, reader, tmp_path)
    with owner.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0002'"))
    (outcome,) = call(["runs"], store=reader)
    assert "older schema 0002 and cannot be written" in outcome.err
    owner.dispose()
    admin.dispose()


def test_a_protected_store_with_an_older_schema_is_one_line(folder: Path) -> None:
    fill(str(folder / "runs.db"))
    with sqlite3.connect(folder / "runs.db") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '0002'")
    raw.close()
    protect(folder)
    (outcome,) = call(["runs"], store=str(folder / "runs.db"))
    assert outcome.code == 2
    assert "older schema 0002 and cannot be written" in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_changes_that_were_not_written_back_are_not_passed_over(
    folder: Path, tmp_path: Path
) -> None:
    fill(str(tmp_path / "runs.db"))
    raw = sqlite3.connect(tmp_path / "runs.db")
    raw.execute("UPDATE runs SET seed = '5'")
    raw.commit()
    for name in ("runs.db", "runs.db-wal"):
        shutil.copy(tmp_path / name, folder / name)
    raw.close()
    protect(folder)
    (outcome,) = call(["runs"], store=str(folder / "runs.db"))
    assert outcome.code == 2
    assert "'runs.db-wal' beside it holds changes" in outcome.err


def test_a_store_that_another_process_writes_can_be_read_from_a_protected_folder(
    folder: Path,
) -> None:
    fill(str(folder / "runs.db"))
    writer = sqlite3.connect(folder / "runs.db")
    writer.execute("UPDATE runs SET benchmark = 'test/renamed'")
    writer.commit()
    protect(folder)
    (outcome,) = call(["runs", "--json"], store=str(folder / "runs.db"))
    assert {run["benchmark"] for run in json.loads(outcome.out)} == {"test/renamed"}
    folder.chmod(0o755)
    writer.close()


def test_no_store_can_be_made_in_a_protected_folder(folder: Path) -> None:
    protect(folder)
    (outcome,) = call(["runs"], store=str(folder / "runs.db"))
    assert outcome.code == 2
    assert "unable to open" in outcome.err
    assert len(outcome.err.splitlines()) == 1
