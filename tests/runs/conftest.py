from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.runs.small import register

from ludus.runs.store import Store

NOBODY = 65534


@pytest.fixture(autouse=True)
def _small_benchmark() -> None:
    register()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(str(tmp_path / "runs.db"))
    yield opened
    opened.close()


def postgres_command(name: str) -> str:
    """Return the path of a PostgreSQL command, which Debian keeps outside the search path."""
    if found := shutil.which(name):
        return found
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    assert places, f"{name} is not installed: scripts/debian-packages installs it"
    return str(places[-1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A real PostgreSQL server of the test's own on a free port."""
    folder = Path(tempfile.mkdtemp(prefix="ludus-postgres-"))
    as_user = []
    if os.geteuid() == 0:  # the server refuses to run as root
        as_user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        os.chown(folder, NOBODY, NOBODY)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    initdb, server = postgres_command("initdb"), postgres_command("pg_ctl")
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
    subprocess.run(
        [*as_user, initdb, "-D", data, "-U", "ludus", "-A", "trust", "-E", "UTF8"],
        **quiet,  # type: ignore[call-overload]
    )
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    log = folder / "log"
    subprocess.run(
        [*as_user, server, "-D", data, "-o", options, "-l", log, "-w", "start"],
        **quiet,  # type: ignore[call-overload]
    )
    yield f"postgresql://ludus@127.0.0.1:{port}/postgres"
    subprocess.run(
        [*as_user, server, "-D", data, "-m", "immediate", "stop"],
        **quiet,  # type: ignore[call-overload]
    )
    shutil.rmtree(folder)
