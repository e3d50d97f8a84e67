"""``mario-ai/gameplay-2010-evostar``, ``-2010`` and ``-2010-12``: the championship of 2010."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Option, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, SealedSeed, derive_seed, one_of, read_fact
from ludus.benchmarks.mario_ai.scoring import (
    WEIGHTS_2010,
    WEIGHTS_2010_12,
    WEIGHTS_EVOSTAR,
    weighted_parts,
)
from ludus.benchmarks.mario_ai.totals import sum_with_interval
from ludus.benchmarks.mario_ai.tracks_2009 import cleared
from ludus.games.game import Facts
from ludus.games.platformer.tasks.impossible import dig_impossible_gap
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import Task
from ludus.limits import Limits

__all__ = ["DECEMBER", "EVOSTAR", "SUMMER"]

TASK = Task(evaluation="weighted-2010")
LENGTH = 320
TIMES = (LENGTH // 10, 2 * LENGTH // 10, 4 * LENGTH // 10)
TYPES = (0, 1, 2)
FROZEN = ("on", "off")
SECONDS_AN_ACTION = 0.042
SEEDS = 2**31
LEVELS_OF_DECEMBER = 512
LONGEST = 512
SHORTEST, SHORTEST_MADE = 50, 16
IMPOSSIBLE_EVERY = 10
ON_OFF = ("off", "on")

Loop = tuple[tuple[int, int, str, int], ...]
APRIL_LOOP: Loop = tuple(product((0, 1, 3, 5, 12, 16, 20), TYPES, FROZEN, TIMES))
SUMMER_LOOP: Loop = tuple(product((0, 1, 2, 3, 4, 5, 6, 12, 16, 20), TYPES, FROZEN, TIMES))


def loop_options(loop: Loop, number: int, seed: int, dead_ends: str) -> tuple[str, str]:
    """Return name and options of a level of the loops of April and summer; they repeat.

    Example:
        >>> loop_options(APRIL_LOOP, 4, 0, "off")[0]
        'difficulty 0, type 0, moving creatures, 64 s'
    """
    difficulty, kind, frozen, seconds = loop[number % len(loop)]
    moving = "frozen" if frozen == "on" else "moving"
    name = f"difficulty {difficulty}, type {kind}, {moving} creatures, {seconds} s"
    return name, (
        f"-ls {seed} -ld {difficulty} -lt {kind} -ll {LENGTH} -le '' -lde {dead_ends} "
        f"-fc {frozen} -tl {seconds}"
    )


def december_options(number: int, seed: int, *, exact: bool) -> tuple[str, str]:
    """Return name and options of a level of the loop of December; after the last it repeats.

    Args:
        number: Which level, from 0.
        seed: The starting seed.
        exact: Whether levels may be too short to be played, as in the reference.

    Example:
        >>> december_options(3, 0, exact=False)[1][:29]
        '-ls 6 -ll 239 -lt 0 -ld 0 -lg'
    """
    i = number % LEVELS_OF_DECEMBER
    before = seed + i * (i - 1) // 2
    length = (200 + 12 * i + before % (i + 1)) % LONGEST
    options = {
        "-ls": (before + i) % SEEDS,
        "-ll": max(length, SHORTEST_MADE if exact else SHORTEST),
        "-lt": i % 3,
        "-ld": i // 20,
        "-lg": _on(i % 3 == 0),
        "-lca": _on(i % 3 != 1),
        "-lco": _on(i % 5 != 0),
        "-lb": _on(i % 4 != 0),
        "-lhb": _on(i % 6 != 0),
        "-lde": _on(i % 10 == 0),
        "-lla": _on(i % 10 == 2),
        "-fc": _on(i % 3 == 1),
        "-le": "off" if i % 4 == 1 else "''",
    }
    return f"level {i + 1}", " ".join(f"{flag} {value}" for flag, value in options.items())


def _on(condition: bool) -> str:
    return "on" if condition else "off"


def _scenarios(
    track: str, options_of: Callable[..., tuple[str, str]], seed: int, episodes: int, **choice: str
) -> Sequence[Mapping[str, Any]]:
    """Return the scenarios of a track.

    Args:
        track: Its id.
        options_of: Returns name and options of the level of a number, for a starting seed.
        seed: The run's seed, which is the starting seed.
        episodes: How many.
        choice: The track's options.
    """
    sealed = isinstance(seed, SealedSeed)
    start = derive_seed(track, seed, 0) % SEEDS if sealed else seed % SEEDS

    def make(number: int) -> Mapping[str, Any]:
        name, options = options_of(number, start, **choice)
        agent_seed = derive_seed(track, seed, number + 1) if sealed else start
        scenario = TaskScenario.from_options(options, TASK, name)
        return {**scenario.to_dict(), "seed": agent_seed}

    return ScenarioMaker(episodes, make)


def _april(number: int, seed: int) -> tuple[str, str]:
    return loop_options(APRIL_LOOP, number, seed, "off")


def _december(number: int, seed: int, exact: str) -> tuple[str, str]:
    return december_options(number, seed, exact=exact == "on")


def _summer_scenarios(seed: int, episodes: int, impossible: str) -> Sequence[Mapping[str, Any]]:
    played = _scenarios("mario-ai/gameplay-2010", _summer, seed, episodes)
    return played if impossible == "off" else ScenarioMaker(episodes, partial(_spoil, played))


def _summer(number: int, seed: int) -> tuple[str, str]:
    return loop_options(SUMMER_LOOP, number, seed, "on")


def _spoil(played: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
    """Return a scenario; every tenth has a gap that nobody gets over."""
    description = played[number]
    if number % IMPOSSIBLE_EVERY != IMPOSSIBLE_EVERY - 1:
        return description
    level = dig_impossible_gap(TaskScenario.from_dict(description).level)
    return {**description, "level": TaskScenario("", level).to_dict()["level"]}


def _score(weights: Mapping[str, int]) -> Callable[[Facts], Score]:
    def score(facts: Facts) -> Score:
        parts = weighted_parts(facts, weights)
        return Score(sum(parts.values()), parts)

    return score


def _formula(weights: Mapping[str, int]) -> str:
    words = {"status": "win", "kills_total": "kills", "hidden_blocks": "hidden blocks"}
    terms = [f"{weight}·{words.get(name, _words(name))}" for name, weight in weights.items()]
    return "sum over levels of " + " + ".join(terms).replace("1·distance", "distance")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _track(
    id_: str,
    title: str,
    scenarios: Callable[..., Sequence[Mapping[str, Any]]],
    levels: int,
    weights: Mapping[str, int],
    options: tuple[Option, ...] = (),
) -> Benchmark:
    return Benchmark(
        id=id_,
        version=1,
        title=title,
        game="mario-ai",
        scenarios=scenarios,
        episodes=levels,
        score=_score(weights),
        formula=_formula(weights),
        headline="score",
        aggregate=sum_with_interval,
        aggregate_name="sum",
        digits=0,
        tie_breakers=(
            TieBreaker("kills", read_fact("kills_total"), reduce=sum, facts=("kills_total",)),
            TieBreaker("coins", read_fact("coins"), reduce=sum, facts=("coins",)),
            TieBreaker("time left", read_fact("time_left"), reduce=sum, facts=("time_left",)),
        ),
        columns=(Column("levels cleared", cleared, 0, sum, beside_score=True),),
        options=options,
        limits=Limits(decision_seconds=SECONDS_AN_ACTION),
        fault_score=0,
        in_order=True,
    )


EVOSTAR = _track(
    "mario-ai/gameplay-2010-evostar",
    "How many points on the 126 trials of EvoStar 2010, 42 ms an action?",
    partial(_scenarios, "mario-ai/gameplay-2010-evostar", _april),
    len(APRIL_LOOP),
    WEIGHTS_EVOSTAR,
)

SUMMER = _track(
    "mario-ai/gameplay-2010",
    "How many points on the 180 levels of WCCI and CIG 2010, with dead ends, 42 ms an action?",
    _summer_scenarios,
    len(SUMMER_LOOP),
    WEIGHTS_2010,
    (
        Option(
            "impossible",
            "off",
            "on: every tenth level has a gap that nobody gets over",
            one_of("impossible", ON_OFF),
        ),
    ),
)

DECEMBER = _track(
    "mario-ai/gameplay-2010-12",
    "How many points on the 512 levels of December 2010, 42 ms an action?",
    partial(_scenarios, "mario-ai/gameplay-2010-12", _december),
    LEVELS_OF_DECEMBER,
    WEIGHTS_2010_12,
    (
        Option(
            "exact",
            "off",
            "on: levels shorter than 50 columns stay so, down to the 16 that can be made",
            one_of("exact", ON_OFF),
        ),
    ),
)
