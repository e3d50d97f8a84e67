"""``ludus runs``, ``ludus show``, ``ludus delete``: what is kept."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import api
from ludus.benchmarks.families import families
from ludus.cli.options import JsonOption, RunArgument, StoreOption, finite
from ludus.cli.output import print_json, print_view, say, show_table
from ludus.errors import RunError

if TYPE_CHECKING:
    from ludus.api.run_result import RunResult
    from ludus.boards.entry import BoardEntry
    from ludus.runs import Run, Store

__all__ = ["delete", "runs", "show_run"]

Benchmark = Annotated[
    str | None, typer.Option("--benchmark", metavar="ID", help="Only runs of this benchmark.")
]
MANY = 100_000
SHORT = 8
Every = Annotated[bool, typer.Option("--episodes", help="List every episode as well.")]


def runs(
    benchmark: Benchmark = None, store_url: StoreOption = None, json: JsonOption = False
) -> None:
    """List the runs, the newest first.

    Example: ludus runs --benchmark platformer/bundled
    """
    from ludus.api.settings import open_store

    with open_store(store_url) as store:
        listed = store.runs(benchmark)
    if json:
        print_json([_to_dict(run) for run in listed])
        return
    firsts = Counter(run.id[:SHORT] for run in listed)
    rows = [
        [
            run.id[:SHORT] if firsts[run.id[:SHORT]] == 1 else run.id,
            f"{run.created:%Y-%m-%d}",
            f"{run.benchmark}@{run.version}",
            run.plan.season.name if run.plan.season else str(run.plan.seed),
            f"{run.played}/{run.planned}",
            ", ".join(agent.name for agent in run.plan.agents),
        ]
        for run in listed
    ]
    headings = ["run", "begun", "benchmark", "seed", "episodes", "agents"]
    show_table("", headings, rows, left=(0, 1, 2, 5), fold=(5,))
    if not listed:
        say(f"There are none yet. Try: ludus run {next(iter(families().values())).example}")


def show_run(
    run: RunArgument,
    episodes: Every = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show a run's standings.

    Example: ludus show 1a2b3c4d --episodes
    """
    from ludus.api.run_result import RunResult
    from ludus.api.settings import open_store
    from ludus.benchmarks import find_benchmark
    from ludus.runs.sealed import is_public

    with open_store(store_url) as store:
        stored = store.run(run)
        if stored.played > MANY and not (episodes or json):
            _show_many(stored, store)
            return
        scored, public = store.episodes(stored.id), is_public(stored, store)
    result = RunResult(
        stored, find_benchmark(f"{stored.benchmark}@{stored.version}"), tuple(scored)
    )
    if json:
        listed = {"episodes": result.episode_dicts()} if episodes else {}
        print_json(finite({**result.to_dict(), **listed}))
        return
    print_view(result.view)
    if stored.plan.season and not public:
        say(f"\nSealed until season {stored.plan.season.name} is revealed.")
    if not stored.complete:
        progress = f"{stored.played} of {stored.planned} episodes are played"
        say(f"\n{progress}: ludus resume {stored.id}")
    if episodes:
        _list_episodes(result)


def _show_many(run: Run, store: Store) -> None:
    """Print the standings by the totals alone, which takes a second or two for a million."""
    from ludus.benchmarks import find_benchmark
    from ludus.boards.columns import FAULTS, format_faults
    from ludus.boards.entry import BoardKey
    from ludus.boards.estimates import describe_intervals, format_estimate
    from ludus.runs.totals import rank_totals

    benchmark = find_benchmark(f"{run.benchmark}@{run.version}")
    standings = rank_totals(run, store)
    faulty = any(standing.fault_kinds for standing in standings)
    rows = [
        [
            str(standing.rank),
            standing.agent,
            format_estimate(standing.headline, benchmark.digits),
            *([format_faults(standing.fault_kinds)] if faulty else []),
        ]
        for standing in standings
    ]
    title = f"{benchmark.rule}, {BoardKey.of_plan(run.plan)}, {run.played:,} episodes"
    signs = describe_intervals(standing.headline for standing in standings)
    caption = f"{signs} Further columns: --json, which reads every episode.".strip()
    headings = ["#", "agent", benchmark.headline, *([FAULTS] if faulty else [])]
    show_table(title, headings, rows, left=(1,), fold=(1,), caption=caption)


def delete(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's whole id.")],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Forget a run and its episodes, unless it is on a board or counts in an event.

    Example: ludus delete 1a2b3c4d-5e6f
    """
    from ludus.api.settings import open_store

    with open_store(store_url) as store:
        stored = store.run(run)
        if stored.id != run:
            raise RunError(f"give the whole id to delete a run: ludus delete {stored.id}")
        _check_not_on_board(stored, store)
        store.delete(stored.id)
    if json:
        print_json({"deleted": stored.id, "episodes": stored.played})
    else:
        say(f"Run {stored.id} with {stored.played} episodes is deleted.")


def _check_not_on_board(run: Run, store: Store) -> None:
    """Refuse to delete what a board's entry or the results of an event are proven by."""
    from ludus.boards import entries_of_run

    for event in api.list_events(store=store):
        if event.run == run.id:
            raise RunError(f"run {run.id} is the one that counts in event {event.name!r}")
    for entry in entries_of_run(run.id, store):
        raise RunError(
            f"run {run.id} is on the board for {entry.agent}: first "
            f"ludus board remove {run.benchmark} {entry.agent}{_flags(entry)} --why …"
        )


def _to_dict(run: Run) -> dict[str, Any]:
    return {
        "run": run.id,
        "created": run.created.isoformat(),
        "benchmark": run.benchmark,
        "version": run.version,
        "seed": run.plan.seed,
        "season": run.plan.season.name if run.plan.season else None,
        "played": run.played,
        "planned": run.planned,
        "agents": [agent.name for agent in run.plan.agents],
    }


def _list_episodes(result: RunResult) -> None:
    from ludus.api.replays import format_fact
    from ludus.execution.episode import EpisodeEnding

    rows = [
        [
            str(row["episode"]),
            row["agent"],
            row["scenario"],
            format_fact(row["score"]),
            f"{row['steps']:,}",
            EpisodeEnding(row["ending"]).shown,
            row["reason"],
        ]
        for row in result.episode_dicts()
    ]
    headings = ["episode", "agent", "scenario", "score", "steps", "ending", "reason"]
    say()
    show_table("", headings, rows, left=(1, 2, 5, 6), fold=(6,))


def _flags(entry: BoardEntry) -> str:
    """Return the key of an entry's board as words of a command."""
    first = f" --season {entry.season}" if entry.season else f" --seed {entry.seed}"
    return first + "".join(f" --{name} {value}" for name, value in entry.options.items())
