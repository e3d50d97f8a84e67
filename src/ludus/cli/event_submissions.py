"""``ludus event submit``, ``jobs`` and ``log``: the queue that workers play from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus import api
from ludus.cli.event_results import Name
from ludus.cli.options import JsonOption, StoreOption, finite
from ludus.cli.output import print_json, say, show_table
from ludus.events import Description
from ludus.submissions import Job

__all__ = ["jobs", "log", "submit"]

AccountToken = Annotated[
    str,
    typer.Option("--token", help="Your account's token.", envvar="LUDUS_ACCOUNT_TOKEN"),
]


def submit(
    name: Name,
    archive: Annotated[
        Path, typer.Argument(metavar="ARCHIVE", help="Your agent's folder: .zip, .tar or .tar.gz.")
    ],
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help="file.py:Class or brain.npz in the archive.")
    ],
    *,
    score: Annotated[
        float, typer.Option("--score", help="On the public seed, as 'ludus check' prints it.")
    ],
    token: AccountToken,
    approach: Annotated[str, typer.Option("--approach", help="The technique: A*, rules.")] = "",
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Submit an agent under your account's name; workers check and play it.

    Example: ludus event submit cup-2026 mine.zip agent.py:Agent --score 2311.4 --token TOKEN
    """
    job = api.submit_agent(
        name,
        archive,
        agent,
        token=token,
        score=score,
        description=Description(approach),
        store=store_url,
    )
    if json:
        print_json(finite(job.to_dict()))
    else:
        say(f"{job.entrant} has submitted to {name}: job {job.number}, {job.state}.")
        say(f"Look at it: ludus event log {job.number}")


def jobs(name: Name, store_url: StoreOption = None, json: JsonOption = False) -> None:
    """List what was submitted to an event, and how far it has come.

    Example: ludus event jobs cup-2026
    """
    listed = api.list_submissions(name, store=store_url)
    if json:
        print_json([finite(job.to_dict()) for job in listed])
        return
    rows = [[str(job.number), job.entrant or "–", _state(job), job.verdict] for job in listed]
    show_table("", ["job", "entrant", "state", "verdict"], rows, left=(1, 2, 3), fold=(1, 3))
    if not listed:
        say(f"Nothing was submitted yet: ludus event submit {name} ARCHIVE AGENT --score X")


def log(
    number: Annotated[int, typer.Argument(metavar="JOB", help="The number of a job.")],
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Show what happened to a submission, and what its agent has printed in the check.

    Example: ludus event log 1
    """
    job = api.find_submission(number, store=store_url)
    if json:
        print_json(finite(job.to_dict()))
        return
    for line in job.log.splitlines():
        say(line)


def _state(job: Job) -> str:
    progress = f" {job.played}/{job.planned}" if job.planned and job.state == "running" else ""
    return f"{job.state}{progress}"
