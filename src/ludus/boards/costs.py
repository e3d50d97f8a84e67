"""What agents cost, as columns of tables: work, processor time, memory, calls of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ludus.limits import MEBIBYTE
from ludus.runs.summary import Summary

__all__ = ["CostColumn", "explain_costs", "find_cost_columns"]

MS = 1000
UNKNOWN = "–"
CALLS_CAPTION = "Cost: calls of language models, those without a usable answer, tokens, dollars."


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


def _calls(summary: Summary) -> float | None:
    return summary.usage.calls


def _failed_calls(summary: Summary) -> float | None:
    return summary.usage.failed_calls


def _tokens(summary: Summary) -> float | None:
    return summary.usage.tokens


def _usd(summary: Summary) -> float | None:
    return summary.usage.usd


UNITS = CostColumn("units/step", _units, ",.0f")
PROCESSOR = CostColumn("CPU ms/step", _processor, ".3f")
PROCESSOR_IN_ALL = CostColumn("CPU seconds", _processor_in_all, ",.1f")
MEMORY = CostColumn("peak MiB", _memory, ",.0f")
OVER_BUDGET = CostColumn("over budget", _over_budget, ",d")
LEGEND = {
    UNITS: "units: work for a decision.",
    PROCESSOR: "CPU: processor time of the agent's processes.",
    PROCESSOR_IN_ALL: "CPU: processor time of the agent's processes.",
    MEMORY: "peak: memory of the agent's processes at most.",
}
MODEL_COLUMNS = (
    CostColumn("calls", _calls, ",d"),
    CostColumn("failed", _failed_calls, ",d"),
    CostColumn("tokens", _tokens, ",d"),
    CostColumn("USD", _usd, ",.4f"),
)


def find_cost_columns(
    summaries: Iterable[Summary], *, in_seconds: bool = False
) -> Sequence[CostColumn]:
    """Return the columns of cost that tell something of these agents.

    There are none where nobody played in a process of its own or asked a model: the time of a step
    says it all.

    Args:
        summaries: The agents'.
        in_seconds: Whether processor time is in seconds in all, not in milliseconds a step.
    """
    listed = list(summaries)
    models = MODEL_COLUMNS if any(one.usage.calls is not None for one in listed) else ()
    if all(one.usage.peak_memory is None and one.usage.units is None for one in listed):
        return models
    return [
        *models,
        *([UNITS] if any(one.usage.units is not None for one in listed) else []),
        *([OVER_BUDGET] if any(one.usage.over_budget for one in listed) else []),
        PROCESSOR_IN_ALL if in_seconds else PROCESSOR,
        MEMORY,
    ]


def explain_costs(columns: Sequence[CostColumn]) -> dict[str, str]:
    """Return what the columns of cost mean, by their names; of those of models by the first."""
    models = [column.name for column in columns if column in MODEL_COLUMNS]
    return {
        **dict.fromkeys(models[:1], CALLS_CAPTION),
        **{column.name: LEGEND[column] for column in columns if column in LEGEND},
    }
