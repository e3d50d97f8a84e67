"""What a family of benchmarks offers for episodes that somebody played elsewhere.

Boards take a :class:`Submission`: they make a run of its records, played again on the game, and
never of what it says about itself. A family reads its own folders and returns one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ludus.games.game import Facts

__all__ = ["OWN_CODE", "ReadSubmission", "Rerun", "Submission", "SubmittedRecord"]

OWN_CODE = "code-"
"""What the fingerprint of an agent begins with that is code of the submitter's own."""


@dataclass(frozen=True, slots=True)
class SubmittedRecord:
    """One episode that somebody played elsewhere.

    Attributes:
        record: Its actions, as its game reads them.
        steps: How often the agent was asked.
        seconds: How long it took, as the submission says.
    """

    record: bytes
    steps: int
    seconds: float


class Rerun(NamedTuple):
    """What came of doing an episode again from its seed: problem and note are not both set.

    Attributes:
        problem: Why the submission is not what it says.
        note: Why it could not be done again.
        seconds: The processor time that it took here.
    """

    problem: str = ""
    note: str = ""
    seconds: float = 0.0


class Submission(Protocol):
    """Episodes for a board, and the checks that only their family knows."""

    @property
    def benchmark(self) -> str:
        """The benchmark's id."""
        ...

    @property
    def spec(self) -> str:
        """What the agent was made from."""
        ...

    @property
    def name(self) -> str:
        """What boards call the agent."""
        ...

    @property
    def fingerprint(self) -> str:
        """A digest of what the agent is."""
        ...

    @property
    def seed(self) -> int:
        """What the scenarios were made from."""
        ...

    @property
    def options(self) -> Mapping[str, str]:
        """The benchmark's options that were set."""
        ...

    @property
    def rules(self) -> str:
        """The rule sets that it was played by, such as ``worm@1``."""
        ...

    @property
    def provenance(self) -> Mapping[str, str]:
        """Where it comes from, for the record."""
        ...

    @property
    def count(self) -> int:
        """How many episodes there are."""
        ...

    def records(self) -> Sequence[SubmittedRecord]:
        """Return the episodes, in the order of their scenarios; called once all checks are good."""
        ...

    def keys(self) -> Mapping[Hashable, str]:
        """Return what tells each episode from others, with the name that messages call it."""
        ...

    def scores(self) -> Sequence[float]:
        """Return what each episode brings to the score; those that bring most are checked first."""
        ...

    def check(self) -> list[str]:
        """Return what is wrong with it as far as its own files show, one line each."""
        ...

    def check_replays(self, on_record: Callable[[int], None] | None) -> list[str]:
        """Play every record again and return where the submission is not true.

        Args:
            on_record: Called with the number of each record that was played again.
        """
        ...

    def rerun(self, numbers: Sequence[int]) -> Sequence[Rerun]:
        """Do some episodes again from seed and settings, if that is possible, and compare."""
        ...

    def notes(self) -> Iterable[str]:
        """Return what readers of a board should know."""
        ...

    def key_of(self, scenario: Mapping[str, Any], facts: Facts) -> Hashable:
        """Return the key of an episode on a board, to be compared with :meth:`keys`."""
        ...


class ReadSubmission(NamedTuple):
    """What came of reading a folder: a submission, if there is one, and every problem as a line."""

    submission: Submission | None
    problems: list[str]
