"""``mario-ai/gameplay-ludus``: moving platforms, keys, locks, switches and doors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, derive_seed, read_fact
from ludus.benchmarks.mario_ai.tracks_2009 import cleared
from ludus.games.game import Facts
from ludus.games.platformer.generators import generate
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.limits import Limits

__all__ = ["GAMEPLAY_LUDUS", "score"]

ID = "mario-ai/gameplay-ludus"
LEVELS = 20
HARDEST = 20
SHORTEST, LONGER = 120, 4
CLOCK = 40
MOST_SECONDS = 900.0  # planners that are stuck think for long
FULL = 1000

ZONES: dict[str, Any] = {
    "moving_platforms": 25,
    "keys": 20,
    "switches": 20,
    "puzzles": 10,
    "ladders": 10,
    "dead_ends": 10,
}
"""How often each kind of zone comes."""


def score(facts: Facts) -> Score:
    """Return thousandths of the level that lie behind Mario, and the seconds left after a win.

    Example:
        >>> score({"distance": 800.0, "exit_x": 1600, "status": 0, "time_left": 60})
        Score(total=500, parts={'progress': 500, 'time left': 0})
    """
    exit_x = int(facts["exit_x"] or 1)
    passed = min(max(float(facts["distance"] or 0), 0), exit_x)
    progress = FULL if cleared(facts) else int(FULL * passed // exit_x)
    time_left = cleared(facts) * int(facts["time_left"] or 0)
    return Score(progress + time_left, {"progress": progress, "time left": time_left})


def _make_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    return ScenarioMaker(episodes, lambda number: _make_scenario(seed, number))


def _make_scenario(run_seed: int, number: int) -> Mapping[str, Any]:
    """Return a level that can be passed by its making; every twenty levels it begins easy again."""
    step = number % LEVELS
    seed = derive_seed(f"{ID}@1", run_seed, number)
    level = generate(
        "ludus",
        seed=seed,
        difficulty=step * HARDEST // LEVELS,
        length=SHORTEST + LONGER * step,
        **ZONES,
    )
    return TaskScenario(f"level {number + 1:02d}", level, time_limit=CLOCK, seed=seed).to_dict()


GAMEPLAY_LUDUS = Benchmark(
    id=ID,
    version=1,
    title="How far through levels with moving platforms, keys, locks, switches and doors?",
    game="mario-ai",
    scenarios=_make_scenarios,
    episodes=LEVELS,
    score=score,
    formula="⌊1,000 · x / x of the exit⌋, after a win also the seconds left",
    bounds=(0, FULL + CLOCK),
    tie_breakers=(TieBreaker("levels cleared", cleared, reduce=sum, facts=("status",)),),
    columns=(
        Column("kills", read_fact("kills_total"), 0, sum),
        Column("coins", read_fact("coins"), 0, sum),
    ),
    limits=Limits(seconds=MOST_SECONDS),
    fault_rule=(
        "A level that ends by a fault counts with what was reached before it, as in "
        "platformer/sprint."
    ),
)
