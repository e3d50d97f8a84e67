"""A process of somebody else's code as its referee sees it: each question is a message to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from ludus.agents.isolation.messages import MOST_ACTION, MOST_VALUES, Ask, Say
from ludus.agents.isolation.metering import Report, describe_excess
from ludus.agents.isolation.nursery import AgentLink, start_agent
from ludus.agents.isolation.values import decode
from ludus.errors import (
    ActionError,
    AgentDied,
    AgentError,
    AgentFault,
    AgentLate,
    AgentOverLimit,
    StoreError,
    clean_text,
)
from ludus.limits import Limits

__all__ = ["IsolatedProcess"]

CLOSING = 1.0  # seconds that an agent has to let go of its files and connections


class IsolatedProcess:
    """A process that answers questions; what it does wrong is raised as an AgentFault.

    Only the time in which its answers are waited for and read counts, from the start of the
    process on.

    Args:
        limits: What it may use; it is ended when it uses more.
        sandbox: Whether it is to be confined.
        on_printed: Called with what it has printed, when it is gone.

    Raises:
        StoreError: No process can be started.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        sandbox: bool,
        on_printed: Callable[[bytes, int, bytes], None] | None = None,
    ) -> None:
        self._limits = limits
        self._most_seconds = limits.seconds
        self._seconds = 0.0
        self._number = 0
        self._report: Report | None = None
        self._on_printed = on_printed
        self._link: AgentLink | None = _start(sandbox, on_printed is not None)
        self._link.limit(limits)

    @property
    def gone(self) -> bool:
        """Whether its process has been ended."""
        return self._link is None

    def kill(self) -> None:
        """End its process with all that it has started, and wait until they are gone."""
        link, self._link = self._link, None
        if link is not None:
            self._report = link.close()
            if self._on_printed:
                self._on_printed(*link.printed)

    def _close(self, kind: Ask) -> None:
        """Ask it to close, but not for long; then end it."""
        if self._link is not None:
            self._most_seconds, self._seconds = CLOSING, 0.0
            with suppress(AgentError, AgentFault, ActionError):
                self._ask(kind)
        self.kill()

    def _ask(
        self, kind: Ask, content: bytes = b"", most: int = MOST_ACTION, most_seconds: float = 0.0
    ) -> bytes:
        """Send a message and return the answer to it."""
        if self._link is None:
            raise AgentDied("its process was ended")
        channel, started = self._link.channel, monotonic()
        left = self._most_seconds - self._seconds
        hurried = 0 < most_seconds < left
        left = most_seconds if hurried else left
        self._number = number = (self._number + 1) % 2**32
        try:
            channel.send(number, kind, content, left)
            answered, said, answer = channel.receive(most, left)
            if answered != number:
                raise ValueError("it answered what it was not asked")
        except TimeoutError:
            self.kill()
            allowed, of = (left, " for a decision") if hurried else (self._most_seconds, "")
            raise AgentLate(f"took longer than {allowed:g} seconds{of}") from None
        except ValueError as error:
            self.kill()
            raise AgentFault(f"broke off its messages: {error}") from None
        except (EOFError, OSError):
            self.kill()
            raise self._find_fault() from None
        finally:
            self._seconds += monotonic() - started
        if said != Say.VALUE:
            self._raise(said, answer)
        return answer

    def _find_fault(self) -> AgentFault:
        """Return why its process is gone."""
        report = self._report
        if report is None:
            return AgentDied("its process died")
        if report.excess:
            return AgentOverLimit(describe_excess(report.excess, self._limits))
        return report.ending.to_fault()

    def _raise(self, said: int, answer: bytes) -> None:
        """Raise what the process has raised itself."""
        text = clean_text(answer.decode("utf-8", "replace"))
        if said == Say.RAISED:
            raise AgentFault(text)
        if said == Say.NO_ACTION:
            raise ActionError(text)
        if said == Say.NO_AGENT:
            raise AgentError(text)
        self.kill()
        raise AgentFault(f"broke off its messages: it said {said}")

    def _read(self, answer: bytes, most_values: int = MOST_VALUES) -> Any:
        """Return the value of an answer; the time that reading takes is the process's own."""
        started = monotonic()
        try:
            return decode(answer, most_values=most_values)
        except ValueError as error:
            self.kill()
            raise AgentFault(f"broke off its messages: {clean_text(error)}") from None
        finally:
            self._seconds += monotonic() - started


def _start(sandbox: bool, logged: bool) -> AgentLink:
    try:
        return start_agent(sandbox=sandbox, logged=logged)
    except OSError as error:
        raise StoreError(f"no process can be started: {clean_text(error)}") from error
