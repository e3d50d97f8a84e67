"""``ludus level``: make levels, look at them, measure them, see whether they can be won."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ludus.cli.families.platformer.level_measure import check, describe, plot_range
from ludus.cli.families.platformer.level_play import play
from ludus.cli.families.platformer.level_source import allowed, read_options
from ludus.cli.families.platformer.level_strips import strips
from ludus.cli.mounting import PlainGroup
from ludus.cli.options import seed_option
from ludus.cli.output import check_target, print_json, print_table, say
from ludus.errors import OptionError
from ludus.escaping import escape_rich
from ludus.games.platformer.formats import FORMATS, encode_level, write_level
from ludus.games.platformer.generators import Generator, load, names
from ludus.games.platformer.level_names import find_level
from ludus.games.platformer.levels.campaign import campaign_levels
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.metrics import describe as describe_level
from ludus.games.platformer.pictures import level_picture, write_png
from ludus.games.platformer.pictures.rows import wrap_rows

__all__ = ["level"]

level = typer.Typer(cls=PlainGroup)

Png = Annotated[
    Path | None, typer.Option("--png", metavar="FILE.png", help="Write the map as a picture.")
]
Text = Annotated[bool, typer.Option("--text", help="Print the level's text.")]
Ansi = Annotated[bool, typer.Option("--ansi", help="Print the map in colours, in strips.")]
Json = Annotated[bool, typer.Option("--json", help="Print the level as JSON.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help=f"Write the level: {', '.join(sorted(set(FORMATS.values())))}.",
    ),
]


@level.callback(invoke_without_command=True)
def _level(context: typer.Context) -> None:
    """Make levels, look at them, measure them, see whether they can be won.

    Example: ludus level make notch-framework --seed 7 --png level.png
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@level.command()
def make(
    generator: Annotated[
        str, typer.Argument(help="A generator's name, or file.py:function.", show_default=False)
    ],
    seed: Annotated[str | None, seed_option("Which level of many.")] = None,
    difficulty: Annotated[
        str | None, typer.Option("--difficulty", metavar="N", help="How hard.")
    ] = None,
    width: Annotated[str | None, typer.Option("--width", metavar="N", help="Columns.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KNOB=VALUE",
            help="Any other option; ludus level options GENERATOR lists them.",
        ),
    ] = None,
    png: Png = None,
    text: Text = False,
    ansi: Ansi = False,
    json: Json = False,
    out: Out = None,
) -> None:
    """Make a level and print it, draw it, or write it to a file.

    Without a word on what to do with it, it is printed: to a terminal in colours, else as text.

    Example: ludus level make tunable-2010 --seed 7 --difficulty 3 --set gaps=off --png level.png
    """
    _check(png, out, (text, ansi, json))
    maker = load(generator)
    named_options = {"seed": seed, "difficulty": difficulty, "width": width}
    level_ = maker(**read_options(maker, named_options, settings or []))
    _hand_over(level_, png, out, (text, ansi, json))


@level.command()
def show(
    source: Annotated[
        str, typer.Argument(metavar="FILE|NAME", help="A level's file or name.", show_default=False)
    ],
    png: Png = None,
    text: Text = False,
    ansi: Ansi = False,
    json: Json = False,
    out: Out = None,
) -> None:
    """Show a level, or write it in another format.

    Without a word on how, it is printed: to a terminal in colours, else as text.

    Example: ludus level show sprint-05 --png sprint-05.png
    """
    _check(png, out, (text, ansi, json))
    _hand_over(find_level(source), png, out, (text, ansi, json))


@level.command()
def options(
    generator: Annotated[
        str | None, typer.Argument(help="A generator's name; all are listed without.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: a schema.")] = False,
) -> None:
    """List the knobs of a generator, or the generators.

    Example: ludus level options notch-framework
    """
    if generator is None:
        _list_generators(json)
        return
    maker = load(generator)
    if json:
        print_json(maker.options.model_json_schema())
        return
    print_table(_knobs(maker))


