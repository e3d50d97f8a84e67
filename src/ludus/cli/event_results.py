"""``ludus event run``, ``results``, ``reveal``, ``publish``: after the deadline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus import api
from ludus.api.settings import open_store
from ludus.cli.options import (
    JsonOption,
    OnOption,
    StoreOption,
    TrustOption,
    WorkersOption,
    finite,
)
from ludus.cli.output import print_files, print_json, print_view, progress, say
from ludus.cli.play import describe_decision, play_with_progress
from ludus.errors import OptionError
from ludus.events.organising import open_event

__all__ = ["Name", "publish", "results", "reveal", "run"]

PARTS = 2

Name = Annotated[str, typer.Argument(metavar="EVENT", help="The event's name.")]


def run(
    name: Name,
    workers: WorkersOption = None,
    on: OnOption = "here",
    trust: TrustOption = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play all entries on the sealed seed, in the sandbox, after the deadline.

    A run that was stopped or killed goes on where it was.

    Example: ludus event run cup-2026 --workers 8
    """
    result: api.EventResult = play_with_progress(
        api.run_event,
        name,
        live=True,
        go_on=f"ludus event run {name}",
        workers=workers,
        on=on,
        trust=trust,
        store=store_url,
    )
    if json:
        print_json(finite(result.to_dict()))
        return
    print_view(result.view)
    for decision in result.played.decisions:
        say(describe_decision(decision))
    say(f"Kept as run {result.played.id}. Next: ludus event reveal {name}")


def results(
    name: Name,
    levels: Annotated[bool, typer.Option("--levels", help="Level by level.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show the results, in the form of competition papers, or level by level.

    Example: ludus event results cup-2026 --latex
    """
    if sum((csv, latex, json)) > 1:
        raise OptionError("only one of --json, --csv and --latex can be printed")
    result = api.event_results(name, store=store_url)
    shown = result.by_level() if levels else result
    if json:
        print_json(finite(shown.to_dicts() if levels else result.to_dict()))
    elif csv or latex:
        typer.echo(shown.to_csv() if csv else shown.to_latex(), nl=False)
    else:
        print_view(shown.view)
        say(f"Watch an episode: ludus replay {result.played.id} EPISODE --gif film.gif")


def reveal(name: Name, store_url: StoreOption = None, json: JsonOption = False) -> None:
    """Publish the sealed seed in the ledger, once the results stand; then all can check them.

    Example: ludus event reveal cup-2026
    """
    revealed = api.reveal_event(name, store=store_url)
    if json:
        print_json(finite(revealed.to_dict()))
        return
    say(f"Event {name} is revealed. Its secret is {revealed.season.secret}")
    say(f"It gives the commitment {revealed.terms.commitment}.")
    say(f"Next: ludus event publish {name} FOLDER")


def publish(
    name: Name,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder.")],
    films: Annotated[
        int, typer.Option("--films", help="Film the best episode of so many, the best first.")
    ] = 0,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write results, sheets, run, ledger, seed and the entries' sources as plain files.

    Anybody can check them: ludus verify FOLDER

    Example: ludus event publish cup-2026 cup-2026-results --films 3
    """
    with open_store(store_url) as store:
        count = PARTS + len(open_event(name, store).playing) + films
        with progress("writing", count) as advance:
            files = api.publish_event(name, folder, films=films, store=store, on_file=advance)
    print_files(files, json=json, event=name)
    if not json:
        say(f"Anybody can check them: ludus verify {folder}")
