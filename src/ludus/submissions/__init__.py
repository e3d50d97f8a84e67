"""Submissions to events: accounts, and a queue in the store from which workers play.

The store is all there is: no broker, and no service but the workers.
"""

from __future__ import annotations

from ludus.submissions.accounts import (
    Account,
    Credentials,
    Role,
    add_account,
    authenticate,
    find_account,
    list_accounts,
    replace_token,
    revoke_account,
)
from ludus.submissions.job import Job, JobKind, State
from ludus.submissions.queue import JobQueue, find_job, list_jobs
from ludus.submissions.submitting import check_may_read, check_may_submit, submit

__all__ = [
    "Account",
    "Credentials",
    "Job",
    "JobKind",
    "JobQueue",
    "Role",
    "State",
    "add_account",
    "authenticate",
    "check_may_read",
    "check_may_submit",
    "find_account",
    "find_job",
    "list_accounts",
    "list_jobs",
    "replace_token",
    "revoke_account",
    "submit",
]
