"""Files of votes: JSON lines, a ballot first, then a vote a line.

    {"ballot": "levels", "entrants": ["hopper", "promp"], "answers": 2}
    {"vote": "preference", "voter": "judge-1", "first": "hopper", "second": "promp", "answer": "B"}

Lines of a schedule, which have a number under ``pair``, may stand between them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks.mario_ai.ballots import Ballot, Session
from ludus.benchmarks.mario_ai.votes import (
    HumannessVote,
    PreferenceVote,
    VoteRefused,
    VotingBox,
)
from ludus.errors import OptionError, one_line
from ludus.field_kinds import check_kinds
from ludus.foreign_files import JSON_BYTES, UnreadableFile, decode, read_bytes, reason_of
from ludus.json_files import parse_json_lines

__all__ = ["ReadVotes", "Refusal", "read_votes", "write_votes"]

_KINDS: dict[str, type[PreferenceVote] | type[HumannessVote]] = {
    "preference": PreferenceVote,
    "humanness": HumannessVote,
}
_BALLOT_FIELDS = ("entrants", "answers", "humans", "pairs_each", "seed")


class Refusal(NamedTuple):
    """A line that does not count, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line} is not counted: {self.reason}"


@dataclass(frozen=True, slots=True)
class ReadVotes:
    """What a file of votes holds.

    Attributes:
        ballot: What is voted on.
        preferences: The votes on pairs that count.
        judgements: The votes on single players that count.
        refusals: The lines that do not count.
    """

    ballot: Ballot
    preferences: tuple[PreferenceVote, ...]
    judgements: tuple[HumannessVote, ...]
    refusals: tuple[Refusal, ...]


def read_votes(path: str | Path, key: bytes = b"") -> ReadVotes:
    """Read a file of votes; what does not count is refused line by line.

    Args:
        path: The file.
        key: The organiser's secret, if votes have to show tickets.

    Raises:
        OptionError: The file cannot be read, or its first line is no ballot.
    """
    try:
        text = decode(read_bytes(path, JSON_BYTES))
    except (OSError, UnreadableFile) as error:
        reason = reason_of(error) if isinstance(error, OSError) else error
        raise OptionError(f"{str(path)!r} cannot be read: {reason}") from None
    lines = list(parse_json_lines(text.splitlines()))
    if not lines:
        raise OptionError(f"{str(path)!r} is empty: begin with a ballot")
    box = VotingBox(_read_ballot(str(path), lines[0][1]), key)
    refusals = []
    for number, value in lines[1:]:
        try:
            _take_in(box, value)
        except VoteRefused as error:
            refusals.append(Refusal(number, one_line(error)))
    return ReadVotes(box.ballot, tuple(box.preferences), tuple(box.judgements), tuple(refusals))


def write_votes(
    path: str | Path,
    ballot: Ballot,
    votes: Iterable[PreferenceVote | HumannessVote] = (),
    sessions: Iterable[Session] = (),
) -> None:
    """Write a ballot, its schedule and votes, a line each.

    Raises:
        OptionError: The file cannot be written.
    """
    values = [_ballot_values(ballot), *map(_session_values, sessions), *map(_vote_values, votes)]
    text = "".join(f"{json.dumps(value)}\n" for value in values)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{str(path)!r} cannot be written: {reason_of(error)}") from None


def _ballot_values(ballot: Ballot) -> dict[str, Any]:
    fields = {name: getattr(ballot, name) for name in _BALLOT_FIELDS}
    return {"ballot": ballot.track, **fields}


def _session_values(session: Session) -> dict[str, Any]:
    shown = {"pair": session.number, "first": session.first, "second": session.second}
    return {**shown, **({"ticket": session.ticket} if session.ticket else {})}


def _vote_values(vote: PreferenceVote | HumannessVote) -> dict[str, Any]:
    kind = next(name for name, record in _KINDS.items() if isinstance(vote, record))
    defaults = type(vote)._field_defaults
    fields = vote._asdict().items()
    return {"vote": kind} | {name: v for name, v in fields if defaults.get(name) != v}


def _read_ballot(path: str, value: Any) -> Ballot:
    if not isinstance(value, Mapping) or "ballot" not in value:
        raise OptionError(f"the first line of {path!r} is no ballot: see docs, or ludus votes")
    fields = {name: v for name, v in value.items() if name != "ballot"}
    unknown = sorted(set(fields) - set(_BALLOT_FIELDS))
    if unknown:
        raise OptionError(f"a ballot has no field {unknown[0]!r:.40}: leave it out")
    try:
        check_kinds(Ballot, fields)
        names = {n: tuple(fields[n]) for n in ("entrants", "humans") if n in fields}
        return Ballot(value["ballot"], **{**fields, **names})
    except TypeError as error:
        raise OptionError(f"the first line of {path!r} is no ballot: {one_line(error)}") from None


def _take_in(box: VotingBox, value: Any) -> None:
    if isinstance(value, Exception):
        raise VoteRefused(str(value))
    if not isinstance(value, Mapping):
        raise VoteRefused(f"{value!r:.40} is no vote")
    if "pair" in value and "vote" not in value:
        return
    kind = value.get("vote")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise VoteRefused(f"no kind of vote {kind!r:.40}: give {' or '.join(_KINDS)}")
    box.add(_read_vote(_KINDS[kind], {n: v for n, v in value.items() if n != "vote"}))


def _read_vote(
    record: type[PreferenceVote] | type[HumannessVote], values: Mapping[str, Any]
) -> PreferenceVote | HumannessVote:
    unknown = sorted(set(values) - set(record._fields))
    if unknown:
        raise VoteRefused(f"a vote has no field {unknown[0]!r:.40}")
    texts = {name: v for name, v in values.items() if name not in ("session", "confidence")}
    wrong = next((name for name, v in texts.items() if not isinstance(v, str)), None)
    if wrong is not None:
        raise VoteRefused(f"{wrong} {values[wrong]!r:.40} is no text")
    try:
        check_kinds(record, values)
        return record(**values)
    except TypeError as error:
        raise VoteRefused(f"this is no vote: {one_line(error)}") from None
