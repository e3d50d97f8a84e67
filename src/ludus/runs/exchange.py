"""Runs as files: complete ones that can be taken in again, and tables for other programs."""

from __future__ import annotations

import csv
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from importlib import import_module
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

from ludus.benchmarks import Score
from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError, RunError, one_line
from ludus.escaping import escape_csv_row
from ludus.execution.episode import Episode
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.foreign_files import LINE_VALUES, UnreadableFile, read_lines, reason_of
from ludus.json_files import NotJson, parse_json
from ludus.runs.explain import scenario_name
from ludus.runs.import_checks import check_episode_values, check_plan_values
from ludus.runs.store import (
    Run,
    ScoredEpisode,
    ScoredEpisodes,
    Store,
    check_run_id,
    make_run_id,
)

__all__ = [
    "FORMATS",
    "Format",
    "RunFile",
    "content_digest",
    "episode_rows",
    "export",
    "import_run",
    "read_run",
    "run_to_lines",
]

Format = Literal["csv", "jsonl", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)

# 1 has engines with digests of their sources, 2 has rules with versions, 3 refers to scenarios
NEWEST = 3
BEGINNING = ""
TYPES = ("BIGINT", "DOUBLE", "VARCHAR")


# ---- out


def export(run: str, store: Store, path: str | Path, format: Format = "jsonl") -> None:  # noqa: A002
    """Write a run to a file.

    Args:
        run: The run's id.
        store: Where it is kept.
        path: The file; one that exists is replaced once all of it is written.
        format: ``jsonl`` is complete and can be imported again; ``csv`` and ``parquet`` are
            tables with one row an episode, without the recorded actions.

    Raises:
        RunError: There is no such run.
        OptionError: The format is unknown, or the file cannot be written.
        MissingExtra: A Parquet file was asked for without what writes it.
    """
    writers = {"csv": _write_csv, "jsonl": _write_jsonl, "parquet": _write_parquet}
    if format not in writers:
        raise OptionError(f"no format {format!r}; there are {', '.join(FORMATS)}")
    stored, target = store.run(run), Path(path)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        writers[format](stored, store.stream(stored), partial)
        partial.replace(target)
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)


def run_to_lines(run: Run, scored: ScoredEpisodes) -> Iterator[str]:
    """Yield a run's complete lines, each sealed with the digest of all up to it."""
    plan = json.loads(run.text)
    head = {
        "ludus": "run",
        "format": _format_of(plan),
        "id": run.id,
        "created": run.created.isoformat(timespec="seconds"),
        "identity": run.identity,
        "episodes": len(scored),
        "plan": plan,
    }
    seal = BEGINNING
    for values in chain([head], map(_scored_to_dict, scored)):
        seal = _seal(values, seal)
        yield json.dumps({**values, "digest": seal}, allow_nan=False)


def _format_of(plan: Mapping[str, Any]) -> int:
    """Return the oldest format that holds the plan: digests of old runs must not change."""
    if isinstance(plan.get("scenarios"), dict) or "season" in plan:
        return 3
    return 1 if "engine" in plan else 2


def content_digest(run: Run, scored: ScoredEpisodes) -> str:
    """Return the digest of a complete run; equal runs have equal digests in every store."""
    last = ""
    for line in run_to_lines(run, scored):
        last = line
    return str(json.loads(last)["digest"])


def _scored_to_dict(scored: ScoredEpisode) -> dict[str, Any]:
    score = {"score": scored.score.total, "parts": dict(scored.score.parts)}
    return {**scored.episode.to_values(), **score}


def _seal(values: Mapping[str, Any], previous: str) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


def _write_jsonl(run: Run, scored: ScoredEpisodes, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in run_to_lines(run, scored))


def episode_rows(run: Run, scored: Iterable[ScoredEpisode]) -> list[dict[str, Any]]:
    """Return one row an episode: who, what, the score and its parts, the cost, all facts.

    A fact whose name is also one of the first columns' is called ``fact.name``.
    """
    return list(_iterate_rows(run, scored))


