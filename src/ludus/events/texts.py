"""Texts of entrants and organisers: of several lines, all of which can be seen."""

from __future__ import annotations

from typing import Any

from ludus.errors import OptionError
from ludus.escaping import LONGEST_NAME, check_name

__all__ = ["check_text", "check_word"]


def check_text(text: Any, what: str, most: int) -> str:
    """Return a text of several lines that can be shown; it may be empty.

    Args:
        text: What somebody wrote.
        what: What it is, for the message.
        most: The most letters that it may have.

    Raises:
        OptionError: It is none, is too long, or holds what cannot be seen.
    """
    if not isinstance(text, str):
        raise OptionError(f"the {what} is {text!r:.40}, which is no text")
    if len(text) > most:
        raise OptionError(f"the {what} has {len(text):,} letters; {most:,} are the most")
    for line in text.replace("\t", " ").splitlines():
        for start in range(0, len(line), LONGEST_NAME):
            part = line[start : start + LONGEST_NAME]
            if part.strip():
                check_word(part, what)
    return text.strip()


def check_word(word: Any, what: str, most: int = LONGEST_NAME) -> str:
    """Return a name or a few words on one line.

    Raises:
        OptionError: It is none, is empty or too long, or holds what cannot be seen.
    """
    try:
        checked = check_name(word, what)
    except ValueError as error:
        raise OptionError(str(error)) from None
    if len(checked) > most:
        raise OptionError(f"the {what} has {len(checked)} letters; {most} are the most")
    return " ".join(checked.split())
