"""Boards made again from public files alone, to see whether they are what they are said to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ludus.benchmarks import find_benchmark
from ludus.boards.board import Board, build_board
from ludus.boards.changes import entries_anew, place_entries
from ludus.boards.formats import board_to_dict
from ludus.boards.ledger import (
    LedgerEvent,
    find_broken_line,
    insert_events,
    read_ledger,
    read_ledger_file,
)
from ludus.boards.seasons import find_season_problems
from ludus.boards.verifying import verify_entry
from ludus.errors import BoardError, LudusError, RunError
from ludus.foreign_files import LINE_VALUES, read_lines
from ludus.json_files import parse_json
from ludus.runs.exchange import import_run
from ludus.runs.store import Run, Store

__all__ = ["RebuiltBoards", "differences", "rebuild"]

REBUILDER = "rebuild"


class RebuiltBoards(NamedTuple):
    """The boards that follow from exported files.

    Attributes:
        boards: The boards, by benchmark and seed.
        problems: All that is not as the files say, one line each.
    """

    boards: list[Board]
    problems: list[str]


def rebuild(files: Sequence[str | Path], *, replay: bool = True) -> RebuiltBoards:
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
    runs, ledgers = _sort_by_kind([Path(file) for file in files])
    if len(ledgers) > 1:
        raise BoardError(f"there are {len(ledgers)} ledgers among the files: give one")
    with TemporaryDirectory() as folder:
        store = Store(str(Path(folder) / "rebuilt.db"))
        try:
            problems = list(_fill(store, runs, read_ledger_file(ledgers[0]) if ledgers else None))
            if replay:
                problems += [line for run in store.runs() for line in _replay_problems(run, store)]
            return RebuiltBoards(list(_boards(read_ledger(store))), problems)
        finally:
            store.close()


def differences(board: Board, published: Mapping[str, Any]) -> list[str]:
    """Return where this board differs from a published one (``ludus board --json``)."""
    ours, theirs = (
        {row["agent"]: row for row in one["rows"]} for one in (board_to_dict(board), published)
    )
    lines = [f"{name} is published, but not in the files" for name in theirs.keys() - ours.keys()]
    lines += [f"{name} is in the files, but not published" for name in ours.keys() - theirs.keys()]
    for name in ours.keys() & theirs.keys():
        for field in ours[name].keys() - {"accepted", "by", "verified", "beside"}:
            published_value, value = theirs[name].get(field), ours[name][field]
            if published_value != value:
                lines.append(
                    f"{name}: {field} is published as {published_value!r}, the files give {value!r}"
                )
    return sorted(lines)


def _sort_by_kind(files: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    runs: list[Path] = []
    ledgers: list[Path] = []
    for file in files:
        try:
            kind = parse_json(next(read_lines(file), "{}"), LINE_VALUES).get("ludus")
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
    imported = sorted((import_run(file, store) for file in runs), key=lambda run: run.created)
    if events is None:
        for run in imported:
            try:
                decisions = place_entries(run, store, by=REBUILDER)
            except LudusError as error:
                yield str(error)
            else:
                yield from (f"{one.agent}: {one.reason}" for one in decisions if one.reason)
        return
    broken = find_broken_line(events)
    if broken:
        yield f"line {broken.number} of the ledger {broken.reason}"
        events = events[: broken.number - 1]
    yield from find_season_problems(events)
    insert_events(store, events)
    for board in _boards(events):
        yield from _entry_problems(board, {run.id: run for run in imported}, store)


def _entry_problems(board: Board, runs: Mapping[str, Run], store: Store) -> Iterator[str]:
    """Hold every entry against the run it names."""
    for row in board.rows:
        entry = row.entry
        if entry.run not in runs:
            yield f"{entry.agent}: run {entry.run} is not among the files"
            continue
        yield from _commitment_problems(board, runs[entry.run])
        anew = entries_anew(runs[entry.run], store).get(entry.agent)
        if anew is None:
            yield f"{entry.agent}: run {entry.run} has no such agent"
            continue
        for field, (value, found) in entry.differs_from(anew).items():
            yield f"{entry.agent}: {field} is {value!r}, its run gives {found!r}"


def _commitment_problems(board: Board, run: Run) -> Iterator[str]:
    """Hold the season that a run was played in against the one that the ledger started."""
    mark = board.season.mark if board.season else None
    if run.plan.season != mark:
        yield f"run {run.id} is of season {run.plan.season}, the ledger has {mark}"


def _replay_problems(run: Run, store: Store) -> Iterator[str]:
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
        first = build_board(benchmark, events)
        if first.rows or not first.elsewhere:
            yield first
        for seed, options, season in first.elsewhere:
            yield build_board(benchmark, events, seed=seed, options=dict(options), season=season)
