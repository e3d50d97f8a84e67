"""How often clients may ask, and how much is made for them at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import Request

from ludus.web.arena import Arena
from ludus.web.guards import RateLimit
from ludus.web.problems import TooMany

__all__ = ["address_of", "check_rate", "one_maker"]

PATIENCE = 20.0


def address_of(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else ""


def check_rate(request: Request, limit: RateLimit, what: str) -> None:
    """Count a request.

    Raises:
        TooMany: Too many came from its address.
    """
    if not limit.take(address_of(request)):
        raise TooMany(f"too many {what} came from here within a minute: wait a little")


@contextmanager
def one_maker(arena: Arena) -> Iterator[None]:
    """Make something that takes seconds, beside few others.

    Raises:
        TooMany: Too much is being made, for too long.
    """
    if not arena.makers.acquire(timeout=PATIENCE):
        raise TooMany("much is being made for other visitors: ask again in a moment")
    try:
        yield
    finally:
        arena.makers.release()
