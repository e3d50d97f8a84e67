"""``ludus board head``, ``key``, ``check``, ``export``: the ledger behind the boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.api.settings import open_store
from ludus.boards import check_head, export_ledger, parse_head, read_head, read_ledger
from ludus.boards.ledger import LedgerEvent, find_broken_line
from ludus.boards.signing import KEY_VARIABLE, make_key, read_public_key
from ludus.cli.options import JsonOption, StoreOption
from ludus.cli.output import print_json, say
from ludus.errors import BoardError

__all__ = ["HeadOption", "PublicKeyOption", "check", "export", "head", "key"]

DIFFERENT = 1
DIGEST_LENGTH = 64

HeadOption = Annotated[
    str | None,
    typer.Option(
        "--head", metavar="FILE|TEXT", help="The head as it was published, or a file with it."
    ),
]
PublicKeyOption = Annotated[
    str | None,
    typer.Option("--public-key", metavar="FILE|TEXT", help="Whose signature the head must bear."),
]


def head(store_url: StoreOption = None, json: JsonOption = False) -> None:
    """Print the head of the ledger: lines, last digest, time, and the signature if there is a key.

    Whoever keeps it notices when lines at the end are missing, changed or sealed again.

    Example: ludus board head > head.txt
    """
    with open_store(store_url) as store:
        found = read_head(store)
    if json:
        print_json(found.to_dict())
    else:
        say(str(found))


def key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the secret key goes.")],
    json: JsonOption = False,
) -> None:
    """Make a key that signs the heads of ledgers, and print its public part.

    Example: ludus board key organiser.pem
    """
    public = make_key(file)
    if json:
        print_json({"file": str(file), "public_key": public})
        return
    say(public)
    setting = f"{KEY_VARIABLE}={file.absolute()}"
    say(f"Publish this line. To sign with the key: export {setting}", err=True)


def check(
    head: HeadOption = None,
    public_key: PublicKeyOption = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """See whether the ledger is as it was written; exit code 1 if not.

    A head may also be a digest that was the last one once.

    Example: ludus board check --head head.txt
    """
    with open_store(store_url) as store:
        events = read_ledger(store)
    broken = find_broken_line(events)
    problem = f"line {broken.number} {broken.reason}" if broken else ""
    problem = problem or _find_head_problem(events, head, public_key)
    last = events[-1].digest if events else ""
    if json:
        where = broken.number if broken else None
        print_json({"good": not problem, "lines": len(events), "head": last, "broken": where})
    else:
        intact = f"{len(events)} lines, all as they were written. The last digest is {last or '–'}."
        say(problem or intact)
    if problem:
        raise typer.Exit(DIFFERENT)


def _find_head_problem(events: list[LedgerEvent], head: str | None, public_key: str | None) -> str:
    """Return why a ledger is not that of a head, or nothing."""
    if head is None:
        return "" if public_key is None else "a signature is of a head: give --head as well"
    if len(head) == DIGEST_LENGTH and " " not in head and public_key is None:
        found = any(event.digest == head for event in events)
        lost = f"no line has the digest {head}: lines are missing, or it is of another ledger"
        return "" if found else lost
    try:
        key = read_public_key(public_key) if public_key else None
        check_head(events, parse_head(head), key)
    except BoardError as error:
        return str(error)
    return ""


def export(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where it goes.")] = Path(
        "ledger.jsonl"
    ),
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write the ledger to a file; with the exported runs, anyone can rebuild the boards.

    Example: ludus board export --out ledger.jsonl
    """
    with open_store(store_url) as store:
        lines = export_ledger(store, out)
    if json:
        print_json({"file": str(out), "lines": lines})
    else:
        say(f"{lines} lines written: {out}")
