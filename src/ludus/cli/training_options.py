"""What the training commands of families have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ludus.errors import OptionError

__all__ = [
    "ResumeTrainingOption",
    "SettingOption",
    "TrainingFolderOption",
    "parse_count",
    "parse_settings",
    "refuse_beside_resume",
]

UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([km]?)", re.IGNORECASE)

TrainingFolderOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The folder.", show_default="runs/…")
]
ResumeTrainingOption = Annotated[
    Path | None,
    typer.Option("--resume", metavar="DIR", help="Go on with the training in this folder."),
]
SettingOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting; can be given again."),
]


def refuse_beside_resume(context: typer.Context, *allowed: str) -> None:
    """Refuse options beside ``--resume`` that would have no effect.

    Args:
        context: The call of the command.
        allowed: Names of parameters that say how it goes on, such as ``workers``.

    Raises:
        OptionError: One was given.
    """
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        given = source is not None and source.name == "COMMANDLINE"
        if given and parameter.name not in ("benchmark", "resume", "json", *allowed):
            raise OptionError(
                f"--resume goes on with the settings of its folder: leave {parameter.opts[0]} out"
            )


def parse_count(option: str, text: str) -> int:
    """Return the whole number that a text such as ``5M`` or ``500k`` stands for.

    Raises:
        OptionError: It stands for none.

    Example:
        >>> parse_count("--steps", "1.5M")
        1500000
    """
    match = NUMBER.fullmatch(text.strip().replace("_", "").replace(",", ""))
    if not match:
        raise OptionError(f"{option} {text!r} is no number: try 5M, 500k or 20000")
    return round(float(match[1]) * UNITS[match[2].lower()])


def parse_settings(words: Sequence[str]) -> dict[str, str]:
    """Return the settings that words of the form ``NAME=VALUE`` name.

    Raises:
        OptionError: A word is not of that form.
    """
    pairs = [word.partition("=") for word in words]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise OptionError(f"--set {name + equals + value!r} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}
