"""Levels to train on: like those of a track, from other seeds than any competition's."""

from __future__ import annotations

from functools import lru_cache

from ludus.errors import OptionError
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.competition import DIFFICULTIES, FIRE, TIME_LIMIT, competition_level
from ludus.games.platformer.scenario import Scenario

__all__ = ["EVALUATION", "FIRST_SEED", "check_track", "training_scenario"]

FIRST_SEED = 1_000_000
"""The seeds of all levels to train on are from here on."""

EVALUATION = 500_000
"""Levels from this number on are never trained on: they show how good a player has become."""

TRACKS_2009 = ("gameplay-2009-ice", "gameplay-2009-cig")
TRACKS_2010 = ("gameplay-2010", "gameplay-2010-evostar", "gameplay-2010-12")

DIFFICULTIES_2010 = (0, 1, 2, 3, 4, 5, 6, 12, 16, 20)
SECONDS_2010 = (32, 64, 128)
REMEMBERED = 256


def check_track(benchmark: str) -> str:
    """Return the name of the track of a benchmark that can be trained for.

    Raises:
        OptionError: It is none.
    """
    family, _, track = benchmark.partition("@")[0].partition("/")
    if family != "mario-ai" or track not in (*TRACKS_2009, *TRACKS_2010):
        known = ", ".join(f"mario-ai/{name}" for name in (*TRACKS_2009, *TRACKS_2010))
        hint = "; players learn by themselves there" if track.startswith("learning") else ""
        raise OptionError(f"{benchmark!r} cannot be trained for{hint}: try {known}")
    return track


@lru_cache(REMEMBERED)
def training_scenario(track: str, number: int) -> Scenario:
    """Return a level to train on for a track.

    Levels of 2009 go through the four difficulties of the competition. Levels of 2010 go through
    the difficulties, kinds, seconds and frozen creatures of its loop, all with dead ends.

    Example:
        >>> training_scenario("gameplay-2009-ice", 2).name
        'difficulty 5, seed 1000002'
    """
    seed = FIRST_SEED + number
    if track in TRACKS_2009:
        difficulty = DIFFICULTIES[number % len(DIFFICULTIES)]
        level = competition_level(seed, difficulty)
        return Scenario(f"difficulty {difficulty}, seed {seed}", level, FIRE, TIME_LIMIT, seed)
    options = {
        "-ld": DIFFICULTIES_2010[number % len(DIFFICULTIES_2010)],
        "-lt": number % 3,
        "-tl": SECONDS_2010[number // 10 % 3],
        "-fc": ("off", "on")[number // 5 % 2],
        "-lde": "on",
        "-ls": seed,
    }
    return benchmark_scenario(" ".join(f"{flag} {value}" for flag, value in options.items()))
