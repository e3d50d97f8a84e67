"""Measures what Diplomacy costs, and how strong its bots are.

    python -m perf.diplomacy [GAMES]

The first table shows the engine alone, beside the package ``diplomacy`` if that is installed. Games
go from 1901 to 1925. Costs are processor time, the least of several runs. The ladder plays each bot
as France against six of ``dumb``, in GAMES games (2 unless told otherwise), the same seeds for all,
with intervals of 95 %.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import mean, stdev

from perf.diplomacy_engine import measure_engine
from rich.console import Console
from rich.table import Table as Grid

from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import load_bot
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.game import Facts, scenario_for_agent

LADDER = ("hold", "random", "easy", "dumb", "dumb#aggressive", "search", "regret")
MOST_SECONDS = 0.4
REPEATS = 5


def cpu(work: Callable[[], object], times: int = 1) -> float:
    """Return the processor seconds of doing something once."""
    started = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - started) / times


def played(spec: str, opponents: str, seed: int) -> Facts:
    """Return the facts of a game."""
    scenario = Scenario.from_dict({"opponents": opponents, "seed": seed})
    player, match = load_bot(spec), DiplomacyMatch(scenario)
    player.reset(scenario_for_agent(scenario))
    while not match.over:
        match.step(player.act(match.observation))
    return match.facts()


def costs() -> Grid:
    """Return a table of what things cost."""
    table = Table.start()
    spare = table.fork()
    grid = Grid("work", "processor time", title="Costs")
    grid.add_row(
        "look at a position ahead (fork)", f"{1000 * cpu(lambda: table.fork(spare), 200):.2f} ms"
    )
    packed = table.snapshot()
    grid.add_row("restore a snapshot", f"{1000 * cpu(lambda: Table.restore(packed), 50):.2f} ms")
    seconds = min(cpu(partial(played, "random", "random", seed)) for seed in range(REPEATS))
    remark = "" if seconds <= MOST_SECONDS else f" (more than {MOST_SECONDS} s)"
    grid.add_row("a game of seven random", f"{seconds:.2f} s{remark}")
    seconds = min(cpu(partial(played, "dumb", "dumb", seed)) for seed in range(REPEATS))
    grid.add_row("a game of seven dumb", f"{seconds:.2f} s")
    return grid


def ladder(games: int) -> Grid:
    """Return a table of the bots as France against six dumb."""
    grid = Grid(
        "France", "centres", "solos", "eliminated", "seconds a game", title="Against six dumb"
    )
    for spec in LADDER:
        started = time.process_time()
        facts = [played(spec, "dumb", seed) for seed in range(games)]
        seconds = (time.process_time() - started) / games
        owned = [float(one["centres"] or 0) for one in facts]
        half = 1.96 * stdev(owned) / games**0.5 if games > 1 else float("nan")
        solos = sum(one["winner"] == "FRANCE" for one in facts)
        gone = sum(one["eliminated_FRANCE"] is not None for one in facts)
        centres = f"{mean(owned):.1f} ± {half:.1f}"
        grid.add_row(spec, centres, f"{solos}", f"{gone}", f"{seconds:.2f}")
    return grid


def main() -> None:
    """Print all tables."""
    console = Console()
    console.print(measure_engine())
    console.print(costs())
    console.print(ladder(int(sys.argv[1]) if sys.argv[1:] else 2))


if __name__ == "__main__":
    main()
