"""``ludus level play``: an agent plays a level."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludus.api.level_plays import SECONDS, LevelPlay, play_level
from ludus.cli.options import SandboxOption
from ludus.cli.output import print_json, print_table, progress
from ludus.context import RunContext
from ludus.errors import OptionError
from ludus.escaping import escape_rich
from ludus.games.platformer.level_names import find_level

__all__ = ["play"]

FAULTY = ("crashed", "disqualified")
SHOWN = ("status", "completion", "x", "ticks", "remaining_time", "mode", "coins", "kills_total")


def play(
    source: Annotated[
        str, typer.Argument(metavar="FILE|NAME", help="A level's file or name.", show_default=False)
    ],
    agent: Annotated[
        str,
        typer.Option("--agent", metavar="SPEC", help="Who plays: a name, file.py:Class, …"),
    ],
    mode: Annotated[
        int, typer.Option("--mode", help="How Mario starts: 0 small, 1 large, 2 with fire.")
    ] = 0,
    time_limit: Annotated[
        int, typer.Option("--time-limit", metavar="SECONDS", help="On the clock; 0 for no limit.")
    ] = SECONDS,
    ticks: Annotated[
        int, typer.Option("--ticks", metavar="N", help="Stop after so many; 0 for none.")
    ] = 0,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="NAME", help="By which rules.", show_default="the level's"),
    ] = None,
    actions: Annotated[
        Path | None,
        typer.Option("--actions", metavar="FILE", help="Write the buttons, one number a tick."),
    ] = None,
    sandbox: SandboxOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Let an agent play a level, and write down its buttons.

    The numbers are sums of LEFT 1, RIGHT 2, DOWN 4, SPEED 8 and JUMP 16, whatever the rules. The
    command ends with 1 if the agent crashed or was disqualified.

    Example: ludus level play sprint-01 --agent forward-jumping --ticks 100 --actions buttons.txt
    """
    level = find_level(source)
    level = level if rules is None else level.for_rules(rules)
    if actions is not None:
        _write(actions, "")  # refused before anybody plays
    with progress("playing", ticks or None) as advance:
        played = play_level(
            level,
            agent,
            mode=mode,
            time_limit=time_limit,
            ticks=ticks,
            context=RunContext(sandbox=sandbox),
            after_tick=lambda _: advance(),
        )
    if actions is not None:
        _write(actions, "".join(f"{buttons}\n" for buttons in played.actions))
    _show(played, json)
    if played.ending in FAULTY:
        raise typer.Exit(1)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text)
    except OSError as error:
        reason = error.strerror or error
        raise OptionError(f"cannot write {str(file)!r}: {reason}; choose another file") from error


def _show(played: LevelPlay, json: bool) -> None:
    if json:
        print_json(
            {
                "agent": played.agent,
                "ending": played.ending,
                "reason": played.reason,
                "actions": list(played.actions),
                "facts": dict(played.facts),
            }
        )
        return
    table = Table("figure", "value", title=escape_rich(f"{played.agent}: {played.ending}"))
    if played.reason:
        table.add_row("reason", escape_rich(played.reason))
    for name in SHOWN:
        table.add_row(name, escape_rich(str(played.facts[name])))
    print_table(table)
