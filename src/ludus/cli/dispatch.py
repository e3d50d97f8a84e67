"""``ludus demo``, ``ludus train``, ``ludus submit``: a family's own command takes over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from ludus.benchmarks.families import families, family_of_folder
from ludus.benchmarks.family import Family, import_attribute
from ludus.cli.mounting import HELP_OPTIONS, run_command
from ludus.cli.output import say
from ludus.cli.trainable import show_trainable_of
from ludus.errors import OptionError

__all__ = ["demo", "submit", "train"]


def demo(context: typer.Context) -> None:
    """Show what Ludus does: players race, and a table and a picture come of it.

    A family's name comes first if its demo is wanted.

    Example: ludus demo --out winner.png
    """
    words, showing = context.args, _offering("demo")
    if _asks_for_help(words[:1]):
        _print_help(context, "demo", showing)
        return
    named = words[0] if words and words[0] in showing else ""
    family = showing[named or next(iter(showing))]
    _hand_over(context, family.demo, words[1:] if named else words, named)


def train(context: typer.Context) -> None:
    """Train for a benchmark; what comes of it can be raced like any agent.

    Every family has options of its own.

    Example: ludus train BENCHMARK --help
    """
    words, training = context.args, _offering("train")
    benchmark, folder = _target(words, training), _option(words, "--resume")
    if _asks_for_help(words) and not benchmark:
        _print_help(context, "train", training)
        for family in training.values():
            show_trainable_of(family)
        return
    from ludus.api.training import find_training_family

    if _option(words, "--config") is not None:
        family = next(one for one in training.values() if one.trains_configs)
    else:
        family = find_training_family(benchmark, folder)
    _hand_over(context, family.train, words, benchmark or "")
    if _asks_for_help(words):
        show_trainable_of(family)


def submit(context: typer.Context) -> None:
    """Train many times and put the result on the board, or submit a folder of trainings.

    Every family has options of its own.

    Example: ludus submit FOLDER --check
    """
    words, taking = context.args, _offering("submit")
    target = _target(words, taking) or next((w for w in words if not w.startswith("-")), None)
    if _asks_for_help(words) or target is None:
        _print_help(context, "submit", taking)
        return
    _hand_over(context, _submitting_family(target, taking).submit, words)


def _submitting_family(target: str, taking: dict[str, Family]) -> Family:
    """Return the family that judges a submission; the first one says what is wrong with others."""
    first = next(iter(taking.values()))
    if Path(target).is_dir():
        return taking.get(getattr(family_of_folder(target), "name", ""), first)
    from ludus.benchmarks.registry import benchmarks

    if target in benchmarks() and target.partition("/")[0] not in taking:
        raise OptionError(f"{target} takes no submissions: try ludus run {target} --accept")
    return taking.get(target.partition("/")[0], first)


def _offering(command: str) -> dict[str, Family]:
    """Return the families that have a command of this kind."""
    return {name: family for name, family in families().items() if getattr(family, command)}


def _target(words: Sequence[str], offering: dict[str, Family]) -> str | None:
    """Return the benchmark or folder among the words of a command line, if there is one."""
    for word in words:
        if word.partition("/")[0] in offering and "/" in word:
            return word
    for before, word in zip(["", *words], words, strict=False):
        if not word.startswith("-") and not before.startswith("-"):
            return word
    return None


def _option(words: Sequence[str], option: str) -> str | None:
    """Return the value of an option among the words of a command line."""
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == option:
            return value if equals else next(iter(words[number + 1 :]), "")
    return None


def _asks_for_help(words: Sequence[str]) -> bool:
    return any(word in HELP_OPTIONS["help_option_names"] for word in words)


def _print_help(context: typer.Context, command: str, offering: dict[str, Family]) -> None:
    typer.echo(context.get_help())
    for name, family in offering.items():
        say(f"\n{name}: {family.title}")
        run_command(import_attribute(getattr(family, command)), ["--help"], context.command_path)


def _hand_over(
    context: typer.Context, target: str, words: Sequence[str], subject: str = ""
) -> None:
    """Run a family's command and end as it ends; what is wrong names the family's own help."""
    try:
        code = run_command(import_attribute(target), words, context.command_path)
    except typer.TyperException as error:
        if subject and (inner := getattr(error, "ctx", None)):
            inner.info_name = f"{context.command_path} {subject}"
        raise
    if isinstance(code, int) and code:
        raise typer.Exit(code)
