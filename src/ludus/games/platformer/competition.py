"""The competition of 2009: its levels, its loop and its score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean
from typing import NamedTuple

from ludus.contract import Agent
from ludus.games.platformer._native import World
from ludus.games.platformer.evaluation import Evaluation2009
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = [
    "PlayedLevel",
    "competition_level",
    "competition_scenarios",
    "play_competition",
    "play_level",
    "score",
]

DIFFICULTIES = (0, 3, 5, 10)
LEVELS_EACH = 10
TIME_LIMIT = 200
FIRE = 2


class PlayedLevel(NamedTuple):
    """What a player made of a level."""

    difficulty: int
    seed: int
    evaluation: Evaluation2009
    answers: int  #: answers with at least one button, that after the last tick included


def competition_level(seed: int, difficulty: int) -> Level:
    """Return a level of the competition: above the earth, 320 columns."""
    return generate("notch-2009", seed=seed, difficulty=difficulty).with_recipe(None)


def competition_scenarios(start_seed: int) -> Iterator[tuple[int, int, Scenario]]:
    """Yield difficulty, seed and scenario of the forty levels, in the order of the competition."""
    for difficulty in DIFFICULTIES:
        for number in range(LEVELS_EACH):
            seed = start_seed + number
            level = competition_level(seed, difficulty)
            name = f"difficulty {difficulty}, level {number + 1}"
            yield difficulty, seed, Scenario(name, level, FIRE, TIME_LIMIT, seed)


def play_level(agent: Agent[Scenario, View, int], scenario: Scenario) -> tuple[World, int]:
    """Play a level as the competition does; return the world at its end and the answers counted.

    The first tick is played without buttons. An agent answers after every tick, and its answer
    counts for the next one; that after the last tick is asked for too, and is not used.
    """
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    view, answers = View(world), 0
    agent.reset(scenario)
    while True:
        action = agent.act(view)
        answers += action != 0
        if world.status:
            return world, answers
        world.step(action)


def play_competition(
    agent: Agent[Scenario, View, int], start_seed: int = 0
) -> Iterator[PlayedLevel]:
    """Play the forty levels with one agent and yield what came of each.

    The agent is reset before every level; what it remembers beyond that stays with it, as in the
    competition.

    Example:
        >>> from ludus.agents import load
        >>> played = next(play_competition(load("forward-jumping", "platformer")))
        >>> played.evaluation.status, round(played.evaluation.distance, 1)
        (1, 4342.6)
    """
    for difficulty, seed, scenario in competition_scenarios(start_seed):
        world, answers = play_level(agent, scenario)
        yield PlayedLevel(difficulty, seed, Evaluation2009.of(world), answers)


def score(played: Iterable[PlayedLevel]) -> float:
    """Return the sum over the difficulties of the mean distance."""
    distances: defaultdict[int, list[float]] = defaultdict(list)
    for level in played:
        distances[level.difficulty].append(level.evaluation.distance)
    return sum(map(fmean, distances.values()))
