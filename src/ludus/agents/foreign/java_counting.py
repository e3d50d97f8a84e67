"""What a virtual machine counts of an agent's work, and how it is asked for it."""

from __future__ import annotations

from struct import Struct
from typing import Protocol

from ludus.agents.foreign.java_process import Ask
from ludus.errors import AgentFault

__all__ = ["JavaCounting"]

BUDGET = Struct("<qq")
UNITS = Struct("<q")
NO_BUDGET = 2**62
COLUMNS = 5
DECISIONS_LEFT = 500
"""Into how many shares the units are divided that an episode has left."""


class Machine(Protocol):
    """A virtual machine with an agent."""

    @property
    def running(self) -> bool:
        """Whether it can be asked."""
        ...

    def ask(self, kind: Ask, content: bytes = b"") -> bytes:
        """Return the answer to a question."""
        ...


class JavaCounting:
    """The counter of a virtual machine, whichever machine the agent has at the moment.

    Args:
        profile: Whether to find out where the units go.
        clock: The units of a call after which the agent's timers have run out; 0 for timers that
            show the time.
        episode: The units of an episode. A timer runs out after a small share of what is left of
            them, so that who plans until its time is over plans in every tick. 0 for no limit.
    """

    def __init__(self, *, profile: bool = False, clock: int = 0, episode: int = 0) -> None:
        self._profile, self._clock, self._episode = profile, clock, episode
        self._left = episode
        self._budget = NO_BUDGET
        self._machine: Machine | None = None

    def attach(self, machine: Machine) -> None:
        """Let a machine count that has loaded nothing yet, for the call that has begun."""
        machine.ask(Ask.JUDGE, bytes([self._profile]))
        self._machine = machine
        self.begin(self._budget)

    def begin(self, budget: int | None) -> None:
        """Begin a call with a budget."""
        self._budget = NO_BUDGET if budget is None else min(budget, NO_BUDGET)
        if self._machine is not None and self._machine.running:
            self._machine.ask(Ask.BUDGET, BUDGET.pack(self._budget, self._find_clock()))

    def begin_episode(self) -> None:
        """Begin to count what an episode uses."""
        self._left = self._episode

    def read(self) -> int:
        """Return the units of the call; 0 if the machine is gone.

        Raises:
            AgentFault: The machine answers nonsense.
        """
        if self._machine is None or not self._machine.running:
            return 0
        answer = self._machine.ask(Ask.UNITS)
        if len(answer) != UNITS.size or (units := UNITS.unpack(answer)[0]) < 0:
            raise AgentFault("broke off its messages: its units are no number")
        self._left = max(self._left - units, 0)
        return int(units)

    def _find_clock(self) -> int:
        if not self._clock or not self._episode:
            return self._clock
        return min(self._clock, self._left // DECISIONS_LEFT + 1)

    def read_profile(self) -> list[list[str]]:
        """Return file, function, line, entries and units of each block, the dearest first."""
        if self._machine is None or not self._machine.running:
            return []
        text = self._machine.ask(Ask.PROFILE).decode("utf-8", "replace")
        rows = [line.split("\t") for line in text.splitlines()]
        return [row for row in rows if len(row) == COLUMNS]
