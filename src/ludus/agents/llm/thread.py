"""One thread in which all language-model players of a process wait for their answers."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from ludus.errors import OptionError

__all__ = ["CONCURRENCY", "gate", "wait_for"]

CONCURRENCY = "LUDUS_LLM_CONCURRENCY"
"""The variable that says how many requests a process may have under way at once."""
USUAL = 16

T = TypeVar("T")
_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}  # by process: a fork must not use its parent's
_gates: dict[tuple[int, int], asyncio.Semaphore] = {}


def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine among those of other agents and games, and return what it returns."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def gate() -> asyncio.Semaphore:
    """Return what every request of this process has to pass.

    Raises:
        OptionError: The variable holds no number.
    """
    text = os.environ.get(CONCURRENCY) or str(USUAL)
    if not text.isascii() or not text.isdigit() or not int(text):
        raise OptionError(f"{CONCURRENCY} is {text!r}: give how many requests, such as {USUAL}")
    key = os.getpid(), int(text)
    return _gates.setdefault(key, asyncio.Semaphore(int(text)))


def _loop() -> asyncio.AbstractEventLoop:
    with _lock:
        process = os.getpid()
        if process not in _loops:
            _loops[process] = asyncio.new_event_loop()
            threading.Thread(
                target=_loops[process].run_forever, name="language models", daemon=True
            ).start()
        return _loops[process]
