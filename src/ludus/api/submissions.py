"""``ludus.submit_agent`` and its kin: accounts, and what they submit to events."""

from __future__ import annotations

from pathlib import Path

from ludus import submissions
from ludus.api.settings import open_store
from ludus.errors import AccessError, AgentError
from ludus.events import Description
from ludus.events.organising import open_event
from ludus.events.packing import pack_archive
from ludus.foreign_files import ENTRY_BYTES, UnreadableFile, read_bytes, reason_of
from ludus.runs import Store
from ludus.submissions import Account, Credentials, Job

__all__ = [
    "add_account",
    "find_submission",
    "list_accounts",
    "list_submissions",
    "replace_token",
    "revoke_account",
    "submit_agent",
]


def add_account(
    name: str,
    role: str = "submitter",
    *,
    organiser: str | None = None,
    store: str | Store | None = None,
) -> Credentials:
    """Add an account for an organiser or a submitter.

    Args:
        name: Its name; result tables call a submitter so.
        role: ``organiser`` or ``submitter``.
        organiser: To whose events a submitter may submit; all events of the store if None.
        store: Where accounts are; the user's own store if None.

    Returns:
        The account and its token, which is shown once.

    Raises:
        OptionError: Name or role is impossible.
        BoardError: The name is taken, or there is no such organiser.

    Example:
        >>> import ludus
        >>> ludus.add_account("Robin", store="sqlite://").account.name
        'Robin'
    """
    with open_store(store) as database:
        return submissions.add_account(name, role, database, organiser=organiser or "")


def list_accounts(*, store: str | Store | None = None) -> list[Account]:
    """Return all accounts, in the order of their names.

    Args:
        store: Where they are; the user's own store if None.
    """
    with open_store(store) as database:
        return submissions.list_accounts(database)


def revoke_account(name: str, *, store: str | Store | None = None) -> Account:
    """Make an account's token worth nothing; what it has submitted stays.

    Args:
        name: The account's name.
        store: Where accounts are; the user's own store if None.

    Raises:
        BoardError: There is no such account.
    """
    with open_store(store) as database:
        return submissions.revoke_account(name, database)


def replace_token(
    name: str, *, token: str | None = None, store: str | Store | None = None
) -> Credentials:
    """Give an account a new token in the place of one that was lost, or after it was revoked.

    Args:
        name: The account's name.
        token: The token of the organiser who asks; None for whoever may write to the store.
        store: Where accounts are; the user's own store if None.

    Raises:
        AccessError: The organiser has not added this account.
        BoardError: There is no such account.
    """
    with open_store(store) as database:
        if token is not None:
            asking = submissions.authenticate(token, database)
            if submissions.find_account(name, database).organiser != asking.id:
                raise AccessError(f"{name[:60]!r} is no submitter of {asking.name!r}")
        return submissions.replace_token(name, database)


def submit_agent(
    event: str,
    archive: bytes | str | Path,
    agent: str,
    *,
    token: str,
    score: float,
    description: Description | None = None,
    store: str | Store | None = None,
) -> Job:
    """Submit an agent to an event; workers check and play it. Submitting again replaces it.

    Args:
        event: The event's name.
        archive: A zip or tar archive with the agent's folder: its bytes, or its file.
        agent: ``file.py:Class`` or ``brain.npz``, by its path in the archive.
        token: The token of the account that submits.
        score: What the agent has on the public seed, as :func:`check` measured it.
        description: Approach, author, affiliation, licence and method.
        store: Where the event is; the user's own store if None.

    Returns:
        The job that workers play.

    Raises:
        AccessError: The token is not valid, or not for this event.
        AgentError: The archive is larger than the limits, or means harm.
        BoardError: There is no such event, it takes no entries now, or too much waits already.
        OptionError: Score or description is impossible.
    """
    with open_store(store) as database:
        account = submissions.authenticate(token, database)
        submissions.check_may_submit(account, open_event(event, database), database)
        packed = pack_archive(agent, _read(archive))
        return submissions.submit(
            event, packed, account, database, claim=score, description=description
        )


def _read(archive: bytes | str | Path) -> bytes:
    if isinstance(archive, bytes):
        return archive
    try:
        return read_bytes(Path(archive), ENTRY_BYTES)
    except OSError as error:
        raise AgentError(f"cannot read {str(archive)!r}: {reason_of(error)}") from error
    except UnreadableFile as error:
        raise AgentError(f"{str(archive)!r} {error}") from error


def list_submissions(
    event: str | None = None, *, token: str | None = None, store: str | Store | None = None
) -> list[Job]:
    """Return what workers have played and will play, the oldest first.

    Args:
        event: Of which event; of all if None.
        token: Whose: an organiser gets all of an own event, anybody else their own; None for
            whoever may read the store, who gets all.
        store: Where the queue is; the user's own store if None.

    Raises:
        AccessError: The token is not valid.
        BoardError: There is no such event.
    """
    with open_store(store) as database:
        found = open_event(event, database) if event is not None else None
        if token is None:
            return submissions.list_jobs(database, event=event)
        account = submissions.authenticate(token, database)
        all_of_it = found is not None and account.organises(found)
        return submissions.list_jobs(
            database, event=event, account=None if all_of_it else account.id
        )


def find_submission(
    number: int, *, token: str | None = None, store: str | Store | None = None
) -> Job:
    """Return a job with its log.

    Args:
        number: Its number.
        token: Who asks: the account that submitted it, or the event's organiser; None for whoever
            may read the store.
        store: Where the queue is; the user's own store if None.

    Raises:
        AccessError: The token is not valid, or the job is somebody else's.
        RunError: There is no such job.
    """
    with open_store(store) as database:
        account = submissions.authenticate(token, database) if token is not None else None
        job = submissions.find_job(number, database)
        if account is not None:
            submissions.check_may_read(account, job, open_event(job.event, database))
        return job
