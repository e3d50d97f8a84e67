"""Sealed seasons of boards: started with a commitment, played in secret, revealed at the end.

What a season is follows from the lines of the ledger alone: one that starts it, with its terms and
its commitment, and one that reveals its secret. Entries come between the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from ludus.benchmarks import Benchmark
from ludus.boards.entry import BoardKey
from ludus.boards.ledger import (
    LedgerEvent,
    LedgerEventKind,
)
from ludus.errors import BoardError, OptionError
from ludus.execution.plan import Plan
from ludus.execution.sealing import (
    SeasonMark,
    SeasonTerms,
    read_secret,
)
from ludus.limits import Limits

__all__ = [
    "Season",
    "check_season_open",
    "find_season",
    "find_season_of",
    "find_season_problems",
    "read_seasons",
]

MALFORMED = (ValueError, TypeError, AttributeError, KeyError)
"""What reading a line raises that says nothing true of a season; a ``BoardError`` is among them."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season as the ledger tells it.

    Attributes:
        terms: What is played.
        commitment: The digest over terms and secret, published at the start.
        started: When it was started, UTC.
        by: Who started it.
        ends: The last day on which entries are played, or None.
        revealed: When the secret was revealed, UTC, or None.
        secret: The secret in hexadecimal digits once it is revealed, or None.
        of_event: Whether it is an event's: then entries come by the event alone.
    """

    terms: SeasonTerms
    commitment: str
    started: str
    by: str
    ends: date | None = None
    revealed: str | None = None
    secret: str | None = None
    of_event: bool = False

    @property
    def name(self) -> str:
        """The season's name."""
        return self.terms.name

    @property
    def mark(self) -> SeasonMark:
        """What plans of its runs carry."""
        return SeasonMark(self.name, self.commitment)

    @property
    def key(self) -> BoardKey:
        """Which board of its benchmark is the season's."""
        return BoardKey.of(0, self.terms.options, self.name)

    @property
    def over(self) -> bool:
        """Whether its last day has passed."""
        return self.ends is not None and datetime.now(UTC).date() > self.ends

    @property
    def state(self) -> str:
        """``sealed`` until its secret is revealed, then ``revealed``."""
        return "revealed" if self.revealed else "sealed"

    def to_dict(self) -> dict[str, Any]:
        """Return what may be published about it, as plain values."""
        terms = self.terms
        return {
            "season": self.name,
            "state": self.state,
            "benchmark": terms.benchmark,
            "version": terms.version,
            "options": dict(terms.options),
            "episodes": terms.episodes,
            "limits": terms.limits.to_dict() if terms.limits else None,
            "commitment": self.commitment,
            "started": self.started,
            "by": self.by,
            "ends": self.ends.isoformat() if self.ends else None,
            "revealed": self.revealed,
            "secret": self.secret,
        }


def read_seasons(events: Iterable[LedgerEvent]) -> dict[str, Season]:
    """Return the seasons that a ledger tells of, by name, in the order of their starts.

    Of lines that contradict an earlier one, the earlier counts; :func:`find_season_problems` names
    them.
    """
    seasons: dict[str, Season] = {}
    for event in events:
        if event.of_season or event.kind == LedgerEventKind.EVENT_CREATED:
            for season in _apply(event, seasons):
                seasons[season.name] = season
    return seasons


def find_season_problems(events: Sequence[LedgerEvent]) -> Iterator[str]:
    """Yield what is wrong with the seasons of a ledger, one line each.

    Every secret is held against its commitment, and every entry against the season it is of.
    """
    seasons: dict[str, Season] = {}
    for event in events:
        try:
            if event.of_season:
                season = _read_event(event, seasons)
                seasons[season.name] = season
            elif event.kind == LedgerEventKind.ACCEPTED and event.body.get("season"):
                _check_entry(event, seasons)
        except MALFORMED as error:
            yield f"line {event.number} of the ledger: {error}"


def _apply(event: LedgerEvent, seasons: Mapping[str, Season]) -> list[Season]:
    try:
        return [_read_event(event, seasons)]
    except MALFORMED:
        return []


