"""Everything Ludus raises on purpose.

::

    LudusError
    ├── LevelError      (ValueError)      a text is not a level
    ├── ActionError     (ValueError)      an action is not one of the game's
    ├── OptionError     (ValueError)      an option is outside its range
    │   └── NotReplayable                 a game answers the same actions otherwise each time
    ├── AgentError      (ValueError)      an agent cannot be found or loaded
    ├── AgentFault      (RuntimeError)    an agent failed in its own process
    │   ├── AgentDied                     its process is gone
    │   ├── AgentLate                     it took too long
    │   └── AgentOverLimit                it used too much
    │       └── AgentOverBudget           too many units of work
    ├── EnvironmentFault (RuntimeError)   an environment of others failed in its own process
    ├── BenchmarkError  (ValueError)      a benchmark cannot be found
    ├── RunError        (ValueError)      a run cannot be found or does not fit
    ├── BoardError      (ValueError)      what is asked of a board does not fit it
    ├── AccessError     (RuntimeError)    a token is not valid, or does not allow what is asked
    ├── CheckError      (AssertionError)  a benchmark or an agent breaks its promises
    ├── StoreError      (RuntimeError)    results cannot be read or written
    │   ├── ReadOnlyStore                 they can be read, but not written
    │   └── LostConnection                the database does not answer now
    ├── EpisodeOver     (RuntimeError)    a finished episode was asked to go on
    ├── CapacityError   (RuntimeError)    a world outgrew what the engine can hold
    ├── ThreadError     (RuntimeError)    two threads use one object at the same time
    ├── Paused          (RuntimeError)    a run stops here and can be resumed
    └── MissingExtra    (ImportError)     an optional part of Ludus is not installed

Each message is one line that holds the offending value and what to try next.
"""

from __future__ import annotations

from numbers import Number
from unicodedata import category

from ludus.escaping import HIDDEN, escape_text

__all__ = [
    "AccessError",
    "ActionError",
    "AgentDied",
    "AgentError",
    "AgentFault",
    "AgentLate",
    "AgentOverBudget",
    "AgentOverLimit",
    "BenchmarkError",
    "BoardError",
    "CapacityError",
    "CheckError",
    "EnvironmentFault",
    "EpisodeOver",
    "LevelError",
    "LostConnection",
    "LudusError",
    "MissingExtra",
    "NotReplayable",
    "OptionError",
    "Paused",
    "ReadOnlyStore",
    "RunError",
    "StoreError",
    "ThreadError",
    "clean_text",
    "format_error",
    "one_line",
    "show_value",
]


def one_line(text: object) -> str:
    """Return a text on one line, all of it visible, and not longer than anybody reads."""
    return escape_text(" ".join(str(text).split()))


def clean_text(text: object, most: int = 300) -> str:
    r"""Return a text of somebody else's as one short line that any table and database can hold.

    Control characters, marks that change the direction of writing, lone surrogates and NUL become
    spaces; what is longer than ``most`` signs is cut.

    Example:
        >>> clean_text("no\x1b[2J\x00 weights\ud800\n")
        'no [2J weights'
    """
    visible = "".join(" " if category(sign) in HIDDEN else sign for sign in str(text)[: 4 * most])
    line = " ".join(visible.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def show_value(value: object, most: int = 60) -> str:
    """Return a value as messages show it: text in quotes, numbers and None bare, else its type.

    A short list is shown with what it holds.

    Example:
        >>> show_value("up"), show_value(1.5), show_value([1, None]), show_value({})
        ("'up'", '1.5', '[1, None]', 'something of type dict')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= most else f"{value[:most]}…")
    if isinstance(value, int) and value.bit_length() > 4 * most:
        return f"a number of {value.bit_length()} bits"
    if value is None or isinstance(value, Number):
        return str(value)
    if type(value) is list and len(value) <= 4 and not any(type(v) is list for v in value):
        return f"[{', '.join(show_value(held, most) for held in value)}]"
    return f"something of type {type(value).__name__}"


def format_error(error: BaseException) -> str:
    """Return an error as one line: its kind and its message, or where a syntax error is.

    Example:
        >>> format_error(KeyError("level"))
        "KeyError: 'level'"
    """
    if isinstance(error, SyntaxError):
        return f"{error.msg} in line {error.lineno} of {error.filename}"
    text = one_line(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class LudusError(Exception):
    """The root: whatever Ludus raises on purpose is one of these."""


class LevelError(LudusError, ValueError):
    """A text is not a level; ``row``, ``column`` and ``character`` say where it stops being one.

    Attributes:
        row: The row, counted from 0, or None if the fault has no place.
        column: The column, counted from 0, or None.
        character: The character found there, ``""`` where one is missing, or None.
    """

    def __init__(
        self,
        message: str,
        row: int | None = None,
        column: int | None = None,
        character: str | None = None,
    ) -> None:
        super().__init__(message)
        self.row = row
        self.column = column
        self.character = character


class ActionError(LudusError, ValueError):
    """An action is not one of the game's."""


class OptionError(LudusError, ValueError):
    """An option has a value outside its range."""


class NotReplayable(OptionError):
    """A game answers the same actions otherwise each time they are played."""


class AgentError(LudusError, ValueError):
    """An agent cannot be found or loaded."""


class AgentFault(LudusError, RuntimeError):
    """An agent failed in its own process; the message is the reason that tables show."""


class AgentDied(AgentFault):
    """An agent's process is gone."""


class AgentLate(AgentFault):
    """An agent took longer than the plan allows, and was stopped."""


class AgentOverLimit(AgentFault):
    """An agent used more than the plan allows, and was stopped."""


class AgentOverBudget(AgentOverLimit):
    """An agent did more work than it may.

    Args:
        message: What it used.
        of: Whose budget is used up: that of one ``decision``, or that of the ``episode``.
    """

    def __init__(self, message: str, *, of: str) -> None:
        super().__init__(message)
        self.of = of


class EnvironmentFault(LudusError, RuntimeError):
    """An environment of others failed in its own process; the message is what tables show."""


class BenchmarkError(LudusError, ValueError):
    """A benchmark cannot be found."""


class RunError(LudusError, ValueError):
    """A run cannot be found, or what is asked of it does not fit it."""


class BoardError(LudusError, ValueError):
    """What is asked of a board does not fit what is on it."""


class AccessError(LudusError, RuntimeError):
    """A token is not valid, or its account may not do what is asked."""


class CheckError(LudusError, AssertionError):
    """A benchmark or an agent does not keep what Ludus relies on; one line for each promise."""


class StoreError(LudusError, RuntimeError):
    """Results cannot be read from or written to where they are kept."""


class ReadOnlyStore(StoreError):
    """Results can be read, but nothing can be written to where they are kept."""


class LostConnection(StoreError):
    """The database does not answer now; what was asked of it may be asked again."""


class EpisodeOver(LudusError, RuntimeError):
    """A finished episode was asked to go on."""


class CapacityError(LudusError, RuntimeError):
    """A world needs more room than the engine can give."""


class ThreadError(LudusError, RuntimeError):
    """An object is in use by one thread and was asked for something by another."""


class Paused(LudusError, RuntimeError):
    """A run cannot go on now and can be resumed later; it is no fault of the agent's play."""


class MissingExtra(LudusError, ImportError):
    """An optional part of Ludus is not installed; the message says how to install it."""
