"""``ludus serve`` as a process of its own, and visitors who vote there over HTTP."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

__all__ = ["LiveServer", "TuringVisitor", "start_server"]

PATIENCE = 60
VOTES_A_STEP = 3


@dataclass(frozen=True)
class LiveServer:
    """A server that answers.

    Attributes:
        address: Where it is, without a slash at the end.
        process: The process.
    """

    address: str
    process: subprocess.Popen[str]


@contextmanager
def start_server(file: str, *options: str) -> Iterator[LiveServer]:
    """Yield ``ludus serve`` of a store on a free port; it ends with the block."""
    command = "import sys; from ludus.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", command, "serve", file, "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        line = process.stdout.readline()
        found = re.search(r"http://localhost:\d+[\w/]*", line)
        assert found, line
        address = found[0].replace("localhost", "127.0.0.1").removesuffix("/")
        yield LiveServer(address, process)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


class TuringVisitor:
    """A visitor of the Turing test.

    Args:
        address: Where the arena is.
    """

    def __init__(self, address: str) -> None:
        self.cookie = ""
        self.confirmed = 0
        """How many votes the server has confirmed."""
        self._host = urlsplit(address).netloc

    def vote(self) -> None:
        """Judge all clips."""
        step = self._post("visit", {"consent": True})
        judgement = {"answer": "human", "confidence": 3}
        while not step["done"]:
            vote = {"ticket": step["ticket"], "first": judgement, "second": judgement}
            step = self._post("votes", {**vote, "more_human": "A"})
            self.confirmed += VOTES_A_STEP

    def _post(self, what: str, values: dict[str, Any]) -> dict[str, Any]:
        connection = HTTPConnection(self._host, timeout=2 * PATIENCE)
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        try:
            connection.request("POST", f"/api/v1/turing/{what}", json.dumps(values), headers)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        assert answer.status == 201, body
        self.cookie = str(answer.headers.get("Set-Cookie", self.cookie)).partition(";")[0]
        return dict(json.loads(body))
