"""Who is ahead in a run of very many episodes, from their totals alone.

:func:`ludus.runs.summary.summarise` reads every episode with its record and facts. Here the
database hands out three numbers an episode; facts are read only of agents whose means are equal,
to break the tie.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.runs.schema import episodes
from ludus.runs.store import Run, Store
from ludus.stats import Estimate, mean_interval

__all__ = ["Standing", "Totals", "rank_totals", "read_totals"]

DIGITS = 9  # beyond what means can tell, as summaries are compared


class Totals(NamedTuple):
    """What an agent's episodes are worth.

    Attributes:
        scenarios: The scenarios, counted in the plan, in rising order.
        values: The totals, in that order.
    """

    scenarios: NDArray[np.int64]
    values: NDArray[np.float64]


class Standing(NamedTuple):
    """An agent's place in a run.

    Attributes:
        rank: Counted from 1; equals share one and the next stay empty.
        agent: The agent's name.
        headline: The mean score with its interval.
    """

    rank: int
    agent: str
    headline: Estimate


def read_totals(run: Run, store: Store) -> dict[int, Totals]:
    """Return the totals of a run by agent, counted in the plan; agents without any are left out."""
    query = sa.select(episodes.c.agent, episodes.c.scenario, episodes.c.total).where(
        episodes.c.run == run.id
    )
    kinds = [("agent", np.int64), ("scenario", np.int64), ("total", np.float64)]
    with store.writing() as connection:
        rows = connection.execute(query)
        table = np.fromiter(map(tuple, rows), kinds)
    table = table[np.lexsort((table["scenario"], table["agent"]))]
    agents, starts = np.unique(table["agent"], return_index=True)
    return {
        int(agent): Totals(own["scenario"], own["total"])
        for agent, own in zip(agents, np.split(table, starts[1:]), strict=True)
    }


def rank_totals(run: Run, store: Store) -> list[Standing]:
    """Return the standings of a run, the best first, in the order that summaries have.

    Raises:
        BenchmarkError: This Ludus has another version of the run's benchmark, or none.
    """
    benchmark = find_benchmark(f"{run.benchmark}@{run.version}")
    names = [source.name for source in run.plan.agents]
    found = read_totals(run, store)
    headlines = {agent: mean_interval(own.values) for agent, own in found.items()}
    merits = _merits(benchmark, run, store, headlines)
    order = sorted(merits, key=lambda agent: (merits[agent], names[agent]))
    all_merits = sorted(merits.values())
    ranks = {merit: place + 1 for place, merit in reversed(list(enumerate(all_merits)))}
    return [Standing(ranks[merits[agent]], names[agent], headlines[agent]) for agent in order]


def _merits(
    benchmark: Benchmark, run: Run, store: Store, headlines: Mapping[int, Estimate]
) -> dict[int, tuple[float, ...]]:
    """Return what agents are ranked by, less being better; ties only for equal means."""
    means = {agent: -round(headline.value, DIGITS) for agent, headline in headlines.items()}
    shared = [mean for mean, count in zip(*np.unique(list(means.values()), return_counts=True))]
    raise NotImplementedError
