"""Shows the ladder of Diplomacy's bots: each rung against six of the one below, and the other way.

    python -m perf.diplomacy_ladder [GAMES] [ONE SIX]

GAMES are 42 unless told otherwise. ONE and SIX name two bots: only that pairing is played.
The single seat goes round the powers, until 1910, with the seeds 0 to GAMES - 1. A share is a
power's square of centres among the squares of all; a win is all of it. Equal players have a seventh
each. Intervals are of 95 %.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import mean, stdev

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import load_bot
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.game import Facts, scenario_for_agent

LADDER = ("hold", "random", "easy", "dumb", "search", "regret")
LAST_YEAR = 1910
GAMES = 42
EVEN = 1 / len(POWERS)


@dataclass(frozen=True)
class Pairing:
    """One bot against six of another."""

    one: str
    six: str
    centres: list[float]
    shares: list[float]
    seconds: float


def play_game(one: str, six: str, seed: int) -> Facts:
    """Return the facts of a game in which one bot sits against six of another."""
    power = POWERS[seed % len(POWERS)]
    values = {"power": power, "opponents": six, "max_year": LAST_YEAR, "seed": seed}
    scenario = Scenario.from_dict(values)
    player, match = load_bot(one), DiplomacyMatch(scenario)
    player.reset(scenario_for_agent(scenario))
    while not match.over:
        match.step(player.act(match.observation))
    return match.facts()


def find_share(facts: Facts) -> float:
    """Return the square of the tested power's centres among all; a win is all of it."""
    if facts["winner"]:
        return float(facts["winner"] == facts["power"])
    squares = {power: float(facts[f"centres_{power}"] or 0) ** 2 for power in POWERS}
    return squares[str(facts["power"])] / sum(squares.values())


def play_pairing(one: str, six: str, games: int) -> Pairing:
    """Play all games of one bot against six of another."""
    started = time.process_time()
    seeds = track(range(games), description=f"{one} against six {six}", transient=True)
    facts = [play_game(one, six, seed) for seed in seeds]
    seconds = (time.process_time() - started) / games
    centres = [float(each["centres"] or 0) for each in facts]
    return Pairing(one, six, centres, [find_share(each) for each in facts], seconds)


def half_interval(values: list[float]) -> float:
    """Return half of the 95 % interval of a mean."""
    return 1.96 * stdev(values) / sqrt(len(values))


def judge_share(shares: list[float]) -> str:
    """Return whether a mean share is above or below that of equal players, or neither."""
    middle, half = mean(shares), half_interval(shares)
    if middle - half > EVEN:
        return "above"
    return "below" if middle + half < EVEN else "not distinguishable"


def list_pairings(named: list[str]) -> list[tuple[str, str]]:
    """Return the pairing that is named, or every rung with the one below, both ways."""
    if named:
        return [(named[0], named[1])]
    return [pair for low, high in pairwise(LADDER) for pair in ((high, low), (low, high))]


def main() -> None:
    """Print the ladder."""
    games = int(sys.argv[1]) if sys.argv[1:] else GAMES
    title = f"{games} games each until {LAST_YEAR}; equal players have a share of {EVEN:.3f}"
    grid = Grid("one", "six", "centres", "share", "", "s a game", title=title)
    for one, six in list_pairings(sys.argv[2:]):
        pairing = play_pairing(one, six, games)
        cells = [
            f"{mean(values):.{digits}f} ± {half_interval(values):.{digits}f}"
            for values, digits in ((pairing.centres, 1), (pairing.shares, 3))
        ]
        verdict = judge_share(pairing.shares)
        grid.add_row(one, six, *cells, verdict, f"{pairing.seconds:.2f}")
    Console(width=80).print(grid)


if __name__ == "__main__":
    main()
