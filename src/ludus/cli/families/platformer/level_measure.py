"""``ludus level describe``, ``check`` and ``range``: figures of levels and of generators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean, pstdev
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from ludus.cli.families.platformer.level_source import read_options
from ludus.cli.output import check_target, print_json, print_table, progress, say
from ludus.escaping import escape_rich
from ludus.games.platformer.generators import load
from ludus.games.platformer.level_names import find_level
from ludus.games.platformer.levels.metrics import Description
from ludus.games.platformer.levels.metrics import describe as describe_level
from ludus.games.platformer.levels.solver import BUDGET, SolverResult
from ludus.games.platformer.levels.solver import solve as solve_level

__all__ = ["check", "describe", "plot_range"]

Sources = Annotated[
    list[str], typer.Argument(metavar="FILE|NAME...", help="Levels.", show_default=False)
]
Budget = Annotated[
    int, typer.Option("--budget", metavar="N", help="Nodes to search before giving up.")
]


def describe(
    sources: Sources,
    solve: Annotated[
        bool, typer.Option("--solve", help="Measure the solver's effort too.")
    ] = False,
    budget: Budget = BUDGET,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure levels: what is in them, leniency, linearity, density and more.

    Example: ludus level describe sprint-01 sprint-10
    """
    levels = {source: find_level(source) for source in sources}
    descriptions: dict[str, Description] = {}
    with progress("measuring", len(levels)) as advance:
        for name, level in levels.items():
            descriptions[name] = describe_level(level, solve=solve, budget=budget)
            advance(name)
    if json:
        print_json([{"level": name, **asdict(figures)} for name, figures in descriptions.items()])
    elif len(descriptions) == 1:
        print_table(_portrait(*descriptions.items()))
    else:
        print_table(_comparison(descriptions, solve))


def check(
    sources: Sources,
    budget: Budget = BUDGET,
    json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON.")] = False,
) -> None:
    """See whether levels can be won, by searching for a way through.

    Ends with exit code 1 if a level is not solved.

    Example: ludus level check sprint-01 sprint-02 --budget 100000
    """
    levels = {source: find_level(source) for source in sources}
    verdicts: dict[str, SolverResult] = {}
    with progress("solving", len(levels)) as advance:
        for name, level in levels.items():
            verdicts[name] = solve_level(level, budget=budget)
            advance(name)
    if json:
        print_json([_verdict_to_dict(name, verdict) for name, verdict in verdicts.items()])
    else:
        print_table(_verdict_table(verdicts))
    if any(verdict.outcome != "solved" for verdict in verdicts.values()):
        raise typer.Exit(1)


