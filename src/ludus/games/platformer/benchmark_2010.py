"""The benchmark of 2010: a level and a game from one text of options, and its loop."""

from __future__ import annotations

from ludus.contract import Agent
from ludus.games.platformer._native import World
from ludus.games.platformer.evaluation import Evaluation2010
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["benchmark_scenario", "play_options"]


def benchmark_scenario(options: str) -> Scenario:
    """Return the level and the game that a text of the benchmark's options asks for.

    Raises:
        OptionError: The text holds no such options.

    Example:
        >>> scenario = benchmark_scenario("-ld 1 -le g,gk -ls 4 -mm 1")
        >>> scenario.level.rules, scenario.mode, scenario.time_limit
        ('2010', 1, 200)
    """
    set_to = Options2010.parse(options)
    reference = generate("tunable-2010", options=options).reference
    assert reference is not None, "this generator gives every level a reference"  # noqa: S101
    level = Level.from_reference(reference).with_options(set_to.to_text())
    return Scenario(options, level, set_to.mode, set_to.time_limit)


def play_options(agent: Agent[Scenario, View, int], options: str) -> Evaluation2010:
    """Play the game that a text of options asks for to its end, as the benchmark does.

    The first tick is played without buttons. The agent answers after every tick, and its answer
    counts for the next one.

    Example:
        >>> from ludus.agents import load
        >>> played = play_options(load("forward-jumping", "platformer"), "-ld 0 -ls 0")
        >>> played.status, played.distance, played.weighted_fitness
        (1, 4096, 7720)
    """
    scenario = benchmark_scenario(options)
    world = World(scenario.level, scenario.mode, scenario.time_limit)
    view = View(world)
    agent.reset(scenario)
    while not world.status:
        world.step(agent.act(view))
    return Evaluation2010.of(world)
