"""From a plan to a finished run, episode by episode, surviving whatever stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.context import DEFAULT_CONTEXT, Limits, RunContext
from ludus.execution.episode import Episode
from ludus.execution.executor import Executor
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import make_plan
from ludus.runs.consent import check_agents_agreed
from ludus.runs.sealed import open_plan
from ludus.runs.store import Run, ScoredEpisode, Store, normal_score

__all__ = ["OnEpisode", "continue_run", "resume", "run"]

OnEpisode = Callable[[ScoredEpisode], None]
"""Called with each episode after it has been kept."""


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
    until: Callable[[ScoredEpisode], bool] | None = None,
) -> Run:
    """Play the missing episodes of a run whose plan was checked before.

    Args:
        started: The run.
        store: Where it is kept.
        executor: What plays; this machine's cores if None.
        context: What the run allows its agents; its folder is the store's.
        on_episode: Called with each episode after it has been kept.
        until: Called likewise; once it returns True, no more is played and the run stays as it is.

    Raises:
        RunError: It is of a sealed season whose secret is not here.
        Paused: An agent or the game cannot go on now; :func:`resume` takes the run up again, and
            episodes that take long where they were left.
    """
    benchmark = find_benchmark(started.benchmark)
    played = store.played_numbers(started.id)
    missing = [planned for planned in started.plan.episodes if planned.number not in played]
    if missing:
        inflight = store.inflight(started.id)
        shared = replace(context, folder=inflight.folder)
        playing = (executor or LocalExecutor()).play(open_plan(started, store), missing, shared)
        for finished in playing:
            scored = [score_episode(benchmark, episode) for episode in finished]
            store.add_episodes(started.id, scored)
            inflight.forget([one.episode.number for one in scored])
            if on_episode:
                for one in scored:
                    on_episode(one)
            if until and any(until(one) for one in scored):
                break
        del playing  # lets its processes go
    done = store.run(started.id)
    if done.complete:
        store.inflight(done.id).clear()
    return done


def score_episode(benchmark: Benchmark, episode: Episode) -> ScoredEpisode:
    """Return the episode with its score, as a store would return it."""
    return ScoredEpisode(episode, normal_score(benchmark.score(episode.facts)))
