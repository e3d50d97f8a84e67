"""Files of runs, each read, played again and scored by itself, so that all cores can share them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ludus.boards.entry import BoardEntry, check_acceptable, make_entries
from ludus.boards.ledger import LedgerEvent, insert_events
from ludus.errors import AgentError, LudusError, RunError
from ludus.runs.consent import agree_to_scenarios
from ludus.runs.exchange import import_run
from ludus.runs.sealed import is_public
from ludus.runs.store import Run, Store
from ludus.runs.verify import Verification, verify

__all__ = ["RunFile", "prepare_reading"]


class RunFile(NamedTuple):
    """What came of a run's file.

    Attributes:
        run: The run.
        entries: The board entries that it gives, best first.
        problem: Why it gives none, or may not be on a board.
        verification: The outcome of playing it again; None if that was not asked for.
        unplayed: Why it cannot be played again here.
    """

    run: Run
    entries: tuple[BoardEntry, ...] = ()
    problem: str = ""
    verification: Verification | None = None
    unplayed: str = ""


def prepare_reading(
    seasons: Sequence[LedgerEvent], replay: bool, trust: bool = False
) -> Callable[[Path], RunFile]:
    """Return what reads a run's file.

    Args:
        seasons: The lines of a ledger on seasons: runs of those that were revealed can be played.
        replay: Whether to play every episode again.
        trust: Whether to load the environments and files that a run names; they play confined.
    """
    store = Store("sqlite://")
    insert_events(store, seasons)

    def read(path: Path) -> RunFile:
        run = import_run(path, store)
        try:
            file = _score(replace(run), store)
            return _replay(file, store, trust) if replay else file
        finally:
            store.delete(run.id)

    return read


def _score(run: Run, store: Store) -> RunFile:
    try:
        entries = tuple(make_entries(run, store.episodes(run.id)))
    except LudusError as error:
        return RunFile(run, problem=str(error))
    try:
        check_acceptable(run.plan)
    except LudusError as error:
        return RunFile(run, entries, str(error))
    return RunFile(run, entries)


def _replay(file: RunFile, store: Store, trust: bool) -> RunFile:
    if not is_public(file.run, store):
        return file  # nobody but the organiser can, before the reveal
    try:
        if trust:
            agree_to_scenarios(file.run, store)
        outcome = verify(file.run.id, store=store, workers=1, advice="say --trust")
    except (RunError, AgentError) as error:
        return file._replace(unplayed=str(error))
    return file._replace(verification=outcome)
