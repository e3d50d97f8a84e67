"""A PostgreSQL server for tests: started, stopped and started again."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

NOBODY = 65534
PORTS = (20_000, 32_000)
"""Systems lend connections ports above these."""


def find_port() -> int:
    """Return a port that no connection is lent: a server that stops can start there again."""
    while True:
        port = secrets.choice(range(*PORTS))
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


class PostgresServer:
    """A real server on a free port, in a folder of its own."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="ludus-postgres-"))
        self._as_user: list[str] = []
        if os.geteuid() == 0:  # the server refuses to run as root
            self._as_user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            os.chown(self._folder, NOBODY, NOBODY)
        self.port = find_port()
        self._run("initdb", "-D", self._data, "-U", "ludus", "-A", "trust", "-E", "UTF8")
        self.start()

    @property
    def url(self) -> str:
        """Where the server is."""
        return f"postgresql://ludus@127.0.0.1:{self.port}/postgres"

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        """Stop the server as a crash would: connections break in the middle of what they do."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        """Stop the server and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder)

    def _run(self, name: str, *words: str) -> None:
        command = [*self._as_user, postgres_command(name), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self._folder)


def postgres_command(name: str) -> str:
    """Return the path of a PostgreSQL command, which Debian keeps outside the search path."""
    if found := shutil.which(name):
        return found
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    assert places, f"{name} is not installed: scripts/debian-packages installs it"
    return str(places[-1])
