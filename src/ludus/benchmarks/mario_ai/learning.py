"""``mario-ai/learning…``: a level is played 10,000 times, and only the play after those counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score
from ludus.benchmarks.building import ScenarioMaker, derive_seed, read_fact, whole_number
from ludus.benchmarks.mario_ai.scoring import WEIGHTS_2010_12, weighted_parts
from ludus.benchmarks.mario_ai.tracks_2009 import cleared
from ludus.games.game import Facts
from ludus.games.platformer.tasks.learning import LEARNING_TASK, TRAINING_PLAYS, LearningScenario
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.limits import Limits

__all__ = ["AUGUST", "DECEMBER", "LEARNING", "LEARNING_TRACKS", "RECIPE", "score"]

ALL = "g,gw,rk,rkw,gk,gkw,s,sw,gww"

AUGUST = (
    "-lco off -lb off -le off -lhb off -lg off -ltb off -lhs off -lca off -lde off",
    f"-lco on -lb on -le {ALL} -lhb off -lg off -ltb off -lhs off -lca off -lde off -ld 3",
    "-lco off -lb off -le off -lhb off -lg on -ltb off -lhs off -lca off -lde off -ld 2",
    "-lco off -lb off -le off -lhb off -lg on -ltb on -lhs off -lca on -lde off -ld 3",
    "-lco on -lb off -le g,rk,gw -lhb on -lg off -ltb on -lhs off -lca off -lde off -ld 3",
)
"""The five levels of August 2010. Each text carries over to the next level, as it did there."""

DECEMBER = (
    "-lf on -lg on",
    "-lco off -lb on -le off -lhb off -lg on -ltb on -lhs off -lca on -lde on -ld 5 -ls 133829",
    "-lde on -i on -ld 30 -ls 133434",
    "-lde on -i on -ld 30 -ls 133434 -lhb on",
    "-lla on -le off -lhs on -lde on -ld 5 -ls 1332656",
    "-le off -lhs on -lde on -ld 5 -ls 1332656",
)
"""The six levels of December 2010, each from fresh options; the last one was a bonus."""

RECIPE = (
    "-ld 2 -le off -lca off",
    "-ld 3 -le g,gk,rk",
    "-ld 5 -le g,gw,rkw -lhb on",
    "-ld 4 -le off -lde on -lhb on",
    "-ld 8 -le g,rk,s -lde on -lhb on",
)
"""What the levels of ``mario-ai/learning`` are asked to be; their seeds come from the run's."""

SEEDS = 2**31
HOUR = 3600.0
MOST_PLAYS = 1_000_000


def carry_over(texts: Sequence[str]) -> list[str]:
    """Return texts of options, each behind all before it: of an option that comes again, the later.

    Example:
        >>> carry_over(["-lg off", "-ld 3"])
        ['-lg off', '-lg off -ld 3']
    """
    return [" ".join(texts[: number + 1]) for number in range(len(texts))]


def score(facts: Facts) -> Score:
    """Return the weighted fitness of the play that counts."""
    parts = weighted_parts({name: facts[name] for name in WEIGHTS_2010_12})
    return Score(sum(parts.values()), parts)


def _fixed_levels(id_: str, texts: Sequence[str], first: int) -> Callable[..., Any]:
    """Return what makes published levels; whoever plays more plays them again."""

    def scenarios(seed: int, episodes: int, plays: str) -> Sequence[Mapping[str, Any]]:
        def make(number: int) -> Mapping[str, Any]:
            place = number % len(texts)
            chance = derive_seed(id_, seed, number)
            return _describe(texts[place], f"level {first + place}", chance, plays)

        return ScenarioMaker(episodes, make)

    return scenarios


def _seeded_levels(seed: int, episodes: int, plays: str) -> Sequence[Mapping[str, Any]]:
    """Return levels that the run's seed decides."""

    def make(number: int) -> Mapping[str, Any]:
        chance = derive_seed("mario-ai/learning@1", seed, number)
        options = f"{RECIPE[number % len(RECIPE)]} -ls {chance % SEEDS}"
        return _describe(options, f"level {number + 1}", chance, plays)

    return ScenarioMaker(episodes, make)


def _describe(options: str, name: str, seed: int, plays: str) -> Mapping[str, Any]:
    level = TaskScenario.from_options(options, LEARNING_TASK, name)
    return LearningScenario(replace(level, seed=seed), int(plays)).to_dict()


def _total(facts: Sequence[Facts], totals: Sequence[Number]) -> Number:
    """Return the sum over the levels, which are no sample of others."""
    return sum(totals)


def _gain(facts: Facts) -> Number:
    """Return by how much the play that counts is better than the first training play."""
    first = facts["first_score"]
    return 0 if first is None else score(facts).total - int(first)


def _track(name: str, title: str, scenarios: Callable[..., Any], levels: int) -> Benchmark:
    return Benchmark(
        id=f"mario-ai/{name}",
        version=1,
        title=title,
        game="mario-ai-learning",
        scenarios=scenarios,
        episodes=levels,
        score=score,
        formula=(
            "weighted fitness of the play after the training plays, summed over the levels: "
            "distance + 1024 win + 32 mode + 16 coins + 24 hidden blocks + 58 mushrooms + "
            "64 flowers + 58 green mushrooms + 42 kills + 12 by stomp + 4 by fire + 17 by shell + "
            "8 seconds left"
        ),
        aggregate=_total,
        aggregate_name="total",
        digits=0,
        columns=(
            Column("levels cleared", cleared, 0, sum, beside_score=True),
            Column("training plays", read_fact("training_plays"), 0, max, beside_score=True),
            Column("first play", read_fact("first_score"), 0, sum),
            Column("gain", _gain, 0, sum, beside_score=True),
        ),
        options=(
            Option(
                "plays",
                str(TRAINING_PLAYS),
                "How many training plays come before the play that counts.",
                whole_number("plays", 1, MOST_PLAYS),
            ),
        ),
        fault_score=0,
        limits=Limits(seconds=4 * HOUR, decision_seconds=60.0, forward_model=False),
    )


LEARNING = _track(
    "learning",
    "Five levels of the run's seed: 10,000 training plays each, then the play that counts",
    _seeded_levels,
    len(RECIPE),
)

LEARNING_2010 = _track(
    "learning-2010",
    "The five levels of August 2010: 10,000 training plays each, then the play that counts",
    _fixed_levels("mario-ai/learning-2010@1", carry_over(AUGUST), 1),
    len(AUGUST),
)

LEARNING_2010_12 = _track(
    "learning-2010-12",
    "The six levels of December 2010: 10,000 training plays each, then the play that counts",
    _fixed_levels("mario-ai/learning-2010-12@1", DECEMBER, 0),
    len(DECEMBER),
)

LEARNING_TRACKS = (LEARNING_2010, LEARNING_2010_12, LEARNING)
