"""``ludus event``: a competition, from the call to the published results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus import api
from ludus.api.settings import open_store
from ludus.benchmarks import find_benchmark
from ludus.cli import event_results, event_submissions
from ludus.cli.commands import OPEN_OPTIONS
from ludus.cli.event_results import Name
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import (
    JsonOption,
    OnOption,
    StoreOption,
    TrustOption,
    WorkersOption,
    finite,
    seed_option,
    split_options,
)
from ludus.cli.output import check_target, print_files, print_json, say, show_table
from ludus.cli.play import play_with_progress
from ludus.errors import OptionError
from ludus.events import Description, Event, EventEntry
from ludus.events.organising import open_event
from ludus.events.terms import MOST_RULES, format_time, read_time
from ludus.foreign_files import UnreadableFile, read_text, reason_of
from ludus.limits import MEBIBYTE, Limits
from ludus.runs.sealed import secret_file

__all__ = ["event"]

event = typer.Typer(cls=PlainGroup, invoke_without_command=True)

NOT_CONFIRMED = 1
TOKEN = "LUDUS_ENTRY_TOKEN"  # noqa: S105  # the name of a variable

Token = Annotated[
    str | None,
    typer.Option("--token", help="The token of your former entry.", envvar=TOKEN, show_default=""),
]


@event.callback()
def _event(context: typer.Context) -> None:
    """Hold a competition: a call, entries, a run on a sealed seed, results that anybody checks.

    Example: ludus event create platformer/sprint --name cup-2026 --deadline 2126-12-31
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@event.command(context_settings=OPEN_OPTIONS)
def create(
    track: Annotated[str, typer.Argument(metavar="TRACK", help="A benchmark: what is played.")],
    *,
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[--OPTION VALUE]…", help="Options of the benchmark to set."),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What it is called: cup-2026.")],
    deadline: Annotated[
        str,
        typer.Option("--deadline", metavar="TIME", help="2026-12-31 or 2026-12-31T12:00, in UTC."),
    ],
    opens: Annotated[
        str | None,
        typer.Option("--opens", metavar="TIME", help="From when on.", show_default="now"),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE", help="Further rules, a text.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="WHAT=AMOUNT",
            help="What an agent may use: seconds=60, memory=256MiB; can be given again.",
            show_default="the benchmark's own",
        ),
    ] = None,
    public_seed: Annotated[
        int, seed_option("On which entrants measure themselves.", "--public-seed")
    ] = 0,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes", help="How many each entry plays.", show_default="the benchmark's own"
        ),
    ] = None,
    organiser: Annotated[
        str | None,
        typer.Option("--organiser", help="Whose event it is: an account.", show_default="you"),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Create an event: draw a sealed seed, keep it here, and publish terms and commitment.

    Example: ludus event create platformer/sprint --name cup-2026 --deadline 2126-12-31
    """
    extra, values = split_options(options or [])
    if extra:
        raise OptionError(f"{extra[0]!r} is one word too many: an event has one track")
    created = api.create_event(
        track,
        name,
        deadline=read_time(deadline),
        opens=read_time(opens) if opens else None,
        rules=_read_rules(rules),
        limits=_read_limits(find_benchmark(track).limits, limit or []),
        public_seed=public_seed,
        episodes=episodes,
        options=values,
        organiser=organiser,
        store=store_url,
    )
    with open_store(store_url) as store:
        secret = secret_file(created.season.mark, store)
    if json:
        print_json({**created.to_dict(), "secret_file": str(secret)})
        return
    say(f"Event {name} on {created.terms.benchmark} takes entries until {_until(created)}.")
    say(f"Publish this commitment: {created.terms.commitment}")
    say(f"Keep this file to yourself, and a copy of it: {secret}")
    say(f"For entrants: ludus event show {name} --out {name}.json")


def _read_rules(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return read_text(path, 4 * MOST_RULES)
    except OSError as error:
        raise OptionError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except UnreadableFile as error:
        raise OptionError(f"{path} {error}") from error


def _read_limits(usual: Limits, words: Sequence[str]) -> Limits:
    """Return a benchmark's limits with those that words set otherwise."""
    kinds = {one.name: type(getattr(usual, one.name)) for one in fields(Limits)}
    values: dict[str, Any] = {}
    for word in words:
        name, _, amount = word.partition("=")
        if name not in kinds:
            raise OptionError(f"no limit {name[:40]!r}; there are {', '.join(kinds)}")
        values[name] = _read_amount(name, amount, kinds[name])
    return replace(usual, **values)


def _read_amount(name: str, text: str, kind: type) -> Any:
    try:
        if kind is bool:
            return {"yes": True, "no": False}[text]
        if text.endswith("MiB"):
            return int(text.removesuffix("MiB")) * MEBIBYTE
        return kind(text.replace("_", "")) if kind is not str else text
    except (ValueError, KeyError):
        raise OptionError(f"limit {name}={text[:40]} is no amount: try 60, 256MiB or no") from None


def _until(created: Event) -> str:
    return f"{format_time(created.end)[:16].replace('T', ' ')} UTC"


@event.command()
def show(
    name: Name,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.json", help="Write its file, for entrants."),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show an event: its terms, its commitment, its entries.

    Example: ludus event show cup-2026 --out cup-2026.json
    """
    with open_store(store_url) as store:
        found = open_event(name, store)
        state = found.state(store.now())
    if out:
        _write_event(found, out)
        print_files([out], json=json, event=name)
        return
    if json:
        print_json(finite({**found.to_dict(), "state": state}))
        return
    terms = found.terms
    rows = [
        ["state", state],
        ["track", f"{terms.benchmark}@{terms.version}"],
        ["episodes", str(terms.episodes)],
        ["opens", format_time(terms.opens)],
        ["deadline", format_time(terms.deadline)],
        ["closed early", format_time(found.closed) if found.closed else "–"],
        ["public seed", str(terms.public_seed)],
        ["options", ", ".join(f"{k}={v}" for k, v in terms.options.items()) or "–"],
        *([f"limit: {what}", amount] for what, amount in terms.limits.describe()),
        ["commitment", terms.commitment],
        ["secret", found.season.secret or "sealed"],
        ["terms", terms.digest],
        ["run", found.run or "–"],
    ]
    show_table(name, ["what", "value"], rows, left=(0, 1), fold=(1,))
    if terms.rules:
        say(terms.rules)
    _show_entries(found, list(found.entries.values()))


def _write_event(found: Event, out: Path) -> None:
    check_target(out, [".json"])
    text = dumps(found.to_dict(), indent=2)
    try:
        out.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {str(out)!r}: {reason_of(error)}") from error


def _show_entries(found: Event, entries: Sequence[EventEntry]) -> None:
    digits = found.terms.find_benchmark().digits
    rows = [
        [
            entry.entrant,
            entry.description.approach,
            f"{entry.claim:,.{digits}f}",
            f"{entry.check.measured:,.{digits}f}" if entry.check else "–",
            "withdrawn" if entry.withdrawn else entry.check.verdict if entry.check else "–",
            format_time(entry.at)[:16].replace("T", " "),
            str(entry.number),
            entry.digest[:12],
        ]
        for entry in entries
    ]
    names = ["entrant", "approach", "claims", "measured", "verdict", "entered", "times", "digest"]
    show_table("", names, rows, left=(0, 1, 4, 5, 7), fold=(0, 1), keep=5)
    if not entries:
        say(f"Nobody has entered yet: ludus event enter {found.name} AGENT --as YOU --score X")


@event.command("list")
def list_events(store_url: StoreOption = None, json: JsonOption = False) -> None:
    """List the events, the newest last.

    Example: ludus event list
    """
    with open_store(store_url) as store:
        listed, now = api.list_events(store=store), store.now()
    if json:
        print_json([finite({**one.to_dict(), "state": one.state(now)}) for one in listed])
        return
    rows = [
        [one.name, one.terms.benchmark, one.state(now), _until(one), str(len(one.playing))]
        for one in listed
    ]
    show_table("", ["event", "track", "state", "until", "entries"], rows, left=(0, 1, 2), fold=(1,))
    if not listed:
        say("There are none yet. Try: ludus event create TRACK --name NAME --deadline DAY")


@event.command()
def enter(
    name: Name,
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="file.py:Class, brain.npz, entry.zip/file.py:Class, or an agent of Ludus.",
        ),
    ],
    *,
    entrant: Annotated[str, typer.Option("--as", metavar="NAME", help="Who enters.")],
    score: Annotated[
        float, typer.Option("--score", help="On the public seed, as 'ludus check' prints it.")
    ],
    folder: Annotated[
        bool, typer.Option("--folder", help="Enter all that lies in the file's folder, too.")
    ] = False,
    approach: Annotated[str, typer.Option("--approach", help="The technique: A*, rules.")] = "",
    author: Annotated[str, typer.Option("--author", help="Who wrote it.")] = "",
    affiliation: Annotated[str, typer.Option("--affiliation", help="Where they work.")] = "",
    licence: Annotated[
        str, typer.Option("--licence", help="Of its source, which is published in the end.")
    ] = "",
    method: Annotated[str, typer.Option("--method", help="How it works, in sentences.")] = "",
    token: Token = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Enter an agent; its files are copied. Entering again with the token replaces it.

    Example: ludus event enter cup-2026 my_agent.py:MyAgent --as Robin --score 2311.4
    """
    description = Description(approach, author, affiliation, licence, method)
    receipt = api.enter_event(
        name,
        agent,
        entrant=entrant,
        score=score,
        folder=folder,
        description=description,
        token=token,
        store=store_url,
    )
    entry = receipt.entry
    if json:
        print_json({**entry.to_dict(), "event": name, "token": receipt.token})
        return
    files = f"{entry.files} files, {entry.size:,} bytes" if entry.files else "an agent of Ludus"
    say(f"{entry.entrant} has entered {name}: {files}, digest {entry.digest[:12]}.")
    if entry.number > 1:
        say(f"It replaces your former entry; this is number {entry.number}.")
    else:
        say(f"Your entry token, shown only now: {receipt.token}")
        say("It takes the token to replace or withdraw the entry.")


@event.command()
def withdraw(
    name: Name,
    entrant: Annotated[str, typer.Argument(metavar="ENTRANT", help="Whose entry.")],
    token: Annotated[str, typer.Option("--token", help="Its token.", envvar=TOKEN)],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Withdraw an entry, with its token; it does not play.

    Example: ludus event withdraw cup-2026 Robin --token TOKEN
    """
    changed = api.withdraw_entry(name, entrant, token=token, store=store_url)
    entry = changed.find_entry(entrant)
    if json:
        print_json(entry.to_dict())
    else:
        say(f"{entry.entrant} has withdrawn from {name}.")


@event.command("verify-claims")
def verify_claims(
    name: Name,
    again: Annotated[bool, typer.Option("--again", help="Also those measured before.")] = False,
    workers: WorkersOption = None,
    on: OnOption = "here",
    trust: TrustOption = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play entries on the public seed, in the sandbox, and compare with what they claim.

    Ends with exit code 1 if a claim is not confirmed.

    Example: ludus event verify-claims cup-2026
    """
    outcome = play_with_progress(
        api.check_claims,
        name,
        go_on=f"ludus event verify-claims {name}",
        again=again,
        workers=workers,
        on=on,
        trust=trust,
        store=store_url,
    )
    checked: list[EventEntry] = outcome.checked
    if json:
        print_json([entry.to_dict() for entry in checked])
    elif checked:
        _show_entries(outcome.event, checked)
        for entry in checked:
            if entry.check and entry.check.reason:
                say(f"{entry.entrant}: {entry.check.reason}")
    else:
        say("There is nothing to measure: all that was entered has been.")
    if any(entry.check and entry.check.verdict != "confirmed" for entry in checked):
        raise typer.Exit(NOT_CONFIRMED)


@event.command()
def close(
    name: Name,
    why: Annotated[str, typer.Option("--why", help="Why; it is published.")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """End the time of entries before the deadline, for all to see.

    Example: ludus event close cup-2026 --why "the lesson is over"
    """
    if not yes:
        typer.confirm(f"Nobody can enter {name} afterwards. Close it?", abort=True, err=True)
    closed = api.close_event(name, why=why, store=store_url)
    if json:
        print_json(finite(closed.to_dict()))
    else:
        say(f"Event {name} takes no more entries. Next: ludus event run {name}")


for command in (
    event_results.run,
    event_results.results,
    event_results.reveal,
    event_results.publish,
    event_submissions.submit,
    event_submissions.jobs,
    event_submissions.log,
):
    event.command()(command)
