"""``ludus.run``, ``ludus.race``, ``ludus.resume``: agents play a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeAlias

from ludus.api.players import Player, Players, resolve_players
from ludus.api.run_result import RunResult
from ludus.api.settings import current_user, make_context, make_executor, open_store
from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards import accept as accept_run
from ludus.boards import check_acceptable
from ludus.context import RunContext
from ludus.errors import OptionError
from ludus.execution.in_process import InProcessExecutor
from ludus.games.game import find_game
from ludus.runs import (
    Executor,
    Limits,
    Plan,
    Run,
    ScoredEpisode,
    Store,
    continue_run,
    make_plan,
)
from ludus.runs.consent import Consent, agree, check_agents_agreed, is_chosen_by_others
from ludus.runs.running import OnEpisode
from ludus.runs.sealed import open_plan
from ludus.runs.stopping import ClearWinner

__all__ = [
    "Watch",
    "make_players_executor",
    "play_missing",
    "play_plan",
    "race",
    "resume",
    "run",
]

Watch: TypeAlias = Callable[
    [Run, Benchmark, Sequence[ScoredEpisode]], AbstractContextManager[OnEpisode]
]
"""Called with a run before it is played and with the episodes that it has already. Gives a function
that is called with each episode once it is stored."""


def run(
    benchmark: str,
    agents: Player | Sequence[Player],
    *,
    seed: int = 0,
    episodes: int | None = None,
    options: Mapping[str, Any] | None = None,
    variants: Sequence[str] = (),
    timeout: float | None = None,
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    budget: str | None = None,
    trust: bool = False,
    sandbox: bool = False,
    accept: bool = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play agents through a benchmark and store every episode.

    Args:
        benchmark: The benchmark's id; ``ludus benchmarks`` lists them.
        agents: One or several: specs such as ``astar`` or ``file.py:Class``, classes, instances.
        seed: What the scenarios are made from.
        episodes: How many each plays; the benchmark's own number if None.
        options: What is played otherwise than by default: the benchmark's options.
        variants: Play every agent in these variants.
        timeout: Seconds for an episode; the benchmark's own if None.
        workers: How many processes play; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the run is stored: a file, a URL or an open store; the user's own if None.
        budget: The most that language models may use, such as ``5usd``.
        trust: Whether to read agents whose files run code when read.
        sandbox: Whether agents that are not Ludus's own play confined; needs Linux.
        accept: Whether to put the result on the board.
        watch: Is told of the run and of each episode.

    Raises:
        BenchmarkError: There is no such benchmark.
        AgentError: An agent cannot be loaded.
        OptionError: There are no agents, or an option is out of range. Nothing is stored then.
        Paused: The run cannot go on now; :func:`resume` takes it up again.

    Example:
        >>> import ludus
        >>> result = ludus.run("platformer/bundled", "idle", episodes=1, store="sqlite://")
        >>> result.leader
        'idle'
    """
    context = make_context(budget, trust=trust, sandbox=sandbox)
    players = _find_players(benchmark, agents, variants, options, context)
    plan = _make_plan(benchmark, players, seed, episodes, timeout, options, context)
    executor = make_players_executor(players, workers, on)
    return play_plan(plan, executor, context, store, watch, accept=accept)


