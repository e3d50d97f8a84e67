"""Episodes with their scores, and as rows of the store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from ludus.benchmarks import Score
from ludus.errors import StoreError, one_line
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.games.model_calls import read_calls
from ludus.limits import Usage

__all__ = ["ScoredEpisode", "ScoredEpisodes", "normal_score", "to_row", "to_scored_episode"]


@dataclass(frozen=True, slots=True)
class ScoredEpisode:
    """An episode and its score."""

    episode: Episode
    score: Score


class ScoredEpisodes(Protocol):
    """Scored episodes of a known number, which can be looped over again and again."""

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    def __iter__(self) -> Iterator[ScoredEpisode]:
        """Return what goes over them."""
        ...


def to_row(run: str, scored: ScoredEpisode) -> dict[str, Any]:
    """Return an episode of a run as the columns of its table."""
    episode, score = scored.episode, scored.score
    return {
        "run": run,
        "number": episode.number,
        "agent": episode.agent,
        "scenario": episode.scenario,
        "ending": str(episode.ending),
        "reason": episode.reason,
        "record": episode.record,
        "facts": json.dumps(episode.facts),
        "total": score.total,
        "parts": json.dumps(score.parts),
        "steps": episode.steps,
        "seconds": episode.seconds,
        **asdict(episode.usage),
        "model_calls": json.dumps(episode.model_calls) if episode.model_calls else None,
    }


def normal_score(score: Score) -> Score:
    """Return a score whose total is an integer if it is a whole number: a column has one type."""
    total = score.total
    whole = float(total).is_integer() and abs(total) < 2**63
    return Score(int(total) if whole else total, score.parts)


def to_scored_episode(row: Any) -> ScoredEpisode:
    """Return the episode of a row.

    Raises:
        StoreError: Its columns do not hold one.
    """
    try:
        return _read_row(row)
    except (ValueError, TypeError, RecursionError) as error:
        place = f"episode {row.number} of run {row.run}"
        raise StoreError(f"{place} is not as Ludus writes it: {one_line(error)}") from error


def _read_row(row: Any) -> ScoredEpisode:
    return ScoredEpisode(
        Episode(
            number=row.number,
            agent=row.agent,
            scenario=row.scenario,
            ending=EpisodeEnding(row.ending),
            reason=row.reason,
            record=bytes(row.record),
            facts=json.loads(row.facts),
            steps=row.steps,
            seconds=row.seconds,
            usage=_read_usage(row),
            model_calls=read_calls(json.loads(row.model_calls or "[]")),
        ),
        normal_score(Score(row.total, json.loads(row.parts))),
    )


def _read_usage(row: Any) -> Usage:
    columns = {name: getattr(row, name) for name in Usage.__slots__}
    return Usage.from_dict({name: value for name, value in columns.items() if value is not None})
