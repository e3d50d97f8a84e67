"""``mario-ai/gameplay-2009-ice`` and ``-cig``: the two competitions of 2009."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, SealedSeed, derive_seed, read_fact
from ludus.benchmarks.mario_ai.scoring import capped_distance
from ludus.benchmarks.mario_ai.totals import sum_of_means_with_interval, sum_with_interval
from ludus.games.game import Facts
from ludus.games.platformer.competition import (
    COLUMNS,
    DIFFICULTIES,
    LEVELS_EACH,
    competition_level,
)
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.limits import Limits

__all__ = ["CIG", "ICE"]

LEVELS = LEVELS_EACH * len(DIFFICULTIES)
SHORTEST, LONGEST = 320, 1230
SECONDS_A_STEP = 0.040
SEED_LIMIT = 2**62  # seeds are counted up from here, and have 63 bits
WIN = 1


def start_seed(track: str, seed: int) -> int:
    """Return the seed of a track's first level: the run's own, or of a sealed season one of it."""
    return derive_seed(track, seed, 0) % SEED_LIMIT if isinstance(seed, SealedSeed) else seed


def _ice_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    start = start_seed("mario-ai/gameplay-2009-ice", seed)
    return ScenarioMaker(episodes, lambda number: _make_scenario(start, number, COLUMNS))


def _cig_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    start = start_seed("mario-ai/gameplay-2009-cig", seed)
    return ScenarioMaker(episodes, lambda number: _make_scenario(start, number, None))


def _make_scenario(start: int, number: int, length: int | None) -> Mapping[str, Any]:
    """Return a level; whoever plays more than all of them plays those of the next seeds."""
    rounds, place = divmod(number, LEVELS)
    difficulty, position = DIFFICULTIES[place // LEVELS_EACH], place % LEVELS_EACH
    seed = start + LEVELS_EACH * rounds + position
    name = f"difficulty {difficulty}, level {LEVELS_EACH * rounds + position + 1}"
    width = _draw_length(seed, difficulty) if length is None else length
    level = competition_level(seed, difficulty, width)
    return TaskScenario(name, level, seed=seed).to_dict()


def _draw_length(seed: int, difficulty: int) -> int:
    """Return the length of a level, the same for all players of a seed."""
    return SHORTEST + derive_seed("mario-ai length", seed, difficulty) % (LONGEST - SHORTEST + 1)


def _score_distance(facts: Facts) -> Score:
    distance = float(facts["distance"] or 0)
    return Score(distance, {"distance": distance})


def _score_capped(facts: Facts) -> Score:
    distance = capped_distance(facts)
    return Score(distance, {"distance": distance})


def cleared(facts: Facts) -> int:
    """Return 1 if a level was won."""
    return int(facts["status"] == WIN)


FAULT_RULE = (
    "A level that ends by a fault counts with what was reached before it, and disqualifies the "
    "player: it ranks behind all players without one."
)

ICE = Benchmark(
    id="mario-ai/gameplay-2009-ice",
    version=1,
    title="How far on forty levels of 2009, of four difficulties, 40 ms a step on average?",
    game="mario-ai",
    scenarios=_ice_scenarios,
    episodes=LEVELS,
    score=_score_distance,
    formula="sum over difficulties 0, 3, 5, 10 of the mean of Mario's x in pixels over ten levels",
    headline="distance",
    aggregate=sum_of_means_with_interval,
    aggregate_name="sum of four means",
    digits=2,
    columns=(
        Column("levels cleared", cleared, 0, sum),
        Column("time left", read_fact("time_left"), 0, sum),
        Column("kills", read_fact("kills_total"), 0, sum),
        Column("mode sum", read_fact("mode"), 0, sum),
    ),
    limits=Limits(mean_decision_seconds=SECONDS_A_STEP),
    fault_rule=FAULT_RULE,
    in_order=True,
)

CIG = Benchmark(
    id="mario-ai/gameplay-2009-cig",
    version=1,
    title="How far on forty levels of 2009 of varying length, and with how much time left?",
    game="mario-ai",
    scenarios=_cig_scenarios,
    episodes=LEVELS,
    score=_score_capped,
    formula="sum of min(Mario's x, x of the exit) in pixels over all levels",
    headline="distance",
    aggregate=sum_with_interval,
    aggregate_name="total",
    tie_breakers=(
        TieBreaker("time left", read_fact("time_left"), reduce=sum, facts=("time_left",)),
        TieBreaker("kills", read_fact("kills_total"), reduce=sum, facts=("kills_total",)),
        TieBreaker("mode sum", read_fact("mode"), reduce=sum, facts=("mode",)),
    ),
    columns=(
        Column("levels cleared", cleared, 0, sum),
        Column("mode switches", read_fact("mode_switches"), 0, sum),
    ),
    limits=Limits(mean_decision_seconds=SECONDS_A_STEP),
    fault_rule=FAULT_RULE,
    in_order=True,
)
