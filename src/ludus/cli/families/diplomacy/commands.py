"""``ludus diplomacy``: tables, pictures, promises and leagues of Diplomacy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.diplomacy.league import Rated, rate_league
from ludus.benchmarks.diplomacy.promises import judge_promises, promise_table
from ludus.benchmarks.diplomacy.scoring import POWERS, RULES, check_rule
from ludus.benchmarks.diplomacy.tables import (
    AGGRESSIVE,
    BASELINE,
    READINGS,
    Results,
    Terms,
    overall_performance,
    sidecar,
    steerability,
    write_tables,
)
from ludus.cli.options import (
    JsonOption,
    RunArgument,
    StoreOption,
    WorkersOption,
    executor_for,
    finite,
    open_store,
)
from ludus.cli.output import print_json
from ludus.cli.output import progress as bar
from ludus.cli.play import report, show
from ludus.cli.progress import progress
from ludus.cli.tables import show_table
from ludus.errors import OptionError
from ludus.reports.diplomacy_results import gather, saved_games, seatings, write_games
from ludus.runs import Run, Store, continue_run, make_plan

__all__ = ["diplomacy"]

MOST_SHOWN = 10
INTERRUPTED = 130

diplomacy = typer.Typer(no_args_is_help=True)

Sources = Annotated[
    list[str],
    typer.Argument(metavar="RUN|FOLDER…", help="Ids of runs, or folders of saved games."),
]
Rule = Annotated[str, typer.Option("--rule", help=f"How games are scored: {', '.join(RULES)}.")]
Power = Annotated[str, typer.Option("--power", help="The tested power.")]
Year = Annotated[
    int | None,
    typer.Option("--year", help="The last year of saved games that do not tell it."),
]
Reading = Annotated[
    str,
    typer.Option("--reading", help=f"A model's row: {READINGS[0]} variant, or {READINGS[1]}."),
]
Steer = Annotated[
    str,
    typer.Option("--steer", metavar="FROM:TO", help="The two variants that are compared."),
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the files go.")]


@diplomacy.callback()
def _diplomacy() -> None:
    """Tables, pictures, promises and leagues of Diplomacy.

    Example: ludus diplomacy demo
    """


@diplomacy.command()
def tables(
    sources: Sources,
    out: Out = Path(),
    rule: Rule = RULES[0],
    power: Power = "FRANCE",
    year: Year = None,
    reading: Reading = READINGS[0],
    steer: Steer = f"{BASELINE}:{AGGRESSIVE}",
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write overall_performance.csv and steerability.csv, and tables.json on how they were made.

    Example: ludus diplomacy tables 1a2b3c4d --out tables
    """
    terms = _terms(rule, power, steer, reading)
    _check_folder(out)
    with open_store(store_url) as store:
        results = gather(sources, store, terms, year=year).results
    written = write_tables(out, results)
    if json:
        print_json({"files": [str(file) for file in written], **finite(sidecar(results))})
        return
    _show_tables(results)
    _warn(results)
    for file in written:
        typer.echo(str(file))


