"""What a run allows its agents: one frozen record, handed down from the command that starts it.

The CLI (or a caller in Python) makes a :class:`RunContext`. It goes as a parameter through ``run``
and ``resume``, the executor, every worker and its stage, to ``ludus.agents.load``. Nothing below
the CLI reads or sets an environment variable to learn of trust, budget or folder.

Users may set these variables for all commands; :data:`USER_SETTINGS` lists every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ludus.errors import OptionError
from ludus.limits import Limits

__all__ = ["DEFAULT_CONTEXT", "USER_SETTINGS", "Budget", "RunContext", "settings_for_workers"]

USER_SETTINGS = {
    "LUDUS_STORE": "where runs are stored; the default of --store",
    "LUDUS_TRUST": "1 to read agents whose files run code; the default of --trust",
    "LUDUS_SANDBOX": "1 to confine agents and environments of others; the default of --sandbox",
    "LUDUS_BUDGET": "what language models may use, such as 5usd; the default of --budget",
    "LUDUS_SIGNING_KEY": "a file with the key that signs the heads of ledgers",
    "LUDUS_PRICES": "a file with the prices of language models",
    "LUDUS_LLM_LOG": "a file to which every call of a language model is added",
    "LUDUS_LLM_CONCURRENCY": "how many requests a process may have under way at once",
    "LUDUS_ENTRY_TOKEN": "what shows that an entry is yours; the default of --token",
    "LUDUS_ACCOUNT_TOKEN": "the token of your account, with which you submit",
}
"""The environment variables that a user may set."""

SECRET_SETTINGS = frozenset({"LUDUS_ENTRY_TOKEN", "LUDUS_ACCOUNT_TOKEN"})
"""Those that stay on the user's machine."""


def settings_for_workers(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the user's settings that workers on other machines get: all but the secret ones.

    Example:
        >>> settings_for_workers({"LUDUS_TRUST": "1", "LUDUS_ENTRY_TOKEN": "abc", "HOME": "/"})
        {'LUDUS_TRUST': '1'}
    """
    sent = USER_SETTINGS.keys() - SECRET_SETTINGS
    return {name: value for name, value in variables.items() if name in sent}


_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)([kM]?)(usd|tokens)", re.ASCII)
_FACTORS = {"": 1, "k": 1_000, "M": 1_000_000}


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that the language models of a run may use together.

    Attributes:
        amount: How much.
        unit: ``usd`` or ``tokens``, of which input and output count alike.
    """

    amount: float
    unit: Literal["usd", "tokens"]

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Return the budget that a text names.

        Raises:
            OptionError: It names none.

        Example:
            >>> Budget.parse("1.5Mtokens")
            Budget(amount=1500000.0, unit='tokens')
        """
        match = _AMOUNT.fullmatch(text.strip())
        if not match:
            raise OptionError(f"{text!r} is no budget: try 5usd, 0.50usd, 200ktokens or 2Mtokens")
        unit: Literal["usd", "tokens"] = "usd" if match[3] == "usd" else "tokens"
        return cls(float(match[1]) * _FACTORS[match[2]], unit)

    def __str__(self) -> str:
        return f"{self.amount:.2f} USD" if self.unit == "usd" else f"{self.amount:,.0f} tokens"


@dataclass(frozen=True, slots=True)
class RunContext:
    """What a run allows its agents.

    Attributes:
        folder: Where the run's processes share files: checkpoints of long episodes and the sum that
            was spent. None if nothing is shared.
        budget: The most that the run's language models may use together; None for no limit.
        trust: Whether agents may be read from files that run code when read: ``sb3:``, ``torch:``.
        sandbox: Whether agents and environments that are not Ludus's own play confined: no network,
            no files but their own folder, no processes.
        limits: What an agent may use for an episode. The stage sets them from the plan, to which
            they belong; None where an agent is loaded without a run.
        own_process: Whether the agent has the process that loads it to itself, so that it may take
            the process along when it crashes, and settings of the process may be the agent's.
        profile: Whether the work of agents is counted line by line, and held to no budget.
        on_printed: Called when a process of others is gone, with the first bytes that it printed,
            the number of those that nobody has kept, and the last bytes. If nobody asks for them,
            what is printed in the sandbox is lost, and goes to the standard error outside of it.
    """

    folder: Path | None = None
    budget: Budget | None = None
    trust: bool = False
    sandbox: bool = False
    limits: Limits | None = None
    profile: bool = False
    own_process: bool = False
    on_printed: Callable[[bytes, int, bytes], None] | None = field(default=None, repr=False)


DEFAULT_CONTEXT = RunContext()
"""The context of whoever loads an agent without a run: no folder, no budget, no trust."""
