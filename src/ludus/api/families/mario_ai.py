"""The voted tracks of mario-ai: play that was recorded, levels for players, ballots and votes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.api.settings import open_store
from ludus.benchmarks.mario_ai.ballots import Ballot, Session, schedule_sessions
from ludus.benchmarks.mario_ai.generation import make_level_for
from ludus.benchmarks.mario_ai.humanness import HumannessResult, score_humanness
from ludus.benchmarks.mario_ai.preferences import PreferenceResult, score_preferences
from ludus.benchmarks.mario_ai.vote_files import ReadVotes, read_votes, write_votes
from ludus.errors import OptionError
from ludus.foreign_files import UnreadableFile, read_bytes, reason_of
from ludus.games.platformer.levels.spread import correlate_with_fun
from ludus.games.platformer.recordings import (
    PROFILES,
    PlayerRecord,
    Recording,
    read_recording,
)
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.tasks.game import replay_match
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.json_files import NotJson, read_json
from ludus.runs import Store
from ludus.runs.consent import check_scenarios_agreed
from ludus.runs.explain import find_episode
from ludus.runs.sealed import open_plan

__all__ = [
    "ScoredVotes",
    "correlate_with_fun",
    "find_record",
    "find_recording",
    "make_level_for",
    "schedule_votes",
    "score_votes",
]

KEY_BYTES = 4096


@dataclass(frozen=True, slots=True)
class ScoredVotes:
    """What a file of votes says.

    Attributes:
        votes: The votes that count, and the lines that do not.
        preferences: Who won how many votes of pairs.
        humanness: How human every player looks; None in the track ``levels``.
    """

    votes: ReadVotes
    preferences: PreferenceResult
    humanness: HumannessResult | None


def find_recording(source: str, episode: int = 0, *, store: str | Store | None = None) -> Recording:
    """Return recorded play: of a file, or of an episode of a run.

    Args:
        source: A recording's file, or the run's id or its beginning.
        episode: The episode's number in the run.
        store: Where the run is; the user's own store if None.

    Raises:
        OptionError: The file holds no recording, or the episode is none of the platformer.
        RunError: There is no such run or episode.
    """
    if Path(source).is_file() or source.endswith(".json"):
        return read_recording(source)
    with open_store(store) as database:
        run = database.run(source)
        check_scenarios_agreed(run)
        found = find_episode(run.id, episode, database).episode
        plan = open_plan(run, database)
    scenario = plan.check_rules().parse_scenario(plan.scenarios[found.scenario])
    return _to_recording(scenario, found.record)


def _to_recording(scenario: Any, record: bytes) -> Recording:
    if isinstance(scenario, Scenario):
        return Recording(scenario, (record,))
    if isinstance(scenario, TaskScenario) and scenario.level is not None:
        ticks = replay_match(scenario, record).ticks
        plain = Scenario(scenario.name, scenario.level, scenario.mode, scenario.time_limit)
        return Recording(plain, (ticks,))
    raise OptionError("only episodes of platformer and mario-ai are levels with buttons")


def find_record(source: str, episode: int = 0, *, store: str | Store | None = None) -> PlayerRecord:
    """Return a player's record: a profile's, of a file, or of recorded play.

    Args:
        source: beginner, average or expert; the file of a record or of a recording; or a run.
        episode: The episode's number in the run.
        store: Where the run is.

    Raises:
        OptionError: There is no such profile or file, or it holds neither.
        RunError: There is no such run or episode.
    """
    if source in PROFILES:
        return PROFILES[source]
    if Path(source).is_file():
        try:
            values = read_json(source)
        except NotJson as error:
            raise OptionError(f"{source!r} {error}") from None
        if not isinstance(values, dict) or "scenario" not in values:
            return PlayerRecord.from_dict(values)
    return PlayerRecord.of(find_recording(source, episode, store=store))


def schedule_votes(
    ballot: Ballot, sessions: int, *, key: str | Path | None = None, out: str | Path | None = None
) -> list[Session]:
    """Return the pairs that the next judges are shown, and write them to a file if asked.

    Args:
        ballot: What is voted on.
        sessions: How many judges.
        key: The file of the organiser's secret, for tickets.
        out: The file to write: JSON lines, the ballot first.

    Raises:
        OptionError: A file cannot be read or written, or there are no sessions.
    """
    if not 1 <= sessions <= 1_000_000:
        raise OptionError(f"{sessions} sessions are out of range: give 1 to 1000000")
    scheduled = schedule_sessions(ballot, sessions, _read_key(key))
    if out is not None:
        write_votes(out, ballot, sessions=scheduled)
    return scheduled


def score_votes(path: str | Path, *, key: str | Path | None = None) -> ScoredVotes:
    """Score a file of votes; lines that do not count are named with their reason.

    Args:
        path: The file: JSON lines, the ballot first.
        key: The file of the organiser's secret, if votes have to show tickets.

    Raises:
        OptionError: A file cannot be read, or the first holds no ballot.
    """
    votes = read_votes(path, _read_key(key))
    turing = votes.ballot.track == "turing"
    human = score_humanness(votes.ballot, votes.judgements, votes.preferences) if turing else None
    return ScoredVotes(votes, score_preferences(votes.ballot, votes.preferences), human)


def _read_key(path: str | Path | None) -> bytes:
    if path is None:
        return b""
    try:
        key = read_bytes(path, KEY_BYTES).strip()
    except (OSError, UnreadableFile) as error:
        reason = reason_of(error) if isinstance(error, OSError) else error
        raise OptionError(f"key {str(path)!r} cannot be read: {reason}") from None
    if len(key) < 16:
        raise OptionError(f"key {str(path)!r} has {len(key)} bytes: give 16 or more")
    return key
