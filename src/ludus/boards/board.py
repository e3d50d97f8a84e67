"""Boards: who is on them, why, and in which order.

A board belongs to one version of a benchmark, one seed and one choice of options, so that all on it
played the same. What is on it follows from the ledger alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards.entry import BoardEntry, BoardKey, check_acceptable, make_entries
from ludus.boards.groups import group_letters
from ludus.boards.ledger import (
    BrokenLine,
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    append_events,
    find_broken_line,
    read_ledger,
)
from ludus.boards.seasons import Season, check_season_open, find_season_of, read_seasons
from ludus.boards.side_by_side import PRACTICE, Beside, find_counterpart, find_largest
from ludus.errors import BoardError
from ludus.runs.store import Run, Store
from ludus.runs.summary import rank
from ludus.runs.verify import Difference, Verification, verify

__all__ = [
    "Board",
    "Decision",
    "Row",
    "accept",
    "board",
    "build_board",
    "entries_of_run",
    "remove",
    "rescore",
    "verify_entry",
]

Outcome = Literal["new", "better", "not better", "there already", "refused"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board.

    Attributes:
        rank: Its number, counted from 1; equals share it and the next stays empty.
        group: Letters; agents that share one cannot be told apart.
        entry: The figures and where they come from.
        accepted: When it came on the board, UTC.
        by: Who put it there.
        verified: When all of its run was played again and found true, or None.
    """

    rank: int
    group: str
    entry: BoardEntry
    accepted: str
    by: str
    verified: str | None


@dataclass(frozen=True, slots=True)
class Board:
    """The ranking of one benchmark's version on one seed, with one choice of options.

    Attributes:
        benchmark: The benchmark.
        key: The seed of everybody's scenarios, and the options that were set.
        rows: The entries, best first.
        elsewhere: How many entries other boards of the benchmark have, by their keys.
        broken: The first line of the ledger that is not as it was written; the board stops
            before it.
        faulty: Whether an entry has faults.
        season: The sealed season it is the board of, or None: then its seed is public and it is
            for practice.
        beside: The same agents' results elsewhere: in practice beside a season, in the last season
            beside practice.
    """

    benchmark: Benchmark
    key: BoardKey
    rows: tuple[Row, ...]
    elsewhere: dict[BoardKey, int]
    broken: BrokenLine | None = None
    faulty: bool = False
    season: Season | None = None
    beside: Beside | None = None


class Decision(NamedTuple):
    """Whether a board took an agent's result.

    Attributes:
        agent: The agent's name.
        outcome: It is new on the board, or better than its entry there, or neither, or refused.
        run: The run that was to stand on the board, or stands there for the agent already.
        reason: Why it was refused.
    """

    agent: str
    outcome: Outcome
    run: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _CurrentEntry:
    """An entry that is on a board now."""

    entry: BoardEntry
    accepted: str
    by: str
    verified: str | None = None


_EntryKey = tuple[BoardKey, str]  # which board, and the agent


def board(
    benchmark: str,
    store: Store,
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
    season: str = "",
) -> Board:
    """Return the board of a benchmark.

    Args:
        benchmark: The benchmark's id.
        store: Where the ledger is.
        seed: Whose board; if None, that of the seed with the most entries.
        options: Which options were set; none if None.
        season: The sealed season whose board it is; its own terms count then.

    Raises:
        BenchmarkError: There is no such benchmark.
        BoardError: The benchmark has no such season.
        OptionError: An option is not one of the benchmark's.
    """
    ruled = find_benchmark(benchmark)
    non_default = ruled.non_default_options(options or {})
    events = read_ledger(store)
    return build_board(ruled, events, seed=seed, options=non_default, season=season)


def build_board(
    benchmark: Benchmark,
    events: Sequence[LedgerEvent],
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
    season: str = "",
) -> Board:
    """Return the board that follows from the lines of a ledger, up to the first broken one.

    Args:
        benchmark: Whose board.
        events: The lines of the ledger.
        seed: Of which seed; if None, that of the most entries.
        options: Which options differ from their default, in their proper spelling; what they name
            is not loaded, since a ledger may be anybody's.
        season: Of which season; the public seeds if empty.
    """
    broken = find_broken_line(events)
    intact = events[: broken.number - 1] if broken else events
    current = _current_entries(benchmark.rule, intact)
    counts = Counter(key for key, _ in current)
    sealed = find_season_of(benchmark, season, intact) if season else None
    wanted = BoardKey.of(0, options or {})
    key = sealed.key if sealed else wanted._replace(seed=seed) if seed is not None else None
    key = key or find_largest(counts, wanted)
    entries = [entry for (other, _), entry in current.items() if other == key]
    return Board(
        benchmark=benchmark,
        key=key,
        rows=_rank_rows(benchmark, entries),
        elsewhere={other: n for other, n in sorted(counts.items()) if other != key},
        broken=broken,
        faulty=any(one.entry.summary.faults for one in entries),
        season=sealed,
        beside=_find_beside(key, current, read_seasons(intact)),
    )


