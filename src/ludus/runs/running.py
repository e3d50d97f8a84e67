"""From a plan to a finished run, episode by episode, surviving whatever stops it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from time import sleep
from typing import Protocol

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.execution.episode import Episode
from ludus.execution.executor import Executor
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import PlannedEpisode, make_plan
from ludus.limits import Limits
from ludus.runs.consent import check_agents_agreed
from ludus.runs.leases import LOOK_SECONDS, LeasedEpisodes
from ludus.runs.sealed import open_plan
from ludus.runs.store import Run, ScoredEpisode, Store, normal_score

__all__ = ["OnEpisode", "StopRule", "continue_run", "resume", "run"]

QUIET_LOOKS = 6  # at what others do, before a line says what is waited for

logger = logging.getLogger("ludus")

OnEpisode = Callable[[ScoredEpisode], None]
"""Called with each episode after it has been kept."""


class StopRule(Protocol):
    """What can end a run before all is played."""

    def sort(self, episodes: Sequence[PlannedEpisode]) -> list[PlannedEpisode]:
        """Return episodes in the order in which they are to be played."""
        ...

    def add(self, scored: ScoredEpisode) -> bool:
        """Take in an episode and return whether to stop."""
        ...


def run(
    benchmark: str,
    agents: Sequence[str],
    *,
    store: Store,
    seed: int = 0,
    episodes: int | None = None,
    limits: Limits | None = None,
    options: Mapping[str, str] | None = None,
    executor: Executor | None = None,
    context: RunContext = DEFAULT_CONTEXT,
    on_episode: OnEpisode | None = None,
) -> Run:
    """Play agents through a benchmark and return the complete run.

    Every finished episode is in the store before ``on_episode`` hears of it. If the process is
    killed, :func:`resume` plays just what is missing.

    Raises:
        BenchmarkError, AgentError, OptionError: The plan cannot be made; nothing is stored then.
    """
    plan = make_plan(
        benchmark,
        agents,
        seed=seed,
        episodes=episodes,
        limits=limits,
        options=options,
        context=context,
    )
    started = store.add(plan)
    return continue_run(started, store, executor=executor, context=context, on_episode=on_episode)


def resume(
    id_: str,
    *,
    store: Store,
    executor: Executor | None = None,
    context: RunContext = DEFAULT_CONTEXT,
    on_episode: OnEpisode | None = None,
) -> Run:
    """Play the missing episodes of a run and return the complete run.

    Raises:
        RunError: There is no such run, it was imported and the user has not agreed to what it names
            (see :mod:`ludus.runs.consent`), or benchmark, rules or an agent has changed since.
    """
    stored = store.run(id_)
    if not stored.complete:
        check_agents_agreed(stored)
        open_plan(stored, store).check_unchanged(context)
    return continue_run(stored, store, executor=executor, context=context, on_episode=on_episode)


def continue_run(
    started: Run,
    store: Store,
    *,
    executor: Executor | None = None,
    context: RunContext = DEFAULT_CONTEXT,
    on_episode: OnEpisode | None = None,
    stop: StopRule | None = None,
    known: Collection[int] | None = None,
) -> Run:
    """Play the missing episodes of a run whose plan was checked before.

    Other processes may play the same run: they share its episodes by leases, and this one waits
    until all are stored. What they store is heard of like what is played here.

    Args:
        started: The run.
        store: Where it is kept.
        executor: What plays; this machine's cores if None.
        context: What the run allows its agents; its folder is the store's.
        on_episode: Called with each episode after it has been kept.
        stop: Says in which order episodes are played, and after each whether to stop; the run stays
            as it is then.
        known: The numbers of the episodes that the caller has read before, of which it need not
            hear; those that are stored now if None.

    Raises:
        RunError: It is of a sealed season whose secret is not here, or somebody has deleted it.
        Paused: An agent or the game cannot go on now; :func:`resume` takes the run up again, and
            episodes that take long where they were left.
    """
    inflight = store.inflight(started.id)
    shared = replace(context, folder=inflight.folder)
    player = executor or LocalExecutor()
    with closing(LeasedEpisodes(started, store, known)) as leased:
        if stop:
            playing = _play_sorted(started, store, stop, leased.missing, player, shared)
        else:
            playing = _play_leased(started, store, leased, player, shared)
        for scored in playing:
            if on_episode:
                for one in scored:
                    on_episode(one)
            if stop and any(stop.add(one) for one in scored):
                break
        playing.close()  # lets its processes go
    done = store.run(started.id)
    if done.complete:
        inflight.clear()
    return done


def _play_sorted(
    started: Run,
    store: Store,
    stop: StopRule,
    missing: Sequence[PlannedEpisode],
    executor: Executor,
    context: RunContext,
) -> Generator[list[ScoredEpisode], None, None]:
    """Yield episodes once they are stored, in the order that a stop needs; leases know no order."""
    benchmark, inflight = find_benchmark(started.benchmark), store.inflight(started.id)
    for finished in executor.play(open_plan(started, store), stop.sort(missing), context):
        scored = [score_episode(benchmark, episode) for episode in finished]
        store.add_episodes(started.id, scored)
        inflight.forget([one.episode.number for one in scored])
        yield scored


def _play_leased(
    started: Run,
    store: Store,
    leased: LeasedEpisodes,
    executor: Executor,
    context: RunContext,
) -> Generator[list[ScoredEpisode], None, None]:
    """Yield episodes once they are stored, until all are: here, or by other processes."""
    benchmark, inflight = find_benchmark(started.benchmark), store.inflight(started.id)
    patience = _Waiting(started.id)
    while not leased.complete:
        if leased:
            for finished in executor.play(open_plan(started, store), leased, context):
                scored = [score_episode(benchmark, episode) for episode in finished]
                numbers = [one.episode.number for one in scored]
                store.add_episodes(started.id, scored)
                leased.settle(numbers)
                inflight.forget(numbers)
                yield scored + leased.read_others()
            if leased.unsettled:
                return  # the executor has given up
        else:
            patience.wait(len(leased))
        yield leased.read_others(at_once=True)


class _Waiting:
    """Waits for what other processes play, and says so once it takes longer."""

    def __init__(self, run: str) -> None:
        self._run, self._looks = run, 0

    def wait(self, episodes: int) -> None:
        """Wait until the next look."""
        self._looks += 1
        if self._looks == QUIET_LOOKS:
            logger.warning(
                "waiting for %d episodes of run %s that another process plays", episodes, self._run
            )
        sleep(LOOK_SECONDS)


def score_episode(benchmark: Benchmark, episode: Episode) -> ScoredEpisode:
    """Return the episode with its score, as a store would return it."""
    return ScoredEpisode(episode, normal_score(benchmark.score_play(episode.facts, episode.ending)))
