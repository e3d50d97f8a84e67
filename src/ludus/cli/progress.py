"""What is shown while agents play or learn: bars in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
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
from ludus.cli.output import PlainLines
from ludus.reports.standings import standings_view
from ludus.reports.tables import to_rich
from ludus.runs import Plan, ScoredEpisode, summarise
from ludus.runs.ranking import find_leader
from ludus.runs.running import OnEpisode

__all__ = ["show_frames", "show_progress", "show_training"]

Standing = TypeVar("Standing")

SECONDS_BEFORE_A_BAR = 2.0
"""Work that is done sooner shows none."""


class _Rate(ProgressColumn):
    """Episodes a second."""

    def render(self, task: Task) -> Text:
        """Return the rate, once there is one."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


class _Leader:
    """Who is ahead by the benchmark's own rule; among many episodes, as of the last per cent."""

    def __init__(self, benchmark: Benchmark, plan: Plan) -> None:
        self._benchmark, self._plan = benchmark, plan
        self._counted = 0
        self._name = "–"

    def name(self, scored: Sequence[ScoredEpisode]) -> str:
        """Return the leader's name after these episodes."""
        if len(scored) - self._counted > len(scored) // 100:
            self._counted = len(scored)
            self._name = find_leader(self._benchmark, self._plan, list(scored)) or self._name
        return self._name


@contextmanager
def show_progress(
    plan: Plan, benchmark: Benchmark, played: Sequence[ScoredEpisode] = (), *, live: bool = False
) -> Iterator[OnEpisode]:
    """Show a bar with rate, time left and leader on stderr; give what is called for each episode.

    Args:
        plan: What is played.
        benchmark: The benchmark it is played for.
        played: The episodes that were played before.
        live: Whether to show the standings as well, as they stand.
    """
    console = Console(stderr=True)
    episodes, leader = list(played), _Leader(benchmark, plan)
    if not console.is_terminal:
        yield _print_episodes(episodes, len(plan.episodes), leader)
        return
    bar = _bar(console)
    task = bar.add_task("–", total=len(plan.episodes), completed=len(episodes))

    def add(scored: ScoredEpisode) -> None:
        episodes.append(scored)
        bar.update(task, advance=1)

    def render() -> RenderableType:
        bar.update(task, description=leader.name(episodes))
        if not live or not episodes:
            return bar
        summaries = summarise(benchmark, plan, list(episodes))
        view = standings_view(benchmark, summaries, {}, plan.benchmark)
        return Group(to_rich(replace(view, caption="")), bar)

    with Live(get_renderable=render, console=console, refresh_per_second=4, transient=True):
        yield add


def _print_episodes(
    episodes: list[ScoredEpisode], total: int, leader: _Leader
) -> Callable[[ScoredEpisode], None]:
    """Return what prints a line now and then while episodes are played."""
    lines = PlainLines()

    def add(scored: ScoredEpisode) -> None:
        episodes.append(scored)
        if lines.due:
            lines.print(f"{len(episodes):,} of {total:,} episodes  leader: {leader.name(episodes)}")

    return add


def _print_training(
    describe: Callable[[Standing], tuple[int, int, str]],
) -> Callable[[Standing], None]:
    """Return what prints a line now and then while a training goes on."""
    lines = PlainLines()

    def update(now: Standing) -> None:
        if lines.due:
            lines.print(describe(now)[2])

    return update


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
def show_training(
    describe: Callable[[Standing], tuple[int, int, str]],
) -> Iterator[Callable[[Standing], None]]:
    """Show how a training stands on stderr; give what is called with it.

    Args:
        describe: Returns what is done, what there is to do, and a line about it.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _print_training(describe)
        return
    with Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task("compiling …", total=None)

        def update(now: Standing) -> None:
            done, total, line = describe(now)
            bar.update(task, total=total, completed=done, description=line)

        yield update


@contextmanager
def show_frames(name: str) -> Iterator[Callable[[int], None]]:
    """Count the frames of a film on stderr, once it takes long; give what is called for each.

    Args:
        name: The file that is written.
    """
    console = Console(stderr=True)
    started, lines = monotonic(), PlainLines()
    bar = Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
    )
    task = bar.add_task(name, total=None)

    def update(frames: int) -> None:
        line = f"{name}: {frames:,} frames"
        if console.is_terminal and monotonic() - started >= SECONDS_BEFORE_A_BAR:
            bar.start()
            bar.update(task, description=line)
        elif lines.due:
            lines.print(line)

    try:
        yield update
    finally:
        if bar.live.is_started:
            bar.stop()
