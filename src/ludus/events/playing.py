"""What an event's entries play: the sealed scenarios that count, or the public ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ludus.agents import AgentSource, find
from ludus.agents.fingerprint import DIGITS
from ludus.boards.ledger import LedgerEventKind
from ludus.boards.organising import organiser_secret
from ludus.context import RunContext
from ludus.errors import AgentError
from ludus.events.entry import ClaimCheck, EventEntry, Verdict
from ludus.events.event import Event
from ludus.events.organising import change_event
from ludus.events.terms import EventTerms
from ludus.events.unpacking import find_spec, hide_folder
from ludus.execution.plan import Plan, make_plan, make_season_plan
from ludus.games.game import find_game
from ludus.runs.store import Run, ScoredEpisode, Store
from ludus.runs.summary import Summary, summarise

__all__ = [
    "judge_claims",
    "make_public_plan",
    "plan_claims",
    "plan_event",
    "prepare_files",
    "record_checks",
]


def plan_event(event: Event, store: Store, context: RunContext) -> Plan:
    """Return the plan of the run that counts: all entries on the sealed scenarios.

    Raises:
        BoardError: The secret is not here.
        StoreError: The secret or an entry's files were changed.
    """
    secret = organiser_secret(event.season, store)
    sources = _find_sources(event, event.playing, store, context)
    return make_season_plan(event.season.terms, secret, sources, context=context)


def plan_claims(
    event: Event, entries: Sequence[EventEntry], store: Store, context: RunContext
) -> Plan:
    """Return the plan of a run in which entries play on the public seed, as they say they did."""
    sources = _find_sources(event, entries, store, context)
    return make_public_plan(event.terms, sources, context)


def make_public_plan(
    terms: EventTerms,
    agents: Sequence[str | AgentSource],
    context: RunContext,
    episodes: int | None = None,
) -> Plan:
    """Return the plan of agents on the public seed of an event, under its limits."""
    return make_plan(
        f"{terms.benchmark}@{terms.version}",
        agents,
        seed=terms.public_seed,
        episodes=terms.episodes if episodes is None else episodes,
        limits=terms.limits,
        options=terms.options,
        context=context,
    )


def prepare_files(event: Event, store: Store) -> None:
    """Make sure that the files of all entries lie where the event's run looks for them.

    Raises:
        StoreError: The store's own files were changed, or they cannot be written.
    """
    for entry in event.playing:
        find_spec(entry, store)


def _find_sources(
    event: Event, entries: Sequence[EventEntry], store: Store, context: RunContext
) -> list[AgentSource]:
    terms = event.terms
    family = find_game(terms.find_benchmark().game_for(terms.options, context)).agent_family
    loading = replace(context, limits=terms.limits) if terms.limits.counts_units else context
    return [_find_source(entry, find_spec(entry, store), family, loading) for entry in entries]


def _find_source(entry: EventEntry, spec: str, family: str, context: RunContext) -> AgentSource:
    """Return the source of an entry; one that cannot be loaded plays, and fails, all the same."""
    try:
        digest = find(spec, family, context).fingerprint
    except AgentError:
        digest = entry.digest[:DIGITS]
    return AgentSource(spec, entry.entrant, digest)


# ---- claims


def judge_claims(event: Event, run: Run, scored: Sequence[ScoredEpisode]) -> dict[str, ClaimCheck]:
    """Return what was measured of each entrant on the public seed, by name."""
    benchmark, plan = event.terms.find_benchmark(), run.plan
    reasons: dict[str, str] = {}
    for episode in (one.episode for one in scored if one.episode.ending.faulty):
        name = plan.agents[episode.agent].name
        reasons.setdefault(name, hide_folder(f"{episode.ending}: {episode.reason}"))
    return {
        one.agent: _judge(event.find_entry(one.agent), one, benchmark.digits, reasons, run.id)
        for one in summarise(benchmark, plan, scored)
    }


def _judge(
    entry: EventEntry, summary: Summary, digits: int, reasons: Mapping[str, str], run: str
) -> ClaimCheck:
    measured = summary.headline.value
    verdict: Verdict = "confirmed" if is_same(entry.claim, measured, digits) else "not confirmed"
    if summary.agent in reasons:
        verdict = "faulty"
    return ClaimCheck(verdict, measured, reasons.get(summary.agent, ""), run)


def is_same(claim: float, measured: float, digits: int) -> bool:
    """Return whether a claim is what was measured, as far as tables print it.

    Example:
        >>> is_same(12.3, 12.34, 1), is_same(12.3, 12.36, 1)
        (True, False)
    """
    return abs(claim - measured) <= 0.5 / 10.0**digits + 1e-9 * abs(measured)


def record_checks(
    event: Event, checks: Mapping[str, ClaimCheck], store: Store, *, by: str
) -> Event:
    """Write into the ledger what was measured, of entries that were not replaced meanwhile."""
    digests = {entry.entrant: entry.digest for entry in event.playing}

    def decide(current: Event, now: datetime) -> list[dict[str, Any]]:
        return [
            {
                "entrant": name,
                "digest": digests[name],
                "verdict": check.verdict,
                "measured": check.measured,
                "reason": check.reason,
                "run": check.run,
            }
            for name, check in checks.items()
            if current.find_entry(name).digest == digests[name]
        ]

    return change_event(LedgerEventKind.EVENT_CHECKED, event.name, store, decide, by=by)
