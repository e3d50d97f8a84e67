"""The ``ludus`` command and how it fails: one line, exit code 2."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

from ludus.cli.commands import all_commands
from ludus.cli.mounting import HELP_OPTIONS, PLAIN, lazy_group
from ludus.errors import LudusError, one_line

__all__ = ["app", "run_words"]

WRONG_INPUT = 2
INTERRUPTED = 130
NO_NUMBERS = {"integer": "whole number", "number": "number"}

app = typer.Typer(
    name="ludus",
    cls=lazy_group(all_commands),
    help="Play agents through games, score every episode, rank the agents.",
    epilog="Start with: ludus demo",
    context_settings=HELP_OPTIONS,
    add_completion=False,
    pretty_exceptions_enable=False,
    **PLAIN,
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from ludus.version import __version__

        typer.echo(f"ludus {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run_words(words: Sequence[str]) -> int:
    """Run one command line and return its exit code; whatever is wrong with it is one line.

    Args:
        words: The words after ``ludus``.
    """
    try:
        code = app(args=list(words), prog_name="ludus", standalone_mode=False)
    except LudusError as error:
        return _fail(str(error))
    except typer.TyperException as error:
        return _fail(f"{_describe(error, words)} (see {_command(error)} --help)")
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    """Print one red line on stderr and return the exit code that goes with it."""
    typer.secho("error: " + one_line(message), fg="red", err=True)
    return WRONG_INPUT


def _describe(error: typer.TyperException, words: Sequence[str]) -> str:
    """Return what is wrong, with the word that is no number if it is one."""
    message = error.format_message()
    place, _, fault = message.partition(": ")
    kind = next((kind for kind in NO_NUMBERS if f"valid {kind}" in fault), None)
    names = getattr(getattr(error, "param", None), "opts", ())
    value = _find_value(words, names)
    if kind is None:
        return message
    if value is None:
        return f"{place}: give a {NO_NUMBERS[kind]}"
    return f"{place}: {value!r} is not a {NO_NUMBERS[kind]}"


def _find_value(words: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the last value that an option has on a command line, by any of its names.

    Example:
        >>> _find_value(["run", "--seed", "x"], ["--seed"]), _find_value(["--seed=7"], ["--seed"])
        ('x', '7')
    """
    pairs = [word.partition("=") for word in words]
    values = [value for name, equals, value in pairs if equals and name in names]
    values += [value for name, value in pairwise(words) if name in names]
    return values[-1] if values else None


def _command(error: typer.TyperException) -> str:
    """Return the command whose help answers the error."""
    context = getattr(error, "ctx", None)
    return str(getattr(context, "command_path", "ludus"))
