"""What may be spent: one limit for all models of a run, in all its processes, also resumed."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ludus.errors import OptionError, Paused

__all__ = ["BUDGET", "FOLDER", "Budget", "Ledger", "ledger_of_this_process", "spending"]

BUDGET = "LUDUS_BUDGET"
"""The variable that holds the budget, such as ``5usd`` or ``2Mtokens``."""
FOLDER = "LUDUS_RUN_FOLDER"
"""The variable that names a folder which all processes of a run share."""
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)([kM]?)(usd|tokens)", re.ASCII)
_TIMES = {"": 1, "k": 1_000, "M": 1_000_000}


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that may be spent.

    Attributes:
        amount: How much.
        unit: ``usd`` or ``tokens``, of which input and output count alike.
    """

    amount: float
    unit: str

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Return the budget that a text names.

        Raises:
            OptionError: It names none.

        Example:
            >>> Budget.parse("1.5Mtokens")
            Budget(amount=1500000.0, unit='tokens')
        """
        found = _AMOUNT.fullmatch(text.strip())
        if not found:
            raise OptionError(f"{text!r} is no budget: try 5usd, 0.50usd, 200ktokens or 2Mtokens")
        return cls(float(found[1]) * _TIMES[found[2]], found[3])

    def __str__(self) -> str:
        return f"{self.amount:.2f} USD" if self.unit == "usd" else f"{self.amount:,.0f} tokens"


class Ledger:
    """What has been spent, kept in a file to which every process of a run adds lines.

    Lines are short and written at once, so that writers do not mix; each process reads what is new.

    Args:
        path: The file; None to count this process alone.
        budget: The limit; None for none.
    """

    def __init__(self, path: Path | None = None, budget: Budget | None = None) -> None:
        self._path = path
        self.budget = budget
        self._read = 0
        self._lock = threading.Lock()
        self.tokens = 0
        self.usd = 0.0

    def spend(self, tokens: int, usd: float | None) -> None:
        """Add what a call took."""
        line = f"{tokens} {usd or 0.0!r}\n"
        if self._path is None:
            self._add(line)
            return
        with self._path.open("ab", buffering=0) as file:
            file.write(line.encode())

    def check(self) -> None:
        """Return if there is something left.

        Raises:
            Paused: There is not.
        """
        if self.budget is None:
            return
        self._catch_up()
        spent = self.usd if self.budget.unit == "usd" else self.tokens
        if spent >= self.budget.amount:
            raise Paused(
                f"the budget of {self.budget} is spent ({self.tokens:,} tokens, "
                f"{self.usd:.2f} USD): resume the run with a larger --budget"
            )

    def _catch_up(self) -> None:
        if self._path is None:
            return
        with self._lock, suppress(FileNotFoundError), self._path.open("rb") as file:
            file.seek(self._read)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                self._add(line.decode())

    def _add(self, line: str) -> None:
        tokens, usd = line.split()
        self.tokens += int(tokens)
        self.usd += float(usd)


@contextmanager
def spending(text: str | None) -> Iterator[None]:
    """Let runs within spend so much at most, such as ``5usd``; None leaves it as it is.

    Raises:
        OptionError: The text is no budget.
    """
    before = os.environ.get(BUDGET)
    if text is not None:
        Budget.parse(text)
        os.environ[BUDGET] = text
    try:
        yield
    finally:
        os.environ.pop(BUDGET, None)
        if before is not None:
            os.environ[BUDGET] = before


_LEDGERS: dict[tuple[str, str], Ledger] = {}


def ledger_of_this_process() -> Ledger:
    """Return the ledger that all agents of this process share.

    Its budget is that of :data:`BUDGET`; its file lies in the folder of :data:`FOLDER`, if there is
    one.

    Raises:
        OptionError: The variable does not hold a budget.
    """
    text, folder = os.environ.get(BUDGET, ""), os.environ.get(FOLDER, "")
    if (text, folder) not in _LEDGERS:
        budget = Budget.parse(text) if text else None
        path = Path(folder) / "spent" if folder else None
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        _LEDGERS[text, folder] = Ledger(path, budget)
    return _LEDGERS[text, folder]
