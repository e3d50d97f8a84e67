"""A database that stops answering in the middle of a run is asked again until it does."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from time import monotonic, sleep
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError

from ludus.errors import LostConnection, StoreError

__all__ = ["is_connection_loss", "retry_when_lost"]

SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
QUIET_SECONDS = 3.0  # a restart that is quicker than this is nobody's concern
PATIENCE_SECONDS = 600.0

SHUT_DOWN = ("57P01", "57P02", "57P03")  # by an administrator, by a crash, or still starting

P = ParamSpec("P")
Result = TypeVar("Result")
logger = logging.getLogger("ludus")


def is_connection_loss(error: DBAPIError) -> bool:
    """Say whether an error means that the database is gone, not that it refuses."""
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", "")
    if state is None:  # no server has answered
        return type(error.orig).__name__ == "OperationalError"
    return state.startswith("08") or state in SHUT_DOWN


def retry_when_lost(function: Callable[P, Result]) -> Callable[P, Result]:
    """Call a function again as long as the database does not answer, and then give up.

    The function must have the same effect when it is called twice: the first call may have been
    carried out although no answer came.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except LostConnection as error:
            patience = _Patience(error)
        while True:
            patience.wait()
            try:
                result = function(*args, **kwargs)
            except LostConnection as error:
                patience.check(error)
            else:
                patience.end()
                return result

    return call


class _Patience:
    """Waits longer and longer, says so once, and ends after ten minutes."""

    def __init__(self, error: LostConnection) -> None:
        self._error = error
        self._since = monotonic()
        self._pause = SHORTEST_PAUSE
        self._notified = False

    def wait(self) -> None:
        """Sleep before the next try."""
        sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def check(self, error: LostConnection) -> None:
        """Say after a while that the database is missed; raise when it has been for too long."""
        waited = monotonic() - self._since
        if waited > PATIENCE_SECONDS:
            raise StoreError(
                f"{error}; given up after {waited:.0f} s: nothing that was stored is lost, "
                "'ludus resume' goes on"
            ) from error
        if waited > QUIET_SECONDS and not self._notified:
            self._notified = True
            minutes = PATIENCE_SECONDS / 60
            logger.warning("%s; trying again for %.0f minutes", error, minutes)

    def end(self) -> None:
        """Say that the database answers again, if its absence was a matter of talk."""
        if self._notified:
            logger.warning("the store answers again after %.0f s", monotonic() - self._since)
