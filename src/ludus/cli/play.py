"""``ludus run``, ``ludus race``, ``ludus resume``: agents play a benchmark."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Any

import typer

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards import Decision, check_acceptable
from ludus.boards import accept as accept_run
from ludus.boards.entry import BoardKey
from ludus.boards.groups import letters_of_run
from ludus.cli.options import (
    BudgetOption,
    JsonOption,
    OnOption,
    RunArgument,
    StoreOption,
    TrustOption,
    WorkersOption,
    context_for,
    current_user,
    executor_for,
    finite,
    open_store,
    with_options,
)
from ludus.cli.output import print_json
from ludus.cli.progress import progress
from ludus.cli.tables import standings_plain, standings_table
from ludus.context import RunContext
from ludus.errors import OptionError, Paused
from ludus.runs import (
    EpisodeEnding,
    Executor,
    Limits,
    Plan,
    Run,
    ScoredEpisode,
    Store,
    continue_run,
    make_plan,
    summarise,
)
from ludus.runs.stopping import ClearWinner

__all__ = ["race", "report", "resume", "run"]

INTERRUPTED = 130
PAUSED = 3
MOST_FAULTS = 5

Name = Annotated[
    str, typer.Argument(metavar="BENCHMARK", help="See 'ludus benchmarks' for all there are.")
]
Agents = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT… [--OPTION VALUE]…",
        help="Names (see 'ludus agents') or file.py:Class; then options of the benchmark.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="What the scenarios are made from.")]
Episodes = Annotated[
    int | None,
    typer.Option(
        "--episodes", "--games", help="How many each plays.", show_default="the benchmark's own"
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", help="Seconds for an episode.", show_default="the benchmark's own"),
]
Variants = Annotated[
    list[str] | None,
    typer.Option("--variant", help="Play every agent in this variant; can be given again."),
]
StopWhenClear = Annotated[
    bool,
    typer.Option("--stop-when-clear", help="End as soon as one is clearly better than all others."),
]
Accept = Annotated[bool, typer.Option("--accept", help="Put the result on the board.")]


def run(
    benchmark: Name,
    agents: Agents,
    seed: Seed = 0,
    episodes: Episodes = None,
    workers: WorkersOption = None,
    on: OnOption = "here",
    timeout: Timeout = None,
    store_url: StoreOption = None,
    variant: Variants = None,
    trust: TrustOption = False,
    budget: BudgetOption = None,
    json: JsonOption = False,
    accept: Accept = False,
) -> None:
    """Play agents through a benchmark and keep every episode.

    Example: ludus run platformer/bundled astar my_agent.py:MyAgent
    """
    context = context_for(budget, trust=trust)
    plan = _planned(benchmark, agents, variant, seed, episodes, timeout, context)
    wishes = _Wishes(executor_for(workers, on), context, json=json, accept=accept)
    _begin(plan, wishes, store_url)


def race(
    benchmark: Name,
    agents: Agents,
    seed: Seed = 0,
    episodes: Episodes = None,
    workers: WorkersOption = None,
    on: OnOption = "here",
    timeout: Timeout = None,
    store_url: StoreOption = None,
    variant: Variants = None,
    trust: TrustOption = False,
    budget: BudgetOption = None,
    json: JsonOption = False,
    accept: Accept = False,
    stop_when_clear: StopWhenClear = False,
) -> None:
    """Play agents against each other and watch the standings while they play.

    Example: ludus race platformer/bundled rule-based forward-jumping random
    """
    if stop_when_clear and accept:
        raise OptionError("a board takes whole runs only: give --accept or --stop-when-clear")
    context = context_for(budget, trust=trust)
    plan = _planned(benchmark, agents, variant, seed, episodes, timeout, context)
    if len(plan.agents) < 2:
        name = plan.agents[0].name
        raise OptionError(f"{name!r} has nobody to race: name another, or try 'ludus run'")
    wishes = _Wishes(
        executor_for(workers, on),
        context,
        json=json,
        accept=accept,
        live=True,
        stop=ClearWinner(plan) if stop_when_clear else None,
    )
    _begin(plan, wishes, store_url)


def resume(
    run: RunArgument,
    workers: WorkersOption = None,
    on: OnOption = "here",
    store_url: StoreOption = None,
    trust: TrustOption = False,
    budget: BudgetOption = None,
    json: JsonOption = False,
) -> None:
    """Play what a run still lacks; games that take long go on where they were left.

    Example: ludus resume 1a2b3c4d
    """
    context = context_for(budget, trust=trust)
    with open_store(store_url) as store:
        found = store.run(run)
        benchmark = find_benchmark(f"{found.benchmark}@{found.version}")
        if not found.complete:
            found.plan.check_unchanged(context)
        _play(found, benchmark, store, _Wishes(executor_for(workers, on), context, json=json))


@dataclass(frozen=True)
class _Wishes:
    """How a run is played and shown."""

    executor: Executor
    context: RunContext
    json: bool = False
    accept: bool = False
    live: bool = False
    stop: ClearWinner | None = None


def _planned(
    benchmark: str,
    words: list[str],
    variants: list[str] | None,
    seed: int,
    episodes: int | None,
    timeout: float | None,
    context: RunContext,
) -> Plan:
    agents, options = with_options(words)
    if variants:
        agents = [f"{agent}#{variant}" for agent in agents for variant in variants]
    limits = None if timeout is None else Limits(seconds=timeout)
    return make_plan(
        benchmark,
        agents,
        seed=seed,
        episodes=episodes,
        limits=limits,
        options=options,
        context=context,
    )


def _begin(plan: Plan, wishes: _Wishes, store_url: str | None) -> None:
    if wishes.accept:
        check_acceptable(plan)
    with open_store(store_url) as store:
        _play(store.add(plan), find_benchmark(plan.benchmark), store, wishes)


def _play(begun: Run, benchmark: Benchmark, store: Store, wishes: _Wishes) -> None:
    """Play to the end, or to the user's interrupt, and print the result."""
    started = perf_counter()
    episodes = store.episodes(begun.id)
    first_new = len(episodes)
    until = wishes.stop.add if wishes.stop else None
    try:
        with progress(begun.plan, benchmark, episodes, live=wishes.live) as show_episode:

            def add(one: ScoredEpisode) -> None:
                episodes.append(one)
                show_episode(one)

            done = continue_run(
                begun,
                store,
                executor=wishes.executor,
                context=wishes.context,
                on_episode=add,
                until=until,
            )
    except (KeyboardInterrupt, Paused) as error:
        stopped = store.run(begun.id)
        count = f"{stopped.played} of {stopped.planned}"
        if isinstance(error, Paused):
            typer.secho(f"paused: {error}", fg="yellow", err=True)
        typer.echo(f"stopped; {count} episodes are kept: ludus resume {begun.id}", err=True)
        raise typer.Exit(PAUSED if isinstance(error, Paused) else INTERRUPTED) from None
    seconds = perf_counter() - started
    decisions = accept_run(done.id, store, by=current_user()) if wishes.accept else []
    if wishes.json:
        plain = report(done, benchmark, episodes)
        decided = [decision._asdict() for decision in decisions]
        winner = wishes.stop.winner if wishes.stop else None
        more = {"seconds": seconds, "accepted": decided, "clear_winner": winner}
        print_json(finite({**plain, **more}))
        return
    show(done, benchmark, episodes)
    typer.echo(f"\n{len(episodes) - first_new} episodes in {seconds:.1f} s. Kept as run {done.id}.")
    if wishes.stop:
        typer.echo(_stopped(wishes.stop))
    for decision in decisions:
        typer.echo(told(decision))


