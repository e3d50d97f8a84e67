"""Claims: what was reached elsewhere, shown below a board with who says so, and never ranked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.claim import Claim
from ludus.boards.estimates import format_margin
from ludus.boards.ledger import LedgerDraft, LedgerEvent, LedgerEventKind, append_events
from ludus.errors import BoardError, one_line
from ludus.runs.proof import Proof
from ludus.runs.store import Store

__all__ = ["add_claim", "describe_claims", "read_claims"]


def add_claim(claim: Claim, store: Store, *, by: str) -> None:
    """Write a claim into the ledger.

    Args:
        claim: The claim.
        store: Where the ledger is.
        by: Who takes it in.

    Raises:
        BoardError: It is there already.
        BenchmarkError: There is no such benchmark.
        OptionError: The benchmark has no such option.
    """
    benchmark = find_benchmark(claim.benchmark)
    benchmark.non_default_options(claim.options)

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        for other in read_claims(benchmark.rule, events):
            if (other.source, other.agent) == (claim.source, claim.agent):
                raise BoardError(f"{claim.source} of {claim.agent} is there already")
        body = {"agent": claim.agent, "by": by, "why": claim.notes, "claim": claim.to_dict()}
        return [LedgerDraft(LedgerEventKind.CLAIMED, benchmark.id, benchmark.version, body)]

    append_events(store, decide, benchmark.id)


def read_claims(rule: str, events: Iterable[LedgerEvent]) -> list[Claim]:
    """Return the claims that the lines of a ledger hold for a benchmark's version.

    Raises:
        BoardError: A line holds none.
    """
    return [
        _read_claim(event)
        for event in events
        if event.of_claim and f"{event.benchmark}@{event.version}" == rule
    ]


def describe_claims(claims: Sequence[Claim]) -> list[str]:
    """Return the sentences that show claims below a board."""
    if not claims:
        return []
    head = f"{str(Proof.CLAIMED).capitalize()} elsewhere, in other worlds, and not ranked:"
    ordered = sorted(claims, key=lambda one: -(one.value or one.published or 0.0))
    return [head, *map(_describe_claim, ordered)]


def _read_claim(event: LedgerEvent) -> Claim:
    try:
        return Claim.from_dict(event.body["claim"])
    except (KeyError, TypeError, ValueError) as error:
        raise BoardError(
            f"line {event.number} of the ledger holds no claim: {one_line(error)}"
        ) from error


def _describe_claim(claim: Claim) -> str:
    margin = "" if claim.margin is None else f" ± {format_margin(claim.margin, 3)}"
    value = "not scored here" if claim.value is None else f"{claim.value:.3f}{margin}"
    published = "" if claim.published is None else f", published {claim.published:.3f}"
    size = f"{claim.trainings} × {claim.length} episodes"
    origin = f"{claim.contributor}, {claim.date[:10]}" if claim.date else claim.contributor
    return f"- {claim.agent}: {value}{published}; {size}; by {origin}"
