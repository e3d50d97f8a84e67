"""``mario-arena/all``: the 32 levels and the full game in one run, and what they come to together.

The episodes are those of the tracks, seed for seed. Scores of different levels do not add up, so
an episode counts with the share of its way that was completed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, read_fact
from ludus.benchmarks.mario_arena.unseen import FULL, POLICY_OPTION, score_progress
from ludus.games.game import Facts
from ludus.games.platformer.arena.levels import arena_level
from ludus.games.platformer.levels.campaign import STAGES
from ludus.limits import Limits
from ludus.stats import aggregate_scores, interquartile_mean

__all__ = ["make_all_tracks", "score"]

ID = "mario-arena/all"
EPISODES = 10
FULL_GAME = "full-game"
TILE = 16


def score(facts: Facts) -> Score:
    """Return thousandths of the way to the exit, of the full game those of its 32 levels.

    Example:
        >>> score({"full_game": 1, "completed": 0, "levels_completed": 8})
        Score(total=250, parts={'progress': 250})
    """
    if facts["full_game"]:
        progress = FULL * int(facts["levels_completed"] or 0) // len(STAGES)
        return Score(progress, {"progress": progress})
    exit_x = TILE * arena_level(_track(facts)).exit[0]
    return score_progress(int(facts["max_x_pos"] or 0), exit_x, completed=bool(facts["completed"]))


def _track(facts: Facts) -> str:
    return FULL_GAME if facts["full_game"] else f"{facts['world']}-{facts['stage']}"


def _make_scenarios(
    tracks: Sequence[Benchmark], seed: int, episodes: int, policy: str
) -> Sequence[Mapping[str, Any]]:
    """Return the scenarios of all tracks: first that of number 1 of each, then of number 2."""

    def make(number: int) -> Mapping[str, Any]:
        place, track = divmod(number, len(tracks))
        return tracks[track].make_scenarios(seed, place + 1, {"policy": policy})[place]

    return ScenarioMaker(episodes, make)


def _aggregate(
    facts: Sequence[Facts], totals: Sequence[Number]
) -> Number | tuple[Number, Number, Number]:
    """Return the interquartile mean, with its interval where all tracks were played as often."""
    by_track: dict[str, list[Number]] = defaultdict(list)
    for episode, total in zip(facts, totals, strict=True):
        by_track[_track(episode)].append(total)
    plays = {len(scores) for scores in by_track.values()}
    if len(plays) > 1 or plays == {1}:
        return interquartile_mean(totals)
    estimate = aggregate_scores(by_track, "iqm")
    return estimate.value, estimate.low, estimate.high


def _total(facts: Facts) -> Number:
    return score(facts).total


def _full_game_levels(facts: Facts) -> Number:
    return int(facts["levels_completed"] or 0) if facts["full_game"] else -1


def _mean_of_games(values: Sequence[Number]) -> float:
    games = [value for value in values if value >= 0]
    return fmean(games) if games else float("nan")


def make_all_tracks(tracks: Sequence[Benchmark]) -> Benchmark:
    """Return the benchmark that plays all of these tracks."""
    return Benchmark(
        id=ID,
        version=1,
        title=f"How well are all {len(tracks)} tracks played, by the interquartile mean?",
        game="arena",
        scenarios=partial(_make_scenarios, tracks),
        episodes=EPISODES * len(tracks),
        score=score,
        formula="⌊1,000 · max x / x of the exit⌋, at most 999; 1,000 for a completed level; "
        "in the full game ⌊1,000 · levels completed / 32⌋",
        bounds=None,
        headline="progress",
        aggregate=_aggregate,
        aggregate_name="interquartile mean",
        tie_breakers=(
            TieBreaker("success", read_fact("completed")),
            TieBreaker("mean", _total),
        ),
        columns=(Column("full game", _full_game_levels, 1, _mean_of_games),),
        options=(POLICY_OPTION,),
        limits=Limits(seconds=3_600.0),
        accepts_more=True,
    )
