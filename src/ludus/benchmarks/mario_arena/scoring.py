"""The arena score: what an episode is worth, how episodes add up, how models are ranked.

Scores are whole numbers of tenths of a point (of billionths in the mode ``strict``), so that order
is exact and the same everywhere; points are made of them for people. Nothing but the standard
library is needed.

Example:
    >>> score = compute_arena_score(
    ...     {"world": 1, "stage": 1, "completed": True, "max_x_pos": 3266, "steps": 342,
    ...      "coins": 15, "time_remaining": 245})
    >>> score.points, format_score_display(score)
    (1018181.8, '1,018,182')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from ludus.benchmarks.mario_arena.episode import LEVELS, MOST, STEP_CAP, ArenaEpisode
from ludus.benchmarks.mario_arena.modes import find_mode

__all__ = [
    "Aggregate",
    "ArenaScore",
    "aggregate_scores",
    "compute_arena_score",
    "format_leaderboard",
    "format_score_display",
    "rank_models",
    "score_bounds",
]


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """What an episode is worth.

    Attributes:
        episode: The episode.
        mode: The scoring mode.
        units: The score in whole units; scores of one mode are compared by these.
        scale: How many units make a point.
        parts: What the units are made of, by name; they add up.
        display: The points as people are shown them, rounded; the order is never another.
    """

    episode: ArenaEpisode
    mode: str
    units: int
    scale: int
    parts: Mapping[str, int]
    display: int

    @property
    def points(self) -> float:
        """The score in points."""
        return self.units / self.scale

    @property
    def exact(self) -> Fraction:
        """The score in points, exactly."""
        return Fraction(self.units, self.scale)

    @property
    def breakdown(self) -> dict[str, float]:
        """The parts in points."""
        return {name: units / self.scale for name, units in self.parts.items()}


def compute_arena_score(
    episode: ArenaEpisode | Mapping[str, Any], mode: str = "standard"
) -> ArenaScore:
    """Return what an episode is worth.

    Args:
        episode: What happened, as a record or as values by the record's names.
        mode: ``standard``, ``speedrun``, ``coins``, ``survival``, ``style`` or ``strict``.

    Raises:
        OptionError: A value is missing or impossible, or there is no such mode.
    """
    rule = find_mode(mode)
    if not isinstance(episode, ArenaEpisode):
        episode = ArenaEpisode.from_values(episode, rule.needs)
    parts = rule.parts(episode)
    units = sum(parts.values())
    return ArenaScore(episode, mode, units, rule.scale, parts, rule.rounded(units))


def score_bounds(mode: str, *, full_game: bool = False) -> tuple[float, float]:
    """Return the points of the worst and of the best episode that there can be.

    Example:
        >>> score_bounds("standard")
        (-89000.0, 1169424.9)
    """
    worst = ArenaEpisode(
        world=1, stage=1, completed=False, max_x_pos=0, steps=STEP_CAP, full_game=full_game
    )
    most = {**MOST, "coins": MOST["coins"] * (LEVELS if full_game else 1), "steps": 1}
    best = ArenaEpisode(**most, completed=True, full_game=full_game)
    return compute_arena_score(worst, mode).points, compute_arena_score(best, mode).points


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A model's episodes, summed up.

    Attributes:
        best: The best episode's score: the headline.
        episodes: How many were played; the best of many is never compared with the best of few.
        successes: How many were completed.
        average_steps: Mean decisions.
        average_max_x: Mean of how far it got.
        average_score: Mean points.
        std: Standard deviation of the points over these episodes (population, divided by N).
    """

    best: ArenaScore
    episodes: int
    successes: int
    average_steps: Fraction
    average_max_x: Fraction
    average_score: Fraction
    std: float

    @property
    def success_rate(self) -> Fraction:
        """The share of episodes that were completed."""
        return Fraction(self.successes, self.episodes)

    @property
    def merit(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """What models are ranked by, more being better: score, success, mean, fewer steps."""
        return self.best.exact, self.success_rate, self.average_score, -self.average_steps


def aggregate_scores(scores: Sequence[ArenaScore]) -> Aggregate:
    """Return the best score with what stands beside it.

    Args:
        scores: The episodes', all of one mode.

    Raises:
        ValueError: There are none.
    """
    if not scores:
        raise ValueError("no scores to aggregate: give one or more")
    count, scale = len(scores), scores[0].scale
    units = [score.units for score in scores]
    total = sum(units)
    spread = count * sum(value * value for value in units) - total * total
    return Aggregate(
        best=max(scores, key=lambda score: score.units),
        episodes=count,
        successes=sum(score.episode.completed for score in scores),
        average_steps=Fraction(sum(score.episode.steps for score in scores), count),
        average_max_x=Fraction(sum(score.episode.max_x_pos for score in scores), count),
        average_score=Fraction(total, scale * count),
        std=sqrt(spread) / (count * scale),
    )


def rank_models(models: Mapping[str, Aggregate]) -> list[tuple[int, str, Aggregate]]:
    """Return rank, name and figures of each model, the best first.

    Models that are equal in score, success rate, mean score and mean steps share a rank, the next
    stay empty (1, 2, 2, 4), and the alphabet decides who is listed first.
    """
    merits = [model.merit for model in models.values()]
    ranked = [
        (1 + sum(other > model.merit for other in merits), name, model)
        for name, model in models.items()
    ]
    return sorted(ranked, key=lambda row: row[:2])


def format_score_display(score: ArenaScore) -> str:
    """Return a score as people are shown it."""
    return f"{score.display:,}"


NAME, SCORE = 17, 9
TITLE = "MARIO ARENA LEADERBOARD"


def format_leaderboard(models: Mapping[str, Aggregate], title: str = TITLE) -> str:
    """Return the leaderboard of models that played the same level equally often."""
    ranked = rank_models(models)
    scores = [format_score_display(model.best) for _, _, model in ranked]
    name = max([NAME, *(len(model) + 2 for model in models)])
    wide = max([SCORE, *map(len, scores)])
    line = "=" * 43
    rows = [
        f"{rank:<6}{model:<{name}}{score:>{wide}}   {float(result.success_rate):<9.0%}"
        f"{float(result.average_steps):.0f}"
        for (rank, model, result), score in zip(ranked, scores, strict=True)
    ]
    head = f"{'Rank':<6}{'Model Name':<{name + 1}}{'Score':<{wide + 2}}{'Success':<9}Avg Steps"
    return "\n".join([line, f"        {title}", line, head, "-" * 57, *rows, line])
