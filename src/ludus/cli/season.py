"""``ludus season``: boards on secret seeds, from their start to their reveal."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus import api
from ludus.api.settings import open_store
from ludus.boards import read_ledger
from ludus.boards.seasons import Season, find_season
from ludus.cli.commands import OPEN_OPTIONS
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import (
    BudgetOption,
    JsonOption,
    OnOption,
    StoreOption,
    TrustOption,
    WorkersOption,
    split_options,
)
from ludus.cli.output import print_json, say, show_table
from ludus.cli.play import Variants, play_with_progress, report_result
from ludus.errors import OptionError
from ludus.runs.sealed import secret_file

__all__ = ["season"]

season = typer.Typer(cls=PlainGroup, invoke_without_command=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The season's name.")]


@season.callback()
def _season(context: typer.Context) -> None:
    """Hold a sealed season: its seed is secret until it is revealed, so nobody learns it by heart.

    Example: ludus season start mario-arena/1-1 --name 2026-autumn
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@season.command(context_settings=OPEN_OPTIONS)
def start(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="What is played.")],
    *,
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[--OPTION VALUE]…", help="Options of the benchmark to set."),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What it is called: 2026-autumn.")],
    ends: Annotated[
        datetime | None,
        typer.Option(
            "--ends",
            metavar="DATE",
            formats=["%Y-%m-%d"],
            help="The last day for entries: 2026-12-31.",
            show_default="open",
        ),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes", help="How many each entry plays.", show_default="the benchmark's own"
        ),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Draw a secret seed, keep it here, and publish the commitment to it.

    Example: ludus season start mario-arena/1-1 --name 2026-autumn --ends 2026-12-31
    """
    extra, values = split_options(options or [])
    if extra:
        raise OptionError(f"{extra[0]!r} is one word too many: a season has one benchmark")
    last_day = ends.date() if ends else None
    started = api.start_season(
        benchmark, name, episodes=episodes, ends=last_day, options=values, store=store_url
    )
    with open_store(store_url) as store:
        file = secret_file(started.mark, store)
    if json:
        print_json({**started.to_dict(), "secret_file": str(file)})
        return
    say(f"Season {name} of {started.terms.benchmark} has started.")
    say(f"Publish this commitment: {started.commitment}")
    say(f"Keep this file to yourself, and a copy of it: {file}")
    say(f"Then play the entries: ludus season play {name} AGENT…")


@season.command(context_settings=OPEN_OPTIONS)
def play(
    name: Name,
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT…", help="Names (see 'ludus agents') or file.py:Class."),
    ],
    variant: Variants = None,
    workers: WorkersOption = None,
    on: OnOption = "here",
    trust: TrustOption = False,
    budget: BudgetOption = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play entries on the secret scenarios, and put them on the season's board.

    Agents that are not Ludus's own play in the sandbox. Where there is none they are refused,
    unless you say --trust.

    Example: ludus season play 2026-autumn astar my_agent.py:MyAgent
    """
    specs, options = split_options(agents)
    if options:
        raise OptionError(f"a season has its own options: leave out --{next(iter(options))}")
    result = play_with_progress(
        api.play_season,
        name,
        specs,
        variants=variant or (),
        workers=workers,
        on=on,
        trust=trust,
        budget=budget,
        store=store_url,
    )
    report_result(result, json=json)


@season.command()
def reveal(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Publish the secret in the ledger; from then on nobody can enter, and all can check.

    Example: ludus season reveal 2026-autumn
    """
    with open_store(store_url) as store:
        standing = find_season(name, read_ledger(store))
        if not (yes or standing.over or standing.revealed):
            _confirm(standing)
        revealed = api.reveal_season(name, early=True, store=store)
    if json:
        print_json(revealed.to_dict())
        return
    say(f"Season {name} is revealed. Its secret is {revealed.secret}")
    say(f"It gives the commitment {revealed.commitment}.")
    say("Publish the ledger and the runs: ludus board export, ludus export RUN")


def _confirm(standing: Season) -> None:
    """Ask before a season ends earlier than it was said to."""
    end = f"goes on until {standing.ends}" if standing.ends else "has no last day"
    typer.confirm(
        f"Season {standing.name} {end}. Once it is revealed, nobody can enter. Reveal it?",
        abort=True,
        err=True,
    )


@season.command("open")
def open_ledger(
    ledger: Annotated[
        Path, typer.Argument(metavar="LEDGER.jsonl", help="As 'ludus board export' wrote it.")
    ],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Take in the secrets that a ledger reveals, so that sealed runs here can be verified.

    Example: ludus season open ledger.jsonl
    """
    opened = api.open_seasons(ledger, store=store_url)
    if json:
        print_json([one.to_dict() for one in opened])
        return
    for one in opened:
        say(f"Season {one.name} is open: its secret gives the commitment {one.commitment}.")
    if not opened:
        say(f"{ledger} reveals no season yet.")


@season.command("list")
def list_seasons(store_url: StoreOption = None, json: JsonOption = False) -> None:
    """List the seasons, the newest last.

    Example: ludus season list
    """
    listed = api.seasons(store=store_url)
    if json:
        print_json([one.to_dict() for one in listed])
        return
    rows = [
        [
            one.name,
            f"{one.terms.benchmark}@{one.terms.version}",
            one.state,
            one.started[:10],
            _format_day(one.ends),
            str(one.terms.episodes),
            one.commitment[:12],
        ]
        for one in listed
    ]
    headings = ["season", "benchmark", "state", "started", "ends", "episodes", "commitment"]
    show_table("", headings, rows, left=(0, 1, 2, 3, 4, 6), fold=(1,))
    if not listed:
        say("There are none yet. Try: ludus season start BENCHMARK --name 2026-autumn")


@season.command()
def show(name: Name, store_url: StoreOption = None, json: JsonOption = False) -> None:
    """Show a season's terms, its commitment and, once it is revealed, its secret.

    Example: ludus season show 2026-autumn
    """
    with open_store(store_url) as store:
        standing = find_season(name, read_ledger(store))
    if json:
        print_json(standing.to_dict())
        return
    rows = [[field, _format_value(value)] for field, value in standing.to_dict().items()]
    show_table("", ["what", "value"], rows, left=(0, 1), fold=(1,))
    if standing.revealed:
        say("The secret gives the commitment, so nothing was changed since the start.")
    say(f"Its board: ludus board {standing.terms.benchmark} --season {name}")


def _format_day(day: date | None) -> str:
    return day.isoformat() if day else "open"


def _format_value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one}" for name, one in value.items()) or "–"
    return "–" if value is None else str(value)
