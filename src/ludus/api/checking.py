"""``ludus.check``: an agent's pre-flight, under the sandbox and the limits of an organiser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ludus.agents.isolation.agent_process import find_confined_limits
from ludus.agents.isolation.printed import Printed, leave_out_middle
from ludus.agents.sandbox import find_layers
from ludus.api.result import Result
from ludus.api.settings import make_context, require_sandbox
from ludus.benchmarks import find_benchmark
from ludus.errors import LudusError
from ludus.events import EventTerms
from ludus.events.playing import make_public_plan
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import Plan, make_plan
from ludus.execution.played_levels import levels_since_fault
from ludus.execution.stage import Stage
from ludus.limits import MEBIBYTE, Limits, Usage
from ludus.reports.pictures import draw_bars
from ludus.reports.standings import count_episodes
from ludus.reports.tables import Bar, TableView
from ludus.runs import ScoredEpisode
from ludus.runs.explain import scenario_name
from ludus.runs.ranking import headline
from ludus.runs.running import score_episode

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ludus.context import RunContext

__all__ = ["CHECKED_BENCHMARK", "CheckResult", "check"]

CHECKED_BENCHMARK = "platformer/sprint"
EPISODES = 3
UNKNOWN = "–"
MOST_LINES = 60


@dataclass(eq=False, repr=False)
class CheckResult(Result):
    """What an organiser's machine would write down of an agent.

    Attributes:
        plan: What it played.
        episodes: How, with the scores and what it used.
        limits: What it may use there.
        sandbox: Whether it played confined.
        repeats: Whether it plays the same episode alike each time, as a re-run demands.
        spec: What names the agent.
        event: The event that it was checked for, or None.
        printed: What its processes have printed, with the tracebacks of its own code. A guest's
            environment has printed there, too.
    """

    plan: Plan
    episodes: Sequence[ScoredEpisode]
    limits: Limits
    sandbox: bool
    repeats: bool
    spec: str = ""
    event: EventTerms | None = None
    printed: Printed = field(default_factory=Printed)

    @property
    def agent(self) -> str:
        """What tables call the agent."""
        return self.plan.agents[0].name

    @property
    def score(self) -> float:
        """The value that boards and events rank it by, over the episodes that it has played."""
        rule = find_benchmark(f"{self.plan.benchmark}@{self.plan.version}")
        facts = [one.episode.facts for one in self.episodes]
        totals = [one.score.total for one in self.episodes]
        return headline(rule, facts, totals, self.plan.options).value

    @property
    def good(self) -> bool:
        """Whether it has kept to all limits and played every episode to its end."""
        return not self.violations

    def __bool__(self) -> bool:
        return self.good

    @property
    def violations(self) -> list[str]:
        """One line for everything that it may not do, and did."""
        return [line for one in self.episodes for line in self._violations_in(one.episode)]

    @property
    def _guest_failed(self) -> bool:
        """Whether the environment alone is at fault for what was violated."""
        faults = {one.episode.ending for one in self.episodes if one.episode.ending.faulty}
        return faults == {EpisodeEnding.GUEST_FAILED} and not self.most.over_budget

    @property
    def most(self) -> Usage:
        """The most that it used for an episode, of each kind."""
        return Usage(**{name: self._most_of(name) for name in Usage.__slots__})

    def _most_of(self, name: str) -> Any:
        values = [getattr(one.episode.usage, name) for one in self.episodes]
        return max((value for value in values if value is not None), default=None)

    def _violations_in(self, episode: Episode) -> Iterator[str]:
        place = f"episode {episode.number} ({scenario_name(self.plan, episode.scenario)})"
        if episode.ending.faulty:
            yield f"{place}: {episode.ending}: {episode.reason}"
        if episode.usage.over_budget:
            over = episode.usage.over_budget
            yield (
                f"{place}: {over:,} decision{'s' if over > 1 else ''} used more than "
                f"{self.limits.decision_units:,} units ({self.limits.over_budget})"
            )

    @property
    def view(self) -> TableView:
        """The episodes, then each limit with what was used of it."""
        where = "in the sandbox" if self.sandbox else "without the sandbox"
        return TableView(
            title=f"{self.agent} on {self.plan.benchmark}@{self.plan.version}, {where}",
            headings=["episode", "ending", "score", "steps", "seconds", *USED],
            rows=[self._row(one) for one in self.episodes],
            left=(0, 1),
            fold=(0,),
            notes=[
                *self._limit_lines(),
                *self._printed_lines(),
                *self.violations,
                *self._sentences(),
            ],
        )

    def _row(self, scored: ScoredEpisode) -> list[str]:
        episode = scored.episode
        return [
            scenario_name(self.plan, episode.scenario),
            str(episode.ending),
            f"{scored.score.total:g}",
            f"{episode.steps:,}",
            f"{episode.seconds:.2f}",
            *(_format(name, getattr(episode.usage, name)) for name in USED.values()),
        ]

    def _limit_lines(self) -> Iterator[str]:
        """Yield a line for each limit, with the most that was used of it."""
        most, limits = self.most, self.limits
        longest = max((one.episode.seconds for one in self.episodes), default=0.0)
        yield f"time: {longest:.2f} of {limits.seconds:g} s an episode"
        if limits.mean_decision_seconds:
            yield f"time of a decision on average: at most {limits.mean_decision_seconds:g} s"
        if limits.decision_seconds:
            yield f"time of a decision: at most {limits.decision_seconds:g} s"
        if limits.processor_seconds:
            used = _format("processor_seconds", most.processor_seconds)
            yield f"processor: {used} of {limits.processor_seconds:g} s an episode"
        if limits.memory:
            used = _format("peak_memory", most.peak_memory)
            yield f"memory: {used} of {_format('peak_memory', limits.memory)} MiB"
        if limits.episode_units:
            yield f"units: {_format('units', most.units)} of {limits.episode_units:,} an episode"
        if limits.decision_units:
            yield f"units of a decision: at most {limits.decision_units:,}; see 'ludus judge'"
        if limits.processes:
            yield f"processes: at most {limits.processes}"
        yield f"forward model: {'allowed' if limits.forward_model else 'not allowed'}"

    def _printed_lines(self) -> Iterator[str]:
        lines = self.printed.to_lines()
        if lines:
            more = "; --json shows more" if len(lines) > MOST_LINES else ""
            yield f"printed{more}:"
        yield from (f"| {line}" for line in leave_out_middle(lines, MOST_LINES))

    def _sentences(self) -> Iterator[str]:
        if not self.repeats:
            yield "It plays the same episode otherwise each time: boards cannot re-run it."
        rule = f"{self.plan.benchmark}@{self.plan.version}"
        if self.good:
            episodes = count_episodes(len(self.episodes))
            yield f"{self.agent} keeps to the limits of {rule} in {episodes}."
        elif self._guest_failed:
            yield f"The environment failed, not {self.agent}: mend it, then check again."
        else:
            yield f"{self.agent} does not keep to the limits of {rule}."
        if self.event and len(self.episodes) == self.event.episodes:
            digits = find_benchmark(rule).digits
            yield f"On the public seed of event {self.event.name} it has {self.score:.{digits}f}."
            yield (
                f"Next: ludus event enter {self.event.name} {self.spec} --as YOU "
                f"--score {self.score:.{digits}f}"
            )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the episodes as plain values."""
        return [
            {
                "episode": one.episode.number,
                "scenario": scenario_name(self.plan, one.episode.scenario),
                "ending": str(one.episode.ending),
                "reason": one.episode.reason,
                "score": one.score.total,
                "steps": one.episode.steps,
                "seconds": one.episode.seconds,
                "usage": asdict(one.episode.usage),
            }
            for one in self.episodes
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "agent": self.agent,
            "benchmark": self.plan.benchmark,
            "version": self.plan.version,
            "good": self.good,
            "sandbox": self.sandbox,
            "layers": {one.name: one.holds for one in find_layers()} if self.sandbox else {},
            "limits": asdict(self.limits),
            "most_used": asdict(self.most),
            "violations": self.violations,
            "repeats": self.repeats,
            "score": self.score,
            "event": self.event.name if self.event else None,
            "printed": {"lines": self.printed.to_lines(), "dropped": self.printed.dropped},
            "episodes": self.to_dicts(),
        }

    def _draw(self, style: str) -> Figure:
        seconds = [one.episode.usage.processor_seconds or 0.0 for one in self.episodes]
        return draw_bars(
            f"What {self.agent} used on {self.plan.benchmark}",
            [scenario_name(self.plan, one.episode.scenario) for one in self.episodes],
            [Bar(value) for value in seconds],
            [f"{value:.3f} s" for value in seconds],
            "seconds of the processor",
            style=style,
        )


