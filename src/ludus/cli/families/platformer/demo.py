"""``ludus demo platformer``: five players, ten levels, one table and one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Any

import typer

from ludus.benchmarks import find_benchmark
from ludus.cli.options import JsonOption, executor_for, finite, open_store
from ludus.cli.output import check_target, print_json
from ludus.cli.play import report, show
from ludus.cli.progress import progress
from ludus.runs import Plan, Run, ScoredEpisode, Store, continue_run, film, make_plan
from ludus.runs.explain import scenario_name

__all__ = ["demo"]

BENCHMARK = "platformer/bundled"
PLAYERS = ("idle", "random", "forward-jumping", "rule-based", "astar")
EPISODES: int | None = None  # the benchmark's own


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.png", help="Where the picture goes.")
    ] = Path("ludus-demo.png"),
    json: JsonOption = False,
) -> None:
    """Race five players over ten levels, print the table, draw the winner's way.

    Example: ludus demo --out winner.png
    """
    check_target(out, [".png"])
    plan = make_plan(BENCHMARK, PLAYERS, episodes=EPISODES)
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "demo.db")) as store:
        started = perf_counter()
        run = _race(plan, store)
        seconds = perf_counter() - started
        scored = store.episodes(run.id)
        best = _showpiece(run, scored)
        film(run.id, best.episode.number, store, out)
    benchmark = find_benchmark(BENCHMARK)
    if json:
        picture = {"file": str(out), "episode": best.episode.number}
        rest = {"episodes": _episodes(plan, scored), "picture": picture, "seconds": seconds}
        print_json(finite({**report(run, benchmark, scored), **rest}))
        return
    show(run, benchmark, scored)
    agent = plan.agents[best.episode.agent].name
    level = scenario_name(plan, best.episode.scenario)
    typer.echo(f"\n{run.played} episodes in {seconds:.1f} s. {agent} in {level}: {out}")


def _race(plan: Plan, store: Store) -> Run:
    """Play all of it, with the standings on a terminal while it lasts."""
    begun = store.add(plan)
    with progress(plan, find_benchmark(BENCHMARK), live=True) as hear:
        return continue_run(begun, store, executor=executor_for(None), on_episode=hear)


def _showpiece(run: Run, scored: Sequence[ScoredEpisode]) -> ScoredEpisode:
    """Return the winner's best episode; of equally good ones the last, which is the hardest."""
    winner = report(run, find_benchmark(BENCHMARK), list(scored))["standings"][0]["agent"]
    names = [agent.name for agent in run.plan.agents]
    own = [one for one in reversed(scored) if names[one.episode.agent] == winner]
    return max(own, key=lambda one: one.score.total)


def _episodes(plan: Plan, scored: Sequence[ScoredEpisode]) -> list[dict[str, Any]]:
    """Return the episodes as plain values, with the actions as hexadecimal digits."""
    return [
        {
            "agent": plan.agents[one.episode.agent].name,
            "level": scenario_name(plan, one.episode.scenario),
            "score": one.score.total,
            "facts": dict(one.episode.facts),
            "actions": one.episode.record.hex(),
            "seconds": one.episode.seconds,
        }
        for one in scored
    ]
