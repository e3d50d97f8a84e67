"""``ludus.trust``: an imported run may load what its file names."""

from __future__ import annotations

from ludus.api.run_result import RunResult
from ludus.api.settings import open_store
from ludus.runs import Store
from ludus.runs.consent import Consent, NamedCode, agree

__all__ = ["trust"]


def trust(
    run: str | RunResult, *, store: str | Store | None = None, consent: Consent | None = None
) -> list[NamedCode]:
    """Agree to the agents, opponents, environments and files that an imported run names.

    Nothing of them is run. From now on the run can be resumed, verified and replayed here.

    Args:
        run: The run's id, its beginning, or a result.
        store: Where the run is; the user's own store if None.
        consent: A function that is shown what the run names and decides; agrees if None.

    Returns:
        What the run names. It is empty if the run was begun here or names nothing.

    Raises:
        RunError: There is no such run, a file is another than the run was played with, or
            ``consent`` returned False.
        AgentError: A file is not there.
    """
    with open_store(store) as database:
        id_ = run.id if isinstance(run, RunResult) else run
        return agree(id_, database, consent) if consent else agree(id_, database)