def race(
    benchmark: str,
    agents: Sequence[Player],
    *,
    seed: int = 0,
    episodes: int | None = None,
    options: Mapping[str, Any] | None = None,
    variants: Sequence[str] = (),
    timeout: float | None = None,
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    budget: str | None = None,
    trust: bool = False,
    sandbox: bool = False,
    accept: bool = False,
    stop_when_clear: bool = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play agents against each other, on the same scenarios.

    Args:
        benchmark: The benchmark's id; ``ludus benchmarks`` lists them.
        agents: Two or more: specs such as ``astar`` or ``file.py:Class``, classes, instances.
        seed: What the scenarios are made from.
        episodes: How many each plays; the benchmark's own number if None.
        options: What is played otherwise than by default: the benchmark's options.
        variants: Play every agent in these variants.
        timeout: Seconds for an episode; the benchmark's own if None.
        workers: How many processes play; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the run is stored: a file, a URL or an open store; the user's own if None.
        budget: The most that language models may use, such as ``5usd``.
        trust: Whether to read agents whose files run code when read.
        sandbox: Whether agents that are not Ludus's own play confined; needs Linux.
        accept: Whether to put the result on the board.
        stop_when_clear: Whether to end as soon as one is clearly better than all others.
        watch: Is told of the run and of each episode.

    Raises:
        BenchmarkError: There is no such benchmark.
        AgentError: An agent cannot be loaded.
        OptionError: There are fewer than two agents, or an option is out of range. Nothing is
            stored then.
        Paused: The run cannot go on now; :func:`resume` takes it up again.

    Example:
        >>> import ludus
        >>> agents = ["idle", "forward-jumping"]
        >>> result = ludus.race("platformer/bundled", agents, episodes=2, store="sqlite://")
        >>> result.leader
        'forward-jumping'
    """
    if stop_when_clear and accept:
        raise OptionError("a board takes whole runs only: give --accept or --stop-when-clear")
    context = make_context(budget, trust=trust, sandbox=sandbox)
    players = _find_players(benchmark, agents, variants, options, context)
    plan = _make_plan(benchmark, players, seed, episodes, timeout, options, context)
    if len(plan.agents) < 2:
        name = plan.agents[0].name
        raise OptionError(f"{name!r} has nobody to race: name another, or try 'ludus run'")
    stop = ClearWinner(plan) if stop_when_clear else None
    executor = make_players_executor(players, workers, on)
    return play_plan(plan, executor, context, store, watch, accept=accept, stop=stop)


def resume(
    run: str | RunResult,
    *,
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    budget: str | None = None,
    trust: bool = False,
    sandbox: bool = False,
    consent: bool | Consent = False,
    watch: Watch | None = None,
) -> RunResult:
    """Play the missing episodes of a run; long games continue from their checkpoints.

    Args:
        run: The run's id, its beginning, or a result.
        workers: How many processes play; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the run is; the user's own store if None.
        budget: The most that language models may use, such as ``5usd``.
        trust: Whether to read agents whose files run code when read.
        sandbox: Whether agents that are not Ludus's own play confined; needs Linux. Those of an
            imported run always do.
        consent: Whether an imported run may load the agents that its file names, or a function that
            is shown them and decides.
        watch: Is told of the run and of each episode.

    Raises:
        RunError: There is no such run, it was imported and there is no consent, or benchmark, rules
            or an agent has changed since.
        AgentError: An agent was a Python object of a process that is gone.
        Paused: The run cannot go on now.
    """
    with open_store(store) as database:
        started = database.run(run.id if isinstance(run, RunResult) else run)
        outside = is_chosen_by_others(started, database)
        context = make_context(budget, trust=trust, sandbox=sandbox, from_outside=outside)
        find_benchmark(f"{started.benchmark}@{started.version}")
        if not started.complete:
            if consent:
                agree(started.id, database, consent if callable(consent) else _agree_to_all)
                started = database.run(started.id)
            check_agents_agreed(started)
            open_plan(started, database).check_unchanged(context)
        return play_missing(started, database, make_executor(workers, on), context, watch)


def _agree_to_all(*_: object) -> bool:
    return True


def _find_players(
    benchmark: str,
    agents: Player | Sequence[Player],
    variants: Sequence[str],
    options: Mapping[str, Any] | None,
    context: RunContext,
) -> Players:
    record = find_benchmark(benchmark)
    game = find_game(record.game_for(_texts(options), context))
    return resolve_players(agents, game.agent_family, variants)


def _make_plan(
    benchmark: str,
    players: Players,
    seed: int,
    episodes: int | None,
    timeout: float | None,
    options: Mapping[str, Any] | None,
    context: RunContext,
) -> Plan:
    return make_plan(
        benchmark,
        players.sources,
        seed=seed,
        episodes=episodes,
        limits=_limits(benchmark, timeout),
        options=_texts(options),
        context=context,
    )


def _limits(benchmark: str, timeout: float | None) -> Limits | None:
    """Return the benchmark's limits with another time; None for those that it has."""
    if timeout is None:
        return None
    return replace(find_benchmark(benchmark).limits, seconds=timeout, model_seconds=timeout)


def _texts(options: Mapping[str, Any] | None) -> dict[str, str]:
    return {name: str(value) for name, value in (options or {}).items()}


def make_players_executor(players: Players, workers: int | None, on: str) -> Executor:
    """Return the executor that plays these agents, those of this process in it."""
    executor = make_executor(workers, on)
    return InProcessExecutor(players.objects, executor) if players.objects else executor


def play_plan(
    plan: Plan,
    executor: Executor,
    context: RunContext,
    store: str | Store | None,
    watch: Watch | None,
    *,
    accept: bool,
    stop: ClearWinner | None = None,
) -> RunResult:
    """Store a plan as a new run and play it."""
    if accept:
        check_acceptable(plan)
    with open_store(store) as database:
        result = play_missing(database.add(plan), database, executor, context, watch, stop)
        if accept:
            result.decisions = accept_run(result.id, database, by=current_user())
        return result


def play_missing(
    started: Run,
    store: Store,
    executor: Executor,
    context: RunContext,
    watch: Watch | None,
    stop: ClearWinner | None = None,
) -> RunResult:
    """Play what a run lacks; what was played is taken from the players, not read again."""
    benchmark = find_benchmark(started.benchmark)
    began = perf_counter()
    episodes = store.episodes(started.id)
    before = len(episodes)
    with (watch or _watch_nothing)(started, benchmark, tuple(episodes)) as notify:

        def take(scored: ScoredEpisode) -> None:
            episodes.append(scored)
            notify(scored)

        finished = continue_run(
            started,
            store,
            executor=executor,
            context=context,
            on_episode=take,
            stop=stop,
            known={scored.episode.number for scored in episodes},
        )
    episodes.sort(key=lambda scored: scored.episode.number)
    return RunResult(
        run=finished,
        benchmark=benchmark,
        episodes=tuple(episodes),
        seconds=perf_counter() - began,
        played_now=len(episodes) - before,
        stop=stop,
    )


@contextmanager
def _watch_nothing(*_: object) -> Iterator[OnEpisode]:
    yield lambda _: None