@diplomacy.command("plot")
def plot_games(
    sources: Sources,
    out: Out = Path(),
    rule: Rule = RULES[0],
    power: Power = "FRANCE",
    year: Year = None,
    steer: Steer = f"{BASELINE}:{AGGRESSIVE}",
    dark: Annotated[bool, typer.Option("--dark", help="Light on dark.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Draw scores, centres over time, orders, relationships, messages and cost.

    Example: ludus diplomacy plot 1a2b3c4d --out pictures
    """
    from ludus.reports.diplomacy_plots import write_diplomacy_plots

    terms = _terms(rule, power, steer)
    _check_folder(out)
    with open_store(store_url) as store, _reading_games(sources, store) as heard:
        found = gather(sources, store, terms, year=year, games=True, on_game=heard)
    written = write_diplomacy_plots(out, found, style="dark" if dark else "light")
    if json:
        print_json({"files": [str(file) for file in written]})
        return
    for file in written:
        typer.echo(str(file))


@diplomacy.command()
def promises(
    sources: Sources,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Hold what powers promised in messages against what they ordered.

    Example: ludus diplomacy promises games/run_00000
    """
    with open_store(store_url) as store, _reading_games(sources, store) as heard:
        games = saved_games(sources, store, on_game=heard)
    rows = promise_table(games)
    if json:
        judged = [
            {"game": game.name, **asdict(one)} for game in games for one in judge_promises(game)
        ]
        print_json({"powers": rows, "promises": judged})
        return
    if not rows:
        typer.echo("No promises were found; in games without press there are none.")
        return
    cells = [
        [
            row["power"].capitalize(),
            *(str(row[name]) for name in ("promises", "kept", "broken", "attacked", "meant")),
            f"{row['broken_percent']:.0f}",
        ]
        for row in rows
    ]
    heads = ["power", "promises", "kept", "broken", "attacked", "meant", "broken %"]
    caption = (
        "attacked: broken by an order against the other; meant: the diary shows the intention. "
        "Found by rules; --json lists every sentence."
    )
    show_table("", heads, cells, left=(0,), caption=caption)


@diplomacy.command()
def save(
    run: RunArgument,
    out: Out = Path("games"),
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write the games of a run as AI Diplomacy leaves its own: a folder each, with settings.

    Example: ludus diplomacy save 1a2b3c4d --out games
    """
    _check_folder(out)
    with open_store(store_url) as store, _reading_games([run], store) as heard:
        written = write_games(run, store, out, on_game=heard)
    if json:
        print_json({"games": [str(place) for place in written]})
    else:
        typer.echo(f"{len(written)} games written: {out}")


@diplomacy.command()
def rate(
    sources: Sources,
    rule: Rule = RULES[0],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Rate everybody who sat at the tables of games, by how each game ranked its seven seats.

    Example: ludus diplomacy rate 1a2b3c4d
    """
    check_rule(rule)
    with open_store(store_url) as store:
        rated = rate_league(seatings(sources, store, rule))
    _show_ratings(rated, json)


@diplomacy.command()
def league(
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT…", help="Two or more; they fill all seats.")
    ],
    games: Annotated[
        int | None,
        typer.Option("--games", help="In how many each is tested.", show_default="14"),
    ] = None,
    year: Annotated[int, typer.Option("--year", help="The last year that is played.")] = 1910,
    press: Annotated[str, typer.Option("--press", help="full or none.")] = "none",
    seed: Annotated[int, typer.Option("--seed", help="What the games are made from.")] = 0,
    workers: WorkersOption = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Let agents play each other in changing seats, and rate them.

    Example: ludus diplomacy league dumb random hold --games 7
    """
    options = {"pool": ",".join(agents), "year": str(year), "press": press}
    with open_store(store_url) as store:
        done = _play("diplomacy/league", agents, store, options, games, workers, seed)
        rated = rate_league(seatings([done.id], store))
    _show_ratings(rated, json, done.id)


@diplomacy.command()
def demo(
    out: Out = Path("diplomacy-demo"),
    games: Annotated[int, typer.Option("--games", help="How many each plays.")] = 20,
    year: Annotated[int, typer.Option("--year", help="The last year that is played.")] = 1925,
    store_url: StoreOption = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Play the bots as France against six dumb ones; print the tables, draw the charts.

    Example: ludus diplomacy demo --games 5
    """
    from ludus.reports.diplomacy_plots import write_diplomacy_plots

    _check_folder(out)
    started = perf_counter()
    with open_store(store_url) as store:
        options = {"against": "dumb", "year": str(year)}
        done = _play("diplomacy/gunboat", DEMO, store, options, games, workers)
        benchmark, scored = find_benchmark(done.benchmark), store.episodes(done.id)
        with _reading_games([done.id], store) as heard:
            found = gather([done.id], store, games=True, on_game=heard)
    written = [*write_tables(out, found.results), *write_diplomacy_plots(out, found)]
    if json:
        files = [str(file) for file in written]
        print_json(finite({**report(done, benchmark, scored), "files": files}))
        return
    show(done, benchmark, scored)
    typer.echo()
    _show_tables(found.results)
    typer.echo(f"{done.played} games in {perf_counter() - started:.0f} s, kept as run {done.id}.")
    for file in written:
        typer.echo(str(file))


DEMO = ("search", "dumb", "dumb#aggressive", "random", "hold")


# ---- what the commands share


def _terms(rule: str, power: str, steer: str, reading: str = READINGS[0]) -> Terms:
    check_rule(rule)
    if power.upper() not in POWERS:
        raise OptionError(f"no power {power!r}; there are {', '.join(POWERS)}")
    before, colon, after = steer.partition(":")
    if not (before and colon and after):
        raise OptionError(f"{steer!r} is not two variants; give --steer {BASELINE}:{AGGRESSIVE}")
    return Terms(rule, power.upper(), {}, before, after, reading)


def _check_folder(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise OptionError(f"{str(out)!r} is a file; name a directory with --out")


def _play(
    benchmark: str,
    agents: Any,
    store: Store,
    options: dict[str, str],
    games: int | None,
    workers: int | None,
    seed: int = 0,
) -> Run:
    plan = make_plan(benchmark, agents, seed=seed, episodes=games, options=options)
    begun = store.add(plan)
    try:
        with progress(plan, find_benchmark(benchmark), live=True) as hear:
            return continue_run(begun, store, executor=executor_for(workers), on_episode=hear)
    except KeyboardInterrupt:
        count = f"{store.run(begun.id).played} of {begun.planned}"
        typer.echo(f"stopped; {count} games are kept: ludus resume {begun.id}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _reading_games(sources: list[str], store: Store) -> Iterator[Any]:
    """Show a bar while games of runs are played again."""
    total = sum(store.run(source).played for source in sources if not Path(source).exists())
    with bar("reading", total) as advance:
        yield advance if total else None


def _show_tables(results: Results) -> None:
    """Print both tables with short headings."""
    rows = [list(row.values()) for row in overall_performance(results)]
    cells = [
        [
            row[0],
            row[1],
            f"{row[2]:.1f}",
            f"{row[3]:g}",
            f"{row[4]:.1f}",
            f"{row[6]:.0f}",
            str(row[7]),
            "–" if row[9] is None else f"{row[9]:.1f}",
            "–" if row[8] is None else f"{row[8]:.3f}",
        ]
        for row in rows
    ]
    heads = ["model", "variant", "mean", "median", "centres", "won %", "games", "errors %", "min"]
    title = f"{results.terms.power.capitalize()}, rule: {results.terms.rule}"
    caption = "the best variant's games; min: minutes a phase"
    show_table(title, heads, cells, left=(0, 1), fold=(0,), caption=caption)
    steered = steerability(results)
    if steered:
        typer.echo()
        _show_steerability(results, steered)


def _show_steerability(results: Results, steered: list[dict[str, Any]]) -> None:
    cells = [
        [
            row["model_name"],
            f"{row['baseline_mean_score']:.1f}",
            f"{row['aggressive_mean_score']:.1f}",
            f"{row['steerability_score']:+.1f}",
            _percent(row["steerability_percentage"]),
            f"{row['steerability_score_raw']:+.1f}",
            _percent(row["steerability_percentage_raw"]),
            row["direction"],
        ]
        for row in steered
    ]
    terms = results.terms
    heads = ["model", terms.baseline, terms.steered, "score", "%", "centres", "%", "direction"]
    show_table("Steerability", heads, cells, left=(0, 7), fold=(0,))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:+.0f}"


def _warn(results: Results) -> None:
    """Name the games that do not count, and what is wrong with files."""
    lines = [f"{one.game} ({one.model}): {one.reason}" for one in results.failures]
    if lines:
        count = "1 game" if len(lines) == 1 else f"{len(lines)} games"
        typer.echo(f"{count} failed:", err=True)
    lines += results.faults
    for line in lines[:MOST_SHOWN]:
        typer.echo(line, err=True)
    if len(lines) > MOST_SHOWN:
        typer.echo(f"… and {len(lines) - MOST_SHOWN} more: see tables.json", err=True)


def _show_ratings(rated: list[Rated], json: bool, run: str = "") -> None:
    if json:
        print_json(finite({"run": run, "ratings": [asdict(one) for one in rated]}))
        return
    cells = [
        [
            str(place),
            one.player,
            f"{one.rating:.0f}",
            f"{one.low:.0f} – {one.high:.0f}",
            f"{one.score:.1f}",
            str(one.games),
        ]
        for place, one in enumerate(rated, start=1)
    ]
    heads = ["#", "agent", "rating", "95 % interval", "score", "games"]
    caption = f"{rated[0].method}; 400 points are odds of ten to one; 1500 is the average"
    show_table("", heads, cells, left=(1,), fold=(1,), caption=caption)
    if run:
        typer.echo(f"\nKept as run {run}.")
