"""What powers think of each other, in two pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from ludus.benchmarks.diplomacy.records import SavedPhase
from ludus.benchmarks.diplomacy.scoring import POWERS
from ludus.reports.diplomacy_results import CollectedResults
from ludus.reports.diplomacy_sheet import DiplomacySheet, fold_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_relationships", "draw_sentiment"]

MOST = 12  # models that can be read
SIZES = {0: "0–2", 3: "3–5", 6: "6–8", 9: "9–11", 12: "12–14", 15: "15+"}
FEELINGS = {"enemy": -2, "unfriendly": -1, "neutral": 0, "friendly": 1, "ally": 2}


def draw_relationships(collected: CollectedResults, *, style: str = "light") -> Figure | None:
    """Return what the powers think of each other, on average over all games and phases."""
    opinions_by_pair: dict[tuple[str, str], list[int]] = defaultdict(list)
    phases = (
        phase for games in collected.games.values() for game in games for phase in game.phases
    )
    for phase in phases:
        for who, whom, value in _feelings(phase):
            opinions_by_pair[who, whom].append(value)
    if not opinions_by_pair:
        return None
    values = np.full((len(POWERS), len(POWERS)), np.nan)
    texts = {}
    for (who, whom), opinions in opinions_by_pair.items():
        cell = POWERS.index(who), POWERS.index(whom)
        values[cell] = fmean(opinions)
        texts[cell] = (f"{fmean(opinions):+.1f}".replace("-", "−"), "")
    names = [power.capitalize() for power in POWERS]
    sheet = DiplomacySheet(style, 6.6)
    sheet.heat_map(values, names, names, texts, limits=(-2, 2), diverging=True)
    return sheet.finish(
        "What powers think of each other",
        "row of column, mean over all phases: −2 enemy, −1 unfriendly, 0, 1 friendly, 2 ally",
    )


def _feelings(phase: SavedPhase) -> Iterable[tuple[str, str, int]]:
    for who, opinions in phase.relationships.items():
        for whom, word in opinions.items():
            value = FEELINGS.get(word.lower())
            if who in POWERS and whom in POWERS and who != whom and value is not None:
                yield who, whom, value


def draw_sentiment(collected: CollectedResults, *, style: str = "light") -> Figure | None:
    """Return what the tested power thinks of the others and they of it, by its number of units."""
    power = collected.results.settings.power
    rows: dict[str, dict[int, list[int]]] = {}
    for name in list(collected.games)[:MOST]:
        phases = [phase for game in collected.games[name] for phase in game.phases]
        for towards, words in ((False, "of others"), (True, "by others")):
            by_size = _by_size(phases, power, towards=towards)
            if by_size:
                rows[f"{name}, {words}"] = by_size
    if not rows:
        return None
    values = np.full((len(rows), len(SIZES)), np.nan)
    texts = {}
    for row, by_size in enumerate(rows.values()):
        for column, opinions in by_size.items():
            values[row, column] = fmean(opinions)
            texts[row, column] = (f"{fmean(opinions):+.1f}".replace("-", "−"), "")
    sheet = DiplomacySheet(style, 2.4 + 0.52 * max(len(rows), 3))
    names = [fold_name(name) for name in rows]
    sheet.heat_map(values, names, list(SIZES.values()), texts, limits=(-2, 2), diverging=True)
    return sheet.finish(
        f"What {power.capitalize()} thinks of others, and they of it",
        f"mean by the units that {power.capitalize()} has: −2 enemy, 0 neutral, 2 ally",
    )


def _by_size(phases: Iterable[SavedPhase], power: str, *, towards: bool) -> dict[int, list[int]]:
    """Return feelings of or towards a power, by the column that its number of units is in."""
    opinions: dict[int, list[int]] = defaultdict(list)
    for phase in phases:
        units = len(phase.units.get(power, ()))
        column = sum(units >= least for least in list(SIZES)[1:])
        for who, whom, value in _feelings(phase):
            if power == (whom if towards else who):
                opinions[column].append(value)
    return opinions
