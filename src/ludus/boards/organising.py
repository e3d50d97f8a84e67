"""What an organiser does with a season: start it, reveal it, open those that others revealed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards.ledger import (
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    append_events,
    find_broken_line,
    read_ledger,
)
from ludus.boards.ledger_files import read_ledger_file
from ludus.boards.seasons import Season, find_season, find_season_problems, read_seasons
from ludus.errors import BoardError, OptionError
from ludus.execution.scenarios import check_episode_count
from ludus.execution.sealing import SECRET_BYTES, SeasonTerms, check_season_name, read_secret
from ludus.limits import Limits
from ludus.runs.sealed import find_secret, forget_secret, keep_secret
from ludus.runs.store import Store

__all__ = ["check_season", "open_seasons", "organiser_secret", "reveal_season", "start_season"]


def check_season(
    benchmark: str,
    name: str,
    episodes: int | None = None,
    options: Mapping[str, str] | None = None,
    ends: date | None = None,
) -> tuple[Benchmark, int, Mapping[str, str]]:
    """Return the benchmark, the episodes and the options of a season; refuse impossible ones.

    No store is needed, so a season that cannot be leaves none behind.
    """
    check_season_name(name)
    ruled = find_benchmark(benchmark)
    count = check_episode_count(ruled.episodes if episodes is None else episodes)
    if ends is not None and ends < datetime.now(UTC).date():
        raise OptionError(f"the season would have ended on {ends}: give a day to come")
    return ruled, count, ruled.non_default_options(options or {})


def start_season(
    benchmark: str,
    store: Store,
    *,
    name: str,
    by: str,
    episodes: int | None = None,
    options: Mapping[str, str] | None = None,
    ends: date | None = None,
    limits: Limits | None = None,
    secret: bytes | None = None,
    more: Callable[[Season], Sequence[LedgerDraft]] | None = None,
) -> Season:
    """Start a sealed season: draw its secret, keep it here, and publish the commitment.

    Args:
        benchmark: The benchmark's id.
        store: Where the ledger is; the secret lies beside it, for its owner's eyes.
        name: What the season is called.
        by: Who starts it.
        episodes: How many every entry plays; the benchmark's own number if None.
        options: What is played otherwise than by default.
        ends: The last day on which entries are played; None if it is open.
        limits: What an agent may use for an episode; what the benchmark gives if None.
        secret: The secret, 32 bytes; drawn by chance if None.
        more: Returns lines that the ledger gets together with the start, or not at all.

    Raises:
        BenchmarkError: There is no such benchmark.
        OptionError: The name, the number of episodes, an option or the last day is impossible.
        BoardError: There is a season of this name.
        StoreError: The secret cannot be kept.
    """
    ruled, count, non_default = check_season(benchmark, name, episodes, options, ends)
    drawn = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
    if len(drawn) != SECRET_BYTES:
        raise OptionError(f"a secret of {len(drawn)} bytes is none: it has {SECRET_BYTES}")
    other_limits = None if limits == ruled.limits else limits
    terms = SeasonTerms(name, ruled.id, ruled.version, count, non_default, other_limits)
    season = Season(terms, terms.commit(drawn), "", by, ends)
    _refuse_second_start(name, read_ledger(store))
    keep_secret(drawn, season.mark, store)
    try:
        added = more(season) if more else ()
        append_events(store, lambda events: [_draft_start(season, events), *added])
    except BaseException:
        forget_secret(season.mark, store)  # nothing was started
        raise
    return find_season(name, read_ledger(store))


def reveal_season(
    name: str, store: Store, *, by: str, early: bool = False, of_event: bool = False
) -> Season:
    """Reveal a season's secret in the ledger: everybody can check it, nobody can enter any more.

    Args:
        name: The season's name.
        store: Where the ledger is.
        by: Who reveals it.
        early: Whether to reveal it though its last day has not passed.
        of_event: Whether it is an event's, whose own rules were seen to.

    Raises:
        BoardError: There is no such season, it is revealed already, it is not over, it is an
            event's, or its secret is not here.
        StoreError: The secret was changed, or others can read it.
    """
    season = find_season(name, read_ledger(store))
    _refuse_second_reveal(season)
    if season.of_event and not of_event:
        raise BoardError(f"season {name!r} is an event's: ludus event reveal {name}")
    if season.ends is not None and not season.over and not early:
        raise BoardError(f"season {name!r} goes on until {season.ends}: reveal it after that day")
    secret = organiser_secret(season, store)

    def decide(events: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        _refuse_second_reveal(find_season(name, events))
        body = {"season": name, "secret": secret.hex(), "by": by, "why": ""}
        return [_draft(LedgerEventKind.SEASON_REVEALED, season.terms, body)]

    append_events(store, decide)
    return find_season(name, read_ledger(store))


def open_seasons(path: str | Path, store: Store) -> list[Season]:
    """Take the revealed secrets of an exported ledger, so that sealed runs here can be verified.

    Args:
        path: The ledger, as ``ludus board export`` wrote it.
        store: Where the runs are.

    Returns:
        The seasons whose secrets are here now.

    Raises:
        BoardError: It is no ledger, it is broken, or a secret is not the one committed to.
        StoreError: A secret cannot be kept.
    """
    events = read_ledger_file(path)
    if broken := find_broken_line(events):
        raise BoardError(f"{path}, line {broken.number}: {broken.reason}")
    for problem in find_season_problems(events):
        raise BoardError(f"{path}: {problem}")
    revealed = [season for season in read_seasons(events).values() if season.secret]
    for season in revealed:
        if find_secret(season.terms, season.mark, store) is None:
            keep_secret(read_secret(season.secret), season.mark, store)
    return revealed


def organiser_secret(season: Season, store: Store) -> bytes:
    """Return a season's secret.

    Raises:
        BoardError: It is not here.
        StoreError: It was changed, or others can read it.
    """
    secret = find_secret(season.terms, season.mark, store)
    if secret is None:
        raise BoardError(
            f"the secret of season {season.name!r} is not here: only the store that started it "
            "has it"
        )
    return secret


def _refuse_second_start(name: str, events: Iterable[LedgerEvent]) -> None:
    seasons = read_seasons(events)
    if name in seasons:
        raise BoardError(
            f"there is a season {name!r} since {seasons[name].started[:10]}: take another name"
        )


def _refuse_second_reveal(season: Season) -> None:
    if season.revealed:
        raise BoardError(f"season {season.name!r} was revealed on {season.revealed[:10]}")


def _draft_start(season: Season, events: Sequence[LedgerEvent]) -> LedgerDraft:
    _refuse_second_start(season.name, events)
    body = {
        "season": season.name,
        "commitment": season.commitment,
        "episodes": season.terms.episodes,
        "options": dict(season.terms.options),
        "ends": season.ends.isoformat() if season.ends else None,
        "by": season.by,
        "why": "",
    }
    if season.terms.limits is not None:
        body["limits"] = season.terms.limits.to_dict()
    return _draft(LedgerEventKind.SEASON_STARTED, season.terms, body)


def _draft(kind: LedgerEventKind, terms: SeasonTerms, body: Mapping[str, Any]) -> LedgerDraft:
    return LedgerDraft(kind, terms.benchmark, terms.version, body)