def _find_beside(
    key: BoardKey, current: Mapping[_EntryKey, _CurrentEntry], seasons: Iterable[str]
) -> Beside | None:
    """Return what stands beside a board's scores, if there is anything."""
    other = find_counterpart(key, Counter(key for key, _ in current), seasons)
    if other is None:
        return None
    entries = {agent: one.entry for (at, agent), one in current.items() if at == other}
    return Beside(f"season {other.season}" if other.season else PRACTICE, entries)


def accept(
    run: str, store: Store, *, by: str, why: str = "", agents: Sequence[str] | None = None
) -> list[Decision]:
    """Put the agents of a run on the board of its benchmark.

    An agent that is there already keeps its place unless the run is better by the benchmark's
    own ranking; then the old entry is superseded. All that happens is in the ledger.

    Args:
        run: The run's id.
        store: Where run and ledger are.
        by: Who accepts it.
        why: A remark.
        agents: Whom of the run; all if None.

    Raises:
        RunError: There is no such run, it is not complete, or not played on the benchmark's terms.
    """
    stored = store.run(run)
    benchmark = check_acceptable(stored.plan)
    entries = _select(make_entries(stored, store.episodes(stored.id)), agents)
    decisions: list[Decision] = []

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        check_season_open(stored.plan, events)
        current = _current_entries(benchmark.rule, events)
        decisions[:] = [_decide_one(benchmark, entry, current) for entry in entries]
        drafts = []
        for entry, decision in zip(entries, decisions, strict=True):
            if decision.outcome == "better":
                old = current[entry.key, entry.agent].entry
                reason = f"run {entry.run} is better"
                drafts.append(_draft(LedgerEventKind.SUPERSEDED, benchmark, old, by, reason))
            if decision.outcome in ("new", "better"):
                drafts.append(
                    _draft(LedgerEventKind.ACCEPTED, benchmark, entry, by, why, complete=True)
                )
        return drafts

    append_events(store, decide)
    return decisions


def remove(
    benchmark: str,
    agent: str,
    store: Store,
    *,
    by: str,
    why: str,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    season: str = "",
) -> BoardEntry:
    """Remove an agent from a board and return its entry; the ledger keeps the history.

    Raises:
        BoardError: The agent is not on the board, or no reason was given.
    """
    ruled = find_benchmark(benchmark)
    if not why.strip():
        raise BoardError(f"no reason was given to remove {agent!r}: say why, it is published")
    key = BoardKey.of(seed, ruled.non_default_options(options or {}), season)
    removed: list[BoardEntry] = []

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        current = _current_entries(ruled.rule, events)
        if (key, agent) not in current:
            names = ", ".join(name for other, name in current if other == key) or "nobody"
            raise BoardError(
                f"{agent!r} is not on the board of {ruled.id}, {key}: there is {names}"
            )
        removed[:] = [current[key, agent].entry]
        return [_draft(LedgerEventKind.REMOVED, ruled, removed[0], by, why)]

    append_events(store, decide)
    return removed[0]


def verify_entry(
    run: str, store: Store, *, by: str, on_episode: Callable[[int], None] | None = None
) -> Verification:
    """Verify a run and, if nothing differs, mark its entries on the board as verified.

    Args:
        run: The run's id.
        store: Where run and ledger are.
        by: Who verifies it.
        on_episode: Called with the number of each episode that was played again.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or rules.
    """
    outcome = verify(run, store=store, on_episode=on_episode)
    stored = store.run(run)
    benchmark = find_benchmark(stored.benchmark)
    entries = entries_of_run(stored.id, store)
    if entries and outcome.good:
        anew = _entries_anew(stored, store)
        differences = [
            Difference(None, f"entry of {entry.agent}", entry.digest, anew[entry.agent].digest)
            for entry in entries
            if entry.proof() != anew[entry.agent].proof()
        ]
        outcome = replace(outcome, differences=tuple(differences))
    if entries and outcome.good:
        append_events(store, lambda events: _draft_verified(benchmark, events, stored.id, by))
    return outcome


def rescore(benchmark: str, store: Store, *, by: str, why: str) -> list[BoardEntry]:
    """Score every entry on the boards of a benchmark anew and return those that changed.

    Raises:
        RunError: The run of an entry is not in the store any more.
    """
    ruled = find_benchmark(benchmark)

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        drafts = []
        for current in _current_entries(ruled.rule, events).values():
            old = current.entry
            entry = _entries_anew(store.run(old.run), store)[old.agent]
            if entry.proof() != old.proof():
                drafts.append(
                    _draft(LedgerEventKind.RESCORED, ruled, entry, by, why, complete=True)
                )
        return drafts

    return [BoardEntry.from_dict(event.body["entry"]) for event in append_events(store, decide)]


