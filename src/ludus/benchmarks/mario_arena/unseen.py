"""``mario-arena/unseen``: how far through generated levels that nobody has seen before?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, derive_seed, one_of, read_fact
from ludus.games.game import Facts
from ludus.games.platformer.arena.levels import DIFFICULTIES, stage_seed, unseen_stage
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.games.sticky_actions import StickyActions
from ludus.stats import interquartile_mean

__all__ = ["FULL", "POLICY_OPTION", "UNSEEN", "score", "score_progress"]

ID = "mario-arena/unseen"
VERSION = 1
EPISODES = 72  # each difficulty twice in each type
FULL = 1000
TERMS = StickyActions(lives=1, step_cap=5_000)

LEVELS = ("test", "training")

BANDS = {"easy": range(4), "medium": range(4, 8), "hard": range(8, DIFFICULTIES)}
"""Difficulties by their names in tables."""

POLICY_OPTION = Option(
    "policy",
    "sample",
    "sample or argmax: how players act that have probabilities",
    one_of("policy", ("sample", "argmax")),
)


def score(facts: Facts) -> Score:
    """Return thousandths of the way to the exit; a completed level is a thousand.

    Example:
        >>> score({"completed": 0, "max_x_pos": 600, "exit_x": 2400})
        Score(total=250, parts={'progress': 250})
    """
    reached, exit_x = int(facts["max_x_pos"] or 0), int(facts["exit_x"] or 0)
    return score_progress(reached, exit_x, completed=bool(facts["completed"]))


def score_progress(reached: int, exit_x: int, *, completed: bool) -> Score:
    """Return thousandths of the way to the exit; a completed level is a thousand."""
    progress = FULL if completed else min(FULL * reached // max(exit_x, 1), FULL - 1)
    return Score(progress, {"progress": progress})


def _make_scenarios(
    seed: int, episodes: int, levels: str, policy: str
) -> Sequence[Mapping[str, Any]]:
    return ScenarioMaker(episodes, partial(_make_scenario, seed, levels, policy))


def _make_scenario(run_seed: int, levels: str, policy: str, number: int) -> Mapping[str, Any]:
    """Return a level that follows from the seed of the run, or a training level."""
    seed = derive_seed(f"{ID}@{VERSION}", run_seed, number, bits=53)
    level_seed = derive_seed(f"{ID}@{VERSION} level", run_seed, number)
    if levels == "training":
        level_seed = stage_seed("training", number)
    stage = unseen_stage(level_seed, number)
    name = f"{levels} #{number + 1}, difficulty {number % DIFFICULTIES}"
    return ArenaScenario(name, (stage,), seed, TERMS, policy=policy).to_dict()


def _total(facts: Facts) -> Number:
    return score(facts).total


def _success_in(band: range) -> Callable[[Facts], Number]:
    """Return what tells whether a level was completed; −1 of levels of other difficulties."""
    return lambda facts: int(facts["completed"] or 0) if facts["difficulty"] in band else -1


def _mean_in_band(values: Sequence[Number]) -> float:
    counted = [value for value in values if value >= 0]
    return fmean(counted) if counted else float("nan")


UNSEEN = Benchmark(
    id=ID,
    version=VERSION,
    title="How far through generated levels that were never seen before?",
    game="arena",
    scenarios=_make_scenarios,
    episodes=EPISODES,
    score=score,
    formula="⌊1,000 · max x / x of the exit⌋, at most 999; 1,000 for a completed level",
    bounds=(0, FULL),
    headline="progress",
    tie_breakers=(
        TieBreaker("success", read_fact("completed")),
        TieBreaker("steps", read_fact("steps"), "less"),
    ),
    columns=(
        Column("iqm", _total, 1, interquartile_mean, beside_score=True),
        *(Column(name, _success_in(band), 2, _mean_in_band) for name, band in BANDS.items()),
    ),
    options=(
        Option(
            "levels",
            "test",
            "test levels, which follow from the seed, or the training levels of 'ludus train'",
            one_of("levels", LEVELS),
        ),
        POLICY_OPTION,
    ),
    accepts_more=True,
)
