"""The ``ludus`` command and how it fails: one line, exit code 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ludus import __version__
from ludus.cli.board import board
from ludus.cli.check import compare, explain, replay, verify
from ludus.cli.demo import demo
from ludus.cli.diplomacy import diplomacy
from ludus.cli.doctor import doctor
from ludus.cli.files import export, import_, score
from ludus.cli.kept import delete, runs, show_run
from ludus.cli.level import level
from ludus.cli.lists import agents, benchmarks
from ludus.cli.new import new
from ludus.cli.options import OPTIONS_OF_BENCHMARKS
from ludus.cli.play import race, resume, run
from ludus.cli.plot import plot
from ludus.cli.submit import submit
from ludus.cli.train import train
from ludus.errors import LudusError

__all__ = ["app", "main"]

WRONG_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="ludus",
    help="Play agents through games, score every episode, rank the agents.",
    epilog="Start with: ludus demo",
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    pretty_exceptions_enable=False,
)
START, PLAY, CHECK, FILES = "Begin here", "Play", "Check", "Exchange"
app.command(rich_help_panel=START)(demo)
app.add_typer(new, name="new", rich_help_panel=START)
app.command(rich_help_panel=START)(agents)
app.command(rich_help_panel=START)(benchmarks)
app.command(rich_help_panel=START)(doctor)
app.command(rich_help_panel=PLAY, context_settings=OPTIONS_OF_BENCHMARKS)(run)
app.command(rich_help_panel=PLAY, context_settings=OPTIONS_OF_BENCHMARKS)(race)
app.command(rich_help_panel=PLAY)(resume)
app.command(rich_help_panel=PLAY)(train)
app.command(rich_help_panel=PLAY)(runs)
app.command("show", rich_help_panel=PLAY)(show_run)
app.command(rich_help_panel=PLAY)(delete)
app.add_typer(board, name="board", rich_help_panel=PLAY)
app.command(rich_help_panel=PLAY)(submit)
app.command(rich_help_panel=CHECK)(verify)
app.command(rich_help_panel=CHECK)(explain)
app.command(rich_help_panel=CHECK)(replay)
app.command(rich_help_panel=CHECK)(compare)
app.command(rich_help_panel=CHECK)(plot)
app.command(rich_help_panel=FILES)(export)
app.command("import", rich_help_panel=FILES)(import_)
app.command(rich_help_panel=FILES)(score)
app.add_typer(level, name="level", rich_help_panel=FILES)
app.add_typer(diplomacy, name="diplomacy", rich_help_panel=FILES)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"ludus {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; whatever is wrong with it is one line.

    Args:
        arguments: The words after ``ludus``; those of the process if None.
    """
    words = None if arguments is None else list(arguments)
    try:
        code = app(args=words, prog_name="ludus", standalone_mode=False)
    except LudusError as error:
        return _fail(str(error))
    except typer.TyperException as error:
        return _fail(f"{error.format_message()} (see {_command(error)} --help)")
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    """Print one red line on stderr and return the exit code that goes with it."""
    typer.secho("error: " + " ".join(message.split()), fg="red", err=True)
    return WRONG_INPUT


def _command(error: typer.TyperException) -> str:
    """Return the command whose help answers the error."""
    context = getattr(error, "ctx", None)
    return str(getattr(context, "command_path", "ludus"))
