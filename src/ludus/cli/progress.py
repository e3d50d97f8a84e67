"""What a terminal shows while agents play or learn; anything else is shown nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ludus.benchmarks import Benchmark
from ludus.cli.tables import make_table, standings
from ludus.runs import Plan, ScoredEpisode, summarise
from ludus.runs.running import OnEpisode

__all__ = ["progress", "training_progress"]

Standing = TypeVar("Standing")


class _Rate(ProgressColumn):
    """Episodes a second."""

    def render(self, task: Task) -> Text:
        """Return the rate, once there is one."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


class _Leader:
    """Who has the best mean so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._sums = [0.0] * len(plan.agents)
        self._counts = [0] * len(plan.agents)

    def hear(self, one: ScoredEpisode) -> None:
        """Take an episode into account."""
        self._sums[one.episode.agent] += one.score.total
        self._counts[one.episode.agent] += 1

    @property
    def name(self) -> str:
        """The leader's name."""
        means = [
            (total / count, -number)
            for number, (total, count) in enumerate(zip(self._sums, self._counts, strict=True))
            if count
        ]
        return self._plan.agents[-max(means)[1]].name if means else "–"


@contextmanager
def progress(
    plan: Plan, benchmark: Benchmark, played: Sequence[ScoredEpisode] = (), *, live: bool = False
) -> Iterator[OnEpisode]:
    """Show a bar with rate, time left and leader on stderr; give what is to hear of episodes.

    Args:
        plan: What is played.
        benchmark: The benchmark it is played for.
        played: The episodes that were there before.
        live: Whether to show the standings as well, as they stand.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    heard, leader = list(played), _Leader(plan)
    for one in played:
        leader.hear(one)
    bar = _bar(console)
    task = bar.add_task(leader.name, total=len(plan.episodes), completed=len(heard))

    def hear(one: ScoredEpisode) -> None:
        heard.append(one)
        leader.hear(one)
        bar.update(task, advance=1, description=leader.name)

    def shown() -> RenderableType:
        if not live or not heard:
            return bar
        headings, rows = standings(benchmark, summarise(benchmark, plan, list(heard)), {})
        return Group(make_table(plan.benchmark, headings, rows, left=(1,), fold=(1,)), bar)

    with Live(get_renderable=shown, console=console, refresh_per_second=4, transient=True):
        yield hear


def _bar(console: Console) -> Progress:
    return Progress(
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        TextColumn("leader: [bold]{task.description}[/]"),
        console=console,
        expand=True,
    )


@contextmanager
def training_progress(
    told: Callable[[Standing], tuple[int, int, str]],
) -> Iterator[Callable[[Standing], None] | None]:
    """Show how a training stands on stderr; give what is to hear of it, if anybody looks.

    Args:
        told: Returns what is done, what there is to do, and a line about it.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task("compiling …", total=None)

        def hear(now: Standing) -> None:
            done, whole, line = told(now)
            bar.update(task, total=whole, completed=done, description=line)

        yield hear
