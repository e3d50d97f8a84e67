"""Games of Diplomacy in seven pictures.

- ``france_scores_bar``: the average game score of every model and variant, with its interval and
  the win line; for another power it has that power's name
- ``centres``: supply centres over the years
- ``orders``: which orders were given and how many of them succeeded
- ``relationships``: what the powers think of each other
- ``sentiment``: what the tested power thinks of others and they of it, as it grows
- ``messages``: how much is said, year by year
- ``cost``: the score against what it cost

The last four are drawn only if the games tell of such things.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.benchmarks.diplomacy.records import SavedGame
from ludus.benchmarks.diplomacy.results import PlayedGame
from ludus.benchmarks.diplomacy.scoring import EPOCH, PHASE, POWERS, SOLO
from ludus.boards.estimates import format_estimate
from ludus.errors import OptionError
from ludus.games.diplomacy.map.colours import POWER_COLOURS
from ludus.reports.diplomacy_feelings import draw_relationships, draw_sentiment
from ludus.reports.diplomacy_results import CollectedResults, label
from ludus.reports.diplomacy_sheet import HATCHES, DiplomacySheet, fold_name
from ludus.reports.sheet import Sheet, escape_label, write_figures
from ludus.stats import mean_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PICTURES", "write_diplomacy_plots"]

SCORES = "scores_bar"
MOST = 24  # bars or rows that can be read
LINES = 8  # that can be told apart
BANDS = 3  # that can lie on each other
KINDS = {"H": "hold", "-": "move", "S": "support", "C": "convoy", "R": "retreat", "B": "build"}


def write_diplomacy_plots(
    folder: str | PathLike[str], collected: CollectedResults, *, style: str = "light"
) -> list[Path]:
    """Write the pictures into a folder, which is made if need be, and return their places.

    Raises:
        OptionError: No game counts, there is no such style, or a file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    if not collected.results.played:
        raise OptionError("no game counts, so nothing is drawn; 'ludus score' names the faults")
    figures = {name: draw(collected, style=style) for name, draw in PICTURES.items()}
    bars = f"{collected.results.settings.power.lower()}_{SCORES}"  # as the published board names it
    named = {bars if name == SCORES else name: figure for name, figure in figures.items()}
    return write_figures(folder, {name: figure for name, figure in named.items() if figure})


# ---- scores


def draw_scores(collected: CollectedResults, *, style: str = "light") -> Figure:
    """Return the bar chart of mean game scores with 95 % intervals, best model first."""
    settings = collected.results.settings
    bars = _bars(collected)[:MOST]
    rows, few = collected.results.row_names, False
    variants = list(dict.fromkeys(game[0].variant for game in bars))
    variants.sort(key=lambda name: (name != settings.baseline, name))
    sheet = DiplomacySheet(style, 2.6 + 0.5 * max(len(bars), 3))
    panel, look = sheet.panel, sheet.look
    for row, games in enumerate(bars):
        kind = variants.index(games[0].variant)
        mean = mean_interval([game.score for game in games])
        panel.barh(
            row,
            mean.value,
            height=0.72,
            color=look.lines[kind % len(look.lines)],
            hatch=HATCHES[kind % len(HATCHES)],
            edgecolor=look.paper,
            linewidth=0,
        )
        if not mean.too_few:
            for colour, width in ((look.paper, 5.0), (look.ink, 2.4)):
                panel.plot([mean.low, mean.high], [row, row], color=colour, lw=width)
        name = games[0].model + rows[games[0].conditions]
        few |= bool(mean.remark) and mean.low < mean.high
        figure = mean._replace(needs=0) if mean.low < mean.high else mean
        sheet.label_row(row, fold_name(name), format_estimate(figure))
    ends = {games[0].conditions.until for games in bars}
    last = max(ends)
    best = last - EPOCH + SOLO - 1
    panel.set_xlim(0, max(best * 1.12, *(_top(games) for games in bars)))
    panel.set_ylim(len(bars) - 0.4, -0.95)
    if len(ends) == 1:
        panel.axvline(best, color=look.lines[5], lw=2, ls=(0, (5, 2)))
        for side, text in (("right", f"survived to {last} "), ("left", " won")):
            panel.text(best, -0.62, text, ha=side, va="center", color=look.ink, fontsize=12)
    panel.grid(visible=False, axis="y")
    panel.set_xlabel("average game score", color=look.ink, fontsize=14)
    if len(variants) > 1:
        sheet.legend_of_bars(variants)
    power = settings.power.capitalize()
    return sheet.finish(
        f"Average Game Score as {power}",
        (f"dashed: {best}, the best a survivor can have; " if len(ends) == 1 else "")
        + f"bars: 95 % intervals{', of too few games' if few else ''}; rule: {settings.rule}",
    )


def _bars(collected: CollectedResults) -> list[list[PlayedGame]]:
    """Return the games of every model and variant, variants together, the best model first."""
    models = collected.results.models.values()
    means = [[(fmean(game.score for game in games), games) for games in m.values()] for m in models]
    means.sort(key=lambda variants: -max(mean for mean, _ in variants))
    return [games for variants in means for _, games in variants]


