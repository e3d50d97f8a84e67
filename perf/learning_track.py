"""Measures how fast an agent learns in the learning track.

    python -m perf.learning_track

The hill-climber learns the third level of August 2010: in the referee, in a process of its own, and
in the sandbox. Processor time is that of referee and agent together, without starting the agent.
What all five levels take with 10,000 training plays each, `ludus run` tells.
"""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from ludus.agents import load
from ludus.agents.isolation.agent_process import start_agent_process
from ludus.agents.platformer import hill_climber
from ludus.benchmarks import find_benchmark
from ludus.context import RunContext
from ludus.games.game import find_game
from ludus.runs import play_match

TRACK = "mario-ai/learning-2010"
LEVEL = 2
PLAYS = 200


class Speed(NamedTuple):
    """What learning a level took."""

    decisions: int
    clock: float
    processor: float


def measure(where: str) -> Speed:
    """Let the hill-climber learn a level: in the referee, a process of its own or the sandbox."""
    game = find_game("mario-ai-learning")
    description = find_benchmark(TRACK).make_scenarios(0, LEVEL + 1, {"plays": str(PLAYS)})[LEVEL]
    scenario = game.parse_scenario(description)
    agent = _start(where)
    started, used = time.perf_counter(), _processor_seconds(agent)
    _, reason, decisions = play_match(agent, scenario, game.begin(scenario))
    clock, processor = time.perf_counter() - started, _processor_seconds(agent) - used
    if where != "referee":
        agent.close()
    if reason:
        raise SystemExit(f"the level was not learned: {reason}")
    return Speed(decisions, clock, processor)


def _start(where: str) -> Any:
    if where == "referee":
        return load("hill-climber")
    spec = f"{Path(hill_climber.__file__)}:HillClimber"
    return start_agent_process(
        spec, "platformer", RunContext(sandbox=where == "sandbox"), "mario-ai-learning"
    )


def _processor_seconds(agent: Any) -> float:
    """Return the processor time of this process and of the agent's, if it has one."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    measured = agent.end_episode().processor_seconds if hasattr(agent, "end_episode") else 0.0
    return own.ru_utime + own.ru_stime + (measured or 0.0)


def main() -> None:
    """Print what a decision takes."""
    table = Table("where", "decisions", "µs of the clock", "µs of the processor", "a second")
    for where in ("referee", "process", "sandbox"):
        speed = measure(where)
        each = 1e6 / speed.decisions
        table.add_row(
            where,
            f"{speed.decisions:,}",
            f"{each * speed.clock:.1f}",
            f"{each * speed.processor:.1f}",
            f"{speed.decisions / speed.clock:,.0f}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
