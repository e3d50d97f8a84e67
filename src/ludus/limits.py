"""What an agent may use for an episode, and what it used: the one place for both.

A benchmark's :class:`Limits` are data of its version. The plan of a run takes them over, and
whoever plays, checks or shows an agent reads them there. A run keeps the :class:`Usage` of every
episode beside its score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds

__all__ = [
    "GIBIBYTE",
    "MEBIBYTE",
    "SANDBOX_MEMORY",
    "Limits",
    "Usage",
    "describe_usage",
    "is_amount",
]

MEBIBYTE = 2**20
GIBIBYTE = 2**30
SANDBOX_MEMORY = 8 * GIBIBYTE
"""What a confined agent may use where its benchmark sets no limit."""

ALWAYS_WRITTEN = ("seconds", "steps")
MOST_AMOUNT = 2**63
MOST_DECISIONS = 2**31  # a database's integers are smaller
OVER_BUDGET = ("no-action", "disqualified")
FRACTIONS = ("processor_seconds", "usd")
COUNTS = ("over_budget", "calls", "failed_calls")
MODEL_SECONDS = 6 * 3600.0
"""How long an episode of a language model may take unless its benchmark allows longer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent may use for an episode; 0 stands for no limit.

    Attributes:
        seconds: Wall-clock time in which it is waited for; then it is disqualified.
        steps: How often it may be asked; the game has a limit of its own.
        decision_seconds: Wall-clock time for one decision.
        mean_decision_seconds: Wall-clock time for its decisions, divided by their number; looked at
            when the episode is over.
        decision_units: Units of work for one decision, as the judge counts them.
        episode_units: Units of work for all decisions of an episode together.
        over_budget: What becomes of a decision that is over its units: ``no-action`` plays the
            game's empty action and counts it, ``disqualified`` ends the episode. An episode over
            its units is always ended.
        processor_seconds: Processor time of all its processes together.
        memory: Bytes of memory of all its processes together.
        processes: How many processes it may have at once, with its own.
        forward_model: Whether it may play ahead on a copy of the game.
        model_seconds: What ``seconds`` are for a language model, if that is more. It is waited for
            somebody else's machine, and its client gives up by itself: nothing hangs.

    Example:
        >>> Limits(decision_units=50_000).to_dict()
        {'seconds': 300.0, 'steps': 0, 'decision_units': 50000}
    """

    seconds: float = 300.0
    steps: int = 0
    decision_seconds: float = 0.0
    decision_units: int = 0
    episode_units: int = 0
    over_budget: Literal["no-action", "disqualified"] = "no-action"
    processor_seconds: float = 0.0
    memory: int = 0
    processes: int = 0
    forward_model: bool = True
    mean_decision_seconds: float = 0.0
    model_seconds: float = MODEL_SECONDS

    def __post_init__(self) -> None:
        if not 0 < self.seconds < math.inf:
            raise OptionError(f"limit of {self.seconds} seconds is not above 0")
        times = ("decision_seconds", "mean_decision_seconds", "processor_seconds", "model_seconds")
        for name in times:
            if not 0 <= getattr(self, name) < math.inf:
                raise OptionError(f"limit of {getattr(self, name)} {_words(name)} is no time")
        for name in ("steps", "decision_units", "episode_units", "memory", "processes"):
            value = getattr(self, name)
            if not 0 <= value < MOST_AMOUNT:
                raise OptionError(f"limit of {value} {_words(name)} is no amount: give 0 for none")
        if self.over_budget not in OVER_BUDGET:
            raise OptionError(
                f"over budget, {str(self.over_budget)[:40]!r} cannot happen: "
                f"give {' or '.join(OVER_BUDGET)}"
            )

    def episode_seconds(self, *, model: bool) -> float:
        """Return how long an episode may take, of a language model or of anybody else."""
        return max(self.seconds, self.model_seconds) if model else self.seconds

    @property
    def counts_units(self) -> bool:
        """Whether the agent's work has to be counted, to hold it to a budget."""
        return bool(self.decision_units or self.episode_units)

    def in_sandbox(self, processes: int = 1) -> Limits:
        """Return the limits of a confined agent: some where others have none, and few processes."""
        return replace(
            self,
            processor_seconds=self.processor_seconds or self.seconds,
            memory=self.memory or SANDBOX_MEMORY,
            processes=processes,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that say something; plans of other versions of Ludus have two."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name in ALWAYS_WRITTEN or getattr(self, field.name) != field.default
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Limits:
        """Return the limits that :meth:`to_dict` described.

        Raises:
            TypeError: A field is unknown, or of another kind.
            OptionError: A value makes no sense.
        """
        check_kinds(cls, values)
        return cls(**values)

    def describe(self) -> Iterator[tuple[str, str]]:
        """Yield what is limited, and to how much, in words."""
        yield "time", ", ".join(self._describe_times())
        if self.processor_seconds:
            yield "processor", f"{self.processor_seconds:,g} s an episode"
        if self.counts_units:
            yield "units", ", ".join(self._describe_units())
        if self.memory:
            yield "memory", f"{self.memory / MEBIBYTE:,.0f} MiB"
        if self.processes:
            yield "processes", str(self.processes)
        if self.steps:
            yield "decisions", f"{self.steps:,}"
        yield "forward model", "yes" if self.forward_model else "no"

    def _describe_times(self) -> Iterator[str]:
        yield f"{self.seconds:,g} s an episode"
        if self.decision_seconds:
            yield f"{self.decision_seconds:,g} s a decision"
        if self.mean_decision_seconds:
            yield f"{self.mean_decision_seconds:,g} s a decision on average"

    def _describe_units(self) -> Iterator[str]:
        if self.decision_units:
            yield f"{self.decision_units:,} a decision (over it: {self.over_budget})"
        if self.episode_units:
            yield f"{self.episode_units:,} an episode (over it: disqualified)"


@dataclass(frozen=True, slots=True)
class Usage:
    """What an agent used for an episode; None stands for what nobody measured.

    Attributes:
        units: Units of work, as the judge counts them.
        peak_memory: The most bytes of memory that its processes had at once.
        processor_seconds: Processor time of all its processes together.
        over_budget: How many decisions were over their units.
        calls: How often language models were asked.
        failed_calls: How many of these calls had no usable answer.
        tokens: Tokens of questions and answers.
        usd: What they cost in US dollars; None if a price is not known.
    """

    units: int | None = None
    peak_memory: int | None = None
    processor_seconds: float | None = None
    over_budget: int | None = None
    calls: int | None = None
    failed_calls: int | None = None
    tokens: int | None = None
    usd: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what was measured."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Usage:
        """Return the usage that :meth:`to_dict` described.

        Raises:
            ValueError: It is none.
        """
        if not isinstance(values, Mapping) or not values.keys() <= set(cls.__slots__):
            raise ValueError(f"{values!r:.60} says nothing of what was used")
        for name, value in values.items():
            if not is_amount(name, value):
                raise ValueError(f"{name!r} is {value!r:.60}, which is no amount")
        return cls(**values)

    @classmethod
    def sum(cls, usages: Iterable[Usage]) -> Usage:
        """Return what several episodes used: the sums, and the greatest peak.

        What was not measured in every episode is not known of all.
        """
        listed = list(usages)
        return cls(
            units=_combine(sum, [one.units for one in listed]),
            peak_memory=_combine(max, [one.peak_memory for one in listed]),
            processor_seconds=_combine(math.fsum, [one.processor_seconds for one in listed]),
            over_budget=_combine(sum, [one.over_budget for one in listed]),
            calls=_combine(sum, [one.calls for one in listed]),
            failed_calls=_combine(sum, [one.failed_calls for one in listed]),
            tokens=_combine(sum, [one.tokens for one in listed]),
            usd=_combine(math.fsum, [one.usd for one in listed]),
        )


def describe_usage(usage: Usage) -> str:
    """Return what was used, in words; nothing if nobody measured it.

    Example:
        >>> describe_usage(Usage(units=12_000, peak_memory=50 * MEBIBYTE, processor_seconds=0.25))
        '12,000 units of work, 0.250 s of the processor, 50 MiB of memory'
    """
    parts = []
    if usage.units is not None:
        parts.append(f"{usage.units:,} units of work")
    if usage.over_budget:
        plural = "s" if usage.over_budget > 1 else ""
        parts.append(f"{usage.over_budget:,} decision{plural} over budget")
    if usage.processor_seconds is not None:
        parts.append(f"{usage.processor_seconds:.3f} s of the processor")
    if usage.peak_memory is not None:
        parts.append(f"{usage.peak_memory / MEBIBYTE:,.0f} MiB of memory")
    if usage.calls is not None:
        parts.append(f"{usage.calls:,} calls of a model ({usage.failed_calls or 0:,} failed)")
    if usage.tokens is not None:
        parts.append(f"{usage.tokens:,} tokens")
    if usage.usd is not None:
        parts.append(f"{usage.usd:.4f} USD")
    return ", ".join(parts)


def _combine(function: Any, values: list[Any]) -> Any:
    return None if not values or None in values else function(values)


def is_amount(name: str, value: Any) -> bool:
    """Return whether a value can be what :class:`Usage` calls by this name."""
    kinds = (int, float) if name in FRACTIONS else (int,)
    most = MOST_DECISIONS if name in COUNTS else MOST_AMOUNT
    return type(value) in kinds and 0 <= value < most


def _words(name: str) -> str:
    return name.replace("_", " ")
