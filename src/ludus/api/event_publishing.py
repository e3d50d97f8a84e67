"""``ludus.publish_event``, ``ludus.verify_event``: results as files that anybody checks."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.api.event_result import EventResult
from ludus.api.events import event_results
from ludus.api.settings import open_store
from ludus.boards import export_ledger
from ludus.boards.board import build_board
from ludus.boards.head import check_head
from ludus.boards.ledger import LedgerEvent, find_broken_line
from ludus.boards.ledger_files import read_exported_ledger
from ludus.boards.rebuild import find_entry_problems
from ludus.boards.run_files import RunFile, prepare_reading
from ludus.boards.seasons import find_season_problems
from ludus.errors import BoardError, LudusError, OptionError, one_line
from ludus.escaping import escape_markdown
from ludus.events import Event, EventEntry, find_event_problems
from ludus.events.event import find_event
from ludus.events.terms import read_event_file
from ludus.events.unpacking import read_tree, write_tree
from ludus.json_files import read_json
from ludus.reports.event_tables import view_to_markdown
from ludus.runs import ScoredEpisode, Store
from ludus.runs.consent import replay_context
from ludus.runs.entry_files import digest_files, load_files
from ludus.runs.exchange import export, read_run
from ludus.runs.sealed import open_plan
from ludus.runs.watch import film_record

__all__ = ["VerifiedEvent", "publish_event", "verify_event"]

EVENT, LEDGER, RUN, RESULTS = "event.json", "ledger.jsonl", "run.jsonl", "results.json"
ENTRIES, SOURCE = "entries", "source"
README = """\
# {name}

{table}
The sealed seed was known by the commitment `{commitment}`
and is revealed: `{secret}`.

| file | what it holds |
|---|---|
| `event.json` | the terms, the commitment, the secret, the entries |
| `results.json`, `results.csv`, `results.tex` | the table above |
| `levels.csv` | every episode, level by level |
| `run.jsonl` | the run that counts, with every action |
| `ledger.jsonl` | who entered what and when, line by line, each sealed with the one before |
| `entries` | what was entered: its source and its description |

`ludus verify` with this folder plays every episode again and holds all of it against the ledger.
"""


@dataclass(frozen=True, slots=True)
class VerifiedEvent:
    """The outcome of verifying a published event; true if nothing is wrong.

    Attributes:
        event: The event's name.
        episodes: How many episodes were played again.
        problems: What is wrong, one line each.
    """

    event: str
    episodes: int
    problems: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.problems


# ---- out


def publish_event(
    name: str,
    folder: str | Path,
    *,
    films: int = 0,
    store: str | Store | None = None,
    on_file: Callable[[], None] | None = None,
) -> list[Path]:
    """Write an event that was revealed as plain files, all of them or none, and return them.

    Args:
        name: The event's name.
        folder: Where to; it must not exist, or be empty.
        films: Of how many competitors, the best first, the best episode is filmed.
        store: Where the event is; the user's own store if None.
        on_file: Called after each part that was written.

    Raises:
        BoardError: There is no such event, or it is not revealed.
        OptionError: The folder cannot be written.
        StoreError: The files of an entry were changed.
        MissingExtra: What makes films is not installed.
    """
    target = Path(folder)
    with open_store(store) as database:
        result = event_results(name, store=database)
        if not result.event.season.secret:
            raise BoardError(f"event {name!r} is sealed: ludus event reveal {name}, then publish")
        partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            if target.exists() and (not target.is_dir() or any(target.iterdir())):
                raise OptionError(f"{str(target)!r} is not empty: name a new folder")
            for _ in _write_all(result, database, partial, films):
                if on_file:
                    on_file()
            if target.exists():
                target.rmdir()
            partial.rename(target)
        except OSError as error:
            raise OptionError(f"cannot write {str(target)!r}: {error.strerror or error}") from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return sorted(path for path in target.rglob("*") if path.is_file())


def _write_all(result: EventResult, store: Store, folder: Path, films: int) -> Iterator[None]:
    """Write part after part; yields after each."""
    event = result.event
    folder.mkdir(parents=True)
    _write_json(folder / EVENT, event.to_dict())
    _write_json(folder / RESULTS, result.to_dict())
    result.to_csv(folder / "results.csv")
    (folder / "results.tex").write_text(result.to_latex(), encoding="utf-8")
    result.by_level().to_csv(folder / "levels.csv")
    (folder / "README.md").write_text(_describe(result), encoding="utf-8")
    export_ledger(store, folder / LEDGER)
    yield
    export(result.played.id, store, folder / RUN)
    yield
    for number, entry in enumerate(event.playing, start=1):
        _write_entry(folder / ENTRIES / _name_folder(number, entry), entry, store)
        yield
    plan = open_plan(result.played.run, store)
    context = replay_context(result.played.run, plan)
    for path, episode in _choose_films(result, folder / "films", films):
        path.parent.mkdir(exist_ok=True)
        film_record(plan, episode.episode, path, context)
        yield


def _write_entry(folder: Path, entry: EventEntry, store: Store) -> None:
    write_tree(folder / SOURCE, load_files(entry.digest, store))
    _write_json(folder / "entry.json", entry.to_dict())


def _choose_films(
    result: EventResult, folder: Path, count: int
) -> Iterator[tuple[Path, ScoredEpisode]]:
    """Yield the best episode of each of the first competitors, and the file of its film."""
    names = [agent.name for agent in result.played.run.plan.agents]
    for place, summary in enumerate(result.played.summaries[:count], start=1):
        number = names.index(summary.agent)
        own = [one for one in result.played.episodes if one.episode.agent == number]
        best = max(own, key=lambda one: (one.score.total, -one.episode.number))
        yield folder / f"{_slug(place, summary.agent)}.gif", best


def _name_folder(number: int, entry: EventEntry) -> str:
    return _slug(number, entry.entrant)


def _slug(number: int, name: str) -> str:
    """Return a name of a file that leads nowhere else, whatever an entrant is called.

    Example:
        >>> _slug(3, "../Robin B.")
        '03-robin-b'
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "-".join([f"{number:02}", *words])[:60]