def entries_of_run(run: str, store: Store) -> list[BoardEntry]:
    """Return the entries by which a run is on a board now."""
    stored = store.run(run)
    rule = f"{stored.benchmark}@{stored.version}"
    current = _current_entries(rule, read_ledger(store, stored.benchmark))
    return [one.entry for one in current.values() if one.entry.run == stored.id]


def _entries_anew(run: Run, store: Store) -> dict[str, BoardEntry]:
    return {entry.agent: entry for entry in make_entries(run, store.episodes(run.id))}


def _current_entries(rule: str, events: Iterable[LedgerEvent]) -> dict[_EntryKey, _CurrentEntry]:
    """Return who is on the boards of a rule, by board and agent, after all these lines."""
    current: dict[_EntryKey, _CurrentEntry] = {}
    for event in events:
        if f"{event.benchmark}@{event.version}" != rule or event.of_season:
            continue
        body = event.body
        board_key = BoardKey.of(int(body["seed"]), body.get("options", {}), body.get("season", ""))
        key = board_key, str(body["agent"])
        if event.kind == LedgerEventKind.ACCEPTED:
            entry = BoardEntry.from_dict(body["entry"])
            current[key] = _CurrentEntry(entry, event.at, body["by"])
        elif event.kind == LedgerEventKind.RESCORED:
            entry = BoardEntry.from_dict(body["entry"])
            current[key] = replace(current[key], entry=entry, verified=None)
        elif event.kind == LedgerEventKind.VERIFIED:
            current[key] = replace(current[key], verified=event.at)
        else:
            del current[key]
    return current


def _rank_rows(benchmark: Benchmark, current: Sequence[_CurrentEntry]) -> tuple[Row, ...]:
    ranks = rank(benchmark, [one.entry.summary for one in current])
    faulty = {one.entry.agent for one in current if one.entry.summary.faults}
    scores = {one.entry.agent: one.entry.scores for one in current}
    headlines = {one.entry.agent: one.entry.summary.headline for one in current}
    groups = group_letters(scores, headlines, faulty)
    rows = [
        Row(number, groups[one.entry.agent], one.entry, one.accepted, one.by, one.verified)
        for number, one in zip(ranks, current, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (row.rank, row.entry.created, row.entry.agent)))


def _select(entries: list[BoardEntry], agents: Sequence[str] | None) -> list[BoardEntry]:
    """Return the entries of these agents, or all if None."""
    if agents is None:
        return entries
    known = {entry.agent: entry for entry in entries}
    for agent in agents:
        if agent not in known:
            raise BoardError(f"no agent {agent!r} in the run; it has {', '.join(known)}")
    return [known[agent] for agent in agents]


def _decide_one(
    benchmark: Benchmark, entry: BoardEntry, current: Mapping[_EntryKey, _CurrentEntry]
) -> Decision:
    """Decide what becomes of an entry beside the one that its agent has on the board."""
    if entry.summary.faults and not benchmark.fault_rule:
        return Decision(entry.agent, "refused", entry.run, _describe_refusal(benchmark, entry))
    if (entry.key, entry.agent) not in current:
        return Decision(entry.agent, "new", entry.run)
    standing = current[entry.key, entry.agent].entry
    if standing.run == entry.run:
        return Decision(entry.agent, "there already", entry.run)
    new, old = rank(benchmark, [entry.summary, standing.summary])
    if new < old:
        return Decision(entry.agent, "better", entry.run)
    return Decision(entry.agent, "not better", standing.run)


def _describe_refusal(benchmark: Benchmark, entry: BoardEntry) -> str:
    summary = entry.summary
    kinds = ", ".join(f"{count} {ending}" for ending, count in summary.fault_kinds.items())
    return (
        f"{summary.faults} of its {summary.episodes} episodes ended by its fault ({kinds}), and "
        f"{benchmark.id} takes no entry with faults: ludus show {entry.run}"
    )


def _draft_verified(
    benchmark: Benchmark, events: Sequence[LedgerEvent], run: str, by: str
) -> list[LedgerDraft]:
    return [
        _draft(LedgerEventKind.VERIFIED, benchmark, one.entry, by, "replayed")
        for one in _current_entries(benchmark.rule, events).values()
        if one.entry.run == run and one.verified is None
    ]


def _draft(
    kind: LedgerEventKind,
    benchmark: Benchmark,
    entry: BoardEntry,
    by: str,
    why: str,
    *,
    complete: bool = False,
) -> LedgerDraft:
    body: dict[str, Any] = {"agent": entry.agent, "seed": entry.seed, "run": entry.run}
    body |= {"options": dict(entry.options), "by": by, "why": why}
    if entry.season:
        body["season"] = entry.season
    if complete:
        body["entry"] = entry.to_dict()
    return LedgerDraft(kind, benchmark.id, benchmark.version, body)
