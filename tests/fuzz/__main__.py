"""``make fuzz``: every parser is given inputs, 100,000 unless told otherwise.

Usage: python -m tests.fuzz [INPUTS] [PARSER…]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.fuzz.driver import fuzz
from tests.fuzz.parsers import PARSERS

INPUTS = 100_000
SLOW_SHARE = 10
MEMORY_FOLDER = "/dev/shm" if Path("/dev/shm").is_dir() else None
MEMORY = 6 * 2**30
"""The most memory of the process, interpreter and libraries included."""


def main(words: list[str]) -> None:
    """Fuzz the parsers that are named, or all, and print what each made of its inputs."""
    inputs = int(words[0]) if words else INPUTS
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    failed = []
    for parser in PARSERS:
        if words[1:] and parser.name not in words[1:]:
            continue
        began = time.monotonic()
        count = inputs // SLOW_SHARE if parser.slow else inputs
        valid = 0
        with tempfile.TemporaryDirectory(dir=MEMORY_FOLDER) as folder:
            try:
                valid = fuzz(parser, Path(folder), count)
            except Exception:
                traceback.print_exc()
                failed.append(parser.name)
        seconds = time.monotonic() - began
        line = f"{parser.name:28} {count:9,} inputs {valid:9,} valid {seconds:7.1f} s"
        print(line, flush=True)  # noqa: T201
    if failed:
        sys.exit(f"Something else than an error of Ludus came out of: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