@level.command("campaign")
def list_campaign(
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the 32 levels of the campaign, 1-1 to 8-4.

    Example: ludus level campaign
    """
    levels = campaign_levels()
    if json:
        print_json([_summary(name, level_) for name, level_ in levels.items()])
        return
    table = Table(title=f"The campaign: {len(levels)} levels")
    table.add_column("level", style="bold")
    for heading in ("columns", "gaps", "creatures", "coins", "power-ups", "jumps", "leniency"):
        table.add_column(heading, justify="right")
    for name, level_ in levels.items():
        description = describe_level(level_)
        figures = (
            description.width,
            description.gaps,
            sum(description.creatures.values()),
            description.coins,
        )
        more = (description.power_ups, description.jumps, f"{description.leniency:.1f}")
        table.add_row(name, *map(str, figures + more), end_section=name.endswith("-4"))
    print_table(table)


level.command()(describe)
level.command()(check)
level.command("range")(plot_range)
level.command()(play)


def _check(png: Path | None, out: Path | None, printed: tuple[bool, bool, bool]) -> None:
    if sum(printed) > 1:
        raise OptionError("--text, --ansi and --json print one thing each: give one of them")
    if png is not None:
        check_target(png, [".png"], "--png")
    if out is not None:
        check_target(out, sorted(set(FORMATS.values()), reverse=True))


def _hand_over(
    level_: Level, png: Path | None, out: Path | None, printed: tuple[bool, bool, bool]
) -> None:
    """Write and print a level as asked; if nothing was asked for, print it."""
    if png is not None:
        _write_picture(png, level_)
    if out is not None:
        write_level(out, level_)
    text, ansi, json = printed
    if not any((png, out, *printed)):
        ansi = _shows_colours()
        text = not ansi
    if text:
        typer.echo(encode_level(level_, "text"), nl=False)
    elif ansi:
        typer.echo(strips(level_, Console().width), color=True)
    elif json:
        typer.echo(encode_level(level_, "json"), nl=False)
    else:
        files = " and ".join(str(file) for file in (out, png) if file)
        say(f"{files}: {_headline(level_)}")


def _shows_colours() -> bool:
    console = Console()
    return console.is_terminal and not console.no_color


def _headline(level_: Level) -> str:
    description = describe_level(level_)
    creatures = sum(description.creatures.values())
    return f"{level_.width} × {level_.height}, {creatures} creatures, {description.gaps} gaps"


def _write_picture(png: Path, level_: Level) -> None:
    try:
        write_png(png, wrap_rows(level_picture(level_)))
    except OSError as error:
        reason = error.strerror or error
        raise OptionError(f"cannot write {str(png)!r}: {reason}; choose another --png") from error


def _list_generators(json: bool) -> None:
    if json:
        print_json(names())
        return
    table = Table("generator", "makes", title="Level generators")
    for name, summary in names().items():
        table.add_row(f"[bold]{escape_rich(name)}[/]", escape_rich(summary))
    print_table(table)


def _knobs(maker: Generator[Any]) -> Table:
    table = Table(
        title=escape_rich(f"{maker.name}, version {maker.version}: {maker.summary}"),
        caption="Set one with --set KNOB=VALUE",
        caption_justify="left",
    )
    table.add_column("knob", style="bold", no_wrap=True)
    table.add_column("range")
    table.add_column("default", justify="right")
    table.add_column("what it does", ratio=1)
    for name, field in maker.options.model_fields.items():
        default = "needed" if field.is_required() else _format_default(field.default)
        table.add_row(
            name, allowed(field), escape_rich(default), escape_rich(field.description or "")
        )
    return table


def _format_default(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "–" if value is None else str(value)


def _summary(name: str, level_: Level) -> dict[str, object]:
    labels, start, end = sorted(level_.labels), list(level_.start), list(level_.exit)
    return {
        "level": name,
        "width": level_.width,
        "height": level_.height,
        "rules": level_.rules,
        "time_limit": level_.time_limit,
        "labels": labels,
        "start": start,
        "exit": end,
    }
