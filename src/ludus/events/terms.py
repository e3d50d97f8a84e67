"""The terms of an event: published with the call, and the same for all until the end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.errors import BoardError, OptionError, one_line
from ludus.events.texts import check_text
from ludus.execution.sealing import SeasonMark, SeasonTerms
from ludus.field_kinds import check_kinds
from ludus.json_files import read_json
from ludus.limits import Limits

__all__ = ["MOST_RULES", "EventTerms", "format_time", "read_event_file", "read_time"]

KIND = "event"
MOST_RULES = 20_000
"""The most letters of an event's rules."""


@dataclass(frozen=True, slots=True)
class EventTerms:
    """What entrants can rely on from the call to the results.

    Attributes:
        name: What the event is called; its sealed season has the same name.
        benchmark: The track: a benchmark's id.
        version: Its version.
        episodes: How many episodes every entry plays.
        options: What is played otherwise than the benchmark has it by default.
        limits: What an agent may use for an episode.
        public_seed: The seed on which entrants measure themselves.
        opens: When entries are taken from, UTC.
        deadline: Until when.
        rules: Further rules, in words.
        commitment: The digest by which the sealed seed is known.
    """

    name: str
    benchmark: str
    version: int
    episodes: int
    options: Mapping[str, str]
    limits: Limits
    public_seed: int
    opens: datetime
    deadline: datetime
    rules: str
    commitment: str

    @property
    def digest(self) -> str:
        """The SHA-256 of all terms, as one canonical text."""
        text = json.dumps(self.to_values(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(f"ludus event 1\n{text}".encode()).hexdigest()

    @property
    def sealed(self) -> SeasonTerms:
        """The terms of its season, which the commitment covers."""
        usual = self.find_benchmark().limits
        limits = None if self.limits == usual else self.limits
        return SeasonTerms(
            self.name, self.benchmark, self.version, self.episodes, self.options, limits
        )

    def find_benchmark(self) -> Benchmark:
        """Return the track, in the version of the event.

        Raises:
            BenchmarkError: This Ludus has another version of it, or none.
        """
        return find_benchmark(f"{self.benchmark}@{self.version}")

    def to_values(self) -> dict[str, Any]:
        """Return the terms as plain values, without their digest."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {"options": dict(self.options), "limits": asdict(self.limits)}
        return values | {name: format_time(values[name]) for name in ("opens", "deadline")}

    def to_dict(self) -> dict[str, Any]:
        """Return the terms as a file of them holds them."""
        return {"ludus": KIND, **self.to_values(), "digest": self.digest}

    @classmethod
    def from_dict(cls, values: Any) -> EventTerms:
        """Return the terms that :meth:`to_dict` wrote, which may be anybody's.

        Raises:
            BoardError: They are none, or were changed since.
        """
        try:
            if not isinstance(values, Mapping) or values.get("ludus") != KIND:
                raise ValueError("it is of another kind")
            terms = cls(**{field.name: _read(field.name, values) for field in fields(cls)})
            check_kinds(cls, terms.to_values())
            SeasonMark.from_dict({"name": terms.name, "commitment": terms.commitment})
            check_text(terms.rules, "rules", MOST_RULES)
            _check_amounts(terms)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BoardError(f"these are no terms of an event: {one_line(error)}") from error
        if terms.digest != values.get("digest"):
            raise BoardError(
                f"the terms of event {terms.name!r} are not as they were written: their digest is "
                f"{terms.digest[:12]}, not {str(values.get('digest'))[:12]!a}"
            )
        return terms


def read_event_file(path: str | Path) -> EventTerms:
    """Return the terms in a file, as ``ludus event show NAME --out FILE`` writes them.

    Raises:
        BoardError: It is no such file, or was changed since.
    """
    try:
        return EventTerms.from_dict(read_json(Path(path)))
    except (OSError, ValueError) as error:
        raise BoardError(f"{str(path)!r} is no event: {one_line(error)}") from error


def read_time(text: str) -> datetime:
    """Return the moment that a text names; a day is meant to its end, and UTC if nothing is said.

    Raises:
        OptionError: It names none.

    Example:
        >>> read_time("2026-12-31").isoformat()
        '2026-12-31T23:59:59+00:00'
        >>> read_time("2026-12-31 12:00").isoformat()
        '2026-12-31T12:00:00+00:00'
    """
    try:
        time = datetime.fromisoformat(text.strip())
        if len(text.strip()) <= len("2026-12-31"):
            time = time.replace(hour=23, minute=59, second=59)
        return time.replace(tzinfo=time.tzinfo or UTC, microsecond=0).astimezone(UTC)
    except (ValueError, OverflowError):
        raise OptionError(
            f"{text[:40]!r} is no time: give 2026-12-31, or 2026-12-31T12:00 in UTC"
        ) from None


def format_time(time: datetime) -> str:
    """Return a moment as the ledger and files have it."""
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _read(name: str, values: Mapping[str, Any]) -> Any:
    value = values[name]
    if name in ("opens", "deadline"):
        return read_time(value)
    if name == "limits":
        return Limits.from_dict(value)
    if name == "options":
        return {str(option): str(chosen) for option, chosen in value.items()}
    return value


def _check_amounts(terms: EventTerms) -> None:
    if terms.episodes < 1 or abs(terms.public_seed) >= 2**63:
        raise ValueError(f"{terms.episodes} episodes on seed {terms.public_seed} cannot be played")
    if terms.opens >= terms.deadline:
        raise ValueError(f"it would close at {terms.deadline}, before it opens")
