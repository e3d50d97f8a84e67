"""What a referee and an agent's process say to each other."""

from __future__ import annotations

from enum import IntEnum

__all__ = [
    "MOST_ACTION",
    "MOST_MEMORY",
    "MOST_PLAYED",
    "MOST_REMEMBERED",
    "MOST_VALUES",
    "Ask",
    "Say",
]

MOST_ACTION = 2**20
"""The most bytes of an action, or of a failure."""

MOST_MEMORY = 16 * 2**20
"""The most bytes of what an agent remembers."""

MOST_VALUES = 2**18
"""The most values of an answer, which a referee reads in less than a second."""

MOST_REMEMBERED = 2**22
"""The most values of what an agent remembers."""

MOST_PLAYED = 64 * 2**20
"""The most bytes of what an environment reports of some frames, with its observation."""


class Ask(IntEnum):
    """What a referee asks of a process, an agent's or an environment's."""

    LOAD = 1
    RESET = 2
    ACT = 3
    MEMORY = 4
    RECALL = 5
    DECLARED = 6
    CLOSE = 7
    UNITS = 8
    PROFILE = 9
    LEARN = 10
    OPEN_ENVIRONMENT = 20
    RESET_ENVIRONMENT = 21
    STEP_ENVIRONMENT = 22
    CLOSE_ENVIRONMENT = 23


class Say(IntEnum):
    """How a process answers."""

    VALUE = 1  #: with what was asked for
    RAISED = 2  #: it has raised an error; the text says which
    NO_ACTION = 3  #: it has raised an ActionError, as a game does
    NO_AGENT = 4  #: agent or environment cannot be loaded; the text says why
    OVER_BUDGET = 5  #: a decision used up its units; the text says how many
    EPISODE_OVER_BUDGET = 6  #: the episode's units are used up; the text says how many
