"""``ludus player``: how somebody played, how human it looks, and a level for that player."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludus.api.families.mario_ai import find_record, find_recording, make_level_for
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import JsonOption, StoreOption, finite, seed_option
from ludus.cli.output import check_target, print_json, progress, say, show_table
from ludus.errors import OptionError
from ludus.games.platformer.formats import FORMATS, encode_level, write_level
from ludus.games.platformer.levels.constraints import Constraints, count_demanded
from ludus.games.platformer.pictures import level_picture, write_png
from ludus.games.platformer.pictures.rows import wrap_rows
from ludus.games.platformer.recordings import (
    ALIASES,
    compare_with_humans,
    measure_indicators,
)

__all__ = ["player"]

player = typer.Typer(cls=PlainGroup, no_args_is_help=True)

FAULTY = 1

Play = Annotated[
    str,
    typer.Argument(metavar="FILE|RUN", help="A recording's file, or a run.", show_default=False),
]
Episode = Annotated[int, typer.Argument(metavar="EPISODE", help="The episode of a run.")]


@player.callback()
def _player() -> None:
    """How somebody played, how human it looks, and a level for that player.

    Example: ludus player record 1a2b3c4d 0
    """


@player.command()
def record(
    source: Annotated[
        str,
        typer.Argument(metavar="FILE|RUN|PROFILE", help="A recording, a run, or beginner …"),
    ],
    episode: Episode = 0,
    aliases: Annotated[
        bool, typer.Option("--aliases", help="Name the 45 fields as the software of 2011 did.")
    ] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Count a player's record: jumps, kills, deaths, times and shares.

    Example: ludus player record 1a2b3c4d 0 --json > record.json
    """
    found = find_record(source, episode, store=store_url)
    if json:
        print_json(found.to_dict(aliases=aliases))
        return
    values = found.to_dict()
    rows = [[name, ALIASES.get(name, "–"), _number(value)] for name, value in values.items()]
    show_table("", ["field", "in 2011", "value"], rows, left=(0, 1), fold=(1,))


@player.command()
def indicators(
    source: Play,
    episode: Episode = 0,
    humans: Annotated[
        list[str] | None,
        typer.Option("--human", metavar="FILE|RUN", help="A recording of a person; two or more."),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Measure by what people and programs differ, and how far from people a player is.

    Example: ludus player indicators 1a2b3c4d 0
    """
    recording = find_recording(source, episode, store=store_url)
    if not humans:
        values = asdict(measure_indicators(recording))
        if json:
            print_json(finite(values))
        else:
            rows = [[_words(name), _number(value)] for name, value in values.items()]
            show_table("", ["indicator", "value"], rows, left=(0,))
        return
    sample = []
    with progress("replaying", len(humans)) as advance:
        for human in humans:
            sample.append(find_recording(human, 0, store=store_url))
            advance(human)
    found = compare_with_humans(recording, sample)
    if json:
        print_json(finite({name: asdict(one) for name, one in found.items()}))
        return
    rows = [
        [_words(name), *map(_number, (one.value, one.mean, one.spread, one.standardised))]
        for name, one in found.items()
    ]
    headings = ["indicator", "value", "people", "spread", "difference"]
    caption = "Difference: from the people's mean, in their standard deviations."
    show_table("", headings, rows, left=(0,), caption=caption)


@player.command()
def level(
    generator: Annotated[
        str, typer.Argument(metavar="GENERATOR", help="A name, or path.py:function.")
    ],
    source: Annotated[
        str,
        typer.Argument(metavar="FILE|RUN|PROFILE", help="A record, recording, run or profile."),
    ] = "average",
    seed: Annotated[int, seed_option("Which level of many.")] = 0,
    gaps: Annotated[int | None, typer.Option("--gaps", metavar="N", help="Demanded.")] = None,
    turtles: Annotated[int | None, typer.Option("--turtles", metavar="N", help="Demanded.")] = None,
    coin_blocks: Annotated[
        int | None, typer.Option("--coin-blocks", metavar="N", help="Demanded.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE.png", help="Write a picture.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the level.")
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Make a level for a player as the track does: in a minute, checked, proven playable.

    Ends with exit code 1 if the level is disqualified.

    Example: ludus player level hopper expert --seed 7 --png level.png
    """
    if png is not None:
        check_target(png, [".png"], "--png")
    if out is not None:
        check_target(out, sorted(set(FORMATS.values()), reverse=True))
    demanded = Constraints(gaps=gaps, turtles=turtles, coin_blocks=coin_blocks)
    profile = find_record(source, store=store_url)
    made = make_level_for(profile, generator, seed, constraints=demanded)
    if out is not None:
        write_level(out, made.level)
    if png is not None:
        _write_picture(png, made.level)
    counts = count_demanded(made.level)
    if json:
        verdict = {"solvable": made.solvable, "faults": list(made.faults)}
        print_json({"generator": generator, "seed": seed, **counts._asdict(), **verdict})
    elif png is None and out is None:
        typer.echo(encode_level(made.level, "text"), nl=False)
    else:
        words = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in counts._asdict().items())
        say(f"{' and '.join(str(f) for f in (out, png) if f)}: {words}, {made.solvable}")
    for fault in made.faults:
        say(f"disqualified: {fault}", err=True)
    if made.faults:
        raise typer.Exit(FAULTY)


def _write_picture(png: Path, made: object) -> None:
    try:
        write_png(png, wrap_rows(level_picture(made)))  # type: ignore[arg-type]
    except OSError as error:
        reason = error.strerror or error
        raise OptionError(f"cannot write {str(png)!r}: {reason}; choose another --png") from error


def _words(name: str) -> str:
    return name.replace("_", " ")


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
