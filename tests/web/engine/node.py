"""Asks the engines of the pages, which run in node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Protocol

from tests.native.building import require

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STATIC = ROOT / "src/ludus/web/static"
ENGINE = STATIC / "engine"


class Engines(Protocol):
    """Whoever holds the engines and answers questions; ``answers.mjs`` says which."""

    def ask(self, question: str, **values: Any) -> Any:
        """Return the answer to one question."""


class Node:
    """A process of node that holds the engines."""

    def __init__(self, folder: Path = ENGINE) -> None:
        require("node")
        harness = HERE / "harness.mjs"
        self._process = subprocess.Popen(
            ["node", str(harness), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, question: str, **values: Any) -> Any:
        """Return the answer to one question."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"question": question, **values}) + "\n")
        stdin.flush()
        return json.loads(stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=60)