def _iterate_rows(run: Run, scored: Iterable[ScoredEpisode]) -> Iterator[dict[str, Any]]:
    for one in scored:
        episode = one.episode
        row = {
            "run": run.id,
            "benchmark": f"{run.benchmark}@{run.version}",
            "episode": episode.number,
            "agent": run.plan.agents[episode.agent].name,
            "scenario": scenario_name(run.plan, episode.scenario),
            "ending": str(episode.ending),
            "reason": episode.reason,
            "score": one.score.total,
            **{f"score.{name}": value for name, value in one.score.parts.items()},
            "steps": episode.steps,
            "seconds": episode.seconds,
            **{f"used.{name}": value for name, value in asdict(episode.usage).items()},
        }
        facts = {f"fact.{k}" if k in row else k: value for k, value in episode.facts.items()}
        yield {**row, **facts}


def _find_columns(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the columns of all rows, in order, with the narrowest type that holds their values."""
    columns: dict[str, str] = {}
    for row in rows:
        for name, value in row.items():
            columns[name] = _widen(columns.get(name, TYPES[0]), value)
    return columns


def _write_csv(run: Run, scored: ScoredEpisodes, path: Path) -> None:
    columns = escape_csv_row(_find_columns(_iterate_rows(run, scored)))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(map(escape_csv_row, _iterate_rows(run, scored)))


def _write_parquet(run: Run, scored: ScoredEpisodes, path: Path) -> None:
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        raise MissingExtra(
            f"duckdb is not installed; Parquet files need it: {install_command('analysis')}"
        ) from error
    types = _find_columns(_iterate_rows(run, scored))
    if not types:
        raise RunError(f"run {run.id} has no episodes yet: ludus resume {run.id}")
    with TemporaryDirectory() as folder:
        source = Path(folder) / "rows.jsonl"
        with source.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in _iterate_rows(run, scored))
        with duckdb.connect() as connection:
            options = {"format": "newline_delimited", "columns": types}
            connection.read_json(str(source), **options).write_parquet(str(path))


def _widen(type_: str, value: Any) -> str:
    """Return the narrowest type of a database that holds a value beside others of a type."""
    if value is None or (isinstance(value, int) and abs(value) < 2**63):
        return type_
    number = isinstance(value, int | float)
    return max(type_, TYPES[1] if number else TYPES[2], key=TYPES.index)


# ---- in


def import_run(path: str | Path, store: Store) -> Run:
    """Import a run that :func:`export` wrote as ``jsonl``, all of it or nothing.

    It keeps its id if the store has no other run of that id. A run that is there already stays as
    it is.

    Raises:
        RunError: The file is no run, or not as it was written; the message names the line.
    """
    file = RunFile(path)
    read = file.run
    check_run_id(read.id)
    file.check()
    stored = store.find_run(read.id)
    if stored is None:
        return store.add_run(read.id, read.created, read.plan, file, imported=True)
    if content_digest(stored, store.stream(stored)) == content_digest(read, file):
        return stored
    return store.add_run(make_run_id(read.plan), read.created, read.plan, file, imported=True)


def read_run(path: str | Path) -> tuple[Run, list[ScoredEpisode]]:
    """Return the run that a file holds, and its episodes.

    Raises:
        RunError: The file is no run, or not as it was written; the message names the line.
    """
    file = RunFile(path)
    return file.run, list(file.read_checked())


class RunFile:
    """A run's file, whose episodes are read one by one and never held all at once.

    Check it first: a loop over its episodes trusts the lines that were checked.

    Args:
        path: The file.

    Attributes:
        run: The run.

    Raises:
        RunError: The first line is no run; the message says why.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._lines = _read_lines(Path(path))
        _, head, self._seal = _check_line(path, 1, next(self._lines, ""), BEGINNING)
        _check_format(path, head)
        self.run = _parse_run(path, head)
        self._count = head.get("episodes")

    def check(self) -> None:
        """Check every line.

        Raises:
            RunError: One is not as it was written; the message names it.
        """
        for _ in self.read_checked():
            pass

    def read_checked(self) -> Iterator[ScoredEpisode]:
        """Yield the episodes, each after its line was checked; for one loop only."""
        path, planned, numbers = self._path, self.run.plan.episodes, set[int]()
        last = 1
        for last, text in enumerate(self._lines, start=2):
            _, values, self._seal = _check_line(path, last, text, self._seal)
            yield _parse_episode(path, last, values, planned, numbers)
        if len(numbers) != self._count:
            raise RunError(
                f"{path} ends after line {last}: it holds {len(numbers)} of {self._count} episodes"
            )

    def __len__(self) -> int:
        return self.run.played

    def __iter__(self) -> Iterator[ScoredEpisode]:
        lines = _read_lines(Path(self._path))
        next(lines, "")
        for text in lines:
            try:
                yield _to_scored(json.loads(text))
            except (ValueError, KeyError, TypeError) as error:
                raise RunError(f"{self._path} was changed while it was read") from error


def _check_format(path: str | Path, head: Mapping[str, Any]) -> None:
    format_ = head.get("format")
    if head.get("ludus") != "run" or type(format_) is not int or format_ < 1:
        raise RunError(f"{path}, line 1: is not the beginning of a run")
    if format_ > NEWEST:
        raise RunError(
            f"{path}, line 1: is a run of format {format_}, this Ludus reads 1 to {NEWEST}: "
            "update Ludus"
        )


def _read_lines(path: Path) -> Iterator[str]:
    try:
        yield from read_lines(path)
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except UnreadableFile as error:
        raise RunError(f"{path} {error}") from error


def _check_line(
    path: str | Path, number: int, text: str, previous: str
) -> tuple[int, dict[str, Any], str]:
    """Return a line's number, values and digest, if it is as it was written."""
    try:
        values = parse_json(text, LINE_VALUES)
    except NotJson as error:
        raise RunError(f"{path}, line {number}: {error}") from error
    if not isinstance(values, dict) or "digest" not in values:
        raise RunError(f"{path}, line {number}: is not a line of a run")
    written = values.pop("digest")
    digest = _seal(values, previous)
    if written != digest:
        raise RunError(
            f"{path}, line {number}: is not as it was written, or one before it is missing "
            f"(digest {str(written)[:12]}, found {digest[:12]})"
        )
    return number, values, digest


def _parse_run(path: str | Path, head: Mapping[str, Any]) -> Run:
    try:
        plan = Plan.from_json(json.dumps(head["plan"]))
        check_plan_values(plan)
        run = Run(
            id=str(head["id"]),
            created=datetime.fromisoformat(head["created"]),
            benchmark=plan.benchmark,
            version=plan.version,
            identity=plan.identity,
            planned=len(plan.episodes),
            played=int(head["episodes"]),
            text=plan.to_json(),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise RunError(f"{path}, line 1: holds no plan of a run: {one_line(error)}") from error
    if run.identity != head.get("identity"):
        identity = str(head.get("identity"))[:64]
        raise RunError(f"{path}, line 1: the plan is not the one of identity {identity!a}")
    return run


def _parse_episode(
    path: str | Path,
    number: int,
    values: dict[str, Any],
    episodes: Sequence[PlannedEpisode],
    numbers: set[int],
) -> ScoredEpisode:
    """Return the episode of a line, and add its number to those that were read."""
    try:
        check_episode_values(values)
        scored = _to_scored(values)
        episode = scored.episode
        planned = episodes[episode.number]
        if episode.number in numbers:
            raise ValueError(f"episode {episode.number} comes twice")
        numbers.add(episode.number)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RunError(
            f"{path}, line {number}: holds no episode of the plan: {one_line(error)}"
        ) from error
    if (episode.agent, episode.scenario) != (planned.agent, planned.scenario):
        raise RunError(f"{path}, line {number}: episode {episode.number} is not as planned")
    return scored


def _to_scored(values: Mapping[str, Any]) -> ScoredEpisode:
    return ScoredEpisode(Episode.from_values(values), Score(values["score"], values["parts"]))
