"""Processes that play the same run share its episodes: each leases those that it plays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic, time
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ludus.errors import RunError, StoreError
from ludus.execution.episode import Episode
from ludus.execution.plan import PlannedEpisode
from ludus.execution.queue import EpisodeQueue
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.runner import Runner
from ludus.runs.schema import episodes, runs
from ludus.runs.schema import leases as table
from ludus.runs.store import Run, ScoredEpisode, Store

__all__ = ["LOOK_SECONDS", "LeasedEpisodes", "read_clock"]

LEASE_SECONDS = 60.0
RENEWAL_SECONDS = 15.0
AHEAD_SECONDS = 1.0  # of play that a process leases beyond what it can begin at once
MOST_AHEAD = 2_000
SHORTEST_SECONDS = 0.25  # over which a pace is measured
LOOK_SECONDS = 0.5
"""How long to wait between two looks at what others do."""
MOST_NAMED = 500  # numbers in one query


class LeasedEpisodes(EpisodeQueue):
    """The missing episodes of a run, shared with every other process that plays the run.

    A lease is on a stretch of episodes. The process renews it while it plays; a lease that is not
    renewed expires and its episodes are free again. So are those of a process of this machine
    that has ended, at once. A process leases about a second of play ahead, so that short episodes
    need few leases and long ones are not held back from others. Of a plan in order it leases all
    that an agent still has to play, so that no two processes ever play for the same agent.

    Times are the database's, or this machine's for a file. A clock that is set may let two
    processes play the same episodes; the store keeps each episode once.

    Args:
        run: The run.
        store: Where it is stored.
        known: The episodes that the caller has read; those that are stored now if None.
    """

    def __init__(self, run: Run, store: Store, known: Collection[int] | None = None) -> None:
        super().__init__()
        self._run, self._store = run.id, store
        self._planned: Sequence[PlannedEpisode] = run.plan.episodes
        self._levels = len(run.plan.scenarios) if run.plan.in_order else 0  # of an agent, in order
        self._runner = Runner.here()
        self._free = np.ones(len(self._planned), dtype=bool)  # neither ours nor known as stored
        self._free[list(store.played_numbers(run.id) if known is None else known)] = False
        self._free_count = int(self._free.sum())
        self._leases: dict[int, set[int]] = {}  # the episodes still to be stored, by the first
        self._first_of: dict[int, int] = {}
        self._stored_by_others: list[int] = []
        self._highest = -1  # episode that anybody has leased
        self._others = False
        self._next_look = 0.0
        self._next_claim = 0.0
        self._settled = 0  # episodes since the last claim
        self._last_claim = monotonic()
        self._ended = Event()
        self._renewal = Thread(target=self._keep_renewing, name="leases", daemon=True)

    # ---- the queue

    def take(self, count: int) -> list[PlannedEpisode]:
        """Return the next episodes, at most so many, and lease more of them if need be."""
        if count > len(self._waiting):
            self._lease(count - len(self._waiting))
        return super().take(count)

    def read_earlier(self, planned: PlannedEpisode) -> list[Episode]:
        """Return the stored levels that the agent of a level in order has played before it."""
        numbers = range(planned.number - planned.scenario, planned.number)
        return [one.episode for one in self._read(numbers)]

    def __len__(self) -> int:
        """Return how many may still come; another process may play some of them."""
        return len(self._waiting) + self._free_count

    def __bool__(self) -> bool:
        """Say whether there is an episode to take now."""
        if not self._waiting:
            self._lease(1)
        return bool(self._waiting)

    # ---- the run

    @property
    def missing(self) -> list[PlannedEpisode]:
        """The episodes that were not stored when the process began."""
        return [self._planned[number] for number in np.flatnonzero(self._free).tolist()]

    @property
    def complete(self) -> bool:
        """Whether every episode is known to be stored."""
        return not self._leases and not self._free_count

    @property
    def unsettled(self) -> bool:
        """Whether some of the leased episodes were not stored."""
        return bool(self._leases)

    def settle(self, numbers: Iterable[int]) -> None:
        """Take note that episodes are stored; their leases end with the next claim."""
        for number in numbers:
            self._settled += 1
            first = self._first_of.pop(number, None)
            if first is not None:
                self._leases[first].discard(number)
                if not self._leases[first]:
                    del self._leases[first]

    def read_others(self, *, at_once: bool = False) -> list[ScoredEpisode]:
        """Return the episodes that others have stored since the last call.

        Args:
            at_once: Whether to look even if no other process was seen lately.
        """
        if self._others or at_once:
            self._look(at_once=at_once)
        numbers, self._stored_by_others = self._stored_by_others, []
        return self._read(numbers)

    def _read(self, numbers: Sequence[int]) -> list[ScoredEpisode]:
        chunks = [numbers[k : k + MOST_NAMED] for k in range(0, len(numbers), MOST_NAMED)]
        return [one for chunk in chunks for one in self._store.episodes(self._run, chunk)]

    def close(self) -> None:
        """Give back what was leased."""
        self._ended.set()
        if self._renewal.ident:
            self._renewal.join()
        if self._highest >= 0:  # otherwise nothing was ever leased
            with suppress(StoreError):  # if the store is gone, its leases expire
                self._release()

    # ---- leases

    def _lease(self, count: int) -> None:
        """Lease free episodes, if there are any; not at once again if others have them all."""
        if not self._free_count or monotonic() < self._next_claim:
            return
        pace = self._settled / max(monotonic() - self._last_claim, SHORTEST_SECONDS)
        count = max(count, min(int(AHEAD_SECONDS * pace), MOST_AHEAD))
        numbers = self._claim(count)
        self._settled, self._last_claim = 0, monotonic()
        if not numbers:
            self._next_claim = monotonic() + LOOK_SECONDS
            return
        self._mark_known(numbers)
        self._leases[numbers[0]] = set(numbers)
        self._first_of.update(dict.fromkeys(numbers, numbers[0]))
        self._waiting.extend(self._planned[number] for number in numbers)
        if not self._renewal.ident and self._store.shareable:
            self._renewal.start()

    @retry_when_lost
    def _claim(self, count: int) -> list[int]:
        """Write a lease on free episodes into the store and return their numbers."""
        with self._store.transaction() as connection:
            self._drop_settled(connection)
            live = self._drop_expired(connection)
            self._others = any(lease.runner != self._runner.id for lease in live)
            self._highest = max([self._highest, *(lease.last for lease in live)])
            if numbers := self._find_free(connection, count, live):
                self._highest = max(self._highest, numbers[-1])
                connection.execute(table.insert().values(**self._to_row(connection, numbers)))
            return numbers

    def _drop_settled(self, connection: Connection) -> None:
        """End the leases whose episodes are stored; this also locks the run for other claims."""
        if connection.dialect.name == "postgresql":
            locked = sa.select(runs.c.id).where(runs.c.id == self._run)
            connection.execute(locked.with_for_update(key_share=True))
        ours = (table.c.run == self._run, table.c.runner == self._runner.id)
        connection.execute(table.delete().where(*ours, table.c.first.not_in(list(self._leases))))
        if connection.scalar(sa.select(runs.c.id).where(runs.c.id == self._run)) is None:
            raise RunError(f"run {self._run} was deleted while it was played")

    def _drop_expired(self, connection: Connection) -> list[Any]:
        """End the leases of processes that are gone, and return those that hold."""
        now, live = read_clock(connection), []
        for lease in connection.execute(sa.select(table).where(table.c.run == self._run)).all():
            runner = Runner(lease.runner, lease.machine, lease.process, lease.started)
            in_time = now <= lease.expires <= now + LEASE_SECONDS + 1  # further is no clock of ours
            if lease.runner == self._runner.id or (in_time and not runner.is_gone):
                live.append(lease)
            else:
                here = (table.c.run == self._run, table.c.first == lease.first)
                connection.execute(table.delete().where(*here))
        return live

    def _find_free(self, connection: Connection, count: int, live: Sequence[Any]) -> list[int]:
        """Return the first free episodes before the next lease; others may have stored some."""
        free = self._free.copy()
        for lease in live:
            first, end = self._find_block(lease.first, lease.last)
            free[first:end] = False
        count = max(count, self._levels)
        while (unleased := np.flatnonzero(free)[: max(count, MOST_AHEAD)]).size:
            first = int(unleased[0])
            end = min((lease.first for lease in live if lease.first > first), default=len(free))
            if self._levels:
                _, end = self._find_block(first, first)
            stretch = unleased[unleased < end].tolist()
            stored = _read_stored(connection, self._run, first, stretch[-1])
            self._mark_stored(stored)
            if numbers := [number for number in stretch if number not in stored]:
                return numbers[:count]
            free[stretch] = False
        return []

    def _find_block(self, first: int, last: int) -> tuple[int, int]:
        """Return what belongs to a stretch, up to an end: levels in order are one piece of work."""
        if not self._levels:
            return first, last + 1
        return first - first % self._levels, last - last % self._levels + self._levels

    def _mark_stored(self, numbers: Iterable[int]) -> None:
        """Take note of episodes that others have stored."""
        news = sorted(number for number in numbers if self._free[number])
        self._mark_known(news)
        self._stored_by_others += news

    def _mark_known(self, numbers: Sequence[int]) -> None:
        self._free[list(numbers)] = False
        self._free_count -= len(numbers)

    def _look(self, *, at_once: bool) -> None:
        """Find what others have stored of all that was ever leased."""
        if monotonic() < self._next_look and not at_once:
            return
        self._next_look = monotonic() + LOOK_SECONDS
        unknown = np.flatnonzero(self._free)
        if len(unknown) and unknown[0] <= self._highest:
            first, last = int(unknown[0]), self._highest
            self._mark_stored(self._store.played_numbers(self._run, first, last))

    def _to_row(self, connection: Connection, numbers: Sequence[int]) -> dict[str, Any]:
        return {
            "run": self._run,
            "first": numbers[0],
            "last": numbers[-1],
            "runner": self._runner.id,
            "machine": self._runner.machine,
            "process": self._runner.process,
            "started": self._runner.started,
            "expires": read_clock(connection) + LEASE_SECONDS,
        }

    def _keep_renewing(self) -> None:
        while not self._ended.wait(RENEWAL_SECONDS):
            with suppress(StoreError):  # whoever stores an episode says what is wrong
                self._renew()

    def _renew(self) -> None:
        with self._store.transaction() as connection:
            expires = read_clock(connection) + LEASE_SECONDS
            ours = table.update().where(table.c.runner == self._runner.id)
            connection.execute(ours.values(expires=expires))

    def _release(self) -> None:
        with self._store.transaction() as connection:
            connection.execute(table.delete().where(table.c.runner == self._runner.id))


def _read_stored(connection: Connection, run: str, first: int, last: int) -> set[int]:
    stored = (episodes.c.run == run, episodes.c.number.between(first, last))
    return set(connection.scalars(sa.select(episodes.c.number).where(*stored)))


def read_clock(connection: Connection) -> float:
    """Return the seconds of the clock that all who share the database go by."""
    if connection.dialect.name == "postgresql":
        return float(connection.scalar(sa.text("SELECT extract(epoch FROM clock_timestamp())")))
    return time()
