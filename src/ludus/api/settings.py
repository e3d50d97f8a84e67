"""Where runs are stored, what plays them, what they may do: as callers name it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager

from ludus.agents.sandbox import find_layers, has_sandbox
from ludus.context import Budget, RunContext
from ludus.errors import AgentError, OptionError
from ludus.execution.ray_cluster import RayExecutor
from ludus.runs import Executor, LocalExecutor, Store

__all__ = ["current_user", "make_context", "make_executor", "open_store", "require_sandbox"]


@contextmanager
def open_store(store: str | Store | None) -> Iterator[Store]:
    """Yield an open store; close it at the end unless it was open already.

    Args:
        store: A file, ``sqlite:///…``, ``postgresql://…``, an open store, or None for the user's
            own: what ``LUDUS_STORE`` names, or a file among the user's data.

    Raises:
        StoreError: It cannot be opened.
    """
    if isinstance(store, Store):
        yield store
        return
    database = Store(store)
    try:
        yield database
    finally:
        database.close()


def make_executor(workers: int | None = None, on: str = "here") -> Executor:
    """Return the executor that plays the episodes.

    Args:
        workers: How many processes; as many as there are cores if None.
        on: Where they run: ``here``, ``ray`` or ``ray://HOST:PORT``.

    Raises:
        OptionError: There is no such place, or too few workers.
    """
    if on == "here":
        return LocalExecutor(workers)
    if on == "ray" or on.startswith("ray://"):
        return RayExecutor(on, workers)
    raise OptionError(f"nothing is called {on!r} to play on: try here, ray or ray://HOST:PORT")


def make_context(
    budget: str | None = None,
    *,
    trust: bool = False,
    sandbox: bool = False,
    from_outside: bool = False,
) -> RunContext:
    """Return the context of a run: the limits of its agents.

    Args:
        budget: The most that language models may use, such as ``5usd``; None for no limit.
        trust: Whether agents may be read from files that run code when read.
        sandbox: Whether agents that are not Ludus's own play confined.
        from_outside: Whether somebody else chose the agents. They always play confined; where the
            system cannot do that they are refused, unless the user trusts them.

    Raises:
        OptionError: The budget is none.
    """
    amount = Budget.parse(budget) if budget else None
    confined = sandbox or (from_outside and (has_sandbox() or not trust))
    return RunContext(budget=amount, trust=trust, sandbox=confined)


def require_sandbox(advice: str) -> None:
    """Make sure that code of others can be confined on this system.

    Args:
        advice: What to try where it cannot.

    Raises:
        AgentError: It cannot.
    """
    if not has_sandbox():
        missing = ", ".join(one.name for one in find_layers() if one.needed and not one.holds)
        raise AgentError(f"this system has no sandbox ({missing}): {advice}")


def current_user() -> str:
    """Return the name of the user, for the ledger."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number without a name
        return "unknown"
