"""Boards made again from public files alone, to see whether they are what they are said to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks import benchmarks, find_benchmark
from ludus.benchmarks.registry import is_installed
from ludus.boards.board import Board, build_board
from ludus.boards.changes import Placing, draft
from ludus.boards.current import current_entries
from ludus.boards.formats import board_to_dict
from ludus.boards.head import LedgerHead, check_head
from ludus.boards.ledger import (
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    append_events,
    find_broken_line,
    insert_events,
    read_ledger,
)
from ludus.boards.ledger_files import read_exported_ledger
from ludus.boards.run_files import RunFile, prepare_reading
from ludus.boards.seasons import find_season_problems
from ludus.errors import BoardError
from ludus.foreign_files import LINE_VALUES, read_lines
from ludus.json_files import parse_json
from ludus.parallel import count_cores, map_sharing
from ludus.runs.proof import Proof
from ludus.runs.store import Run, Store

__all__ = ["RebuiltBoards", "differences", "find_entry_problems", "rebuild"]

REBUILDER = "rebuild"


class RebuiltBoards(NamedTuple):
    """The boards that follow from exported files.

    Attributes:
        boards: The boards, by benchmark and seed.
        problems: All that is not as the files say, one line each.
    """

    boards: list[Board]
    problems: list[str]

    @property
    def sealed(self) -> dict[str, int]:
        """How many entries cannot be checked before their season is revealed, by season."""
        return {
            board.season.name: len(board.rows)
            for board in self.boards
            if board.season and not board.season.revealed and board.rows
        }


def rebuild(
    files: Sequence[str | Path],
    *,
    replay: bool = True,
    trust: bool = False,
    workers: int | None = None,
    on_file: Callable[[], None] | None = None,
    head: LedgerHead | None = None,
    public_key: str | None = None,
) -> RebuiltBoards:
    """Make boards from exported runs and, if it is among the files, the exported ledger.

    With a ledger, the boards are what its lines say, and every entry is held against its run.
    Without one, every run counts as accepted.

    Args:
        files: Runs as ``ludus export`` writes them, and at most one ledger.
        replay: Whether to play every episode again as well.
        trust: Whether to load the environments and files that runs name; they play confined.
        workers: How many processes read the files; one for each core if None.
        on_file: Called after each run's file.
        head: The head that the ledger must have, or have grown from; only the one that the ledger
            brings itself if None.
        public_key: Whose signature the head must bear; nobody's in particular if None.

    Raises:
        BoardError: A file cannot be read, there are several ledgers, or the ledger is not that of
            the head.
        MissingExtra: The package that checks signatures is not installed.
        RunError: A file of a run is damaged; the message names the line.
    """
    runs, ledgers = _sort_by_kind([Path(file) for file in files])
    if len(ledgers) > 1:
        raise BoardError(f"there are {len(ledgers)} ledgers among the files: give one")
    events = _read_checked(ledgers, head, public_key)
    seasons = [event for event in events or () if event.of_season]
    cores = count_cores(workers) if all(map(is_installed, benchmarks().values())) else 1
    read: list[RunFile] = []
    for file in map_sharing(prepare_reading, [seasons, replay, trust], runs, cores):
        read.append(file)
        if on_file:
            on_file()
    store = Store("sqlite://")
    try:
        problems = list(_find_problems(store, read, events))
        return RebuiltBoards(list(_boards(read_ledger(store))), problems)
    finally:
        store.close()


def _read_checked(
    ledgers: Sequence[Path], head: LedgerHead | None, public_key: str | None
) -> list[LedgerEvent] | None:
    """Return the lines of the ledger, if there is one, having held them against its heads."""
    if not ledgers:
        if head or public_key:
            raise BoardError("a head is of a ledger, and none is among the files: give it as well")
        return None
    events, exported = read_exported_ledger(ledgers[0])
    if public_key and not head and not exported:
        raise BoardError(f"{str(ledgers[0])!r} has no head that could be signed: give --head")
    if head:
        check_head(events, head, public_key)
    asked = public_key is not None and head is None
    if exported and (asked or find_broken_line(events) is None):  # else that line is named
        check_head(events, exported, public_key if asked else None)
    return events


def differences(board: Board, published: Mapping[str, Any]) -> list[str]:
    """Return where this board differs from a published one (``ludus board --json``)."""
    ours, theirs = (
        {row["agent"]: row for row in one["rows"]} for one in (board_to_dict(board), published)
    )
    lines = [f"{name} is published, but not in the files" for name in theirs.keys() - ours.keys()]
    lines += [f"{name} is in the files, but not published" for name in ours.keys() - theirs.keys()]
    for name in ours.keys() & theirs.keys():
        for field in ours[name].keys() - {"accepted", "by", "verified", "beside", "rerun_episodes"}:
            published_value, value = theirs[name].get(field), ours[name][field]
            if field == "proof" and (published_value, value) != (Proof.RERUN, Proof.REPLAYED):
                continue  # files prove no more than a replay can
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


def _find_problems(
    store: Store, files: Sequence[RunFile], events: Sequence[LedgerEvent] | None
) -> Iterator[str]:
    """Fill the ledger of an empty store and yield what is wrong with the files."""
    by_id: dict[str, RunFile] = {}
    for file in sorted(files, key=lambda file: file.run.created):
        if by_id.setdefault(file.run.id, file) != file:
            yield f"two files hold different runs of the id {file.run.id}: the first counts"
    if events is None:
        yield from _accept_runs(store, by_id.values())
    else:
        yield from _take_ledger(store, by_id, events)
    yield from _replay_problems(by_id.values())
    append_events(store, lambda lines: _draft_verified(lines, by_id))


def _accept_runs(store: Store, files: Iterable[RunFile]) -> Iterator[str]:
    """Accept every run and yield why a board does not take it."""
    placings: dict[str, Placing] = {}
    for file in files:
        problem = file.problem or _find_season(file.run)
        if problem:
            yield problem
            continue
        benchmark = find_benchmark(file.run.benchmark)
        placing = placings.setdefault(benchmark.rule, Placing(benchmark, {}, REBUILDER))
        decisions = [placing.place(entry) for entry in file.entries]
        yield from (f"{one.agent}: {one.reason}" for one in decisions if one.reason)
    drafts = [one for placing in placings.values() for one in placing.drafts]
    append_events(store, lambda _: drafts)


def _find_season(run: Run) -> str:
    """Return what is wrong with a run of a season when there is no ledger, or nothing."""
    season = run.plan.season
    return f"run {run.id} is of season {season.name!r}: give its ledger as well" if season else ""


def _take_ledger(
    store: Store, files: Mapping[str, RunFile], events: Sequence[LedgerEvent]
) -> Iterator[str]:
    """Take a ledger as it is and yield where its entries are not what the runs give."""
    broken = find_broken_line(events)
    if broken:
        yield f"line {broken.number} of the ledger {broken.reason}"
        events = events[: broken.number - 1]
    yield from find_season_problems(events)
    insert_events(store, events)
    for board in _boards(events):
        yield from find_entry_problems(board, files)


def find_entry_problems(board: Board, files: Mapping[str, RunFile]) -> Iterator[str]:
    """Yield where entries of a board are not what the runs that they name give."""
    for row in board.rows:
        entry = row.entry
        if entry.run not in files and board.season and not board.season.revealed:
            continue  # such runs are published after the reveal
        if entry.run not in files:
            yield f"{entry.agent}: run {entry.run} is not among the files"
            continue
        file = files[entry.run]
        yield from _commitment_problems(board, file.run)
        anew = next((one for one in file.entries if one.agent == entry.agent), None)
        if anew is None:
            yield file.problem or f"{entry.agent}: run {entry.run} has no such agent"
            continue
        for field, (value, found) in entry.differs_from(anew).items():
            yield f"{entry.agent}: {field} is {value!r}, its run gives {found!r}"


def _commitment_problems(board: Board, run: Run) -> Iterator[str]:
    """Hold the season that a run was played in against the one that the ledger started."""
    mark = board.season.mark if board.season else None
    if run.plan.season != mark:
        yield f"run {run.id} is of season {run.plan.season}, the ledger has {mark}"


def _replay_problems(files: Iterable[RunFile]) -> Iterator[str]:
    for file in files:
        if file.unplayed:
            yield f"run {file.run.id} cannot be played again here: {file.unplayed}"
        for difference in file.verification.differences if file.verification else ():
            yield f"run {file.run.id}, {difference}"


def _draft_verified(
    events: Sequence[LedgerEvent], files: Mapping[str, RunFile]
) -> Iterator[LedgerDraft]:
    """Yield a line for each entry whose run was played again and gives the very same."""
    for name in sorted({f"{event.benchmark}@{event.version}" for event in events}):
        benchmark = find_benchmark(name)
        for current in current_entries(benchmark.rule, events).values():
            file = files.get(current.entry.run)
            if file is None or file.verification is None or not file.verification.good:
                continue
            proof = file.verification.proof_of(current.entry.agent)
            same = any(not current.entry.differs_from(anew) for anew in file.entries)
            better = current.verified is None or proof > current.proof
            if same and better and proof is not Proof.CLAIMED:
                kind, more = LedgerEventKind.VERIFIED, {"proof": max(proof, current.proof)}
                yield draft(kind, benchmark, current.entry, REBUILDER, str(proof), more=more)


def _boards(events: Sequence[LedgerEvent]) -> Iterator[Board]:
    """Yield every board that the lines speak of."""
    for name in sorted({f"{event.benchmark}@{event.version}" for event in events}):
        benchmark = find_benchmark(name)
        first = build_board(benchmark, events)
        if first.rows or not first.elsewhere:
            yield first
        for seed, options, season in first.elsewhere:
            yield build_board(benchmark, events, seed=seed, options=dict(options), season=season)
