"""Boards: who is on them, why, and in which order.

A board belongs to one version of a benchmark, one seed and one choice of options, so that all on it
played the same. What is on it follows from the ledger alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.benchmarks.claim import Claim
from ludus.benchmarks.registry import find_headline
from ludus.boards.claims import read_claims
from ludus.boards.current import CurrentEntry, EntryKey, current_entries
from ludus.boards.entry import BoardEntry, BoardKey
from ludus.boards.entry_checks import check_figures
from ludus.boards.groups import summary_letters
from ludus.boards.head import LedgerHead, head_of, sign_head
from ludus.boards.ledger import BrokenLine, LedgerEvent, find_broken_line, read_ledger
from ludus.boards.proofs import rank_class
from ludus.boards.seasons import Season, find_season_of, read_seasons
from ludus.boards.side_by_side import PRACTICE, Beside, find_counterpart, find_largest
from ludus.runs.proof import Proof
from ludus.runs.store import Store
from ludus.runs.summary import rank

__all__ = ["Board", "Row", "board", "build_board", "rank_entries"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board.

    Attributes:
        rank: Its number, counted from 1; equals share it and the next stays empty.
        group: Letters; agents that share one cannot be told apart.
        entry: The figures and where they come from.
        accepted: When it came on the board, UTC.
        by: Who put it there.
        verified: When its run was verified since it came on the board, or None.
        proof: How well it is proven.
        rerun: How many of its episodes the agent itself has played again.
    """

    rank: int
    group: str
    entry: BoardEntry
    accepted: str
    by: str
    verified: str | None
    proof: Proof = Proof.CLAIMED
    rerun: int = 0


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
        head: The head of the ledger that it follows from; signed if a key is configured.
        claims: What was reached elsewhere with these options, which nobody ranks.
    """

    benchmark: Benchmark
    key: BoardKey
    rows: tuple[Row, ...]
    elsewhere: dict[BoardKey, int]
    broken: BrokenLine | None = None
    faulty: bool = False
    season: Season | None = None
    beside: Beside | None = None
    head: LedgerHead | None = None
    claims: tuple[Claim, ...] = ()


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
        benchmark: The benchmark's id, or a family's name for the board that it shows first.
        store: Where the ledger is.
        seed: Whose board; if None, that of the seed with the most entries.
        options: Which options were set; none if None.
        season: The sealed season whose board it is; its own terms count then.

    Raises:
        BenchmarkError: There is no such benchmark.
        BoardError: The benchmark has no such season.
        OptionError: An option is not one of the benchmark's.
    """
    benchmark, options = find_headline(benchmark, options)
    ruled = find_benchmark(benchmark)
    non_default = ruled.non_default_options(options or {})
    events = read_ledger(store)
    found = build_board(ruled, events, seed=seed, options=non_default, season=season)
    return replace(found, head=sign_head(found.head)) if found.head else found


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
    current = current_entries(benchmark.rule, intact)
    counts = Counter(key for key, _ in current)
    sealed = find_season_of(benchmark, season, intact) if season else None
    wanted = BoardKey.of(0, options or {})
    key = sealed.key if sealed else wanted._replace(seed=seed) if seed is not None else None
    key = key or find_largest(counts, wanted)
    entries = [entry for (other, _), entry in current.items() if other == key]
    for one in entries:
        figures = one.entry.summary
        check_figures(benchmark, figures.agent, len(figures.ties), len(figures.columns))
    return Board(
        benchmark=benchmark,
        key=key,
        rows=_rank_rows(benchmark, entries),
        elsewhere={other: n for other, n in sorted(counts.items()) if other != key},
        broken=broken,
        faulty=any(one.entry.summary.faults for one in entries),
        season=sealed,
        beside=_find_beside(key, current, read_seasons(intact)),
        head=None if broken else head_of(events),
        claims=tuple(
            claim
            for claim in read_claims(benchmark.rule, intact)
            if dict(claim.options) == dict(key.options)
        ),
    )


def _find_beside(
    key: BoardKey, current: Mapping[EntryKey, CurrentEntry], seasons: Iterable[str]
) -> Beside | None:
    """Return what stands beside a board's scores, if there is anything."""
    other = find_counterpart(key, Counter(key for key, _ in current), seasons)
    if other is None:
        return None
    entries = {agent: one.entry for (at, agent), one in current.items() if at == other}
    return Beside(f"season {other.season}" if other.season else PRACTICE, entries)


def rank_entries(benchmark: Benchmark, current: Sequence[CurrentEntry]) -> list[int]:
    """Return the entries' ranks; where learners are ranked, those that were done again lead."""
    if not benchmark.ranks_by_proof:
        return rank(benchmark, [one.entry.summary for one in current])
    ranks, before = [0] * len(current), 0
    classes = [rank_class(one.proof, one.entry) for one in current]
    for best in sorted(set(classes), reverse=True):
        numbers = [k for k, one in enumerate(classes) if one == best]
        own = rank(benchmark, [current[k].entry.summary for k in numbers])
        for k, number in zip(numbers, own, strict=True):
            ranks[k] = before + number
        before += len(numbers)
    return ranks


def _rank_rows(benchmark: Benchmark, current: Sequence[CurrentEntry]) -> tuple[Row, ...]:
    ranks = rank_entries(benchmark, current)
    scores = {one.entry.agent: one.entry.scores for one in current}
    groups = summary_letters(benchmark, [one.entry.summary for one in current], scores)
    rows = [
        Row(
            rank=number,
            group=groups[one.entry.agent],
            entry=one.entry,
            accepted=one.accepted,
            by=one.by,
            verified=one.verified,
            proof=one.proof,
            rerun=one.rerun,
        )
        for number, one in zip(ranks, current, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (row.rank, row.entry.created, row.entry.agent)))
