"""Diplomacy as a game that runs can play, record and replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.diplomacy.facts import collect_facts
from ludus.games.diplomacy.library import engine_name
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import LoadPlayer, load_bot
from ludus.games.diplomacy.recording import play_record
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.game import Facts

__all__ = ["DiplomacyGame", "replay_table"]

RULES = "diplomacy@1"
"""Changes whenever the same orders would be adjudicated or counted otherwise."""

FILMS = (".svg", ".png", ".gif", ".mp4", ".json")
"""How the names of the files end that show a game."""


class DiplomacyGame:
    """Diplomacy on the standard map: one seat is tested, six opponents sit at the table.

    Args:
        load_opponent: Makes an opponent of its spec; knows bots alone by default.
    """

    name = "diplomacy"
    agent_family = "diplomacy"

    def __init__(self, load_opponent: LoadPlayer = load_bot) -> None:
        self._load_opponent = load_opponent

    def with_opponents(self, load_opponent: LoadPlayer) -> DiplomacyGame:
        """Return the game, with opponents that ``load_opponent`` makes of their specs."""
        return DiplomacyGame(load_opponent)

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """The package that implements the rules, and its version."""
        return {"package": engine_name()}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules by which all tables are played."""
        return RULES

    def parse_scenario(self, description: Mapping[str, Any]) -> Scenario:
        """Return the scenario of a description."""
        return Scenario.from_dict(description)

    def begin(self, scenario: Scenario) -> DiplomacyMatch:
        """Return a new match of the scenario."""
        return DiplomacyMatch(scenario, load_opponent=self._load_opponent)

    def restore(self, scenario: Scenario, checkpoint: bytes) -> DiplomacyMatch:
        """Return the match of a checkpoint, where it was left."""
        return DiplomacyMatch.restore(scenario, checkpoint, load_opponent=self._load_opponent)

    def replay(self, scenario: Scenario, record: bytes) -> Facts:
        """Play a record again; no opponent is asked."""
        return collect_facts(replay_table(scenario, record), scenario)

    def write_film(self, scenario: Scenario, record: bytes, path: Path) -> None:
        """Write the last position (.svg, .png), the film of the game (.gif, .mp4) or its .json."""
        from ludus.games.diplomacy.map.pictures import write_replay, write_svg

        suffix, table = path.suffix.lower(), replay_table(scenario, record)
        if suffix not in FILMS:
            raise OptionError(f"{str(path)!r} ends in none of {', '.join(FILMS)}; name the film so")
        if suffix == ".json":
            path.write_text(json.dumps(table.to_saved_game()))
        elif suffix == ".svg":
            write_svg(path, table)
        else:
            write_replay(path, table)


def replay_table(scenario: Scenario, record: bytes) -> Table:
    """Play a record and return the table after it.

    Raises:
        ActionError: The record is not one of this scenario.
    """
    table = Table.start(scenario.position, scenario.first_year)
    play_record(table, record, scenario.power)
    return table
