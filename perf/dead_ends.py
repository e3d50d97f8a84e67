"""Plays a sample of the levels of summer 2010, which have dead ends, with the players that search.

    python -m perf.dead_ends [PLAYER …]

Every thirteenth of the 180 levels of ``mario-ai/gameplay-2010`` is played, with seed 0. No decision
is too slow here; the last two columns say what it took, in milliseconds of processor time.
"""

from __future__ import annotations

import sys
import time
from statistics import fmean

from rich.console import Console
from rich.table import Table

from ludus.agents import load
from ludus.benchmarks.mario_ai.tracks_2010 import SUMMER_LOOP, loop_options
from ludus.games.platformer import World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.evaluation import Evaluation2010
from ludus.games.platformer.view import View

PLAYERS = ("astar", "astar#plain", "best-first", "mcts")
EVERY = 13


def play(spec: str, number: int) -> tuple[Evaluation2010, list[float]]:
    """Return what a player makes of a level, and the milliseconds of its decisions."""
    scenario = benchmark_scenario(loop_options(SUMMER_LOOP, number, 0, "on")[1])
    world, player, times = World(scenario.level, scenario.mode, scenario.time_limit), load(spec), []
    view = View(world)
    player.reset(scenario)
    while not world.status:
        start = time.process_time()
        action = player.act(view)
        times.append(1000 * (time.process_time() - start))
        world.step(action)
    return Evaluation2010.of(world), times


def main() -> None:
    """Print a row for each player."""
    table = Table("player", "weighted fitness", "cleared", "kills", "ms a decision", "longest")
    for spec in sys.argv[1:] or PLAYERS:
        played = [play(spec, number) for number in range(0, len(SUMMER_LOOP), EVERY)]
        fitness = fmean(evaluation.weighted_fitness for evaluation, _ in played)
        cleared = sum(evaluation.status == 1 for evaluation, _ in played)
        kills = sum(evaluation.kills_total for evaluation, _ in played)
        times = [taken for _, level in played for taken in level]
        figures = (f"{fitness:,.1f}", f"{cleared}/{len(played)}", f"{kills}")
        table.add_row(spec, *figures, f"{fmean(times):.2f}", f"{max(times):.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
