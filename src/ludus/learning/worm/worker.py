"""A process that trains: ``python -m ludus.learning.worm.worker FOLDER 0,1,2``.

It says on its standard output, in lines of JSON, how its trainings go.
"""

from __future__ import annotations

import json
import sys
import time

from ludus.errors import LudusError

__all__ = ["main"]

SAY_EVERY = 0.5


def main(path: str, numbers: str) -> int:
    """Train, and return the exit code."""
    from ludus.learning.worm.chunk import train_some
    from ludus.learning.worm.folder import Folder

    standing: dict[int, tuple[int, int]] = {}
    last = 0.0

    def hear(training: int, episodes: int, wins: int) -> None:
        nonlocal last
        standing[training] = (episodes, wins)
        if time.monotonic() - last > SAY_EVERY:
            last = time.monotonic()
            _say({"standing": [[k, *v] for k, v in standing.items()]})

    try:
        train_some(Folder(path), [int(number) for number in numbers.split(",")], hear)
    except LudusError as error:
        _say({"error": str(error), "kind": type(error).__name__})
        return 2
    except Exception as error:  # whatever somebody's brain raises
        _say({"error": f"{type(error).__name__}: {error}", "kind": "AgentError"})
        return 2
    _say({"standing": [[k, *v] for k, v in standing.items()]})
    return 0


def _say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
