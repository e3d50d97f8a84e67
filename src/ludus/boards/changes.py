"""What can be done to boards: put agents on them, take them off, score them anew.

All that happens is in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards.current import CurrentEntry, EntryKey, current_entries
from ludus.boards.entry import (
    BoardEntry,
    BoardKey,
    check_acceptable,
    check_complete,
    make_entries,
)
from ludus.boards.ledger import LedgerDraft, LedgerEvent, LedgerEventKind, append_events
from ludus.boards.seasons import check_season_open
from ludus.errors import BoardError, RunError
from ludus.runs.proof import Proof
from ludus.runs.store import Run, Store
from ludus.runs.summary import rank
from ludus.runs.verify import verify

__all__ = [
    "Decision",
    "Placing",
    "accept",
    "draft",
    "entries_anew",
    "place_entries",
    "remove",
    "rescore",
]

Outcome = Literal["new", "better", "not better", "there already", "refused"]


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


def accept(
    run: str,
    store: Store,
    *,
    by: str,
    why: str = "",
    agents: Sequence[str] | None = None,
    on_episode: Callable[[int], None] | None = None,
) -> list[Decision]:
    """Verify a run and put its agents on the board of its benchmark.

    An agent that is there already keeps its place unless the run is better by the benchmark's
    own ranking; then the old entry is superseded. All that happens is in the ledger.

    Args:
        run: The run's id.
        store: Where run and ledger are.
        by: Who accepts it.
        why: A remark.
        agents: Whom of the run; all if None.
        on_episode: Called with the number of each episode that was played again.

    Raises:
        RunError: There is no such run, it is not complete, not played on the benchmark's terms,
            or not what its records give. Nothing is changed then.
    """
    stored = store.run(run)
    check_acceptable(stored.plan)
    check_complete(stored)
    outcome = verify(stored.id, store=store, on_episode=on_episode)
    if not outcome.good:
        more = f" (and {len(outcome.differences) - 1} more)" if outcome.differences[1:] else ""
        raise RunError(
            f"{outcome.differences[0].describe(stored.id)}{more}; nothing is put on the board: "
            f"ludus verify {stored.id}"
        )
    return place_entries(stored, store, by=by, why=why, agents=agents, proof=outcome.proof)


def place_entries(
    stored: Run,
    store: Store,
    *,
    by: str,
    why: str = "",
    agents: Sequence[str] | None = None,
    proof: Proof = Proof.CLAIMED,
) -> list[Decision]:
    """Put the agents of a run on the board, proven as well as they are.

    Args:
        stored: The run.
        store: Where run and ledger are.
        by: Who accepts it.
        why: A remark.
        agents: Whom of the run; all if None.
        proof: What was checked before.

    Raises:
        RunError: The run is not complete, or not played on the benchmark's terms.
    """
    benchmark = check_acceptable(stored.plan)
    entries = _select(make_entries(stored, store.episodes(stored.id)), agents)
    decisions: list[Decision] = []

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        check_season_open(stored.plan, events)
        placing = Placing(benchmark, current_entries(benchmark.rule, events), by, why, proof)
        decisions[:] = [placing.place(entry) for entry in entries]
        return placing.drafts

    append_events(store, decide, benchmark.id, [entry.agent for entry in entries])
    return decisions


class Placing:
    """Puts entries on the boards of a benchmark, one after the other.

    Args:
        benchmark: Whose boards.
        current: Who is on them now; it is changed by what is placed.
        by: Who accepts the entries.
        why: A remark.
        proof: What was checked before.

    Attributes:
        drafts: The lines for the ledger.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        current: dict[EntryKey, CurrentEntry],
        by: str,
        why: str = "",
        proof: Proof = Proof.CLAIMED,
    ) -> None:
        self.drafts: list[LedgerDraft] = []
        self._benchmark, self._current = benchmark, current
        self._by, self._why, self._proof = by, why, proof

    def place(self, entry: BoardEntry) -> Decision:
        """Decide what becomes of an entry, and draft the lines that say so."""
        key = entry.key, entry.agent
        decision = _decide_one(self._benchmark, entry, self._current)
        if decision.outcome == "better" and self._is_less_proven(key):
            decision = Decision(entry.agent, "not better", self._current[key].entry.run)
        if decision.outcome == "better":
            old, reason = self._current[key].entry, f"run {entry.run} is better"
            superseded = LedgerEventKind.SUPERSEDED
            self.drafts.append(draft(superseded, self._benchmark, old, self._by, reason))
        if decision.outcome in ("new", "better"):
            more = {"proof": self._proof}
            self.drafts.append(
                draft(
                    LedgerEventKind.ACCEPTED,
                    self._benchmark,
                    entry,
                    self._by,
                    self._why,
                    complete=True,
                    more=more,
                )
            )
            self._current[key] = CurrentEntry(entry, "", self._by, proof=self._proof)
        return decision

    def _is_less_proven(self, key: EntryKey) -> bool:
        """Return whether a training that nobody did again would push out one that somebody did."""
        rerun = Proof.RERUN
        return self._benchmark.ranks_by_proof and self._proof < rerun <= self._current[key].proof


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
        current = current_entries(ruled.rule, events)
        if (key, agent) not in current:
            names = ", ".join(name for other, name in current if other == key) or "nobody"
            raise BoardError(
                f"{agent!r} is not on the board of {ruled.id}, {key}: there is {names}"
            )
        removed[:] = [current[key, agent].entry]
        return [draft(LedgerEventKind.REMOVED, ruled, removed[0], by, why)]

    append_events(store, decide, ruled.id)
    return removed[0]


