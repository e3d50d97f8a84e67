"""An agent whose work is counted: each call has a budget, and so has the episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ludus.agents.judge.judging import Judgement, ProfileLine
from ludus.contract import Closes, Declares, Remembers
from ludus.errors import AgentError, AgentOverBudget
from ludus.limits import Limits

__all__ = ["CountsUnits", "JudgedAgent", "loading_units"]

DECISIONS_OF_LOADING = 1000
"""How many decisions' units an agent may use while it is loaded, where episodes have no budget."""

STOP_FACTOR = 20
STOP_UNITS = 1_000_000_000
"""Where a call ends that is only looked at: after so many budgets, or after so many units."""


def loading_units(limits: Limits) -> int | None:
    """Return the units that an agent may use while it is loaded; None for no limit."""
    return limits.episode_units or DECISIONS_OF_LOADING * limits.decision_units or None


class CountsUnits(Protocol):
    """Whoever calls an agent's functions and says what each call has used."""

    def run(self, budget: int | None, function: Callable[..., Any], *args: Any) -> Judgement:
        """Call a function with a budget, or without one if it is None."""
        ...

    def profile(self) -> list[ProfileLine]:
        """Return where the units went, the dearest lines first."""
        ...


class JudgedAgent:
    """An agent under the judge; keeps the contract of :class:`ludus.contract.Agent`.

    Args:
        judge: The judge that has loaded its code.
        make: Makes the agent.
        limits: The budgets.
        enforce: Whether a call over its budget is stopped there. If not, it is only counted, and
            stopped after many times its budget.

    Attributes:
        agent: The agent itself.
        units: What it has used in this episode.
        decisions: What each decision of all episodes has used, the resets left out.

    Raises:
        AgentError: It has used up its units before it was made.
    """

    def __init__(
        self, judge: CountsUnits, make: Callable[[], Any], limits: Limits, *, enforce: bool = True
    ) -> None:
        self._judge = judge
        self._limits = limits
        self._enforce = enforce
        self.units = 0
        self._goes_on = False
        self.decisions: list[int] = []
        budget = loading_units(limits) if enforce else STOP_UNITS
        made = judge.run(budget, make)
        if made.over:
            raise AgentError(f"it used up its {budget:,} units while it was loaded")
        self.agent = made.result

    def describe(self, describe: Callable[[Any], Any]) -> Any:
        """Return what a function says about the agent, which may have to compute it."""
        return self._run(lambda: describe(self.agent))

    def reset(self, scenario: Any) -> None:
        """Prepare to play; this costs as a decision does.

        It begins an episode's count, unless the agent has just learned from the play before.
        """
        self.units = self.units if self._goes_on else 0
        self._goes_on = False
        self._run(lambda: self.agent.reset(scenario))

    def act(self, observation: Any) -> Any:
        """Return the action for the next step.

        Raises:
            AgentOverBudget: It has used up its units.
        """
        before = self.units
        try:
            return self._run(lambda: self.agent.act(observation))
        finally:
            self.decisions.append(self.units - before)

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Let it learn from a play; this costs as a decision does."""
        self._goes_on = True
        self._run(lambda: self.agent.learn(outcome))

    def end_episode(self) -> int:
        """Return the units of the episode; the next reset begins to count anew."""
        self._goes_on = False
        return self.units

    def memory(self) -> Any:
        """Return what it remembers."""
        return self._run(lambda: self.agent.memory() if isinstance(self.agent, Remembers) else None)

    def recall(self, memory: Any) -> None:
        """Let it remember."""
        self._run(lambda: self.agent.recall(memory))

    @property
    def declared(self) -> Mapping[str, Any]:
        """What it says about itself for the record."""
        asked = self._run(lambda: self.agent.declared if isinstance(self.agent, Declares) else {})
        values: Mapping[str, Any] = asked
        return values

    def close(self) -> None:
        """Let it close itself."""
        self._run(lambda: self.agent.close() if isinstance(self.agent, Closes) else None)

    def profile(self) -> list[ProfileLine]:
        """Return where its units went, the dearest lines first."""
        return self._judge.profile()

    def _run(self, function: Callable[[], Any]) -> Any:
        judgement = self._judge.run(self._budget(), function)
        self.units += judgement.units
        if self._enforce and 0 < self._limits.episode_units < self.units:
            raise AgentOverBudget(
                f"used up its {self._limits.episode_units:,} units for the episode", of="episode"
            )
        if judgement.over:
            raise AgentOverBudget(f"used up {judgement.units:,} units", of="decision")
        return judgement.result

    def _budget(self) -> int:
        """Return the units that the next call may use."""
        limits = self._limits
        if not self._enforce:
            return STOP_FACTOR * limits.decision_units or STOP_UNITS
        left = limits.episode_units - self.units if limits.episode_units else None
        amounts = [limits.decision_units or None, left if left is None else max(left, 0)]
        return min((amount for amount in amounts if amount is not None), default=STOP_UNITS)
