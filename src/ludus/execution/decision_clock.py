"""How long an agent takes for its decisions."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from ludus.limits import Limits

__all__ = ["DecisionClock"]


class DecisionClock:
    """Asks an agent for actions and adds up the time that it takes for them.

    Args:
        ask: What asks it.

    Attributes:
        seconds: The time of all decisions.
        decisions: How many there were.
    """

    def __init__(self, ask: Callable[[Any], Any]) -> None:
        self._ask = ask
        self.seconds = 0.0
        self.decisions = 0

    def __call__(self, observation: Any) -> Any:
        """Return the agent's action."""
        started = perf_counter()
        try:
            return self._ask(observation)
        finally:
            self.seconds += perf_counter() - started
            self.decisions += 1

    def find_excess(self, limits: Limits) -> str:
        """Return that the mean time is over its limit, in words; nothing if it is not."""
        mean, most = self.seconds / max(self.decisions, 1), limits.mean_decision_seconds
        if not most or mean <= most:
            return ""
        return f"took {mean:.3g} seconds for a decision on average, more than {most:g}"