def _top(games: Sequence[PlayedGame]) -> float:
    mean = mean_interval([game.score for game in games])
    return 1.05 * (mean.value if mean.too_few else mean.high)


# ---- centres


def draw_centres(collected: CollectedResults, *, style: str = "light") -> Figure | None:
    """Return the picture of supply centres over the years.

    With several models it shows the tested power's, with one those of all seven powers.
    """
    power = collected.results.settings.power
    several = len(collected.games) > 1
    lines: dict[str, list[dict[int, int]]] = {}
    for name, games in collected.games.items():
        for charted_power in (power,) if several else POWERS:
            lines[name if several else charted_power.capitalize()] = [
                _by_year(game, charted_power) for game in games
            ]
    lines = {name: courses for name, courses in lines.items() if any(courses)}
    if not lines:
        return None
    sheet = DiplomacySheet(style, 6.0)
    order = sorted(lines, key=lambda name: -_final(lines[name]))[:LINES]
    band = several and len(order) <= BANDS
    strokes = [_find_stroke(sheet, row, name) for row, name in enumerate(order)]
    for stroke, name in zip(strokes, order, strict=True):
        thick = name.upper() == power or several
        _draw_course(sheet, stroke, lines[name], 3.2 if thick else 1.8, band=band)
    sheet.panel.axhline(SOLO, color=sheet.look.lines[5], lw=2, ls=(0, (5, 2)))
    years = [course.keys() for name in order for course in lines[name] if course]
    sheet.panel.set_ylim(-0.3, max(SOLO + 1.5, *(1.05 * _highest(lines[name]) for name in order)))
    sheet.years(min(map(min, years)), max(map(max, years)))
    sheet.panel.set_ylabel("supply centres", color=sheet.look.ink, fontsize=14)
    sheet.list_lines([fold_name(name) for name in order], strokes=strokes)
    who = f" of {power.capitalize()}" if several else ""
    dropped = f"; the best {LINES} of {len(lines)}" if len(lines) > LINES else ""
    few = all(mean_interval([0.0] * len(lines[name]), method="t").too_few for name in order)
    bands = "; bands: 95 % intervals" if band and not few else ""
    words = f"mean over the games, after the year; dashed: 18 win{bands}{dropped}"
    return sheet.finish(f"Supply centres{who}", words)


def _by_year(game: SavedGame, power: str) -> dict[int, int]:
    """Return how many centres a power had after each year; a finished game keeps its end."""
    counts: dict[int, int] = {}
    for phase, nxt in zip(game.phases, game.phases[1:], strict=False):
        match = PHASE.fullmatch(phase.name)
        if match:
            counts[int(match[1])] = nxt.count.get(power, 0)
    return counts


def _find_stroke(sheet: Sheet, row: int, name: str) -> tuple[str, Any]:
    """Return the colour and dash of a line; a power has the colour that it has on maps."""
    colour = POWER_COLOURS.get(name.upper())
    return (colour, "-") if colour else sheet.line(row)


def _draw_course(
    sheet: Sheet,
    stroke: tuple[str, Any],
    courses: Sequence[Mapping[int, int]],
    width: float,
    *,
    band: bool,
) -> None:
    """Draw a mean over games year by year; games that are over count with their last value."""
    first = min(min(course) for course in courses if course)
    last = max(max(course) for course in courses if course)
    years = list(range(first, last + 1))
    columns = [[_centres_in(course, year) for course in courses if course] for year in years]
    means = [mean_interval([float(count) for count in column], method="t") for column in columns]
    colour, dash = stroke
    values = [mean.value for mean in means]
    sheet.panel.plot(years, values, color=colour, ls=dash, lw=width)
    sheet.panel.plot(years[-1], values[-1], "o", color=colour, markersize=7)
    if band and not means[-1].too_few:
        lows, highs = [mean.low for mean in means], [mean.high for mean in means]
        sheet.panel.fill_between(years, lows, highs, color=colour, alpha=0.13, lw=0)


def _centres_in(course: Mapping[int, int], year: int) -> int:
    before = [past for past in course if past <= year]
    return course[max(before)] if before else course[min(course)]


def _final(courses: Sequence[Mapping[int, int]]) -> float:
    return fmean(course[max(course)] for course in courses if course)


def _highest(courses: Sequence[Mapping[int, int]]) -> float:
    return max(fmean(course.values()) for course in courses if course)


# ---- orders