def _read_event(event: LedgerEvent, seasons: Mapping[str, Season]) -> Season:
    """Return a season after a line about it.

    Raises:
        BoardError: The line cannot be true.
    """
    body = event.body
    name = str(body.get("season", body.get("event")))
    if event.kind == LedgerEventKind.EVENT_CREATED and name in seasons:
        return replace(seasons[name], of_event=True)
    if event.kind == LedgerEventKind.SEASON_STARTED:
        if name in seasons:
            raise BoardError(f"season {name!r} was started before, on {seasons[name].started[:10]}")
        return _read_start(event, body)
    if name not in seasons:
        raise BoardError(f"season {name[:60]!r} is revealed, but was never started")
    return _read_reveal(event, body, seasons[name])


def _read_start(event: LedgerEvent, body: Mapping[str, Any]) -> Season:
    try:
        mark = SeasonMark.from_dict({"name": body["season"], "commitment": body["commitment"]})
        terms = SeasonTerms(
            name=mark.name,
            benchmark=event.benchmark,
            version=event.version,
            episodes=int(body["episodes"]),
            options=dict(body["options"]),
            limits=Limits.from_dict(body["limits"]) if body.get("limits") else None,
        )
        ends = date.fromisoformat(body["ends"]) if body.get("ends") else None
        return Season(terms, mark.commitment, event.at, str(body["by"]), ends)
    except (KeyError, TypeError, ValueError) as error:
        raise BoardError(f"starts no season: {error}") from None


def _read_reveal(event: LedgerEvent, body: Mapping[str, Any], season: Season) -> Season:
    if season.revealed:
        raise BoardError(f"season {season.name!r} was revealed before, on {season.revealed[:10]}")
    try:
        secret = read_secret(body.get("secret"))
    except OptionError as error:
        raise BoardError(f"reveals no secret of season {season.name!r}: {error}") from None
    if season.terms.commit(secret) != season.commitment:
        raise BoardError(
            f"the secret is not the one that season {season.name!r} is committed to "
            f"({season.commitment[:12]})"
        )
    return replace(season, revealed=event.at, secret=secret.hex())


def _check_entry(event: LedgerEvent, seasons: Mapping[str, Season]) -> None:
    body = event.body
    season = seasons.get(str(body["season"]))
    who = f"{str(body.get('agent'))[:60]} was accepted to season {str(body['season'])[:60]!r}"
    if season is None:
        raise BoardError(f"{who}, which was not started")
    if season.revealed:
        raise BoardError(f"{who} after its reveal")
    entry = body.get("entry", {})
    terms = SeasonTerms(
        season.name,
        event.benchmark,
        event.version,
        len(entry.get("levels", ())),
        body.get("options", {}),
        season.terms.limits,  # those of the run are held against the commitment
    )
    if terms != season.terms:
        raise BoardError(f"{who}, but played on other terms")


def find_season(name: str, events: Iterable[LedgerEvent]) -> Season:
    """Return the season of this name.

    Raises:
        BoardError: There is none.
    """
    seasons = read_seasons(events)
    if name not in seasons:
        known = ", ".join(seasons) or "none"
        raise BoardError(f"no season {name[:60]!r}; there is {known}: ludus season start …")
    return seasons[name]


def find_season_of(benchmark: Benchmark, name: str, events: Iterable[LedgerEvent]) -> Season:
    """Return the season of this name, which has to be one of the benchmark's.

    Raises:
        BoardError: There is none.
    """
    season = find_season(name, events)
    if (season.terms.benchmark, season.terms.version) != (benchmark.id, benchmark.version):
        of = f"{season.terms.benchmark}@{season.terms.version}"
        raise BoardError(f"season {name!r} is of {of}, not of {benchmark.rule}")
    return season


def check_season_open(plan: Plan, events: Iterable[LedgerEvent]) -> None:
    """Make sure that a run can still come on the board of its season, if it is of one.

    Raises:
        BoardError: It cannot.
    """
    if plan.season is None:
        return
    season = find_season(plan.season.name, events)
    if season.revealed:
        raise BoardError(
            f"season {season.name!r} was revealed on {season.revealed[:10]}: it takes no more "
            "entries"
        )
    if season.commitment != plan.season.commitment or season.terms != plan.terms:
        raise BoardError(f"the run was played on other terms than those of season {season.name!r}")
