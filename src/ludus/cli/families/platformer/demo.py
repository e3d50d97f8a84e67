"""``ludus demo platformer``: five players, ten levels, one table and one picture."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Any

import typer

from ludus import api
from ludus.cli.options import JsonOption, finite
from ludus.cli.output import check_target, print_json, print_view, say
from ludus.cli.play import Screen
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
    with TemporaryDirectory() as folder:
        started = perf_counter()
        result = api.run(
            BENCHMARK,
            PLAYERS,
            episodes=EPISODES,
            store=str(Path(folder) / "demo.db"),
            watch=Screen(live=True),
        )
        seconds = perf_counter() - started
    best = result.replay()
    best.save(out)
    if json:
        picture = {"file": str(out), "episode": best.scored.episode.number}
        more = {"episodes": _episodes(result), "picture": picture, "seconds": seconds}
        print_json(finite({**result.to_dict(), **more}))
        return
    print_view(result.view)
    count = len(result.episodes)
    say(f"\n{count} episodes in {seconds:.1f} s. {best.agent} in {best.scenario}: {out}")


def _episodes(result: api.RunResult) -> list[dict[str, Any]]:
    """Return the episodes as plain values, with the actions as hexadecimal digits."""
    plan = result.run.plan
    return [
        {
            "agent": plan.agents[scored.episode.agent].name,
            "level": scenario_name(plan, scored.episode.scenario),
            "score": scored.score.total,
            "facts": dict(scored.episode.facts),
            "actions": scored.episode.record.hex(),
            "seconds": scored.episode.seconds,
        }
        for scored in result.episodes
    ]