USED = {"units": "units", "CPU s": "processor_seconds", "MiB": "peak_memory"}


def check(
    agent: str,
    benchmark: str = CHECKED_BENCHMARK,
    *,
    episodes: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    sandbox: bool = True,
    trust: bool = False,
    event: EventTerms | None = None,
    on_episode: Callable[[Episode], None] | None = None,
) -> CheckResult:
    """Let an agent play some episodes as an organiser would, and say what it may not do there.

    Nothing is stored. The last episode is played once more, to see whether it comes out alike. What
    the agent prints in all of them is a part of the result: the first 8 KiB and the last 24.

    Args:
        agent: A registered name, or ``file.py:Class``.
        benchmark: What it plays; its limits count.
        episodes: How many; 3 if None, or all of the event's.
        seed: What the scenarios are made from.
        options: Options of the benchmark.
        sandbox: Whether it plays confined, as on an organiser's machine.
        trust: Whether to read an agent whose file runs code when read, outside the sandbox.
        event: The event whose track, limits, options and public seed count, as
            :func:`event_terms` finds it; then benchmark, seed and options are left out.
        on_episode: Called after each episode.

    Raises:
        AgentError: It cannot be loaded, or this system has no sandbox. What it has printed is in
            the error's notes.
        BenchmarkError: There is no such benchmark.
        OptionError: There are too few episodes, or an option is not one of the benchmark's.

    Example:
        >>> check("forward-jumping", episodes=1).good
        True
    """
    if sandbox:
        require_sandbox("say --no-sandbox to do without")
    loading, log = _Log(), _Log()
    context = replace(make_context(trust=trust, sandbox=sandbox), on_printed=loading.add)
    texts = {name: str(value) for name, value in (options or {}).items()}
    count = EPISODES if episodes is None else episodes
    with loading.in_notes():
        if event:
            plan = make_public_plan(event, [agent], context, episodes)
        else:
            plan = make_plan(
                benchmark, [agent], seed=seed, episodes=count, options=texts, context=context
            )
    rule = find_benchmark(f"{plan.benchmark}@{plan.version}")
    played, repeats = _play(plan, replace(context, on_printed=log.add), on_episode)
    return CheckResult(
        plan=plan,
        episodes=[score_episode(rule, episode) for episode in played],
        limits=find_confined_limits(agent, plan.limits) if sandbox else plan.limits,
        sandbox=sandbox,
        repeats=repeats,
        spec=agent,
        event=event,
        printed=log.printed,
    )


