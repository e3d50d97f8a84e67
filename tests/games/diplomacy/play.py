"""Games for tests to look at."""

from __future__ import annotations

import random
from typing import Any

from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import Player, load_bot
from ludus.games.diplomacy.records import POWERS
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.game import scenario_for_agent

__all__ = ["finished", "played", "to_the_end"]


def played(seed: int, years: int = 3) -> Table:
    """Return a table after some years of random orders."""
    chance, table = random.Random(seed), Table.start()
    while not table.over and table.year <= 1900 + years:
        for power in POWERS:
            table.submit(power, [chance.choice(orders) for orders in table.legal(power).values()])
        table.step()
    return table


def to_the_end(match: DiplomacyMatch, player: Player) -> DiplomacyMatch:
    """Let a player play a match to its end."""
    while not match.over:
        match.step(player.act(match.observation))
    return match


def finished(spec: str = "dumb", **description: Any) -> tuple[Scenario, DiplomacyMatch]:
    """Return a match that a bot has played to its end."""
    scenario = Scenario.from_dict({"max_year": 1903, **description})
    player = load_bot(spec)
    player.reset(scenario_for_agent(scenario))
    return scenario, to_the_end(DiplomacyMatch(scenario), player)
