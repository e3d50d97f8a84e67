"""A level that is played again and again, as the learning track does it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ludus.games.platformer import World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.evaluation import Evaluation2010
from ludus.games.platformer.view import View

#: Short, with gaps that the forward-jumping player falls into.
GAPS = "-ll 80 -ld 5 -lg on -le off -ltb off -lca off -lb off -lco off -lhs off -ls 8 -tl 40"


def play_once(agent: Any, options: str, play: int = 0, plays: int = 0) -> Evaluation2010:
    level = benchmark_scenario(options)
    world = World(level.level, level.mode, level.time_limit)
    view = View(world)
    view.close_forward_model()
    agent.reset(SimpleNamespace(name="level", seed=3, play=play, plays=plays))
    while not world.status:
        world.step(agent.act(view))
    return Evaluation2010.of(world)


def learn_level(agent: Any, options: str, plays: int) -> list[int]:
    """Return the scores of all plays, that of the play that counts as the last."""
    scores = []
    for play in range(1, plays + 2):
        result = play_once(agent, options, play, plays + 1)
        scores.append(result.weighted_fitness)
        if play <= plays:
            agent.learn({"score": scores[-1], "status": result.status, "play": play})
    return scores
