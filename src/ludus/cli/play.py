"""``ludus run``, ``ludus race``, ``ludus resume``: agents play a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ludus import api
from ludus.cli.options import (
    BudgetOption,
    JsonOption,
    OnOption,
    RunArgument,
    SandboxOption,
    StoreOption,
    TrustOption,
    WorkersOption,
    finite,
    seed_option,
    split_options,
)
from ludus.cli.output import print_json, print_view, say
from ludus.cli.trust import YesOption, ask_user
from ludus.errors import Paused, one_line

if TYPE_CHECKING:
    from ludus.benchmarks import Benchmark
    from ludus.boards import Decision
    from ludus.runs import Run, ScoredEpisode, Store
    from ludus.runs.running import OnEpisode
    from ludus.runs.stopping import ClearWinner

__all__ = [
    "Screen",
    "Variants",
    "describe_decision",
    "play_with_progress",
    "race",
    "report_result",
    "resume",
    "run",
]

Played = TypeVar("Played")

FAILED = 1
INTERRUPTED = 130
PAUSED = 3

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
Seed = Annotated[int, seed_option("What the scenarios are made from.")]
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
    sandbox: SandboxOption = False,
    budget: BudgetOption = None,
    json: JsonOption = False,
    accept: Accept = False,
) -> None:
    """Play agents through a benchmark and keep every episode.

    Example: ludus run platformer/bundled astar my_agent.py:MyAgent
    """
    specs, options = split_options(agents)
    result = play_with_progress(
        api.run,
        benchmark,
        specs,
        options=options,
        variants=variant or (),
        seed=seed,
        episodes=episodes,
        timeout=timeout,
        workers=workers,
        on=on,
        store=store_url,
        budget=budget,
        trust=trust,
        sandbox=sandbox,
        accept=accept,
    )
    report_result(result, json=json)


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
    sandbox: SandboxOption = False,
    budget: BudgetOption = None,
    json: JsonOption = False,
    accept: Accept = False,
    stop_when_clear: StopWhenClear = False,
) -> None:
    """Play agents against each other and watch the standings while they play.

    Example: ludus race platformer/bundled rule-based forward-jumping random
    """
    specs, options = split_options(agents)
    result = play_with_progress(
        api.race,
        benchmark,
        specs,
        live=True,
        options=options,
        variants=variant or (),
        seed=seed,
        episodes=episodes,
        timeout=timeout,
        workers=workers,
        on=on,
        store=store_url,
        budget=budget,
        trust=trust,
        sandbox=sandbox,
        accept=accept,
        stop_when_clear=stop_when_clear,
    )
    report_result(result, json=json)


def resume(
    run: RunArgument,
    workers: WorkersOption = None,
    on: OnOption = "here",
    store_url: StoreOption = None,
    trust: TrustOption = False,
    sandbox: SandboxOption = False,
    yes: YesOption = False,
    budget: BudgetOption = None,
    json: JsonOption = False,
) -> None:
    """Play what a run still lacks; games that take long go on where they were left.

    Example: ludus resume 1a2b3c4d
    """
    result = play_with_progress(
        api.resume,
        run,
        workers=workers,
        on=on,
        store=store_url,
        budget=budget,
        trust=trust,
        sandbox=sandbox,
        consent=yes or ask_user,
    )
    report_result(result, json=json)


class Screen:
    """Shows a run while it is played, and knows it when it is interrupted.

    Args:
        live: Whether to show the standings as well as a bar.
    """

    def __init__(self, *, live: bool = False) -> None:
        self.run: Run | None = None
        self._live = live

    def __call__(
        self, run: Run, benchmark: Benchmark, played: Sequence[ScoredEpisode]
    ) -> AbstractContextManager[OnEpisode]:
        """Begin to show a run."""
        from ludus.cli.progress import show_progress

        self.run = run
        return show_progress(run.plan, benchmark, played, live=self._live)


def play_with_progress(
    play: Callable[..., Played],
    *words: Any,
    live: bool = False,
    go_on: str = "",
    **options: Any,
) -> Played:
    """Call a function of the front door with a bar; say how to go on if it is interrupted.

    Args:
        play: ``api.run``, ``api.race``, ``api.resume``, or another that takes a ``watch``.
        *words: What it is called with.
        live: Whether to show the standings as well.
        go_on: The command that goes on after an interruption; ``ludus resume`` if empty.
        **options: Its options.
    """
    screen = Screen(live=live)
    try:
        return play(*words, **options, watch=screen)
    except (KeyboardInterrupt, Paused) as error:
        if screen.run is None:
            raise
        _say_how_to_go_on(screen.run, options.get("store"), error, go_on)
        raise typer.Exit(PAUSED if isinstance(error, Paused) else INTERRUPTED) from None


def _say_how_to_go_on(
    run: Run, store_url: str | Store | None, error: BaseException, go_on: str
) -> None:
    from ludus.api.settings import open_store

    with open_store(store_url) as store:
        stopped = store.run(run.id)
    if isinstance(error, Paused):
        typer.secho(f"paused: {one_line(error)}", fg="yellow", err=True)
    count = f"{stopped.played} of {stopped.planned}"
    say(f"stopped; {count} episodes are kept: {go_on or f'ludus resume {run.id}'}", err=True)


def report_result(result: api.RunResult, *, json: bool) -> None:
    """Print what came of a run; exit with an error if every episode failed."""
    _print_report(result, json=json)
    refused = any(decision.outcome == "refused" for decision in result.decisions)
    if result.failed:
        typer.secho(f"No episode of run {result.id} came to its end.", err=True)
    if result.failed or refused:
        raise typer.Exit(FAILED)


def _print_report(result: api.RunResult, *, json: bool) -> None:
    from ludus.reports.standings import count_episodes

    if json:
        more = {
            "seconds": result.seconds,
            "accepted": [decision._asdict() for decision in result.decisions],
            "clear_winner": result.stop.winner if result.stop else None,
        }
        print_json(finite({**result.to_dict(), **more}))
        return
    print_view(result.view)
    count = f"{count_episodes(result.played_now)} in {result.seconds:.1f} s"
    say(f"\n{count}. Kept as run {result.id}.")
    if result.stop:
        say(_describe_stop(result.stop, result.run.planned - result.run.played))
    for decision in result.decisions:
        say(describe_decision(decision))


def _describe_stop(stop: ClearWinner, saved: int) -> str:
    """Return how an early stop came about, as a sentence."""
    if stop.winner is None:
        return "No agent is clearly better than all others; every episode was played."
    return (
        f"Clear after {stop.scenarios} scenarios: {stop.winner} is better than all others (95 %, "
        f"whenever one looks). {saved} episodes saved; 'ludus resume' plays them all the same."
    )


def describe_decision(decision: Decision) -> str:
    """Return what became of a result on the board, as a sentence."""
    outcomes = {
        "new": "is on the board",
        "better": "is on the board; its older entry is superseded",
        "not better": f"stays on the board with run {decision.run}, which is as good or better",
        "there already": "is on the board with this run already",
        "refused": f"is refused: {decision.reason}",
    }
    return f"{decision.agent} {outcomes[decision.outcome]}."
