"""What may be spent: one limit for all models of a run, in all its processes, also resumed."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

from ludus.context import Budget, RunContext
from ludus.errors import Paused

__all__ = ["Ledger", "shared_ledger"]


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
        """Raise an error if the budget is spent.

        Raises:
            Paused: The budget is spent.
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


_LEDGERS: dict[RunContext, Ledger] = {}


def shared_ledger(context: RunContext) -> Ledger:
    """Return the ledger that all agents of a run share in this process.

    Its file lies in the run's folder, if it has one, where the other processes find it.
    """
    key = RunContext(folder=context.folder, budget=context.budget)
    if key not in _LEDGERS:
        if context.folder:
            context.folder.mkdir(parents=True, exist_ok=True)
        path = context.folder / "spent" if context.folder else None
        _LEDGERS[key] = Ledger(path, context.budget)
    return _LEDGERS[key]
