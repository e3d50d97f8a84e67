"""Measures what it costs to keep a play as its actions, and to prove it by playing them again.

    python -m perf.records

Each row plays one agent through one scenario of a benchmark. A record is the bytes that the store
keeps of the play; play and replay are processor time, the best of the repeats.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from ludus.agents import load
from ludus.games.game import find_game
from ludus.runs import make_plan, play_match

ROWS = (
    ("platformer/sprint", "forward-jumping"),
    ("platformer/sprint", "astar"),
    ("mario-arena/full-game", "ppo-all"),
    ("worm/foraging-small", "run-and-tumble"),
    ("nematode/foraging-small", "gradient"),
    ("diplomacy/gunboat", "dumb"),
)
REPEATS = 3


def seconds(work: Callable[[], Any]) -> float:
    """Return the processor time of a call, the best of the repeats."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(benchmark: str, agent: str) -> tuple[int, int, float, float]:
    """Return a play's decisions, its record's bytes, and the seconds to play and to replay it."""
    plan = make_plan(benchmark, [agent], episodes=1)
    game = find_game(plan.game)
    scenario = game.parse_scenario(plan.scenarios[0])
    player = load(agent, game.agent_family)

    def play() -> tuple[int, bytes]:
        match = game.begin(scenario)
        _, _, steps = play_match(player, scenario, match)
        return steps, match.record()

    steps, record = play()
    return steps, len(record), seconds(play), seconds(lambda: game.replay(scenario, record))


def main() -> None:
    """Print the table."""
    table = Table("benchmark", "agent", "decisions", "bytes", "play ms", "replay ms", "ratio")
    for benchmark, agent in ROWS:
        steps, size, play, replay = measure(benchmark, agent)
        figures = (f"{steps:,}", f"{size:,}", f"{play * 1e3:.2f}", f"{replay * 1e3:.2f}")
        table.add_row(benchmark, agent, *figures, f"{play / replay:.1f} ×")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
