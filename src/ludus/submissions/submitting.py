"""Submitting an agent: entered for the event under the account's name, and queued for a worker."""

from __future__ import annotations

from ludus.errors import AccessError, BoardError
from ludus.events import Description, Event, entering
from ludus.events.organising import open_event
from ludus.events.packing import PackedAgent
from ludus.runs.entry_files import digest_files
from ludus.runs.runner import Runner
from ludus.runs.store import Store
from ludus.submissions.accounts import Account, list_accounts
from ludus.submissions.job import Job
from ludus.submissions.queue import add_submission, delete_job, find_job, let_go, list_jobs

__all__ = ["check_may_read", "check_may_submit", "submit"]

MOST_WAITING = 3
"""How many submissions of an account may wait or play at once."""


def submit(
    name: str,
    packed: PackedAgent,
    account: Account,
    store: Store,
    *,
    claim: float,
    description: Description | None = None,
) -> Job:
    """Enter an agent under the name of an account and put it into the queue.

    Who submits again replaces the former entry. Whatever is refused changes nothing.

    Args:
        name: The event's name.
        packed: The agent's files.
        account: Who submits.
        store: Where event and queue are.
        claim: The score on the public seed that the submitter has measured.
        description: What the submitter says about the agent.

    Raises:
        AccessError: The account may not submit to this event.
        BoardError: There is no such event, it takes no entries now, or too much waits already.
        OptionError: Score or description is impossible.
    """
    event = open_event(name, store)
    check_may_submit(account, event, store)
    if len(list_jobs(store, event=name, account=account.id, waiting=True)) >= MOST_WAITING:
        raise BoardError(
            f"{account.name!r} has {MOST_WAITING} submissions waiting for {name!r}, the most: wait "
            "until one has ended"
        )
    number = add_submission(
        name,
        store,
        account=account.id,
        entrant=account.name,
        digest=digest_files(packed.files),
        held=Runner.here(),
    )
    try:
        entering.enter(
            name,
            packed,
            store,
            entrant=account.name,
            claim=claim,
            by=account.name,
            description=description,
            token=account.entry_token(name),
            may_be_first=True,
        )
    except BaseException:
        delete_job(number, store)
        raise
    let_go(number, store)
    return find_job(number, store)


def check_may_submit(account: Account, event: Event, store: Store) -> None:
    """Make sure that an account may submit to an event.

    Raises:
        AccessError: It belongs to the organiser of other events.
    """
    if not account.organiser and account.role == "submitter":
        return
    own = account.organiser or account.id
    organisers = {one.id for one in list_accounts(store) if one.organises(event)}
    if own not in organisers:
        raise AccessError(
            f"the account {account.name!r} is for the events of another organiser, not for "
            f"{event.name!r}"
        )


def check_may_read(account: Account, job: Job, event: Event) -> None:
    """Make sure that an account may read a job and its log: its own, or of its own event.

    Raises:
        AccessError: The job is somebody else's.
    """
    if job.account != account.id and not account.organises(event):
        raise AccessError(f"job {job.number} is not of the account {account.name!r}")
