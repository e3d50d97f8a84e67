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
from ludus.boards.entry import BoardEntry, BoardKey, check_acceptable, entries
from ludus.boards.groups import letters
from ludus.boards.ledger import (
    BrokenLine,
    EventDraft,
    EventKind,
    LedgerEvent,
    append,
    first_broken,
    ledger,
)
from ludus.errors import BoardError
from ludus.runs.store import Store
from ludus.runs.summary import rank
from ludus.runs.verify import Difference, Verification, verify

__all__ = ["Board", "Decision", "Row", "accept", "board", "remove", "rescore", "verify_entry"]

Outcome = Literal["new", "better", "not better", "there already"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board.

    Attributes:
        rank: Its place, counted from 1; equals share it and the next stays empty.
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
        terms: The seed of everybody's scenarios, and the options that were set.
        rows: The entries, best first.
        elsewhere: How many entries there are on other terms.
        broken: The first line of the ledger that is not as it was written; the board stops
            before it.
    """

    benchmark: Benchmark
    terms: BoardKey
    rows: tuple[Row, ...]
    elsewhere: dict[BoardKey, int]
    broken: BrokenLine | None = None


class Decision(NamedTuple):
    """What became of an agent's result.

    Attributes:
        agent: The agent's name.
        outcome: It is new on the board, or better than its entry there, or neither.
        run: The run that stands on the board for the agent now.
    """

    agent: str
    outcome: Outcome
    run: str


@dataclass(frozen=True, slots=True)
class _Held:
    """An entry that is on a board now."""

    entry: BoardEntry
    accepted: str
    by: str
    verified: str | None = None


_Place = tuple[BoardKey, str]  # which board, and the agent


def board(
    benchmark: str,
    store: Store,
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Board:
    """Return the board of a benchmark.

    Args:
        benchmark: The benchmark's id.
        store: Where the ledger is.
        seed: Whose board; if None, that of the seed with the most entries.
        options: Which options were set; none if None.

    Raises:
        BenchmarkError: There is no such benchmark.
        OptionError: An option is not one of the benchmark's.
    """
    return arrange(find_benchmark(benchmark), ledger(store), seed=seed, options=options)


def arrange(
    benchmark: Benchmark,
    events: Sequence[LedgerEvent],
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Board:
    """Return the board that follows from the lines of a ledger, up to the first broken one."""
    broken = first_broken(events)
    held = _on_board(benchmark.rule, events[: broken.number - 1] if broken else events)
    counts = Counter(place[0] for place in held)
    set_ = BoardKey.of(0, benchmark.non_default_options(options or {})).options
    if seed is None:
        alike = [terms for terms in counts if terms.options == set_]
        seed = min(alike, key=lambda one: (-counts[one], one), default=BoardKey(0)).seed
    terms = BoardKey(seed, set_)
    here = [one for (its, _), one in held.items() if its == terms]
    elsewhere = {other: n for other, n in sorted(counts.items()) if other != terms}
    return Board(benchmark, terms, _ranked(benchmark, here), elsewhere, broken)


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
    found = store.run(run)
    benchmark = check_acceptable(found.plan)
    fresh = _chosen(entries(found, store.episodes(found.id)), agents)
    decisions: list[Decision] = []

    def decide(events: Sequence[LedgerEvent]) -> list[EventDraft]:
        held = _on_board(benchmark.rule, events)
        decisions[:] = [_decision(benchmark, entry, held) for entry in fresh]
        drafts = []
        for entry, decision in zip(fresh, decisions, strict=True):
            if decision.outcome == "better":
                old = held[entry.terms, entry.agent].entry
                reason = f"run {entry.run} is better"
                drafts.append(_draft(EventKind.SUPERSEDED, benchmark, old, by, reason))
            if decision.outcome in ("new", "better"):
                drafts.append(_draft(EventKind.ACCEPTED, benchmark, entry, by, why, whole=True))
        return drafts

    append(store, decide)
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
) -> BoardEntry:
    """Take an agent off a board and return the entry it had; the ledger remembers both.

    Raises:
        BoardError: The agent is not on the board, or no reason was given.
    """
    asked = find_benchmark(benchmark)
    if not why.strip():
        raise BoardError(f"no reason was given to remove {agent!r}: say why, it is published")
    terms = BoardKey.of(seed, asked.non_default_options(options or {}))
    removed: list[BoardEntry] = []

    def decide(events: Sequence[LedgerEvent]) -> list[EventDraft]:
        held = _on_board(asked.rule, events)
        if (terms, agent) not in held:
            names = ", ".join(name for its, name in held if its == terms) or "nobody"
            raise BoardError(
                f"{agent!r} is not on the board of {asked.id}, {terms}: there is {names}"
            )
        removed[:] = [held[terms, agent].entry]
        return [_draft(EventKind.REMOVED, asked, removed[0], by, why)]

    append(store, decide)
    return removed[0]


def verify_entry(
    run: str, store: Store, *, by: str, on_episode: Callable[[int], None] | None = None
) -> Verification:
    """Play a run again; if all of it is true, mark its entries on the board as verified.

    Args:
        run: The run's id.
        store: Where run and ledger are.
        by: Who looks at it.
        on_episode: Called with the number of each episode that was played again.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or rules.
    """
    outcome = verify(run, store=store, on_episode=on_episode)
    found = store.run(run)
    benchmark = find_benchmark(found.benchmark)
    own = on_board(found.id, store)
    if own and outcome.good:
        now = {one.agent: one for one in entries(found, store.episodes(found.id))}
        differences = [
            Difference(None, f"entry of {entry.agent}", entry.digest, now[entry.agent].digest)
            for entry in own
            if entry.proof() != now[entry.agent].proof()
        ]
        outcome = replace(outcome, differences=tuple(differences))
    if own and outcome.good:
        append(store, lambda events: _verified(benchmark, events, found.id, by))
    return outcome


def rescore(benchmark: str, store: Store, *, by: str, why: str) -> list[BoardEntry]:
    """Score every entry on the boards of a benchmark anew and return those that changed.

    Raises:
        RunError: The run of an entry is not in the store any more.
    """
    asked = find_benchmark(benchmark)

    def decide(events: Sequence[LedgerEvent]) -> list[EventDraft]:
        drafts = []
        for held in _on_board(asked.rule, events).values():
            found = store.run(held.entry.run)
            now = {one.agent: one for one in entries(found, store.episodes(found.id))}
            if now[held.entry.agent].proof() != held.entry.proof():
                entry = now[held.entry.agent]
                drafts.append(_draft(EventKind.RESCORED, asked, entry, by, why, whole=True))
        return drafts

    return [BoardEntry.from_dict(event.body["entry"]) for event in append(store, decide)]


def on_board(run: str, store: Store) -> list[BoardEntry]:
    """Return the entries by which a run is on a board now."""
    found = store.run(run)
    held = _on_board(f"{found.benchmark}@{found.version}", ledger(store, found.benchmark))
    return [one.entry for one in held.values() if one.entry.run == found.id]


def _on_board(rule: str, events: Iterable[LedgerEvent]) -> dict[_Place, _Held]:
    """Return who is on the boards of a rule, by terms and agent, after all these lines."""
    held: dict[_Place, _Held] = {}
    for event in events:
        if f"{event.benchmark}@{event.version}" != rule:
            continue
        body = event.body
        place = BoardKey.of(int(body["seed"]), body.get("options", {})), str(body["agent"])
        if event.kind == EventKind.ACCEPTED:
            held[place] = _Held(BoardEntry.from_dict(body["entry"]), event.at, body["by"])
        elif event.kind == EventKind.RESCORED:
            entry = BoardEntry.from_dict(body["entry"])
            held[place] = replace(held[place], entry=entry, verified=None)
        elif event.kind == EventKind.VERIFIED:
            held[place] = replace(held[place], verified=event.at)
        else:
            del held[place]
    return held


def _ranked(benchmark: Benchmark, held: Sequence[_Held]) -> tuple[Row, ...]:
    ranks = rank(benchmark, [one.entry.summary for one in held])
    groups = letters({one.entry.agent: one.entry.scores for one in held})
    rows = [
        Row(place, groups[one.entry.agent], one.entry, one.accepted, one.by, one.verified)
        for place, one in zip(ranks, held, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (row.rank, row.entry.created, row.entry.agent)))


def _chosen(fresh: list[BoardEntry], agents: Sequence[str] | None) -> list[BoardEntry]:
    if agents is None:
        return fresh
    known = {entry.agent: entry for entry in fresh}
    for agent in agents:
        if agent not in known:
            raise BoardError(f"no agent {agent!r} in the run; it has {', '.join(known)}")
    return [known[agent] for agent in agents]


def _decision(benchmark: Benchmark, entry: BoardEntry, held: dict[_Place, _Held]) -> Decision:
    there = held.get((entry.terms, entry.agent))
    if there is None:
        return Decision(entry.agent, "new", entry.run)
    if there.entry.run == entry.run:
        return Decision(entry.agent, "there already", entry.run)
    new, old = rank(benchmark, [entry.summary, there.entry.summary])
    if new < old:
        return Decision(entry.agent, "better", entry.run)
    return Decision(entry.agent, "not better", there.entry.run)


def _verified(
    benchmark: Benchmark, events: Sequence[LedgerEvent], run: str, by: str
) -> list[EventDraft]:
    return [
        _draft(EventKind.VERIFIED, benchmark, one.entry, by, "replayed")
        for one in _on_board(benchmark.rule, events).values()
        if one.entry.run == run and one.verified is None
    ]


def _draft(
    kind: EventKind,
    benchmark: Benchmark,
    entry: BoardEntry,
    by: str,
    why: str,
    *,
    whole: bool = False,
) -> EventDraft:
    body: dict[str, Any] = {"agent": entry.agent, "seed": entry.seed, "run": entry.run}
    body |= {"options": dict(entry.options), "by": by, "why": why}
    if whole:
        body["entry"] = entry.to_dict()
    return EventDraft(kind, benchmark.id, benchmark.version, body)
