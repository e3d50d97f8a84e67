"""One stored episode against its plan and its replay; each can be checked alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ludus.benchmarks import Benchmark, Score
from ludus.errors import LudusError, NotReplayable, format_error
from ludus.execution.episode import EpisodeEnding
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.games.game import Facts, Game, ReplayOutcome, choose_replay, find_game
from ludus.games.model_calls import read_calls
from ludus.json_files import NotJson, parse_json
from ludus.limits import Limits, Usage, is_amount
from ludus.runs.differences import Difference

__all__ = ["CheckedEpisode", "EpisodeChecker", "differing_facts", "same_digest"]

STATE = "state"
DIGEST = "state_digest"
ENDINGS = tuple(map(str, EpisodeEnding))


class CheckedEpisode(NamedTuple):
    """What came of checking an episode.

    Attributes:
        differences: Where it is not as the store has it.
        unproven: Why its record proves nothing, if it does not.
    """

    differences: tuple[Difference, ...]
    unproven: str = ""


class EpisodeChecker:
    """Checks stored episodes of a plan, one by one and in any order.

    Args:
        plan: The plan, with its scenarios.
        benchmark: Whose rule scores the episodes.
        game: The game that plays the records again.
    """

    def __init__(self, plan: Plan, benchmark: Benchmark, game: Game) -> None:
        self._plan, self._benchmark, self._game = plan, benchmark, game
        self._replay = choose_replay(game)
        self._scenarios: dict[int, Any] = {}

    def check(self, row: Mapping[str, Any]) -> CheckedEpisode:
        """Check one row of the store, whatever its columns hold."""
        number = row["number"]
        if type(number) is not int or not 0 <= number < len(self._plan.episodes):
            planned = f"one from 0 to {len(self._plan.episodes) - 1}"
            return CheckedEpisode((Difference(number, "number", number, planned),))
        strays = list(_find_strays(self._plan.episodes[number], row))
        if strays:
            return CheckedEpisode(tuple(strays))
        facts, parts = _parse_object(row["facts"]), _parse_object(row["parts"])
        malformed = list(_find_malformed(row, {"facts": facts, "parts": parts}))
        if malformed:
            return CheckedEpisode(tuple(malformed))
        try:
            outcome = self._replay(self._scenario(row["scenario"]), _record(row))
        except NotReplayable as error:
            return CheckedEpisode((), str(error))
        except LudusError as error:
            return CheckedEpisode((Difference(number, "record", "actions", str(error)),))
        except Exception as error:  # a forged record may break a game in any way
            return CheckedEpisode((Difference(number, "record", "actions", format_error(error)),))
        score = Score(row["total"], parts or {})
        return CheckedEpisode(tuple(self._compare(row, facts or {}, score, outcome)))

    def _compare(
        self, row: Mapping[str, Any], facts: Facts, score: Score, outcome: ReplayOutcome
    ) -> Iterator[Difference]:
        yield from _compare_end(row, outcome, self._plan.limits)
        for name in differing_facts(self._plan, facts, outcome.facts):
            yield Difference(row["number"], name, facts.get(name), outcome.facts.get(name))
        anew = self._benchmark.score_play(outcome.facts, row["ending"])
        yield from _compare_scores(row["number"], score, anew)

    def _scenario(self, number: int) -> Any:
        if number not in self._scenarios:
            self._scenarios.clear()  # the agents of a scenario come one after the other
            self._scenarios[number] = self._game.parse_scenario(self._plan.scenarios[number])
        return self._scenarios[number]


def _find_strays(planned: PlannedEpisode, row: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield whether an episode is booked to another agent or scenario than planned."""
    for field in ("agent", "scenario"):
        if row[field] != getattr(planned, field) or type(row[field]) is not int:
            yield Difference(planned.number, field, row[field], getattr(planned, field))