def _describe(result: EventResult) -> str:
    event = result.event
    return README.format(
        name=escape_markdown(event.name),
        table=view_to_markdown(result.view),
        commitment=event.terms.commitment,
        secret=event.season.secret,
    )


def _write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2, allow_nan=False) + "\n", encoding="utf-8")


# ---- in


def verify_event(
    folder: str | Path, *, trust: bool = False, on_part: Callable[[], None] | None = None
) -> VerifiedEvent:
    """Verify a published event from its files alone: seed, ledger, every episode, entries, results.

    Nothing of an entry is run, and no store is read or written.

    Args:
        folder: As :func:`publish_event` wrote it; it may be anybody's.
        trust: Whether to load the guest environment that the event names; it plays confined.
        on_part: Called after each part that was checked.

    Raises:
        BoardError: It holds no event.
        RunError: The run's file is damaged; the message names the line.
    """
    home = Path(folder)
    terms = read_event_file(home / EVENT)
    lines, head = read_exported_ledger(home / LEDGER)
    if (broken := find_broken_line(lines)) is not None:
        raise BoardError(f"line {broken.number} of the ledger {broken.reason}")
    if head:
        check_head(lines, head)
    event = find_event(terms.name, lines)
    problems = [*find_season_problems(lines), *find_event_problems(lines)]
    problems += _compare(EVENT, read_json(home / EVENT), event.to_dict())
    checks: Sequence[Callable[[], Iterator[str]]] = (
        lambda: _check_entries(event, home),
        lambda: _check_results(event, home),
        lambda: _check_run(event, lines, read),
    )
    read = prepare_reading([line for line in lines if line.of_season], True, trust)(home / RUN)
    for check in checks:
        problems += check()
        if on_part:
            on_part()
    episodes = read.verification.episodes if read.verification else 0
    return VerifiedEvent(event.name, episodes, tuple(problems))


def _check_entries(event: Event, home: Path) -> Iterator[str]:
    """Yield which entries are not what the ledger says was entered."""
    for number, entry in enumerate(event.playing, start=1):
        folder = home / ENTRIES / _name_folder(number, entry) / SOURCE
        try:
            found = digest_files(read_tree(folder))
        except (OSError, ValueError) as error:
            yield f"the source of {entry.entrant} cannot be read: {one_line(error)}"
            continue
        if found != entry.digest:
            yield f"the source of {entry.entrant} is not what was entered: {entry.digest[:12]}"


def _check_results(event: Event, home: Path) -> Iterator[str]:
    """Yield where the published results are not what the run gives."""
    from ludus.api.run_result import RunResult

    run, scored = read_run(home / RUN)
    if run.id != event.run:
        yield f"{RUN} holds run {run.id}, the one that counts is {event.run}"
    names = [agent.name for agent in run.plan.agents]
    if names != [entry.entrant for entry in event.playing]:
        yield f"{RUN} was played by {', '.join(names)[:200]}, not by those who entered"
        return
    result = EventResult(event, RunResult(run, event.terms.find_benchmark(), tuple(scored)))
    yield from _compare(RESULTS, read_json(home / RESULTS), result.to_dict())


def _check_run(event: Event, lines: Sequence[LedgerEvent], file: RunFile) -> Iterator[str]:
    """Yield where the run is not what its replay, its season and the board say."""
    if event.season.secret is None:
        yield f"event {event.name!r} is not revealed: its run cannot be played again"
    if file.problem or file.unplayed:
        yield file.problem or file.unplayed
    for difference in file.verification.differences if file.verification else ():
        yield f"run {file.run.id}, {difference}"
    benchmark = event.terms.find_benchmark()
    try:
        board = build_board(benchmark, lines, season=event.name)
        yield from find_entry_problems(board, {file.run.id: file})
    except LudusError as error:
        yield str(error)


def _compare(file: str, published: Any, found: Mapping[str, Any]) -> Iterator[str]:
    """Yield which fields of a published file are not what follows from ledger and run."""
    if not isinstance(published, Mapping):
        yield f"{file} holds no results"
        return
    expected = json.loads(json.dumps(found))
    for name in expected.keys() | published.keys():
        if published.get(name) != expected.get(name):
            yield f"{name!a} of {file} is not what ledger and run give"
