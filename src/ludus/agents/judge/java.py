"""The judge of a Java agent: its virtual machine counts, and this says what each call has cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.agents.foreign.java import JavaAgent, open_java_agent
from ludus.agents.foreign.java_counting import JavaCounting
from ludus.agents.judge.judging import Judgement, ProfileLine, judge_call, sum_lines
from ludus.context import RunContext
from ludus.limits import Limits

__all__ = ["JavaJudge"]

CLOCK_PERCENT = 90
"""How much of a decision's budget an agent has used when its timer runs out."""


class JavaJudge:
    """Counts what calls of a Java agent use.

    Args:
        spec: What names the agent.
        limits: The budgets; a timer of the agent's runs out shortly before that of a decision, and
            early enough for a long episode.
        profile: Whether to find out where the agent spends its budget.

    """

    def __init__(self, spec: str, limits: Limits, *, profile: bool = False) -> None:
        clock = limits.decision_units * CLOCK_PERCENT // 100
        self._spec = spec
        self._counting = JavaCounting(
            profile=profile, clock=clock, episode=limits.episode_units if clock else 0
        )

    def open(self, *, context: RunContext) -> JavaAgent:
        """Return the agent, of classes that count."""
        return open_java_agent(self._spec, context=context, counting=self._counting)

    def run(self, budget: int | None, function: Callable[..., Any], *args: Any) -> Judgement:
        """Call a function that asks the agent, with a budget, or without one if it is None.

        What the function raises is raised, unless the budget is used up.
        """
        self._counting.begin(budget)
        result, failure = None, None
        try:
            result = function(*args)
        except Exception as error:
            failure = error
        return judge_call(budget, self._counting.read(), result, failure)

    def profile(self) -> list[ProfileLine]:
        """Return where the budget went, the dearest lines first."""
        return sum_lines(
            ProfileLine(file, function, int(line), int(hits), int(units))
            for file, function, line, hits, units in self._counting.read_profile()
        )
