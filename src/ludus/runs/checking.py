"""Stored episodes checked by all cores of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from time import monotonic
from typing import Any, TypeAlias

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.registry import is_installed
from ludus.context import RunContext
from ludus.execution.opening import open_game
from ludus.execution.plan import Plan
from ludus.parallel import ALONE_SECONDS, count_cores, map_in_processes
from ludus.runs.episode_check import CheckedEpisode, EpisodeChecker

__all__ = ["check_rows"]

CHUNK_SECONDS = 0.2
MOST_ROWS = 1_000
MOST_BYTES = 4_000_000

Row: TypeAlias = Mapping[str, Any]


def check_rows(
    plan: Plan,
    rows: Iterable[Row],
    context: RunContext,
    workers: int | None = None,
) -> Iterator[tuple[Any, CheckedEpisode]]:
    """Yield the number of each row and what came of checking it, in the order of the rows.

    A short run is checked by this process alone. Other processes help with what is left after a
    second, unless only this one has the benchmark.

    Args:
        plan: The plan, with its scenarios.
        rows: The columns of its episodes, as they are stored.
        context: What environments that the plan names are allowed.
        workers: How many processes; one for each core if None.

    Raises:
        OptionError: The number of workers is less than one.
        StoreError: A process died.
    """
    waiting, cores = iter(rows), count_cores(workers)
    check = _make_check(plan, context)
    alone = cores == 1 or not is_installed(find_benchmark(plan.benchmark))
    started, count = monotonic(), 0
    for row in waiting:
        yield row["number"], check(row)
        count += 1
        if not alone and monotonic() - started > ALONE_SECONDS:
            break
    chunks = _split(waiting, max(1, int(count * CHUNK_SECONDS / (monotonic() - started))))
    first = next(chunks, None)
    if first is None:
        return
    text = plan.to_json(opened=True)
    for checked in map_in_processes(_prepare, [text, context], chain([first], chunks), cores):
        yield from checked


def _make_check(plan: Plan, context: RunContext) -> Callable[[Row], CheckedEpisode]:
    game = open_game(plan.game, context)
    return EpisodeChecker(plan, find_benchmark(plan.benchmark), game).check


def _prepare(
    plan: str, context: RunContext
) -> Callable[[list[Row]], list[tuple[Any, CheckedEpisode]]]:
    """Return what checks a chunk, in a process of its own."""
    check = _make_check(Plan.from_json(plan), context)
    return lambda rows: [(row["number"], check(row)) for row in rows]


def _split(rows: Iterator[Row], most: int) -> Iterator[list[Row]]:
    """Yield rows in chunks of so many, or less if they are long."""
    chunk: list[Row] = []
    size = 0
    for row in rows:
        chunk.append(row)
        size += sum(len(value) for value in row.values() if isinstance(value, str | bytes))
        if len(chunk) >= min(most, MOST_ROWS) or size >= MOST_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
