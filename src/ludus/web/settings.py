"""How an arena is served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from ludus.errors import OptionError

__all__ = ["Settings", "read_prefix"]


def _today() -> date:
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True)
class Settings:
    """What pages may offer, and where they lie.

    Attributes:
        prefix: The path below which a proxy shows the pages, such as ``/arena``; empty for none.
        live: Whether a server answers behind the pages; False for those of a published folder.
        today: Returns the day whose level is shown.
        submissions: Whether accounts may submit agents to events here.
        trainings: The folder whose trainings are shown; None for none.
    """

    prefix: str = ""
    live: bool = True
    today: Callable[[], date] = _today
    submissions: bool = False
    trainings: Path | None = None


def read_prefix(text: str) -> str:
    """Return a path prefix with a slash before and none behind.

    Raises:
        OptionError: It is no path.

    Example:
        >>> read_prefix("arena/"), read_prefix("/")
        ('/arena', '')
    """
    words = [word for word in text.split("/") if word]
    good = all(word.replace("-", "").replace("_", "").replace(".", "").isalnum() for word in words)
    if not text.isascii() or not good or ".." in words or "." in words:
        raise OptionError(f"{text!r:.60} is no prefix of a path: give one such as /arena")
    return "".join(f"/{word}" for word in words)
