"""The benchmark of 2010: a level and a game from one text of options."""

from __future__ import annotations

from ludus.games.platformer.generators import generate
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.scenario import Scenario

__all__ = ["benchmark_scenario"]


def benchmark_scenario(options: str) -> Scenario:
    """Return the level and the game that a text of the benchmark's options asks for.

    Raises:
        OptionError: The text holds no such options.

    Example:
        >>> scenario = benchmark_scenario("-ld 1 -le g,gk -ls 4 -mm 1")
        >>> scenario.level.rules, scenario.mode, scenario.time_limit
        ('2010', 1, 200)
    """
    game = Options2010.parse(options)
    level = generate("tunable-2010", options=options).with_options(game.to_text())
    return Scenario(options, level, game.mode, game.time_limit)
