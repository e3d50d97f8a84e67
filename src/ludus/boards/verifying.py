"""Verifying a run and what the boards say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards.changes import draft, entries_anew
from ludus.boards.current import current_entries, entries_of_run
from ludus.boards.entry import BoardEntry
from ludus.boards.ledger import LedgerDraft, LedgerEvent, LedgerEventKind, append_events
from ludus.errors import LudusError, ReadOnlyStore, format_error
from ludus.runs.differences import Difference
from ludus.runs.proof import Proof
from ludus.runs.rerun import Rerun
from ludus.runs.run_check import UNSEALED
from ludus.runs.store import Run, Store
from ludus.runs.verify import Verification, verify

__all__ = ["mark_rerun", "verify_entry"]


def verify_entry(
    run: str,
    store: Store,
    *,
    by: str,
    on_episode: Callable[[int], None] | None = None,
    again: Callable[[str], Rerun] | None = None,
    workers: int | None = None,
) -> Verification:
    """Verify a run and, if nothing differs, mark its entries on the board as verified.

    Args:
        run: The run's id.
        store: Where run and ledger are.
        by: Who verifies it.
        on_episode: Called with the number of each episode that was played again.
        again: Lets the agents of a run play again, such as :func:`~ludus.runs.rerun.rerun`; called
            with the run's id if all else is so. Nobody plays if None.
        workers: How many processes replay the records; one for each core if None.

    Raises:
        RunError: There is no such run, or this Ludus has another version of benchmark or rules.
    """
    stored = store.run(run)
    outcome = verify(stored.id, store=store, on_episode=on_episode, workers=workers)
    if again and outcome.proof is Proof.REPLAYED:
        outcome = _add_rerun(outcome, again(stored.id))
    entries = entries_of_run(stored.id, store)
    if not entries:
        note = f"no board seals: {', '.join(UNSEALED)}"
        return replace(outcome, notes=(*outcome.notes, note))
    found = tuple(_compare_entries(stored, entries, store))
    outcome = replace(outcome, differences=(*outcome.differences, *found))
    if not outcome.good or outcome.proof is Proof.CLAIMED:
        return outcome
    return _mark_verified(outcome, stored, entries, store, by)


def _mark_verified(
    outcome: Verification, run: Run, entries: Sequence[BoardEntry], store: Store, by: str
) -> Verification:
    """Write into the ledger that entries are verified, if it can be written."""
    benchmark = find_benchmark(run.benchmark)
    try:
        append_events(
            store,
            lambda events: _draft_verified(benchmark, events, outcome, by),
            benchmark.id,
            [entry.agent for entry in entries],
        )
    except ReadOnlyStore as error:
        return replace(outcome, notes=(*outcome.notes, f"the board is not marked: {error}"))
    return replace(outcome, marked=tuple(entry.agent for entry in entries))


def _add_rerun(outcome: Verification, rerun: Rerun) -> Verification:
    return replace(
        outcome,
        differences=(*outcome.differences, *rerun.differences),
        notes=(*outcome.notes, *rerun.notes),
        reruns=rerun.episodes,
    )


def mark_rerun(run: Run, store: Store, *, by: str, episodes: Mapping[str, int]) -> None:
    """Write into the ledger that agents of a run, which was verified, were re-run.

    Args:
        run: The run.
        store: Where run and ledger are.
        by: Who has seen to it.
        episodes: How many episodes of each agent.
    """
    outcome = Verification(run.id, 0, (), proof=Proof.REPLAYED, reruns=episodes)
    benchmark = find_benchmark(run.benchmark)
    append_events(
        store,
        lambda events: _draft_verified(benchmark, events, outcome, by),
        benchmark.id,
        list(episodes),
    )


def _compare_entries(run: Run, entries: Sequence[BoardEntry], store: Store) -> Iterator[Difference]:
    """Yield where a run is not what the boards have sealed."""
    try:
        anew = entries_anew(run, store)
        for entry in anew.values():
            entry.to_dict()  # all of it is there
    except LudusError as error:
        yield Difference(None, "entry", "a complete run", str(error))
        return
    except (TypeError, ValueError, KeyError, IndexError) as error:  # columns that hold nonsense
        yield Difference(None, "entry", "a run", format_error(error))
        return
    for entry in entries:
        if entry.agent not in anew:
            names = ", ".join(anew)
            yield Difference(None, "agent", names, f"{entry.agent}, sealed on the board")
            continue
        for name, (sealed, stored) in entry.differs_from(anew[entry.agent]).items():
            yield Difference(None, f"{name} of {entry.agent}, sealed on a board,", stored, sealed)


def _draft_verified(
    benchmark: Benchmark, events: Sequence[LedgerEvent], outcome: Verification, by: str
) -> list[LedgerDraft]:
    """Return a line for each entry that was not verified before, or is proven better now."""
    drafts = []
    for one in current_entries(benchmark.rule, events).values():
        proof = outcome.proof_of(one.entry.agent)
        more_episodes = outcome.reruns.get(one.entry.agent, 0) > one.rerun
        if one.entry.run != outcome.run:
            continue
        if one.verified is None or proof > one.proof or more_episodes:
            count = max(outcome.reruns.get(one.entry.agent, 0), one.rerun)
            kind, more = LedgerEventKind.VERIFIED, {"proof": max(proof, one.proof), "rerun": count}
            drafts.append(draft(kind, benchmark, one.entry, by, str(proof), more=more))
    return drafts
