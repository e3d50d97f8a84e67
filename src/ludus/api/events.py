"""``ludus.create_event`` and its kin: a competition from the call to the results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ludus.api.event_result import EventResult
from ludus.api.players import Players
from ludus.api.playing import Watch, make_players_executor, play_missing
from ludus.api.run_result import RunResult
from ludus.api.settings import current_user, make_context, open_store
from ludus.benchmarks import find_benchmark
from ludus.boards import accept
from ludus.boards.ledger import read_competitions
from ludus.boards.organising import check_season
from ludus.context import RunContext
from ludus.errors import BoardError
from ludus.events import (
    Description,
    Event,
    EventEntry,
    EventTerms,
    entering,
    organising,
    read_events,
)
from ludus.events.entering import Receipt
from ludus.events.entry import check_entrant, entrant_key
from ludus.events.packing import pack_agent
from ludus.events.playing import (
    judge_claims,
    plan_claims,
    plan_event,
    prepare_files,
    record_checks,
)
from ludus.events.terms import read_event_file
from ludus.games.game import find_game
from ludus.limits import Limits
from ludus.runs import Plan, Run, Store
from ludus.seeds import check_seed

__all__ = [
    "CheckedClaims",
    "check_claims",
    "close_event",
    "create_event",
    "enter_event",
    "event_results",
    "event_terms",
    "list_events",
    "reveal_event",
    "run_event",
    "withdraw_entry",
]


class CheckedClaims(NamedTuple):
    """What came of checking the claims of an event.

    Attributes:
        event: The event, whose entries have their checks.
        checked: The entries that were measured now.
        played: The run on the public seed; None if there was nothing to measure.
    """

    event: Event
    checked: list[EventEntry]
    played: RunResult | None


def create_event(
    benchmark: str,
    name: str,
    *,
    deadline: datetime,
    opens: datetime | None = None,
    rules: str = "",
    limits: Limits | None = None,
    public_seed: int = 0,
    episodes: int | None = None,
    options: Mapping[str, Any] | None = None,
    organiser: str | None = None,
    store: str | Store | None = None,
    secret: bytes | None = None,
) -> Event:
    """Create an event on a track and publish its terms and the commitment to its sealed seed.

    The secret lies beside the store, in a file that only its owner can read.

    Args:
        benchmark: The track: a benchmark's id.
        name: What the event is called, such as ``cig-2026``.
        deadline: Until when entries are taken.
        opens: From when on; from now on if None.
        rules: Further rules, in words.
        limits: What an agent may use for an episode; what the benchmark gives if None.
        public_seed: The seed on which entrants measure themselves.
        episodes: How many every entry plays; the benchmark's own number if None.
        options: What is played otherwise than by default: the benchmark's options.
        organiser: Whose event it is: the name of an account, or of anybody; the user if None.
        store: Where boards and entries are; the user's own store if None.
        secret: The secret, 32 bytes; drawn by chance if None.

    Raises:
        BenchmarkError: There is no such benchmark.
        OptionError: The name, a time, the rules, an option or a number is impossible.
        BoardError: There is an event or a season of this name.
        StoreError: The secret cannot be kept.
    """
    by = current_user() if organiser is None else check_entrant(organiser)
    texts = {option: str(value) for option, value in (options or {}).items()}
    check_seed(public_seed)
    check_season(benchmark, name, episodes, texts)
    organising.check_call(deadline, opens, datetime.now(UTC), rules)
    with open_store(store) as database:
        return organising.create_event(
            benchmark,
            database,
            name=name,
            by=by,
            deadline=deadline,
            opens=opens,
            rules=rules,
            limits=limits,
            public_seed=public_seed,
            episodes=episodes,
            options=texts,
            secret=secret,
        )


def list_events(*, store: str | Store | None = None) -> list[Event]:
    """Return the events, in the order of their creation.

    Args:
        store: Where they are; the user's own store if None.

    Example:
        >>> import ludus
        >>> ludus.list_events(store="sqlite://")
        []
    """
    with open_store(store) as database:
        return list(read_events(read_competitions(database)).values())


def event_terms(event: str, *, store: str | Store | None = None) -> EventTerms:
    """Return the terms of an event, by its name or from a file that its organiser has published.

    Args:
        event: The event's name, or a file as ``ludus event show NAME --out FILE`` writes it.
        store: Where the event is; the user's own store if None.

    Raises:
        BoardError: There is no such event, or the file is none or was changed.
    """
    if event.endswith(".json"):
        return read_event_file(event)
    with open_store(store) as database:
        return organising.open_event(event, database).terms


def enter_event(
    name: str,
    agent: str,
    *,
    entrant: str,
    score: float,
    folder: bool = False,
    description: Description | None = None,
    token: str | None = None,
    store: str | Store | None = None,
) -> Receipt:
    """Enter an agent for an event; its files are copied, and nothing of them is run.

    Args:
        name: The event's name.
        agent: ``file.py:Class`` with the files beside it that it imports, ``brain.npz``, either of
            them in an archive as ``entry.zip/file.py:Class``, or the name of an agent of Ludus.
        entrant: Who enters; result tables call it so.
        score: What the agent has on the public seed, as :func:`check` measured it.
        folder: Whether all that lies in the file's folder is entered, too.
        description: Approach, author, affiliation, licence and method.
        token: The token of the former entry, which is replaced.
        store: Where the event is; the user's own store if None.

    Returns:
        The entry and its token. The token is shown once: it takes it to replace or withdraw.

    Raises:
        AgentError: It is no agent that can be entered, or larger than the limits.
        BoardError: There is no such event, it takes no entries now, or the name is somebody else's.
        OptionError: Name, score or description is impossible.
    """
    with open_store(store) as database:
        terms = organising.open_event(name, database).terms
        family = find_game(find_benchmark(terms.benchmark).game_for(terms.options)).agent_family
        return entering.enter(
            name,
            pack_agent(agent, family, folder=folder),
            database,
            entrant=entrant,
            claim=score,
            by=current_user(),
            description=description,
            token=token,
        )


def withdraw_entry(
    name: str, entrant: str, *, token: str, store: str | Store | None = None
) -> Event:
    """Withdraw an entry: it does not play.

    Args:
        name: The event's name.
        entrant: Whose entry.
        token: Its token.
        store: Where the event is; the user's own store if None.

    Raises:
        BoardError: There is no such event or entry, it takes no changes now, or the token is not
            the entry's.
    """
    with open_store(store) as database:
        return entering.withdraw(name, entrant, database, token=token, by=current_user())


def check_claims(
    name: str,
    *,
    again: bool = False,
    entrants: Collection[str] | None = None,
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    trust: bool = False,
    watch: Watch | None = None,
) -> CheckedClaims:
    """Play entries on the public seed, in the sandbox, and compare with what they claim.

    Args:
        name: The event's name.
        again: Whether entries that were measured before are measured again.
        entrants: Whose entries; all if None.
        workers: How many processes play; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the event is; the user's own store if None.
        trust: Whether to play entries where there is no sandbox.
        watch: Is told of the run and of each episode.

    Raises:
        BoardError: There is no such event.
        StoreError: The files of an entry were changed.
        Paused: The run cannot go on now; the next call takes it up again.
    """
    with open_store(store) as database:
        event = organising.open_event(name, database)
        keys = None if entrants is None else {entrant_key(one) for one in entrants}
        entries = [
            entry
            for entry in event.playing
            if (again or entry.check is None) and (keys is None or entry.key in keys)
        ]
        if not entries:
            return CheckedClaims(event, [], None)
        context = make_context(trust=trust, from_outside=True)
        run = _find_or_add(plan_claims(event, entries, database, context), database)
        result = _play(run, database, context, workers, on, watch)
        checks = judge_claims(event, result.run, result.episodes)
        event = record_checks(event, checks, database, by=current_user())
        names = {entry.key for entry in entries}
        return CheckedClaims(event, [one for one in event.playing if one.key in names], result)


def close_event(name: str, *, why: str = "", store: str | Store | None = None) -> Event:
    """End the time of entries before the deadline; the ledger tells everybody.

    Args:
        name: The event's name.
        why: A remark.
        store: Where the event is; the user's own store if None.

    Raises:
        BoardError: There is no such event, or it takes no more entries anyway.
    """
    with open_store(store) as database:
        return organising.close_event(name, database, by=current_user(), why=why)


def run_event(
    name: str,
    *,
    workers: int | None = None,
    on: str = "here",
    store: str | Store | None = None,
    trust: bool = False,
    watch: Watch | None = None,
) -> EventResult:
    """Play all entries on the sealed scenarios, in the sandbox; what was begun is gone on with.

    Args:
        name: The event's name.
        workers: How many processes play; one for each core if None.
        on: Where they play: ``here``, ``ray`` or ``ray://HOST:PORT``.
        store: Where the event is; the user's own store if None.
        trust: Whether to play entries where there is no sandbox, so that they can read your files.
        watch: Is told of the run and of each episode.

    Raises:
        BoardError: There is no such event, entries are still taken, there are none, it was
            revealed, or its secret is not here.
        StoreError: The secret or the files of an entry were changed.
        Paused: The run cannot go on now; the next call takes it up again.
    """
    context = make_context(trust=trust, from_outside=True)
    with open_store(store) as database:
        event = organising.open_event(name, database)
        _check_playable(event, database)
        if event.run is None:
            added = database.add(plan_event(event, database, context))
            event = organising.begin_run(event, added, database, by=current_user())
            if event.run != added.id:  # another process was first
                database.delete(added.id)
        run = database.run(str(event.run))
        prepare_files(event, database)
        result = _play(run, database, context, workers, on, watch)
        if result.run.complete:
            result.decisions = accept(result.id, database, by=current_user(), why="event")
        return EventResult(event, result)


def reveal_event(name: str, *, store: str | Store | None = None) -> Event:
    """Reveal the sealed seed of an event that was run: everybody can check it.

    Args:
        name: The event's name.
        store: Where the event is; the user's own store if None.

    Raises:
        BoardError: There is no such event, entries are still taken, its run is not complete, or it
            is revealed already.
        StoreError: The secret was changed, or others can read it.
    """
    with open_store(store) as database:
        return organising.reveal_event(name, database, by=current_user())


def event_results(name: str, *, store: str | Store | None = None) -> EventResult:
    """Return the results of an event, as far as its run has come.

    Args:
        name: The event's name.
        store: Where the event is; the user's own store if None.

    Raises:
        BoardError: There is no such event, or it was not run yet.
    """
    with open_store(store) as database:
        event = organising.open_event(name, database)
        if event.run is None:
            raise BoardError(f"event {name!r} has no results yet: ludus event run {name}")
        run = database.run(event.run)
        episodes = tuple(database.episodes(run.id))
        return EventResult(event, RunResult(run, event.terms.find_benchmark(), episodes))


def _check_playable(event: Event, store: Store) -> None:
    event.check_over(store.now().replace(microsecond=0))
    if event.season.revealed:
        raise BoardError(
            f"event {event.name!r} was revealed on {event.season.revealed[:10]}: ludus event "
            f"results {event.name}"
        )
    if not event.playing:
        raise BoardError(f"nobody has entered event {event.name!r}: there is nothing to run")


def _find_or_add(plan: Plan, store: Store) -> Run:
    """Return a run of the same plan that was left, or a new one."""
    same = (run for run in store.runs(plan.benchmark) if run.identity == plan.identity)
    return next((run for run in same if not run.complete), None) or store.add(plan)


def _play(
    run: Run,
    store: Store,
    context: RunContext,
    workers: int | None,
    on: str,
    watch: Watch | None,
) -> RunResult:
    executor = make_players_executor(Players(()), workers, on)
    return play_missing(run, store, executor, context, watch)
