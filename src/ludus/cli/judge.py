"""``ludus judge``: what an agent's work costs, and where it goes."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus import api
from ludus.api.judging import EPISODES, JUDGED_BENCHMARK
from ludus.cli.options import JsonOption, SandboxOption, seed_option
from ludus.cli.output import print_json, print_view, progress

__all__ = ["judge"]

Agent = Annotated[
    str,
    typer.Argument(
        metavar="AGENT",
        help="A name (see 'ludus agents'), file.py:Class, agents.jar:Class or agent.wasm.",
    ),
]
Name = Annotated[
    str, typer.Argument(metavar="BENCHMARK", help="What it plays; its budget is compared.")
]
Episodes = Annotated[int, typer.Option("--episodes", help="How many it plays.")]
Seed = Annotated[int, seed_option("What the scenarios are made from.")]


def judge(
    agent: Agent,
    benchmark: Name = JUDGED_BENCHMARK,
    episodes: Episodes = EPISODES,
    seed: Seed = 0,
    sandbox: SandboxOption = False,
    json: JsonOption = False,
) -> None:
    """Count an agent's work and show where it goes, beside a benchmark's budget.

    Units are the same on every machine and under every Python.

    Example: ludus judge my_agent.py:MyAgent platformer/punctual
    """
    with progress("judging", episodes) as advance:
        result = api.judge(
            agent,
            benchmark,
            episodes=episodes,
            seed=seed,
            sandbox=sandbox,
            on_episode=lambda _: advance(),
        )
    if json:
        print_json(result.to_dict())
    else:
        print_view(result.view)
