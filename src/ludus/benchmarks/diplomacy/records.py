"""Saved games of Diplomacy as plain records, read with nothing but the standard library.

Files of every age are read: only the records' names and centres have to be there, all else may be
missing. What is there has to make sense: a phase that is none, or a last year that is none, is an
error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from ludus.benchmarks.diplomacy.scoring import COMPLETED, POWERS, Position
from ludus.errors import OptionError
from ludus.games.diplomacy.records import Message, parse_phase

__all__ = [
    "GameSettings",
    "SavedGame",
    "SavedPhase",
    "check_year",
    "parse_game",
    "parse_settings",
]

YEARS = range(1901, 10_000)
"""The last years that a game may have."""
PRESS_RULES = {"NO_PRESS"}
"""Rules that games carry whether or not powers talk."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Under which settings a game was played, as far as it is told.

    Attributes:
        max_year: The last year that may be played, or None.
        models: Who played each power.
        rounds: How many rounds of messages come before a movement, or None.
        power: The tested power, or nothing.
        rules: By which version of which rules, or nothing.
        pair: What the game has in common with games of other players: its seed, for example.
    """

    max_year: int | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    rounds: int | None = None
    power: str = ""
    rules: str = ""
    pair: str = ""


NOTHING_TOLD = GameSettings()


@dataclass(frozen=True, slots=True)
class SavedPhase:
    """One record: the position before a phase, and what was said and ordered in it.

    Attributes:
        name: Such as ``S1901M``.
        centres: Each power's supply centres.
        count: How many they are.
        units: Each power's units.
        orders: Each power's orders, as text.
        results: What became of each unit's order; empty means it succeeded.
        messages: What was said, in its order.
        relationships: What each power thinks of each other.
        diaries: What each power wrote for itself in this phase.
        defaults: The orders that the rules chose for units without one.
        written: What each power wrote into its diary since the record before, of any phase.
    """

    name: str
    centres: Mapping[str, tuple[str, ...]]
    count: Mapping[str, int]
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    results: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    relationships: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    diaries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    defaults: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as it was saved.

    Attributes:
        name: Its folder or file, as it is called from where the search began.
        file: The file it is in.
        phases: Its records in their order.
        settings: What the game itself tells of its settings.
        overview: What the overview beside it tells of them, which goes before.
        map_name: The map, and rules that it is not usually played by.
        folder: The folder with what lies beside the game, if that is of this game.
        faults: What is wrong with the files beside it.
    """

    name: str
    file: Path
    phases: tuple[SavedPhase, ...]
    settings: GameSettings = NOTHING_TOLD
    overview: GameSettings = NOTHING_TOLD
    map_name: str = "standard"
    folder: Path | None = None
    faults: tuple[str, ...] = ()

    @property
    def models(self) -> Mapping[str, str]:
        """Who played each power, as far as it is told."""
        return self.overview.models or self.settings.models

    @property
    def positions(self) -> list[Position]:
        """The records as scores look at them."""
        return [Position(phase.name, phase.count) for phase in self.phases]

    @property
    def powers(self) -> tuple[str, ...]:
        """The seven powers, or those of another map."""
        named = dict.fromkeys(power for phase in self.phases for power in phase.count)
        others = tuple(power for power in named if power not in POWERS)
        return others if others and len(others) == len(named) else POWERS + others


def parse_game(values: Any, name: str, file: Path = Path()) -> SavedGame:
    """Return the game that plain values describe, as the engine saves it.

    Raises:
        OptionError: They describe none; the message says what is missing.
    """
    records = _mapping(values).get("phases")
    if not isinstance(records, list) or not records:
        raise OptionError("it has no list of 'phases'")
    phases = [_read_phase(number, record) for number, record in enumerate(records)]
    _check_order([phase.name for phase in phases])
    settings = [_mapping(_mapping(record).get("config")) for record in records]
    settings += [_mapping(values.get(key)) for key in ("config", "settings", "ludus")] + [values]
    told = parse_settings(settings)
    return SavedGame(
        name=name,
        file=file,
        phases=tuple(_add_entries(phases, records)),
        settings=replace(told, models=told.models or _read_models(records)),
        map_name=_read_map(values),
    )


def parse_settings(lines: Sequence[Mapping[str, Any]]) -> GameSettings:
    """Return the settings that objects tell, each from the first that has it.

    Raises:
        OptionError: A last year is none.
    """
    years = [line["max_year"] for line in lines if line.get("max_year") is not None]
    rounds = [line["num_negotiation_rounds"] for line in lines if "num_negotiation_rounds" in line]
    pairs = [f"{one['seed']} {one['scenario']}" for one in lines if {"seed", "scenario"} <= {*one}]
    named = [{p: str(line[p]) for p in POWERS if isinstance(line.get(p), str)} for line in lines]
    rules = [str(line["engine"]) for line in lines if line.get("engine")]
    return GameSettings(
        max_year=check_year(years[0]) if years else None,
        models=next(filter(None, named), {}),
        rounds=next((count for count in rounds if type(count) is int), None),
        power=next((str(line["power"]) for line in lines if line.get("power") in POWERS), ""),
        rules=next(iter(rules), ""),
        pair=next(iter(pairs), ""),
    )


