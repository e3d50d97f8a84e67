"""Gives parsers what is no file of theirs; nothing but their own errors may come out."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.fuzz.mutation import mutate
from tests.fuzz.parsers import Parser

BATCH = 100
"""So many inputs come of one example of Hypothesis: an example costs more than most inputs."""

PATIENCE = 60
"""Seconds of the processor for a batch. A parser that takes longer for small files hangs."""


def fuzz(parser: Parser, folder: Path, inputs: int, *, derandomize: bool = False) -> int:
    """Give a parser so many inputs and return how many of them it took for valid.

    Args:
        parser: The parser.
        folder: Where it may write.
        inputs: How many inputs, in batches of :data:`BATCH`.
        derandomize: Whether they are the same each time.

    Raises:
        AssertionError: Something else than its errors came out; the message holds the input.
    """
    seeds, valid = parser.make_seeds(folder), 0

    @settings(
        max_examples=max(1, inputs // BATCH),
        derandomize=derandomize,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**64 - 1))
    def run(start: int) -> None:
        nonlocal valid
        random = Random(start)
        with _patience(parser.name):
            for _ in range(BATCH):
                valid += _try(parser, folder, mutate(random, seeds))

    run()
    return valid


def _try(parser: Parser, folder: Path, data: bytes) -> bool:
    try:
        parser.parse(data, folder)
    except parser.errors as error:
        text = str(error)
        assert "\n" not in text or parser.lines, (parser.name, text, data[:2_000])
        assert len(text) < 20_000, (parser.name, len(text), data[:2_000])
        return False
    except BaseException as error:
        error.add_note(f"{parser.name} was given {data[:4_000]!r}")
        raise
    return True


@contextmanager
def _patience(name: str) -> Iterator[None]:
    """Interrupt what hangs."""

    def give_up(*_: Any) -> None:
        raise TimeoutError(f"{name} hangs")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
