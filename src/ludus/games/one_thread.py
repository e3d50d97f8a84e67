"""Keeps two threads from using one environment at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from ludus.errors import ThreadError

__all__ = ["Turn", "in_use", "one_thread"]

P = ParamSpec("P")
R = TypeVar("R")


class Turn:
    """Whose turn it is to use an object. A copy of it is nobody's turn.

    Attributes:
        acquire: As of a lock.
        release: As of a lock.
    """

    __slots__ = ("acquire", "release")

    def __init__(self) -> None:
        lock = threading.Lock()
        self.acquire = lock.acquire
        self.release = lock.release

    def __reduce__(self) -> tuple[Any, ...]:
        return Turn, ()


def in_use(used: object) -> ThreadError:
    """Return the error for a thread that finds another one at work on an object."""
    return ThreadError(
        f"{type(used).__name__} is in use by another thread: give each thread its own"
    )


def one_thread(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Make a method of an object with a ``_turn`` refuse a thread while another one is in it.

    It does not wait: two threads that step one environment would each get the other's results.

    Raises:
        ThreadError: Another thread is in this method, or in another one of these.
    """

    @wraps(method)
    def take_turn(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not self._turn.acquire(False):
            raise in_use(self)
        try:
            return method(self, *args, **kwargs)
        finally:
            self._turn.release()

    return take_turn
