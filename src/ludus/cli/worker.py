"""``ludus worker``: plays what was submitted to events, in the sandbox."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus import api
from ludus.cli.options import JsonOption, OnOption, StoreOption, WorkersOption, finite
from ludus.cli.output import print_json, say
from ludus.submissions import Job

__all__ = ["worker"]


def worker(
    once: Annotated[bool, typer.Option("--once", help="End when nothing waits any more.")] = False,
    workers: WorkersOption = None,
    on: OnOption = "here",
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Play what was submitted to events, in the sandbox; several workers may share a store.

    Example: ludus worker --once
    """
    if not once:
        say("Waiting for submissions; end it with Ctrl-C.", err=True)
    ended = api.work(once=once, workers=workers, on=on, store=store_url, on_job=_print_job)
    if json:
        print_json([finite(job.to_dict()) for job in ended])
    elif not ended:
        say("Nothing waits: all that was submitted has been played.")


def _print_job(job: Job) -> None:
    who = job.entrant or "all entries"
    words = f": {job.verdict}" if job.verdict else ""
    say(f"job {job.number}, {who} for {job.event}: {job.state}{words}", err=True)