def plot_range(
    generators: Annotated[
        list[str], typer.Argument(metavar="GENERATOR...", help="Up to six.", show_default=False)
    ],
    count: Annotated[int, typer.Option("-n", metavar="N", help="Levels of each.")] = 500,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The picture: .png, .svg, .pdf.")
    ] = Path("expressive-range.png"),
    difficulty: Annotated[
        str | None, typer.Option("--difficulty", metavar="N", help="How hard.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KNOB=VALUE", help="Any other option, for all of them."),
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Light on dark.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Plot which levels generators make: their expressive range.

    Example: ludus level range notch-framework tunable-2010 -n 200 --difficulty 3 --out range.png
    """
    from ludus.reports.expressive_range import check_drawable, measure_ranges, write_ranges

    check_target(out, [".png", ".svg", ".pdf"])
    generators = list(dict.fromkeys(generators))
    check_drawable(generators)
    options = read_options(load(generators[0]), {"difficulty": difficulty}, settings or [])
    with progress("making", count * len(generators)) as advance:
        ranges = measure_ranges(
            generators, count, on_level=lambda name, _: advance(name), **options
        )
    title = ", ".join(f"{name} {value}" for name, value in options.items())
    write_ranges(out, ranges, title=title, style="dark" if dark else "light")
    if json:
        print_json({"picture": str(out), "generators": _spreads(ranges)})
        return
    print_table(_spread_table(ranges))
    say(f"{sum(map(len, ranges.values()))} levels: {out}")


_ROWS: tuple[tuple[str, str], ...] = (
    ("gaps", "gaps"),
    ("gap_columns", "columns in gaps"),
    ("widest_gap", "widest gap"),
    ("coins", "coins"),
    ("blocks", "blocks"),
    ("power_ups", "power-ups"),
    ("lives", "extra lives"),
    ("pipes", "pipes"),
    ("cannons", "cannons"),
    ("jumps", "jumps, about"),
    ("leniency", "leniency, points / 100 columns"),
    ("linearity", "linearity"),
    ("density", "density, standing places / column"),
    ("decoration", "decoration, share of cells"),
    ("pattern_variation", "pattern variation"),
    ("nodes", "nodes the solver searched"),
)
_MEASURES = ("leniency", "linearity", "density", "decoration", "pattern_variation")
_MAPPED = ("leniency", "linearity", "density", "pattern_variation")


def _portrait(named: tuple[str, Description]) -> Table:
    """Return the figures of one level, one a row."""
    name, description = named
    table = Table(title=escape_rich(name), show_header=False)
    table.add_column(min_width=34)
    table.add_column(justify="right", min_width=10)
    table.add_row("size", f"{description.width} × {description.height}")
    for kind, count in description.creatures.items():
        table.add_row(kind.replace("_", " "), str(count))
    for attribute, label in _ROWS:
        value = getattr(description, attribute)
        if value is not None:
            table.add_row(label, f"{value:.3f}" if isinstance(value, float) else str(value))
    return table


def _comparison(descriptions: Mapping[str, Description], solved: bool) -> Table:
    """Return the figures of several levels, one level a row."""
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        padding=(0, 0 if solved else 1),
        caption="crea. creatures, len. leniency, lin. linearity, dens. density,\n"
        "deco. decoration, var. pattern variation",
        caption_justify="left",
    )
    table.add_column("level", style="bold", overflow="fold")
    headings = ["size", "gaps", "crea.", "coins", "jumps", "len.", "lin.", "dens.", "deco.", "var."]
    for heading in [*headings, "nodes"] if solved else headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, description in descriptions.items():
        cells = [
            f"{description.width}×{description.height}",
            str(description.gaps),
            str(sum(description.creatures.values())),
            str(description.coins),
            str(description.jumps),
            f"{description.leniency:.1f}",
            *(f"{getattr(description, measure):.2f}" for measure in _MEASURES[1:]),
        ]
        table.add_row(escape_rich(name), *cells, *([str(description.nodes)] if solved else []))
    return table


def _verdict_table(verdicts: Mapping[str, SolverResult]) -> Table:
    table = Table()
    table.add_column("level", style="bold", overflow="fold")
    table.add_column("outcome")
    for heading in ("ticks", "nodes", "ms"):
        table.add_column(heading, justify="right")
    for name, verdict in verdicts.items():
        solved = verdict.outcome == "solved"
        outcome = f"[{'green' if solved else 'yellow'}]{verdict.outcome}[/]"
        ticks = str(len(verdict.actions)) if solved else "–"
        table.add_row(
            escape_rich(name),
            outcome,
            ticks,
            f"{verdict.nodes:,}",
            f"{1000 * verdict.seconds:,.0f}",
        )
    return table


def _verdict_to_dict(name: str, verdict: SolverResult) -> dict[str, Any]:
    return {
        "level": name,
        "outcome": verdict.outcome,
        "actions": bytes(verdict.actions).hex(),
        "nodes": verdict.nodes,
        "seconds": verdict.seconds,
    }


def _spreads(ranges: Mapping[str, Sequence[Description]]) -> dict[str, dict[str, Any]]:
    """Return the mean, deviation and ends of each measure, by generator."""
    spreads: dict[str, dict[str, Any]] = {}
    for name, levels in ranges.items():
        spreads[name] = {"levels": len(levels)}
        for measure in _MEASURES:
            values = [getattr(description, measure) for description in levels]
            spreads[name][measure] = {
                "mean": fmean(values),
                "deviation": pstdev(values),
                "least": min(values),
                "most": max(values),
            }
    return spreads


def _spread_table(ranges: Mapping[str, Sequence[Description]]) -> Table:
    table = Table(caption="mean ± standard deviation", caption_justify="left")
    table.add_column("generator", style="bold", overflow="fold")
    for heading in ("leniency", "linearity", "density", "variation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, spread in _spreads(ranges).items():
        cells = []
        for measure in _MAPPED:
            digits = 1 if measure == "leniency" else 2
            mean, deviation = spread[measure]["mean"], spread[measure]["deviation"]
            cells.append(f"{mean:.{digits}f} ± {deviation:.{digits}f}")
        table.add_row(escape_rich(name), *cells)
    return table
