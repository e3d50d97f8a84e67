"""Boards made again from public files alone, to see whether they are what they are said to be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ludus.benchmarks import find_benchmark
from ludus.boards.board import Board, accept, arrange, verify_entry
from ludus.boards.entry import entries
from ludus.boards.formats import plain
from ludus.boards.ledger import LedgerEvent, first_broken, ledger, read_ledger, write
from ludus.errors import BoardError, LudusError, RunError
from ludus.runs.exchange import import_run
from ludus.runs.store import Run, Store

__all__ = ["Rebuilt", "differences", "rebuild"]

REBUILDER = "rebuild"


class Rebuilt(NamedTuple):
    """What the files come to.

    Attributes:
        boards: The boards, by benchmark and seed.
        problems: All that is not as the files say, one line each.
    """

    boards: list[Board]
    problems: list[str]


def rebuild(files: Sequence[str | Path], *, replay: bool = True) -> Rebuilt:
    """Make boards from exported runs and, if it is among the files, the exported ledger.

    With a ledger, the boards are what its lines say, and every entry is held against its run.
    Without one, every run counts as accepted.

    Args:
        files: Runs as ``ludus export`` writes them, and at most one ledger.
        replay: Whether to play every episode again as well.

    Raises:
        BoardError: A file cannot be read, or there are several ledgers.
        RunError: A file of a run is damaged; the message names the line.
    """
    runs, ledgers = _sorted_by_kind([Path(file) for file in files])
    if len(ledgers) > 1:
        raise BoardError(f"there are {len(ledgers)} ledgers among the files: give one")
    with TemporaryDirectory() as folder:
        store = Store(str(Path(folder) / "rebuilt.db"))
        try:
            problems = list(_fill(store, runs, read_ledger(ledgers[0]) if ledgers else None))
            if replay:
                problems += [line for run in store.runs() for line in _replayed(run, store)]
            return Rebuilt(list(_boards(ledger(store))), problems)
        finally:
            store.close()


def differences(board: Board, published: Mapping[str, Any]) -> list[str]:
    """Return where a published board, as ``ludus board --json`` prints it, is not this one."""
    ours, theirs = ({row["agent"]: row for row in one["rows"]} for one in (plain(board), published))
    found = [f"{name} is published, but not in the files" for name in theirs.keys() - ours.keys()]
    found += [f"{name} is in the files, but not published" for name in ours.keys() - theirs.keys()]
    for name in ours.keys() & theirs.keys():
        for field in ours[name].keys() - {"accepted", "by", "verified"}:
            said, is_so = theirs[name].get(field), ours[name][field]
            if said != is_so:
                found.append(f"{name}: {field} is published as {said!r}, the files give {is_so!r}")
    return sorted(found)


def _sorted_by_kind(files: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    runs: list[Path] = []
    ledgers: list[Path] = []
    for file in files:
        try:
            with file.open(encoding="utf-8") as lines:
                kind = json.loads(next(lines, "{}")).get("ludus")
        except (OSError, ValueError, AttributeError) as error:
            raise BoardError(f"{str(file)!r} is neither a run nor a ledger: {error}") from error
        if kind not in ("run", "ledger"):
            raise BoardError(f"{str(file)!r} is neither a run nor a ledger: export one as jsonl")
        (ledgers if kind == "ledger" else runs).append(file)
    return runs, ledgers


def _fill(
    store: Store, runs: Sequence[Path], events: Sequence[LedgerEvent] | None
) -> Iterator[str]:
    """Bring files into an empty store and yield what is wrong with them."""
    kept = sorted((import_run(file, store) for file in runs), key=lambda run: run.created)
    if events is None:
        for run in kept:
            try:
                accept(run.id, store, by=REBUILDER)
            except LudusError as error:
                yield str(error)
        return
    broken = first_broken(events)
    if broken:
        yield f"line {broken.number} of the ledger {broken.reason}"
        events = events[: broken.number - 1]
    write(store, events)
    for board in _boards(events):
        yield from _entries_are_true(board, {run.id: run for run in kept}, store)


def _entries_are_true(board: Board, runs: Mapping[str, Run], store: Store) -> Iterator[str]:
    """Hold every entry against the run it names."""
    for row in board.rows:
        entry = row.entry
        if entry.run not in runs:
            yield f"{entry.agent}: run {entry.run} is not among the files"
            continue
        now = {one.agent: one for one in entries(runs[entry.run], store.episodes(entry.run))}
        found = now[entry.agent].proof() if entry.agent in now else {}
        for field, said in entry.proof().items():
            if said != found.get(field):
                yield f"{entry.agent}: {field} is {said!r}, its run gives {found.get(field)!r}"


def _replayed(run: Run, store: Store) -> Iterator[str]:
    try:
        outcome = verify_entry(run.id, store, by=REBUILDER)
    except RunError as error:
        yield f"run {run.id} cannot be played again here: {error}"
        return
    for difference in outcome.differences:
        yield f"run {run.id}, {difference}"


def _boards(events: Sequence[LedgerEvent]) -> Iterator[Board]:
    """Yield every board that the lines speak of."""
    for name in sorted({f"{event.benchmark}@{event.version}" for event in events}):
        benchmark = find_benchmark(name)
        first = arrange(benchmark, events)
        yield first
        for seed, options in first.elsewhere:
            yield arrange(benchmark, events, seed=seed, options=dict(options))