def _stopped(stop: ClearWinner) -> str:
    """Return how an early stop came about, as a sentence."""
    if stop.winner is None:
        return "No agent is clearly better than all others; every episode was played."
    return (
        f"Clear after {stop.scenarios} scenarios: {stop.winner} is better than all others (95 %, "
        f"whenever one looks). {stop.saved} episodes saved; 'ludus resume' plays them all the same."
    )


def report(run: Run, benchmark: Benchmark, scored: list[ScoredEpisode]) -> dict[str, Any]:
    """Return a run and its standings as plain values."""
    plan = run.plan
    summaries = summarise(benchmark, plan, scored)
    return {
        "run": run.id,
        "created": run.created.isoformat(),
        "benchmark": run.benchmark,
        "version": run.version,
        "seed": plan.seed,
        "options": dict(plan.options),
        "rules": plan.rules,
        "engine": plan.rules,  # what earlier releases call it
        "provenance": dict(plan.provenance),
        "identity": run.identity,
        "planned": run.planned,
        "played": run.played,
        "standings": standings_plain(benchmark, summaries, letters_of_run(summaries, plan)),
    }


def show(run: Run, benchmark: Benchmark, scored: list[ScoredEpisode]) -> None:
    """Print a run's standings, and what went wrong in it."""
    plan = run.plan
    summaries = summarise(benchmark, plan, scored)
    terms = BoardKey.of(plan.seed, plan.options)
    title = f"{benchmark.rule}, {terms}, {len(plan.scenarios)} episodes each"
    standings_table(benchmark, summaries, letters_of_run(summaries, plan), title)
    wrong = Counter(
        (plan.agents[one.episode.agent].name, one.episode.ending, one.episode.reason)
        for one in scored
        if one.episode.ending is not EpisodeEnding.FINISHED
    )
    for (agent, ending, reason), count in wrong.most_common(MOST_FAULTS):
        typer.echo(f"{agent}: {ending} in {count} episodes: {reason}")


def told(decision: Decision) -> str:
    """Return what became of a result on the board, as a sentence."""
    outcomes = {
        "new": "is on the board",
        "better": "is on the board; its older entry is superseded",
        "not better": f"stays on the board with run {decision.run}, which is as good or better",
        "there already": "is on the board with this run already",
    }
    return f"{decision.agent} {outcomes[decision.outcome]}."
