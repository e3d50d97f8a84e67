"""Plays the worms that come with Ludus through some tasks and prints what they reach.

    python -m perf.worm_baselines

The episodes have the seeds 0 to 199; the figures are the same on every machine.
"""

from __future__ import annotations

from statistics import fmean
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ludus.agents.loading import load
from ludus.errors import AgentError
from ludus.games.game import scenario_for_agent
from ludus.games.worm import find_task
from ludus.games.worm.game import WormGame
from ludus.games.worm.scenario import Scenario

EPISODES = 200
AGENTS = ("random-walk", "klinokinesis", "run-and-tumble", "gradient")
TASKS = (
    "foraging-small",
    "foraging-small+klinotaxis",
    "foraging-medium",
    "predator-small@e25",
    "pursuit-small",
    "thermal-foraging-small",
    "c3-continuous+klinotaxis",
)
COLUMNS = {
    "won": ("success", ".2f"),
    "foods": ("foods", ".1f"),
    "steps": ("steps", ".0f"),
    "eff.": ("efficiency", ".2f"),
    "index": ("chemotaxis_index", ".2f"),
}


def episodes(name: str, task: str) -> list[dict[str, Any]]:
    """The facts of every episode of one agent."""
    game, agent, found = WormGame(), load(name, game="worm"), find_task(task)
    facts = []
    for seed in range(EPISODES):
        scenario = Scenario(f"dish-{seed:03}", found, seed)
        match = game.begin(scenario)
        agent.reset(scenario_for_agent(scenario))
        while not match.over:
            match.step(agent.act(match.observation))
        facts.append(dict(match.facts()))
    return facts


def main() -> None:
    """Play and print the table."""
    table = Table(
        title=f"Means over {EPISODES} episodes", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    table.add_column("task", no_wrap=True)
    table.add_column("agent", no_wrap=True)
    for heading in COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    pairs = [(task, name) for task in TASKS for name in AGENTS]
    for task, name in track(pairs, "playing", transient=True):
        try:
            facts = episodes(name, task)
        except AgentError:
            continue
        means = [
            format(fmean(one[fact] for one in facts), digits) for fact, digits in COLUMNS.values()
        ]
        table.add_row(task if name == AGENTS[0] else "", name, *means)
    Console().print(table)


if __name__ == "__main__":
    main()
