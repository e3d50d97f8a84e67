"""What a worker does with a job: check it, play it on the public seed, or play the final."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludus.agents.isolation.printed import leave_out_middle
from ludus.api.checking import check
from ludus.api.events import check_claims, run_event
from ludus.api.playing import Watch
from ludus.benchmarks import Benchmark
from ludus.errors import AgentError
from ludus.events import Event
from ludus.events.entry import EventEntry, entrant_key
from ludus.events.organising import open_event
from ludus.events.unpacking import find_spec, hide_folder
from ludus.runs import Run, ScoredEpisode, Store
from ludus.runs.running import OnEpisode
from ludus.submissions.job import Job, JobKind, State
from ludus.submissions.queue import find_job

__all__ = ["play_job"]

MOST_LINES = 200
Notify = Callable[[dict[str, Any]], None]


def play_job(
    number: int, store: Store, *, workers: int | None, on: str, notify: Notify
) -> dict[str, Any]:
    """Play what a job waits for and return what came of it, as plain values.

    Args:
        number: The job's number.
        store: Where it is.
        workers: How many processes play; one for each core if None.
        on: Where they play.
        notify: Is told after each episode how many there are.

    Raises:
        LudusError: It cannot be played now.
    """
    job = find_job(number, store)
    event = open_event(job.event, store)
    watch = _watch(notify)
    if job.kind == JobKind.FINAL:
        return _play_final(event, store, workers, on, watch)
    entry = event.entries.get(entrant_key(job.entrant))
    if entry is None or entry.digest != job.digest or entry.withdrawn:
        return _refuse("it was replaced or withdrawn before it could play")
    if job.state == State.RECEIVED:
        return _check(event, entry, store)
    return _play_entry(job, event, store, workers, on, watch)


def _refuse(why: str, lines: Sequence[str] = ()) -> dict[str, Any]:
    shown = [hide_folder(line) for line in leave_out_middle(list(lines), MOST_LINES)]
    return {"state": str(State.REFUSED), "verdict": hide_folder(why), "log": shown}


def _check(event: Event, entry: EventEntry, store: Store) -> dict[str, Any]:
    """Load an entry in the sandbox and let it play one episode, to see what it prints."""
    try:
        checked = check(find_spec(entry, store), event=event.terms, episodes=1)
    except AgentError as error:
        return _refuse(str(error), list(getattr(error, "__notes__", [])))
    lines = [hide_folder(line) for line in checked.violations]
    if not checked.repeats:
        lines.append("it plays the same episode otherwise each time: its score can hardly be met")
    printed = leave_out_middle(checked.printed.to_lines(), MOST_LINES - len(lines))
    lines += [f"| {hide_folder(line)}" for line in printed]
    return {"state": str(State.QUEUED), "verdict": "", "log": lines}


def _play_entry(
    job: Job, event: Event, store: Store, workers: int | None, on: str, watch: Watch
) -> dict[str, Any]:
    """Play an entry on the public seed and compare with its claim, for all to see."""
    done = check_claims(
        event.name, entrants=[job.entrant], workers=workers, on=on, store=store, watch=watch
    )
    entry = done.event.find_entry(job.entrant)
    if entry.check is None or entry.digest != job.digest:
        return _refuse("it was replaced while it played")
    digits = event.terms.find_benchmark().digits
    measured = f"{entry.check.measured:,.{digits}f}"
    words = f"{measured} on the public seed, {entry.check.verdict}"
    lines = [entry.check.reason] if entry.check.reason else []
    return {
        "state": str(State.SCORED),
        "verdict": words,
        "score": entry.check.measured,
        "run": entry.check.run,
        "log": lines,
    }


def _play_final(
    event: Event, store: Store, workers: int | None, on: str, watch: Watch
) -> dict[str, Any]:
    result = run_event(event.name, workers=workers, on=on, store=store, watch=watch)
    words = f"{len(event.playing)} entries have played on the sealed seed"
    run = str(result.event.run)
    return {"state": str(State.SCORED), "verdict": words, "run": run, "log": []}


def _watch(notify: Notify) -> Watch:
    @contextmanager
    def watch(run: Run, _: Benchmark, episodes: Sequence[ScoredEpisode]) -> Iterator[OnEpisode]:
        played = len(episodes)

        def count(_: ScoredEpisode) -> None:
            nonlocal played
            played += 1
            notify({"played": played, "planned": run.planned})

        yield count

    return watch