def draw_orders(collected: CollectedResults, *, style: str = "light") -> Figure | None:
    """Return the table of the tested power's orders: how many of each kind, how many succeed."""
    power = collected.results.settings.power
    best_first = [label(games[0], collected.results) for games in _bars(collected)]
    rows = {name: _order_counts(collected.games.get(name, ()), power) for name in best_first[:MOST]}
    rows = {name: counts for name, counts in rows.items() if counts}
    if not rows:
        return None
    kinds = [kind for kind in KINDS.values() if any(kind in counts for counts in rows.values())]
    shares = np.full((len(rows), len(kinds)), np.nan)
    texts = {}
    for row, counts in enumerate(rows.values()):
        total = sum(ordered for ordered, _ in counts.values())
        for column, kind in enumerate(kinds):
            ordered, succeeded = counts.get(kind, (0, 0))
            if ordered:
                shares[row, column] = succeeded / ordered
                texts[row, column] = (_percent(succeeded / ordered), _percent(ordered / total))
    sheet = DiplomacySheet(style, 2.8 + 0.62 * max(len(rows), 2))
    sheet.heat_map(shares, [fold_name(name) for name in rows], kinds, texts, limits=(0, 1))
    return sheet.finish(
        f"Orders of {power.capitalize()}",
        "large: succeeded; small: share of all orders of the row",
    )


def _percent(share: float) -> str:
    return "<1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def _order_counts(games: Iterable[SavedGame], power: str) -> dict[str, tuple[int, int]]:
    """Return by kind how many orders were given, and how many nothing came between."""
    ordered: dict[str, int] = defaultdict(int)
    succeeded: dict[str, int] = defaultdict(int)
    for phase in (phase for game in games for phase in game.phases):
        for order in phase.orders.get(power, ()):
            words = order.split()
            kind = KINDS.get(words[2]) if len(words) > 2 else None
            if kind:
                ordered[kind] += 1
                succeeded[kind] += not phase.results.get(" ".join(words[:2]))
    return {kind: (ordered[kind], succeeded[kind]) for kind in ordered}


# ---- messages


def draw_messages(collected: CollectedResults, *, style: str = "light") -> Figure | None:
    """Return how many messages the tested power sends in a movement phase, year by year."""
    power = collected.results.settings.power
    lines = {name: _count_messages(games, power) for name, games in collected.games.items()}
    if not any(any(course.values()) for course in lines.values()):
        return None
    order = sorted(lines, key=lambda name: -sum(lines[name].values()))[:LINES]
    sheet = DiplomacySheet(style, 6.0)
    for row, name in enumerate(order):
        colour, dash = sheet.line(row)
        course = sorted(lines[name].items())
        sheet.panel.plot(*zip(*course, strict=True), color=colour, ls=dash, lw=3, marker="o")
    years = [lines[name].keys() for name in order if lines[name]]
    sheet.panel.set_ylim(0, 1.1 * max(max(lines[name].values()) for name in order))
    sheet.years(min(map(min, years)), max(map(max, years)))
    sheet.panel.set_ylabel("messages in a movement phase", color=sheet.look.ink, fontsize=14)
    sheet.list_lines([fold_name(name) for name in order])
    words = "mean over the movement phases of the year in which the power has units"
    return sheet.finish(f"Messages of {power.capitalize()}", words)


def _count_messages(games: Iterable[SavedGame], power: str) -> dict[int, float]:
    counts: dict[int, list[int]] = defaultdict(list)
    for phase in (phase for game in games for phase in game.phases[:-1]):
        match = PHASE.fullmatch(phase.name)
        if match and phase.name.endswith("M") and phase.units.get(power):
            counts[int(match[1])].append(sum(message.sender == power for message in phase.messages))
    return {year: fmean(numbers) for year, numbers in counts.items()}


# ---- cost


def draw_cost(collected: CollectedResults, *, style: str = "light") -> Figure | None:
    """Return the mean score against the mean cost of a game; against calls without prices."""
    bars = [games for games in _bars(collected) if any(game.calls for game in games)][:MOST]
    if not bars:
        return None
    priced = all(game.cost for games in bars for game in games)
    sheet = DiplomacySheet(style, 6.0)
    panel, look = sheet.panel, sheet.look
    for row, games in enumerate(bars):
        colour, _ = sheet.line(row)
        spent = fmean((game.cost or 0.0) if priced else float(game.calls) for game in games)
        mean = mean_interval([game.score for game in games])
        if not mean.too_few:
            panel.plot([spent, spent], [mean.low, mean.high], color=colour, lw=2.4, alpha=0.6)
        panel.plot(spent, mean.value, "D", color=colour, markersize=10)
        panel.annotate(
            escape_label(fold_name(label(games[0], collected.results))),
            (spent, mean.value),
            (10, 8),
            textcoords="offset points",
            color=look.ink,
            fontsize=13,
        )
    panel.margins(x=0.12, y=0.15)
    low, high = panel.get_xlim()
    panel.set_xlim(low, high + 0.25 * (high - low))  # names stand to the right
    panel.set_xlabel("US$ a game" if priced else "calls a game", color=look.ink, fontsize=14)
    panel.set_ylabel("mean game score", color=look.ink, fontsize=14)
    return sheet.finish("Score and cost", "lines: 95 % intervals of the score")


PICTURES: dict[str, Any] = {
    SCORES: draw_scores,
    "centres": draw_centres,
    "orders": draw_orders,
    "relationships": draw_relationships,
    "sentiment": draw_sentiment,
    "messages": draw_messages,
    "cost": draw_cost,
}
"""What draws each picture, by the name of its file; None where the games have nothing to show."""
