"""Who is ahead in a run of very many episodes, from their totals alone.

:func:`ludus.runs.summary.summarise` reads every episode with its record and facts. Here the
database hands out three numbers an episode; facts are read only of agents whose means are equal,
to break the tie.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.games.game import Facts
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.ranking import headline, merits_of, ranks
from ludus.runs.schema import ended_by_fault, episodes
from ludus.runs.store import Run, Store
from ludus.stats import Estimate

__all__ = ["Standing", "Totals", "rank_totals", "read_faults", "read_totals"]


class Totals(NamedTuple):
    """The totals of an agent's episodes.

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
        fault_kinds: How many of its episodes ended by its fault, by the ending.
    """

    rank: int
    agent: str
    headline: Estimate
    fault_kinds: Mapping[str, int]


@retry_when_lost
def read_totals(run: Run, store: Store) -> dict[int, Totals]:
    """Return the totals of a run by agent, counted in the plan; agents without any are left out."""
    query = sa.select(episodes.c.agent, episodes.c.scenario, episodes.c.total).where(
        episodes.c.run == run.id
    )
    kinds = [("agent", np.int64), ("scenario", np.int64), ("total", np.float64)]
    with store.connection() as connection:
        cursor: Any = connection.execute(query).cursor  # the driver's own rows are twice as quick
        table = np.fromiter(cursor, kinds)
    table = table[np.lexsort((table["scenario"], table["agent"]))]
    agents, starts = np.unique(table["agent"], return_index=True)
    ends = [*starts[1:], len(table)]
    return {
        int(agent): Totals(table["scenario"][start:end], table["total"][start:end])
        for agent, start, end in zip(agents, starts, ends, strict=False)
    }


@retry_when_lost
def read_faults(run: Run, store: Store) -> dict[int, dict[str, int]]:
    """Return how many episodes ended by an agent's fault, by agent and ending."""
    query = (
        sa.select(episodes.c.agent, episodes.c.ending, sa.func.count())
        .where(episodes.c.run == run.id, ended_by_fault)
        .group_by(episodes.c.agent, episodes.c.ending)
        .order_by(episodes.c.agent, episodes.c.ending)
    )
    faults: dict[int, dict[str, int]] = {}
    with store.connection() as connection:
        for agent, ending, count in connection.execute(query):
            faults.setdefault(agent, {})[ending] = count
    return faults


def rank_totals(run: Run, store: Store) -> list[Standing]:
    """Return the standings of a run, the best first, in the order that summaries have.

    Args:
        run: The run.
        store: Where it is kept.

    Raises:
        BenchmarkError: This Ludus has another version of the run's benchmark, or none.
    """
    benchmark = find_benchmark(f"{run.benchmark}@{run.version}")
    names = [source.name for source in run.plan.agents]
    read = partial(_facts, run, store)
    by_agent, faults = read_totals(run, store), read_faults(run, store)
    headlines = {
        agent: headline(benchmark, read(agent), totals.values.tolist(), run.plan.options)
        if benchmark.aggregate
        else headline(benchmark, (), totals.values, run.plan.options)
        for agent, totals in by_agent.items()
    }
    values = {agent: one.value for agent, one in headlines.items()}
    shares = {
        agent: sum(kinds.values()) / len(by_agent[agent].values) for agent, kinds in faults.items()
    }
    finished = not benchmark.ranks_faults_last
    read_ties = partial(read, names=_tie_facts(benchmark), finished=finished)
    merits = merits_of(benchmark, values, read_ties, shares)
    order = sorted(merits, key=lambda agent: (merits[agent], names[agent]))
    numbers = ranks([merits[agent] for agent in order])
    return [
        Standing(number, names[agent], headlines[agent], faults.get(agent, {}))
        for number, agent in zip(numbers, order, strict=True)
    ]


def _tie_facts(benchmark: Benchmark) -> list[str]:
    """Return the names of the facts that break ties; none if that is not known of all."""
    breakers = benchmark.tie_breakers
    if not all(breaker.facts for breaker in breakers):
        return []
    return sorted({name for breaker in breakers for name in breaker.facts})


@retry_when_lost
def _facts(
    run: Run, store: Store, agent: int, names: Sequence[str] = (), *, finished: bool = False
) -> list[Facts]:
    """Return what happened in an agent's episodes, in the order of their scenarios.

    SQLite takes a few facts out of their text far sooner than Python reads all of them.

    Args:
        run: The run.
        store: Where it is kept.
        agent: The agent, counted in the plan.
        names: Which facts are enough; all if empty.
        finished: Whether episodes that ended by the agent's fault are left out.
    """
    played = [episodes.c.run == run.id, episodes.c.agent == agent]
    if finished:
        played.append(sa.not_(ended_by_fault))
    with store.connection() as connection:
        if not names or connection.dialect.name != "sqlite":
            query = sa.select(episodes.c.facts).where(*played).order_by(episodes.c.scenario)
            return [json.loads(text) for text in connection.scalars(query)]
        columns = [sa.func.json_extract(episodes.c.facts, f'$."{name}"') for name in names]
        rows: Any = connection.execute(
            sa.select(*columns).where(*played).order_by(episodes.c.scenario)
        ).cursor
        return [dict(zip(names, row, strict=True)) for row in rows]