class _Log:
    """Takes in what processes have printed, one after the other."""

    def __init__(self) -> None:
        self.printed = Printed()

    def add(self, first: bytes, dropped: int, last: bytes) -> None:
        self.printed = self.printed.add(Printed(first, dropped, last))

    @contextmanager
    def in_notes(self) -> Iterator[None]:
        """Add what was printed to the notes of an error that is raised meanwhile."""
        try:
            yield
        except LudusError as error:
            for line in leave_out_middle(self.printed.to_lines(), MOST_LINES):
                error.add_note(line)
            raise


def _play(
    plan: Plan, context: RunContext, on_episode: Callable[[Episode], None] | None
) -> tuple[list[Episode], bool]:
    """Return the episodes, and whether the last of them comes out alike once more."""
    played: list[Episode] = []
    stage = Stage(plan, context)
    try:
        for planned in plan.episodes:
            played.append(stage.play(planned))
            if on_episode:
                on_episode(played[-1])
        last = played[-1]
        if plan.in_order:
            stage.begin_sequence(last.agent, levels_since_fault(played[:-1]))
        repeats = last.ending.faulty or stage.play(plan.episodes[-1]).record == last.record
    finally:
        stage.close()
    return played, repeats


def _format(name: str, value: float | None) -> str:
    if value is None:
        return UNKNOWN
    if name == "peak_memory":
        return f"{value / MEBIBYTE:,.0f}"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"
