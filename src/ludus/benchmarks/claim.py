"""What somebody says elsewhere about an agent, as far as files of others tell it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ludus.escaping import LONGEST_SHOWN, check_name
from ludus.field_kinds import check_kinds

__all__ = ["Claim"]

MOST = 10**9
"""The most trainings, and plays of each, that a claim may name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A result that was reached elsewhere and cannot be played again here.

    Attributes:
        benchmark: The benchmark that it is nearest to.
        options: The benchmark's options that come nearest.
        agent: Who reached it.
        contributor: Who says so.
        source: What the claim is called where it comes from.
        date: When it was made, as it says.
        value: The score by this benchmark's rule, from the files; None if they do not hold enough.
        margin: Half of its 95 % interval; None if unknown.
        published: The score that the claim itself names; None if it names none.
        trainings: How many episodes of this benchmark stand behind it.
        length: How many plays each of them has.
        notes: A remark of the contributor's.
    """

    benchmark: str
    agent: str
    contributor: str
    source: str
    options: Mapping[str, str] = field(default_factory=dict)
    date: str = ""
    value: float | None = None
    margin: float | None = None
    published: float | None = None
    trainings: int = 0
    length: int = 0
    notes: str = ""

    def __post_init__(self) -> None:
        check_name(self.agent, "name of an agent")
        check_name(self.contributor, "name of the contributor")
        check_name(self.source, "name of the submission")
        for text in (self.date, self.notes):
            if len(text) > LONGEST_SHOWN:
                raise ValueError(f"{text[:40]!r}… is longer than {LONGEST_SHOWN} signs")
        for number in (self.value, self.margin, self.published):
            if number is not None and not (math.isfinite(number) and 0 <= number <= 1):
                raise ValueError(f"{number!r} is no score from 0 to 1")
        for count in (self.trainings, self.length):
            if not 0 <= count <= MOST:
                raise ValueError(f"{count:.6g} is no number of trainings or plays")
        _check_options(self.options)

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Claim:
        """Return the claim that :meth:`to_dict` described.

        Raises:
            TypeError: A value is of another kind, or unknown.
            ValueError: A value makes no sense.
        """
        check_kinds(cls, values)
        return cls(**values)


def _check_options(options: Any) -> None:
    texts = isinstance(options, Mapping) and all(
        isinstance(text, str) for pair in options.items() for text in pair
    )
    if not texts:
        raise ValueError(f"its options are {options!r:.60}, not words by name")