def check_year(value: Any) -> int:
    """Return the last year of a game.

    Raises:
        OptionError: It is none, such as 0 or 25.

    Example:
        >>> check_year("1925")
        1925
    """
    try:
        year = int(value) if value not in (True, False) and float(value).is_integer() else 0
    except (TypeError, ValueError, OverflowError):
        year = 0
    if year not in YEARS:
        last = YEARS[-1]
        raise OptionError(f"max_year is {str(value)[:20]!r}: it is a year from 1901 to {last}")
    return year


# ---- what a game's file holds


def _read_phase(number: int, record: Any) -> SavedPhase:
    values = _mapping(record)
    state = _mapping(values.get("state"))
    name = values.get("name", state.get("name"))
    if not isinstance(name, str):
        raise OptionError(f"record {number} has no name")
    if name != COMPLETED and parse_phase(name) is None:
        raise OptionError(f"record {number} has the unknown phase {name[:20]!r}")
    centres = state.get("centers", values.get("centers"))
    if not isinstance(centres, Mapping):
        raise OptionError(f"record {number} ({name}) has no 'centers'")
    count = {str(power): _count_centres(number, name, owned) for power, owned in centres.items()}
    return SavedPhase(
        name=name,
        centres={str(power): _texts(owned) for power, owned in centres.items()},
        count=count,
        units=_by_power(state.get("units")),
        orders=_by_power(values.get("orders")),
        results=_by_power(values.get("results")),
        messages=_read_messages(values.get("messages"), name),
        relationships=_read_relationships(values),
        diaries=_read_diaries(values, name),
        defaults={p: texts for p, texts in _by_power(values.get("defaults")).items() if texts},
    )


def _check_order(names: Sequence[str]) -> None:
    """Refuse records out of their order: the last one would not be the end of the game."""
    seasons = ("spring", "fall", "winter")
    times = [
        (phase.year, seasons.index(phase.season), "MRA".index(phase.kind))
        for phase in map(parse_phase, names)
        if phase
    ]
    for number, (time, later) in enumerate(pairwise(times), 1):
        if later < time:
            raise OptionError(
                f"record {number} ({names[number]}) is earlier than {names[number - 1]}"
            )


def _count_centres(number: int, name: str, centres: Any) -> int:
    if centres is None:
        return 0
    if isinstance(centres, list | tuple | Mapping):
        return len(centres)
    if isinstance(centres, int) and not isinstance(centres, bool) and centres >= 0:
        return centres
    raise OptionError(f"record {number} ({name}) has {centres!r:.40} for a list of centres")


def _read_messages(values: Any, phase: str) -> tuple[Message, ...]:
    listed = list(values.values()) if isinstance(values, Mapping) else values
    if not isinstance(listed, list):
        return ()
    messages = [_mapping(message) for message in listed]
    return tuple(
        Message(
            str(message.get("sender", "")),
            str(message.get("recipient", "")),
            str(message.get("message", message.get("content", ""))),
            str(message.get("phase") or phase),
        )
        for message in messages
        if message
    )


def _read_relationships(values: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return what powers think of each other, as new files and those of May 2025 tell it."""
    agents = _mapping(values.get("state_agents"))
    by_power = {power: _mapping(agent).get("relationships") for power, agent in agents.items()}
    by_power = by_power or dict(_mapping(values.get("agent_relationships")))
    return {
        str(power): {str(rival): str(label) for rival, label in _mapping(labels).items()}
        for power, labels in by_power.items()
        if _mapping(labels)
    }


def _read_diaries(values: Mapping[str, Any], phase: str) -> dict[str, tuple[str, ...]]:
    """Return the entries of this phase; diaries are kept whole in every record."""
    marked = {
        power: tuple(entry for entry in entries if entry.startswith(f"[{phase}]"))
        for power, entries in _whole_diaries(values).items()
    }
    return {power: entries for power, entries in marked.items() if entries}


def _whole_diaries(values: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    agents = {str(p): _mapping(a) for p, a in _mapping(values.get("state_agents")).items()}
    return {
        power: _texts(agent.get("full_private_diary") or agent.get("private_diary"))
        for power, agent in agents.items()
    }


def _add_entries(phases: Sequence[SavedPhase], records: Sequence[Any]) -> Iterator[SavedPhase]:
    """Yield the phases with the entries of diaries that each record has first."""
    known: dict[str, set[str]] = {}
    for phase, record in zip(phases, records, strict=True):
        written: dict[str, tuple[str, ...]] = {}
        for power, entries in _whole_diaries(_mapping(record)).items():
            seen = known.setdefault(power, set())
            fresh = tuple(entry for entry in entries if entry not in seen)
            seen.update(fresh)
            written |= {power: fresh} if fresh else {}
        yield replace(phase, written=written) if written else phase


def _read_models(records: Sequence[Any]) -> dict[str, str]:
    for record in records:
        agents = _mapping(_mapping(record).get("state_agents"))
        models = {p: _mapping(agent).get("model_id") for p, agent in agents.items()}
        named = {str(power): str(model) for power, model in models.items() if model is not None}
        if named:
            return named
    return {}


def _read_map(values: Mapping[str, Any]) -> str:
    """Return a game's map, with the rules that are none of press or of who chooses powers."""
    rules = {str(rule) for rule in _texts(values.get("rules"))} - PRESS_RULES - {"POWER_CHOICE"}
    return ", ".join([str(values.get("map") or "standard"), *sorted(rules)])


# ---- plain values that may be anything


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(text) for text in value if text != "") if _is_list(value) else ()


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | Mapping)


def _by_power(value: Any) -> dict[str, tuple[str, ...]]:
    return {str(key): _texts(texts) for key, texts in _mapping(value).items()}
