"""The judge of a Java agent: its virtual machine counts, and this says what each call has cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from ludus.agents.foreign.java import JavaAgent, open_java_agent
from ludus.agents.foreign.java_counting import JavaCounting
from ludus.agents.judge.judging import Judgement, ProfileLine
from ludus.context import RunContext
from ludus.limits import Limits

__all__ = ["JavaJudge"]

CLOCK_PERCENT = 90
"""How much of a decision's budget an agent has used when its timer runs out."""


class JavaJudge:
    """Counts what calls of a Java agent use.

    Args:
        spec: What names the agent.
        limits: The budgets; a timer of the agent's runs out shortly before that of a decision.
        profile: Whether to find out where the agent spends its budget.

    """

    def __init__(self, spec: str, limits: Limits, *, profile: bool = False) -> None:
        clock = limits.decision_units * CLOCK_PERCENT // 100
        self._spec = spec
        self._counting = JavaCounting(profile=profile, clock=clock)

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
        units = self._counting.read()
        over = budget is not None and units > budget
        if failure is not None and not over:
            raise failure
        return Judgement(None if over else result, units, over)

    def profile(self) -> list[ProfileLine]:
        """Return where the budget went, the dearest lines first."""
        entered: dict[tuple[str, str, int], int] = defaultdict(int)
        units: dict[tuple[str, str, int], int] = defaultdict(int)
        for file, function, line, hits, used in self._counting.read_profile():
            place = file, function, int(line)
            entered[place] = max(entered[place], int(hits))
            units[place] += int(used)
        lines = [ProfileLine(*place, entered[place], units[place]) for place in units]
        return sorted(lines, key=lambda line: (-line.units, line.file, line.line))
