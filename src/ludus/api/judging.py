"""``ludus.judge``: what an agent's work costs, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ludus.agents.judge.judging import ProfileLine
from ludus.api.result import Result
from ludus.api.settings import make_context
from ludus.errors import AgentError
from ludus.execution.episode import Episode
from ludus.execution.plan import Plan, make_plan
from ludus.execution.stage import Stage
from ludus.limits import Limits
from ludus.reports.pictures import draw_bars
from ludus.reports.tables import Bar, TableView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ludus.context import RunContext

__all__ = ["JUDGED_BENCHMARK", "JudgeResult", "judge"]

JUDGED_BENCHMARK = "platformer/punctual"
EPISODES = 3
MOST_SHOWN = 15


@dataclass(eq=False, repr=False)
class JudgeResult(Result):
    """What the work of an agent costs, in units that no machine changes.

    Attributes:
        agent: What tables call it.
        benchmark: What it played.
        limits: The benchmark's.
        episodes: What it played, with the units of each.
        decisions: The units of every decision, in their order.
        lines: Where the units went, the dearest lines first.
    """

    agent: str
    benchmark: str
    limits: Limits
    episodes: Sequence[Episode]
    decisions: Sequence[int]
    lines: Sequence[ProfileLine]

    @property
    def over(self) -> int:
        """How many decisions would be over the benchmark's budget."""
        budget = self.limits.decision_units
        return sum(units > budget for units in self.decisions) if budget else 0

    def percentile(self, percent: float) -> int:
        """Return the units that so many per cent of the decisions do not exceed."""
        ordered = sorted(self.decisions)
        place = -(-len(ordered) * percent // 100)
        return ordered[max(int(place), 1) - 1] if ordered else 0

    @property
    def view(self) -> TableView:
        """The dearest lines, and sentences on the budget."""
        total = sum(line.units for line in self.lines) or 1
        return TableView(
            title=f"Where {self.agent} spends its units on {self.benchmark}",
            headings=["function", "line", "entered", "units", "share"],
            rows=[_row(line, total) for line in self.lines[:MOST_SHOWN]],
            left=(0, 1),
            fold=(0,),
            notes=list(self._sentences()),
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the lines as plain values, the dearest first."""
        return [asdict(line) for line in self.lines]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "agent": self.agent,
            "benchmark": self.benchmark,
            "limits": self.limits.to_dict(),
            "decisions": {
                "count": len(self.decisions),
                "median": self.percentile(50),
                "percentile_95": self.percentile(95),
                "most": max(self.decisions, default=0),
                "over_budget": self.over,
            },
            "episodes": [_describe_episode(episode) for episode in self.episodes],
            "lines": self.to_dicts(),
        }

    def _sentences(self) -> Iterator[str]:
        count, most = len(self.decisions), max(self.decisions, default=0)
        yield (
            f"{count:,} decisions: median {self.percentile(50):,}, 95 % {self.percentile(95):,}, "
            f"most {most:,} units."
        )
        limits = self.limits
        if limits.decision_units:
            yield (
                f"A decision may use {limits.decision_units:,}: {self.over:,} would be over it "
                f"({limits.over_budget}); the dearest uses {most / limits.decision_units:.1%}."
            )
        if limits.episode_units:
            used = max((episode.usage.units or 0 for episode in self.episodes), default=0)
            yield (
                f"An episode may use {limits.episode_units:,}: "
                f"the dearest uses {used / limits.episode_units:.1%}."
            )
        if not limits.counts_units:
            yield f"{self.benchmark} has no budget of units."
        for episode in self.episodes:
            if episode.ending.faulty:
                yield f"Episode {episode.number} {episode.ending}: {episode.reason}"

    def _draw(self, style: str) -> Figure:
        shown = self.lines[:MOST_SHOWN]
        return draw_bars(
            f"Where {self.agent} spends its units",
            [f"{line.function} {line.file}:{line.line}" for line in shown],
            [Bar(line.units) for line in shown],
            [f"{line.units:,}" for line in shown],
            "units",
            style=style,
        )


def judge(
    agent: str,
    benchmark: str = JUDGED_BENCHMARK,
    *,
    episodes: int = EPISODES,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    sandbox: bool = False,
    on_episode: Callable[[Episode], None] | None = None,
) -> JudgeResult:
    """Let an agent play some episodes, count its work, and return where it went.

    No budget stops it, so that every decision shows what it needs; one that needs many times its
    budget is ended all the same.

    Args:
        agent: A registered name, ``file.py:Class``, ``agents.jar:package.Class`` or
            ``agent.wasm``.
        benchmark: What it plays.
        episodes: How many.
        seed: What the scenarios are made from.
        options: Options of the benchmark.
        sandbox: Whether it plays confined.
        on_episode: Called after each episode.

    Raises:
        AgentError: It cannot be loaded or counted, or did nothing that could be.
        BenchmarkError: There is no such benchmark.
        OptionError: There are too few episodes, or an option is not one of the benchmark's.

    Example:
        >>> result = judge("forward-jumping", episodes=1)
        >>> result.over, result.lines[0].function
        (0, 'ForwardJumping.act')
    """
    context = replace(make_context(sandbox=sandbox), profile=True)
    texts = {name: str(value) for name, value in (options or {}).items()}
    plan = make_plan(
        benchmark, [agent], seed=seed, episodes=episodes, options=texts, context=context
    )
    played, profile = _play(plan, context, on_episode)
    if profile is None:
        raise AgentError(f"agent {agent[:200]!r} has no profile: {played[-1].reason}")
    return JudgeResult(
        agent=plan.agents[0].name,
        benchmark=plan.benchmark,
        limits=plan.limits,
        episodes=played,
        decisions=[int(units) for units in profile["decisions"]],
        lines=[ProfileLine(**line) for line in profile["lines"]],
    )


def _play(
    plan: Plan, context: RunContext, on_episode: Callable[[Episode], None] | None
) -> tuple[list[Episode], Mapping[str, Any] | None]:
    """Return the episodes, and the profile of the last process that played to the end."""
    played: list[Episode] = []
    profile: Mapping[str, Any] | None = None
    stage = Stage(plan, context)
    try:
        for planned in plan.episodes:
            played.append(stage.play(planned))
            profile = stage.profile(planned.agent) or profile
            if on_episode:
                on_episode(played[-1])
    finally:
        stage.close()
    return played, profile


def _row(line: ProfileLine, total: int) -> list[str]:
    place = f"{line.file}:{line.line}" if line.line else line.file
    return [
        line.function,
        place,
        f"{line.entered:,}",
        f"{line.units:,}",
        f"{line.units / total:.1%}",
    ]


def _describe_episode(episode: Episode) -> dict[str, Any]:
    return {
        "number": episode.number,
        "steps": episode.steps,
        "units": episode.usage.units,
        "ending": episode.ending,
        "reason": episode.reason,
    }
