"""``ludus trust``: the user agrees to the code that an imported run names."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ludus import api
from ludus.cli.options import JsonOption, RunArgument, StoreOption
from ludus.cli.output import print_json, say, show_table

if TYPE_CHECKING:
    from ludus.runs.consent import NamedCode
    from ludus.runs.store import Run

__all__ = ["YesOption", "ask_user", "trust"]

YesOption = Annotated[
    bool, typer.Option("--yes", help="Agree to run the code that an imported file names.")
]


def trust(
    run: RunArgument,
    yes: YesOption = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Look at the code that an imported run names, and agree to run it.

    Example: ludus trust 1a2b3c4d
    """
    code = api.trust(run, store=store_url, consent=None if yes else ask_user)
    if json:
        rows = [{**one._asdict(), "file": str(one.file) if one.file else None} for one in code]
        print_json({"run": run, "trusted": rows})
        return
    if yes and code:
        _show(code)
    say("Agreed." if code else f"Run {run} names nothing that is not Ludus's own.")


def ask_user(run: Run, code: Sequence[NamedCode]) -> bool:
    """Show what an imported run names and ask; without a terminal the answer is no."""
    if not sys.stdin.isatty():
        return False
    _show(code)
    return typer.confirm(f"Run {run.id} was imported. May it load these?", err=True)


def _show(code: Sequence[NamedCode]) -> None:
    from ludus.agents.sandbox import has_sandbox
    from ludus.runs.consent import describe_code

    headings = ["role", "named", "file", "fingerprint"]
    show_table("", headings, describe_code(code), left=(0, 1, 2, 3), fold=(1, 2))
    if not has_sandbox():
        say("This system has no sandbox: what they do, they do with your rights.", err=True)
