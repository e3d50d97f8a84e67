"""What agents cost, as columns of tables: units of work, processor time, memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ludus.limits import MEBIBYTE
from ludus.runs.summary import Summary

__all__ = ["COSTS_CAPTION", "CostColumn", "find_cost_columns"]

MS = 1000
UNKNOWN = "–"
COSTS_CAPTION = "Cost: units of work, processor time and peak memory of the agent's processes."


class CostColumn(NamedTuple):
    """One figure of what an agent used.

    Attributes:
        name: What tables call it.
        value: Its value for an agent; None if nobody measured it.
        form: How it is written.
    """

    name: str
    value: Callable[[Summary], float | None]
    form: str

    def cell(self, summary: Summary) -> str:
        """Return the figure as tables show it."""
        value = self.value(summary)
        return UNKNOWN if value is None else format(value, self.form)


def _a_step(amount: float | None, summary: Summary) -> float | None:
    return None if amount is None or not summary.steps else amount / summary.steps


def _units(summary: Summary) -> float | None:
    return _a_step(summary.usage.units, summary)


def _processor(summary: Summary) -> float | None:
    seconds = _a_step(summary.usage.processor_seconds, summary)
    return None if seconds is None else MS * seconds


def _processor_in_all(summary: Summary) -> float | None:
    return summary.usage.processor_seconds


def _memory(summary: Summary) -> float | None:
    peak = summary.usage.peak_memory
    return None if peak is None else peak / MEBIBYTE


def _over_budget(summary: Summary) -> float | None:
    return summary.usage.over_budget


UNITS = CostColumn("units/step", _units, ",.0f")
PROCESSOR = CostColumn("CPU ms/step", _processor, ".3f")
PROCESSOR_IN_ALL = CostColumn("CPU seconds", _processor_in_all, ",.1f")
MEMORY = CostColumn("peak MiB", _memory, ",.0f")
OVER_BUDGET = CostColumn("over budget", _over_budget, ",d")


def find_cost_columns(
    summaries: Iterable[Summary], *, in_seconds: bool = False
) -> Sequence[CostColumn]:
    """Return the columns of cost that tell something of these agents.

    There are none where nobody played in a process of its own: the time of a step says it all.

    Args:
        summaries: The agents'.
        in_seconds: Whether processor time is in seconds in all, not in milliseconds a step.
    """
    listed = list(summaries)
    if all(one.usage.peak_memory is None and one.usage.units is None for one in listed):
        return ()
    return [
        *([UNITS] if any(one.usage.units is not None for one in listed) else []),
        *([OVER_BUDGET] if any(one.usage.over_budget for one in listed) else []),
        PROCESSOR_IN_ALL if in_seconds else PROCESSOR,
        MEMORY,
    ]
