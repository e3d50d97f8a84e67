"""``ludus demo``: five players, ten levels, one table and one picture."""

from __future__ import annotations

import json as json_format
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from ludus.agents import load
from ludus.boards import Standing, rank
from ludus.errors import OptionError
from ludus.games.platformer.bundled import BUNDLED, bundled_level
from ludus.games.platformer.pictures import level_picture, write_png
from ludus.games.platformer.scenario import Scenario
from ludus.runs import Episode, race

__all__ = ["demo"]

PLAYERS = ("idle", "random", "forward-jumping", "rule-based", "astar")
TABLE_WIDTH = 80


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.png", help="Where the picture goes.")
    ] = Path("ludus-demo.png"),
    json: Annotated[
        bool, typer.Option("--json", help="Print the results as JSON instead of a table.")
    ] = False,
) -> None:
    """Race five players over ten levels, print the table, draw the winner's way.

    Example: ludus demo --out winner.png
    """
    _check_picture(out)
    started = perf_counter()
    scenarios = [Scenario(name, bundled_level(name)) for name in BUNDLED]
    episodes = _race_with_progress(scenarios)
    seconds = perf_counter() - started
    standings = rank(episodes)
    shown = _showpiece(standings[0].agent, episodes)
    _draw(shown, out)
    if json:
        typer.echo(json_format.dumps(_report(standings, episodes, shown, out, seconds), indent=2))
    else:
        _print_table(standings, len(scenarios))
        caption = f"{shown.agent} in {shown.scenario.name}"
        typer.echo(f"\n{len(episodes)} episodes in {seconds:.1f} s. {caption}: {out}")


def _check_picture(out: Path) -> None:
    """Refuse a picture's place before anybody has played for it."""
    if out.suffix.lower() != ".png":
        raise OptionError(f"{str(out)!r} is not the name of a PNG; try --out {out.stem}.png")
    if out.is_dir():
        raise OptionError(f"{str(out)!r} is a directory; name a file in it with --out")
    if not out.absolute().parent.is_dir():
        raise OptionError(f"there is no directory {str(out.parent)!r}; make it, or choose another")


def _draw(episode: Episode, out: Path) -> None:
    """Write the picture of an episode's path."""
    try:
        write_png(out, level_picture(episode.scenario.level, episode.path))
    except OSError as error:
        reason = error.strerror or error
        raise OptionError(f"cannot write {str(out)!r}: {reason}; choose another --out") from error


def _race_with_progress(scenarios: Sequence[Scenario]) -> tuple[Episode, ...]:
    """Run the race behind a progress bar on stderr, which only a terminal gets to see."""
    console = Console(stderr=True)
    played: list[Episode] = []
    with Progress(
        TextColumn("racing"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("leader: [bold]{task.description}[/]"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as progress:
        task = progress.add_task("–", total=len(PLAYERS) * len(scenarios))

        def advance(episode: Episode) -> None:
            played.append(episode)
            progress.update(task, advance=1, description=rank(played)[0].agent)

        return race([load(name) for name in PLAYERS], scenarios, on_episode=advance)


def _showpiece(agent: str, episodes: Sequence[Episode]) -> Episode:
    """Return the agent's best episode; of equally good ones the last, which is the hardest."""
    own = [episode for episode in reversed(episodes) if episode.agent == agent]
    return max(own, key=lambda episode: episode.result.completion)


def _print_table(standings: Sequence[Standing], levels: int) -> None:
    """Print the standings, no wider than 80 columns."""
    table = Table(
        title=f"Ludus demo: {len(standings)} players, {levels} levels",
        caption="completion: mean over the levels ± 95 % interval (Student's t)",
        caption_justify="left",
    )
    table.add_column("#", justify="right")
    table.add_column("player", style="bold")
    table.add_column("completion %", justify="right")
    for heading in ("wins", "ticks", "coins", "kills", "ms/tick"):
        table.add_column(heading, justify="right")
    for line in standings:
        table.add_row(*_cells(line), style="green" if line.rank == 1 else None)
    console = Console(highlight=False)
    console.width = min(console.width, TABLE_WIDTH) if console.is_terminal else TABLE_WIDTH
    console.print(table)


def _cells(line: Standing) -> list[str]:
    """Return a standing as the words of a table row."""
    completion = line.completion
    return [
        str(line.rank),
        line.agent,
        f"{100 * completion.value:.1f} ± {100 * completion.margin:4.1f}",
        f"{line.wins}/{line.episodes}",
        f"{line.ticks:.0f}",
        f"{line.coins:.1f}",
        f"{line.kills:.1f}",
        f"{1000 * line.seconds / (line.ticks * line.episodes):.3f}",
    ]


def _report(
    standings: Sequence[Standing],
    episodes: Sequence[Episode],
    shown: Episode,
    out: Path,
    seconds: float,
) -> dict[str, Any]:
    """Return the whole demo as plain data."""
    return {
        "standings": [
            {**asdict(line), "completion": line.completion._asdict()} for line in standings
        ],
        "episodes": [
            {
                "level": episode.scenario.name,
                "agent": episode.agent,
                "result": episode.result._asdict(),
                "actions": episode.actions.hex(),
                "seconds": episode.seconds,
            }
            for episode in episodes
        ],
        "picture": {"file": str(out), "agent": shown.agent, "level": shown.scenario.name},
        "seconds": seconds,
    }
