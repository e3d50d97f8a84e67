from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.events.conftest import RUNNER
from tests.runs.conftest import postgres, store
from tests.runs.small import SMALL, register

from ludus.events import Event, create_event
from ludus.events.packing import PackedAgent, pack_archive
from ludus.runs import Store
from ludus.runs.schema import jobs
from ludus.submissions import Account, Credentials, Job, add_account, submit

__all__ = ["postgres", "store"]

CUP = "cup-2026"
AGENT = "runner.py:Runner"


@pytest.fixture(autouse=True)
def _small_benchmark() -> None:
    register()


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store that several processes open; that of PostgreSQL has no jobs left."""
    url = f"sqlite:///{tmp_path / 'queue.db'}"
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres"))
    opened = Store(url)
    with opened.transaction() as connection:
        connection.execute(jobs.delete())
    yield opened
    opened.close()


@pytest.fixture
def event(store: Store) -> Event:
    add_account("Olga", "organiser", store)
    return create(store)


@pytest.fixture
def robin(event: Event, store: Store) -> Credentials:
    return add_account("Robin", "submitter", store, organiser="Olga")


def create(
    store: Store, name: str = CUP, benchmark: str = SMALL.id, *, by: str = "Olga", episodes: int = 2
) -> Event:
    deadline = (store.now() + timedelta(hours=1)).replace(microsecond=0)
    return create_event(benchmark, store, name=name, by=by, deadline=deadline, episodes=episodes)


def make_zip(files: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


def make_tar(files: dict[str, str], mode: str = "w:gz", **odd: object) -> bytes:
    """Return an archive; what is odd about its last member is set on it."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            if name == list(files)[-1]:
                for attribute, value in odd.items():
                    setattr(member, attribute, value)
            archive.addfile(member, io.BytesIO(text.encode()))
    return target.getvalue()


def pack(text: str = RUNNER) -> PackedAgent:
    return pack_archive(AGENT, make_zip({"runner.py": text}))


def send(account: Account, store: Store, text: str = RUNNER, event: str = CUP) -> Job:
    return submit(event, pack(text), account, store, claim=1.0)