def _find_malformed(
    row: Mapping[str, Any], objects: Mapping[str, Mapping[str, Any] | None]
) -> Iterator[Difference]:
    """Yield the columns that hold what no episode has."""
    number = row["number"]
    if row["ending"] not in ENDINGS:
        yield Difference(number, "ending", row["ending"], f"one of {', '.join(ENDINGS)}")
        return
    finished = row["ending"] == EpisodeEnding.FINISHED
    if not isinstance(row["reason"], str) or (row["reason"] == "") != finished:
        due = "nothing, since it finished" if finished else "a text, since it is a fault"
        yield Difference(number, "reason", row["reason"], due)
    if not isinstance(row["record"], bytes | bytearray | memoryview):
        yield Difference(number, "record", row["record"], "bytes")
    for field, values in objects.items():
        if values is None:
            yield Difference(number, field, row[field], "plain values as JSON")
    if not _is_number(row["total"]):
        yield Difference(number, "score", row["total"], "a finite number")
    if type(row["steps"]) is not int or row["steps"] < 0:
        yield Difference(number, "steps", row["steps"], "a number from 0 on")
    if not _is_number(row["seconds"]) or row["seconds"] < 0:
        yield Difference(number, "seconds", row["seconds"], "a finite number from 0 on")
    for field in Usage.__slots__:
        if row[field] is not None and not is_amount(field, row[field]):
            yield Difference(number, field, row[field], "an amount from 0 on, or nothing")
    try:
        read_calls([] if row["model_calls"] is None else json.loads(row["model_calls"]))
    except (TypeError, ValueError, RecursionError):
        yield Difference(number, "model_calls", row["model_calls"], "a list of calls, or nothing")


def _parse_object(text: Any) -> dict[str, Any] | None:
    """Return the plain values of a column, or None if it holds none."""
    try:
        values = parse_json(text) if isinstance(text, str) else None
    except NotJson:
        return None
    return values if isinstance(values, dict) else None


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _record(row: Mapping[str, Any]) -> bytes:
    return bytes(row["record"])


def _compare_end(
    row: Mapping[str, Any], outcome: ReplayOutcome, limits: Limits
) -> Iterator[Difference]:
    """Yield whether an episode is cut, or was over before the fault that it is said to end by.

    A mean time is looked at when the episode is over, so one that is disqualified may be whole.
    """
    number, finished = row["number"], row["ending"] == EpisodeEnding.FINISHED
    whole = limits.mean_decision_seconds and row["ending"] == EpisodeEnding.DISQUALIFIED
    if finished and outcome.over is False:
        yield Difference(number, "ending", row["ending"], "not over at the end of the record")
    if not finished and not whole and outcome.over and row["record"]:  # or over from the start
        yield Difference(number, "ending", row["ending"], str(EpisodeEnding.FINISHED))
    if outcome.steps is not None and row["steps"] != outcome.steps:
        yield Difference(number, "steps", row["steps"], outcome.steps)


def same_digest(plan: Plan) -> bool:
    """Return whether the digests of states are of the version that this Ludus has."""
    return plan.provenance.get(DIGEST) == find_game(plan.game).provenance.get(DIGEST)


def differing_facts(plan: Plan, stored: Facts, replayed: Facts) -> list[str]:
    """Return the names of the comparable facts that differ from the stored ones."""
    names = stored.keys() | replayed.keys()
    if not same_digest(plan):
        names -= {STATE}
    return [
        name
        for name in sorted(names)
        if name not in stored or name not in replayed or not _is_same(stored[name], replayed[name])
    ]


def _is_same(stored: Any, found: Any) -> bool:
    return bool(stored == found) and isinstance(stored, bool) == isinstance(found, bool)


def _compare_scores(number: int, stored: Score, anew: Score) -> Iterator[Difference]:
    if anew.total != stored.total:
        yield Difference(number, "score", stored.total, anew.total)
    for name in sorted(anew.parts.keys() | stored.parts.keys()):
        part, found = stored.parts.get(name), anew.parts.get(name)
        if (name in stored.parts) != (name in anew.parts) or not _is_same(part, found):
            yield Difference(number, f"score: {name}", part, found)
