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
