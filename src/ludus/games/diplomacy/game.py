"""Diplomacy as a game that runs can play, record and replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.games.diplomacy import _native
from ludus.games.diplomacy.board import RULES
from ludus.games.diplomacy.codec import DiplomacyCodec
from ludus.games.diplomacy.facts import collect_facts
from ludus.games.diplomacy.match import DiplomacyMatch
from ludus.games.diplomacy.players import LoadPlayer, load_bot
from ludus.games.diplomacy.recording import play_record, read_turns
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.table import Table
from ludus.games.game import Facts, ReplayOutcome
from ludus.games.media.film_options import AS_DRAWN, FilmOptions

__all__ = ["DiplomacyGame", "replay_table"]

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

    def opponent_specs(self, description: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the specs of the six opponents."""
        return Scenario.from_dict(description).opponents

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """Compiler, flags and source digest of the engine, and the version of its state digest."""
        return {**_native.build_info(), "state_digest": str(_native.digest_version())}

    def rules(self, scenarios: Iterable[Mapping[str, Any]]) -> str:
        """Return the rules by which all tables are played."""
        return RULES

    def named_code(self, scenarios: Iterable[Mapping[str, Any]]) -> Mapping[tuple[str, str], str]:
        """Return the opponents of these descriptions."""
        listed = (one.get("opponents", ()) for one in scenarios)
        tables = ([names] if isinstance(names, str) else list(names) for names in listed)
        return {("opponent", str(spec)): "" for table in tables for spec in table}

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

    def replay_outcome(self, scenario: Scenario, record: bytes) -> ReplayOutcome:
        """Play a record again and return what came of it; no opponent is asked."""
        table, steps = _start(scenario), 0

        def count_steps() -> None:
            nonlocal steps
            if table.orderable(scenario.power):
                steps += 1 + (scenario.rounds if table.kind == "M" else 0)

        play_record(table, record, scenario.power, count_steps)
        over = table.over or table.year > scenario.max_year
        # messages of a phase that was not finished are not in the record
        return ReplayOutcome(collect_facts(table, scenario), over, steps if over else None)

    def split_record(self, scenario: Scenario, record: bytes) -> Sequence[Any]:
        """Return the turns: the orders and messages of all powers in every phase."""
        return read_turns(record)

    def observation_codec(self) -> DiplomacyCodec:
        """Return what sends positions, turns and messages to a player's process."""
        return DiplomacyCodec()

    def write_film(
        self, scenario: Scenario, record: bytes, path: Path, options: FilmOptions = AS_DRAWN
    ) -> None:
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
            write_replay(path, table, options=options)


def replay_table(scenario: Scenario, record: bytes) -> Table:
    """Play a record and return the table after it.

    Raises:
        ActionError: The record is not one of this scenario.
    """
    table = _start(scenario)
    play_record(table, record, scenario.power)
    return table


def _start(scenario: Scenario) -> Table:
    return Table.start(scenario.position, scenario.first_year)
