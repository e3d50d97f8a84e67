"""What commands have in common: options, the store, the executor, plain output."""

from __future__ import annotations

import getpass
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from ludus.context import Budget, RunContext
from ludus.errors import OptionError
from ludus.execution.ray_cluster import RayExecutor
from ludus.runs import Executor, LocalExecutor, Store

__all__ = [
    "BudgetOption",
    "JsonOption",
    "OnOption",
    "RunArgument",
    "StoreOption",
    "TrustOption",
    "WorkersOption",
    "context_for",
    "current_user",
    "executor_for",
    "finite",
    "open_store",
    "with_options",
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Where runs are kept: a file, sqlite:///… or postgresql://…",
        envvar="LUDUS_STORE",
        show_default="a file of yours",
    ),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Read agents whose files run code when read: sb3:model.zip, torch:policy.pt.",
        envvar="LUDUS_TRUST",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", help="How many processes play.", show_default="one for each core"),
]
BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="AMOUNT",
        help="The most that language models may use, such as 5usd or 2Mtokens.",
        envvar="LUDUS_BUDGET",
        show_default="no limit",
    ),
]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or its beginning.")]


@contextmanager
def open_store(url: str | None) -> Iterator[Store]:
    """Open a store and let it go at the end."""
    store = Store(url)
    try:
        yield store
    finally:
        store.close()


OnOption = Annotated[
    str,
    typer.Option(
        "--on", help="Where to play: here, ray for a cluster of its own, or ray://HOST:PORT."
    ),
]


def executor_for(workers: int | None, on: str = "here") -> Executor:
    """Return what plays the episodes.

    Args:
        workers: How many processes; as many as there are cores if None.
        on: Where they run: ``here``, ``ray`` or ``ray://HOST:PORT``.
    """
    if on == "here":
        return LocalExecutor(workers)
    if on == "ray" or on.startswith("ray://"):
        return RayExecutor(on, workers)
    raise OptionError(f"nothing is called {on!r} to play on: try here, ray or ray://HOST:PORT")


def context_for(budget: str | None = None, *, trust: bool = False) -> RunContext:
    """Return what a run allows its agents, as the command's options have it.

    Raises:
        OptionError: The budget is none.
    """
    return RunContext(budget=Budget.parse(budget) if budget else None, trust=trust)


def with_options(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words that are no options, and the options by name.

    Example:
        >>> with_options(["dumb", "--against", "hold", "--year=1910"])
        (['dumb'], {'against': 'hold', 'year': '1910'})
    """
    plain: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            plain.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        options[name] = value if equals else next(rest, "")
        if not options[name]:
            raise OptionError(f"option --{name} has no value: give --{name} VALUE")
    return plain, options


def current_user() -> str:
    """Return the name of the user, for the ledger."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number without a name
        return "unknown"


def finite(value: Any) -> Any:
    """Return values as JSON can have them: records as objects, what is no number as null."""
    if isinstance(value, dict):
        return {str(name): finite(one) for name, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return finite(value._asdict())
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
