"""A job: what a worker plays for an event, how far it has come, and what came of it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from ludus.errors import one_line

__all__ = ["ENDED", "WAITING", "Job", "JobKind", "State", "add_lines", "to_job"]

MOST_LOG = 32_768
"""The most letters of a job's log."""
KEPT_END = 8_192


class JobKind(StrEnum):
    """What is played: one entry on the public seed, or all entries on the sealed one."""

    ENTRY = "entry"
    FINAL = "final"


class State(StrEnum):
    """How far a job has come.

    ``received``: its files are in the store. ``checked``: its agent loads in the sandbox, and has
    played one episode there. ``queued``: it waits for a worker. ``running``: a worker plays it.
    Then it is ``scored``; ``refused`` if its agent cannot be loaded, or was replaced meanwhile;
    ``failed`` if it took too long, or workers died of it.
    """

    RECEIVED = "received"
    CHECKED = "checked"
    QUEUED = "queued"
    RUNNING = "running"
    SCORED = "scored"
    REFUSED = "refused"
    FAILED = "failed"


WAITING = (State.RECEIVED, State.QUEUED, State.RUNNING)
"""The states in which there is something left for a worker to do."""
ENDED = (State.SCORED, State.REFUSED, State.FAILED)
"""The states in which a job stays."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker plays for an event.

    Attributes:
        number: What it is called.
        kind: Whether it is one entry or the final of all.
        event: The event's name.
        account: The id of the account that submitted it; empty for a final.
        entrant: Its name.
        digest: The digest of the files that were submitted; empty for a final.
        state: How far it has come.
        history: Each state that it has been in, and since when, UTC.
        tries: How often a worker has begun to play it.
        played: How many episodes are played.
        planned: How many there are.
        score: What came of it, or None.
        verdict: The same in words, or why there is no score.
        run: The run that holds the episodes; empty before there is one.
        log: What happened, line by line, and what the agent has printed when it was checked.
    """

    number: int
    kind: JobKind
    event: str
    account: str
    entrant: str
    digest: str
    state: State
    history: tuple[tuple[str, str], ...]
    tries: int
    played: int
    planned: int
    score: float | None
    verdict: str
    run: str
    log: str

    @property
    def ended(self) -> bool:
        """Whether it stays as it is."""
        return self.state in ENDED

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, without what others need not know: the id of the account."""
        values = asdict(self) | {"kind": str(self.kind), "state": str(self.state)}
        del values["account"]
        return values | {"history": [list(one) for one in self.history]}


def to_job(row: Any) -> Job:
    """Return the job that a row of the store holds."""
    return Job(
        number=row.number,
        kind=JobKind(row.kind),
        event=row.event,
        account=row.account,
        entrant=row.entrant,
        digest=row.digest,
        state=State(row.state),
        history=tuple((str(state), str(at)) for state, at in json.loads(row.history)),
        tries=row.tries,
        played=row.played,
        planned=row.planned,
        score=row.score,
        verdict=row.verdict,
        run=row.run,
        log=row.log,
    )


def add_lines(log: str, *lines: str) -> str:
    r"""Return a log with more lines, each of them visible; what is too long loses its middle.

    Example:
        >>> add_lines("one\n", "two\x1b[2J")
        'one\ntwo\\x1b[2J\n'
    """
    text = log + "".join(f"{one_line(line)}\n" for line in lines)
    if len(text) <= MOST_LOG:
        return text
    end = text[-KEPT_END:].partition("\n")[2]
    start = text[: MOST_LOG - len(end) - 100].rpartition("\n")[0]
    left_out = len(text) - len(start) - len(end)
    return f"{start}\n… {left_out:,} letters are left out here …\n{end}"