def rescore(benchmark: str, store: Store, *, by: str, why: str) -> list[BoardEntry]:
    """Score every entry on the boards of a benchmark anew and return those that changed.

    Raises:
        RunError: The run of an entry is not in the store any more.
    """
    ruled = find_benchmark(benchmark)

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        drafts = []
        for current in current_entries(ruled.rule, events).values():
            old = current.entry
            entry = entries_anew(store.run(old.run), store)[old.agent]
            if old.differs_from(entry):
                drafts.append(draft(LedgerEventKind.RESCORED, ruled, entry, by, why, complete=True))
        return drafts

    added = append_events(store, decide, ruled.id)
    return [BoardEntry.from_dict(event.body["entry"]) for event in added]


def entries_anew(run: Run, store: Store) -> dict[str, BoardEntry]:
    """Return the entries that a stored run gives now, by agent."""
    return {entry.agent: entry for entry in make_entries(run, store.episodes(run.id))}


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
    benchmark: Benchmark, entry: BoardEntry, current: Mapping[EntryKey, CurrentEntry]
) -> Decision:
    """Decide what becomes of an entry beside the one that its agent has on the board."""
    if entry.summary.faults and not benchmark.describe_faults():
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
        f"{summary.faults} of its {summary.episodes} episodes did not end ({kinds}), and "
        f"{benchmark.id} takes no entry with faults: ludus show {entry.run}"
    )


def draft(
    kind: LedgerEventKind,
    benchmark: Benchmark,
    entry: BoardEntry,
    by: str,
    why: str,
    *,
    complete: bool = False,
    more: Mapping[str, Any] | None = None,
) -> LedgerDraft:
    """Return a line about an entry.

    Args:
        kind: What happens to it.
        benchmark: Whose board.
        entry: The entry.
        by: Who does it.
        why: A remark.
        complete: Whether the line holds the whole entry.
        more: Further particulars.
    """
    body: dict[str, Any] = {"agent": entry.agent, "seed": entry.seed, "run": entry.run}
    body |= {"options": dict(entry.options), "by": by, "why": why, **(more or {})}
    if entry.season:
        body["season"] = entry.season
    if complete:
        body["entry"] = entry.to_dict()
    return LedgerDraft(kind, benchmark.id, benchmark.version, body)
