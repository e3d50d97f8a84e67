"""Options that commands have in common."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.models import OptionInfo

from ludus.errors import OptionError
from ludus.json_files import finite
from ludus.seeds import check_seed

__all__ = [
    "BudgetOption",
    "JsonOption",
    "OnOption",
    "RunArgument",
    "StoreOption",
    "TrustOption",
    "WorkersOption",
    "check_seed_option",
    "finite",
    "seed_option",
    "split_options",
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
SandboxOption = Annotated[
    bool,
    typer.Option(
        "--sandbox",
        help="Confine agents that are not Ludus's own: no network, no files but theirs.",
        envvar="LUDUS_SANDBOX",
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


OnOption = Annotated[
    str,
    typer.Option(
        "--on", help="Where to play: here, ray for a cluster of its own, or ray://HOST:PORT."
    ),
]


def seed_option(purpose: str, name: str = "--seed", show_default: bool | str = True) -> OptionInfo:
    """Return an option that takes the seeds of Ludus.

    Args:
        purpose: What the seed is for, as the help says.
        name: The option's name.
        show_default: As Typer has it.
    """
    option: OptionInfo = typer.Option(
        name, metavar="N", help=purpose, callback=check_seed_option, show_default=show_default
    )
    return option


def check_seed_option(seed: int | str | None) -> int | str | None:
    """Return a seed of a command line, if it is in range; words that are no numbers are not judged.

    Raises:
        OptionError: It is out of range.
    """
    if seed is not None and str(seed).removeprefix("-").isdecimal():
        check_seed(int(seed))
    return seed


def split_options(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words that are no options, and the options by name.

    Example:
        >>> split_options(["dumb", "--against", "hold", "--year=1910"])
        (['dumb'], {'against': 'hold', 'year': '1910'})
    """
    arguments: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            arguments.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        options[name] = value if equals else next(rest, "")
        if not options[name]:
            raise OptionError(f"option --{name} has no value: give --{name} VALUE")
    return arguments, options
