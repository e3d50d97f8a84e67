"""``ludus export``, ``ludus import``, ``ludus score``: results that come and go as files."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from ludus.benchmarks.score_files import (
    ScoredFiles,
    scorable_families,
    score_files,
    scores_files_of,
)
from ludus.cli.options import JsonOption, RunArgument, StoreOption, finite
from ludus.cli.output import check_target, print_json, say, show_table
from ludus.errors import OptionError

if TYPE_CHECKING:
    from ludus.benchmarks import Benchmark
    from ludus.runs.foreign import ScoredRow
    from ludus.stats.bounded import Bounds

__all__ = ["export", "import_", "score"]

Format = Literal["csv", "jsonl", "parquet"]
"""That of ``ludus.runs.exchange``, which the help need not import."""

FAULTY = 1
MOST_SHOWN = 20


def export(
    run: RunArgument,
    to: Annotated[
        Format | None,
        typer.Option(
            "--to",
            help="jsonl is complete and can be imported again.",
            show_default="as FILE ends, else jsonl",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where the run goes.",
            show_default="the run's id",
        ),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write a run to a file.

    Example: ludus export 1a2b3c4d --to csv --out episodes.csv
    """
    from ludus.api.settings import open_store
    from ludus.reports.standings import count_episodes
    from ludus.runs.exchange import export as export_run
    from ludus.runs.sealed import is_public

    with open_store(store_url) as store:
        run_ = store.run(run)
        target = out or Path(f"{run_.id}.{to or 'jsonl'}")
        check_target(target, [target.suffix.lower()])
        export_run(run_.id, store, target, to or _by_suffix(target))
        secret_here = not is_public(run_, store)
    if json:
        print_json({"run": run_.id, "file": str(target), "episodes": run_.played})
    else:
        say(f"{count_episodes(run_.played)} written: {target}")
    if secret_here:
        typer.secho(
            "It holds what was played on secret scenarios: publish it after the reveal.", err=True
        )


def _by_suffix(target: Path) -> Format:
    suffix = target.suffix.lower()[1:]
    return next((known for known in get_args(Format) if known == suffix), "jsonl")


def import_(
    source: Annotated[
        str,
        typer.Argument(metavar="[FAMILY] FILE", help="As 'ludus export' wrote it, or of others."),
    ],
    file: Annotated[Path | None, typer.Argument(hidden=True)] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Who takes a claim in.", show_default="you")
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Take in a run that was exported elsewhere, or what a submission of others claims.

    Example: ludus import 1a2b3c4d-5e6f.jsonl

    Example: ludus import nematode benchmarks/foraging_small/classical/20251229_105138.json
    """
    from ludus.api.settings import open_store
    from ludus.reports.standings import count_episodes
    from ludus.runs import import_run as import_file

    if file is not None:
        _import_claim(source, file, by, store_url, json=json)
        return
    with open_store(store_url) as store:
        run = import_file(Path(source), store)
    if json:
        print_json({"run": run.id, "episodes": run.played})
    else:
        say(f"{count_episodes(run.played)} kept as run {run.id}. Next: ludus verify {run.id}")


def _import_claim(
    family: str, file: Path, by: str | None, store_url: str | None, *, json: bool
) -> None:
    """Show a submission of others below the board that it is nearest to, as claimed."""
    from ludus.api.settings import current_user, open_store
    from ludus.benchmarks import families
    from ludus.benchmarks.family import import_attribute
    from ludus.boards.claims import add_claim, describe_claims

    importing = {name: one for name, one in families().items() if one.read_claim}
    if family not in importing:
        raise OptionError(f"{family!r} imports no files of others; there is {', '.join(importing)}")
    claim, faults = import_attribute(importing[family].read_claim)(file)
    with open_store(store_url) as store:
        add_claim(claim, store, by=by or current_user())
    options = "".join(f" --{name} {value}" for name, value in claim.options.items())
    board = f"ludus board {claim.benchmark}{options}"
    if json:
        print_json({**claim.to_dict(), "faults": faults})
        return
    for fault in faults:
        say(f"note: {fault}")
    for line in describe_claims([claim]):
        say(line)
    say(f"See it: {board}")


def score(
    benchmark: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK",
            help=f"Whose rule; for files of others: {', '.join(scorable_families())}.",
        ),
    ],
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="Facts as .csv, .jsonl or .json, or games and folders; - for what is piped in.",
        ),
    ],
    mode: Annotated[
        str | None,
        typer.Option("--mode", "--rule", help="Which of several rules.", show_default="the first"),
    ] = None,
    year: Annotated[
        int | None,
        typer.Option("--year", help="The last year of Diplomacy's games that do not tell it."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Score episodes that somebody else played; what has a fault is named and not counted.

    Ends with exit code 1 if there are any.

    Example: ludus score platformer/bundled episodes.csv

    Example: ludus score mario-arena/1-1 episodes.csv --mode speedrun

    Example: ludus score nematode artifacts/benchmarks

    Example: ludus score diplomacy games --year 1925
    """
    if scores_files_of(benchmark):
        _print_scores(score_files(benchmark, files, mode, year=year), json=json)
        return
    if year is not None:
        raise OptionError(f"{benchmark} has no last year: leave --year {year} out")
    if mode is not None:
        raise OptionError(f"{benchmark} has one rule only: leave --mode {mode} out")
    if len(files) > 1:
        raise OptionError(f"{len(files)} files of facts: {benchmark} scores one at a time")
    from ludus.benchmarks import find_benchmark

    _score_facts(find_benchmark(benchmark), files[0], json=json)


def _print_scores(scored: ScoredFiles, *, json: bool) -> None:
    if json:
        for row in scored.rows:
            typer.echo(json_format.dumps(finite(row)))
    elif scored.report:
        say(scored.report)
    elif scored.rows:
        headings = list(scored.rows[0])
        rows = [
            ["" if row.get(k) is None else str(row.get(k)) for k in headings] for row in scored.rows
        ]
        show_table("", headings, rows, left=(0,), fold=(0,))
    for fault in _join_alike(scored.faults):
        say(fault, err=True)
    if scored.faults:
        raise typer.Exit(FAULTY)


def _join_alike(faults: Iterable[str]) -> Iterator[str]:
    """Yield faults; of those for one reason the first few, and how many more there are."""
    names_by_reason: dict[str, list[str]] = {}
    for fault in faults:
        name, _, reason = fault.partition(": ")
        names_by_reason.setdefault(reason, []).append(name)
    for reason, names in names_by_reason.items():
        yield from (f"{name}: {reason}" if reason else name for name in names[:MOST_SHOWN])
        if len(names) > MOST_SHOWN:
            yield f"… and {len(names) - MOST_SHOWN} more for this reason"


def _score_facts(rule: Benchmark, file: Path, *, json: bool) -> None:
    from ludus.runs import score_file

    rows, problems = score_file(rule, file)
    if json:
        scored = [{"line": row.line, "agent": row.agent, **asdict(row.score)} for row in rows]
        faults = [{**asdict(problem), "message": str(problem)} for problem in problems]
        print_json(finite({"rule": rule.rule, "rows": scored, "problems": faults}))
    else:
        if rows:
            _print_means(rule, rows)
        for problem in problems[:MOST_SHOWN]:
            say(str(problem), err=True)
        if len(problems) > MOST_SHOWN:
            say(f"… and {len(problems) - MOST_SHOWN} more: --json shows all", err=True)
    if problems:
        raise typer.Exit(FAULTY)


def _find_bounds(rule: Benchmark, totals: list[float]) -> Bounds | None:
    """Return the bounds of scores whose options nobody tells: those that hold for all options."""
    from ludus.runs.ranking import find_bounds

    return None if callable(rule.bounds) else find_bounds(rule, {}, totals)


def _print_means(rule: Benchmark, rows: list[ScoredRow]) -> None:
    from ludus.boards.estimates import describe_intervals, format_estimate
    from ludus.stats import mean_interval

    by_agent: dict[str, list[float]] = {}
    for row in rows:
        by_agent.setdefault(row.agent or "–", []).append(float(row.score.total))
    means = {
        name: mean_interval(totals, bounds=_find_bounds(rule, totals))
        for name, totals in by_agent.items()
    }
    order = sorted(means, key=lambda name: (-means[name].value, name))
    lines = [[name, str(means[name].n), format_estimate(means[name])] for name in order]
    caption = describe_intervals(means.values())
    show_table("", ["agent", "rows", rule.headline], lines, left=(0,), fold=(0,), caption=caption)
