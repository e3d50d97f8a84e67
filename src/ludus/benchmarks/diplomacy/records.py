"""Games of Diplomacy that somebody saved, read with nothing but the standard library.

A game is the engine's saved JSON, alone or as ``lmvsgame.json`` in a folder of its own with what AI
Diplomacy writes beside it: ``overview.jsonl`` (settings), ``llm_responses.csv`` (every call of a
model) and ``general_game.log`` (how long phases took). Files of every age are read: only the
records' names and centres have to be there, all else may be missing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks.diplomacy.scoring import POWERS, Position
from ludus.errors import OptionError
from ludus.foreign_files import JSON_BYTES, read_text
from ludus.games.diplomacy.records import Message
from ludus.json_files import NotJson, parse_json_lines, read_json

__all__ = [
    "GAME_FILE",
    "OVERVIEW",
    "FoundGames",
    "SavedGame",
    "SavedPhase",
    "find_games",
    "parse_game",
    "read_game",
]

GAME_FILE = "lmvsgame.json"
OVERVIEW = "overview.jsonl"
RUN_FOLDER = "run_"
OTHER_FILES = {"config.json", "runs_summary.json", "token_usage.json"}
"""JSON files that lie between games and are none."""


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


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as it was saved.

    Attributes:
        name: Its folder or file, as it is called from where the search began.
        file: The file it is in.
        phases: Its records in their order.
        overview_year: ``max_year`` of the overview, or None.
        settings_year: ``max_year`` of the settings that the game itself holds, or None.
        models: Who played each power, as far as it is told.
        faults: What is wrong with the files beside it.
    """

    name: str
    file: Path
    phases: tuple[SavedPhase, ...]
    overview_year: int | None = None
    settings_year: int | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

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

    @property
    def folder(self) -> Path | None:
        """The folder with what lies beside the game, if it has one of its own."""
        return self.file.parent if self.file.name == GAME_FILE else None


class FoundGames(NamedTuple):
    """The games of a folder, and what is wrong with files that should have been games."""

    games: list[SavedGame]
    faults: list[str]


def find_games(path: str | Path) -> FoundGames:
    """Read every game in a file or a folder, however deep.

    A folder with ``lmvsgame.json`` is one game. Elsewhere every ``.json`` file is taken for one;
    files that cannot be read as games are named among the faults, as are folders of runs that have
    left no game.

    Raises:
        OptionError: There is nothing there.
    """
    root = Path(path)
    if not root.exists():
        raise OptionError(f"there is nothing at {str(path)!r}; name a game or a folder of games")
    games: list[SavedGame] = []
    faults: list[str] = []
    for name, file in _find_files(root):
        try:
            if not file.is_file():
                raise OptionError(f"{str(file.parent)!r} has no {GAME_FILE}: the run left no game")
            games.append(read_game(file, name))
        except OptionError as error:
            faults.append(str(error))
    for game in games:
        faults += game.faults
    return FoundGames(games, faults)


def read_game(path: str | Path, name: str | None = None) -> SavedGame:
    """Read one game and what lies beside it.

    Args:
        path: The JSON file.
        name: What to call the game; by its folder or file if None.

    Raises:
        OptionError: It cannot be read, or is no game; the message names the file and the file.
    """
    file = Path(path)
    if name is None:
        real = file.resolve()
        name = real.parent.name if real.name == GAME_FILE else real.name
    try:
        return parse_game(read_json(file), name, file)
    except NotJson as error:
        raise OptionError(f"{str(file)!r} {error}") from error
    except _Wrong as wrong:
        raise OptionError(f"{str(file)!r} is no saved game: {wrong}") from wrong


def parse_game(values: Any, name: str, file: Path = Path()) -> SavedGame:
    """Return the game that plain values describe, as the engine saves it.

    Raises:
        OptionError: They describe none; the message says what is missing.
    """
    records = _mapping(values).get("phases")
    if not isinstance(records, list) or not records:
        raise _Wrong("it has no list of 'phases'")
    phases = tuple(_read_phase(number, record) for number, record in enumerate(records))
    overview, faults = _read_overview(file) if file.name == GAME_FILE else ([], ())
    settings = [_mapping(_mapping(record).get("config")) for record in records]
    settings += [_mapping(values.get(key)) for key in ("config", "settings", "ludus")] + [values]
    return SavedGame(
        name=name,
        file=file,
        phases=phases,
        overview_year=_first_year(overview),
        settings_year=_first_year(settings),
        models=_read_models(overview, records),
        faults=tuple(faults),
    )


class _Wrong(OptionError):
    """What keeps values from being a game."""


# ---- places


def _find_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield what each game is called and where it should be, in the order of the names."""
    if root.is_file():
        yield (root.resolve().parent.name if root.name == GAME_FILE else root.name), root
        return
    visited: set[str] = set()
    for folder, inner, files in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        inner[:] = [] if GAME_FILE in files or real in visited else sorted(inner)
        if real in visited:
            continue
        visited.add(real)
        yield from _files_in_folder(Path(folder), root, inner, files)


def _files_in_folder(
    folder: Path, root: Path, inner: Sequence[str], files: Sequence[str]
) -> Iterator[tuple[str, Path]]:
    below = folder.relative_to(root).as_posix()
    name = root.resolve().name if below == "." else below
    if GAME_FILE in files or (folder.name.startswith(RUN_FOLDER) and not inner):
        yield name, folder / GAME_FILE
        return
    for name in sorted(files):
        if name.endswith(".json") and name not in OTHER_FILES:
            yield name if below == "." else f"{below}/{name}", folder / name


# ---- what a game's file holds


def _read_phase(number: int, record: Any) -> SavedPhase:
    values = _mapping(record)
    state = _mapping(values.get("state"))
    name = values.get("name", state.get("name"))
    if not isinstance(name, str):
        raise _Wrong(f"record {number} has no name")
    centres = state.get("centers", values.get("centers"))
    if not isinstance(centres, Mapping):
        raise _Wrong(f"record {number} ({name}) has no 'centers'")
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
    )


def _count_centres(number: int, name: str, centres: Any) -> int:
    if centres is None:
        return 0
    if isinstance(centres, list | tuple | Mapping):
        return len(centres)
    if isinstance(centres, int) and not isinstance(centres, bool):
        return centres
    raise _Wrong(f"record {number} ({name}) has {centres!r} for a list of centres")


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
    diaries = {}
    for power, agent in _mapping(values.get("state_agents")).items():
        known = _mapping(agent)
        entries = _texts(known.get("full_private_diary") or known.get("private_diary"))
        diaries[str(power)] = tuple(entry for entry in entries if entry.startswith(f"[{phase}]"))
    return {power: entries for power, entries in diaries.items() if entries}


def _read_models(overview: Sequence[Mapping[str, Any]], records: Sequence[Any]) -> dict[str, str]:
    for line in overview:
        named = {power: line[power] for power in POWERS if isinstance(line.get(power), str)}
        if named:
            return named
    for record in records:
        agents = _mapping(_mapping(record).get("state_agents"))
        named = {p: str(_mapping(a)["model_id"]) for p, a in agents.items() if "model_id" in a}
        if named:
            return named
    return {}


# ---- what lies beside it


def _read_overview(file: Path) -> tuple[list[Mapping[str, Any]], list[str]]:
    path = file.parent / OVERVIEW
    if not path.is_file():
        return [], []
    lines: list[Mapping[str, Any]] = []
    faults: list[str] = []
    try:
        text = read_text(path, JSON_BYTES)
    except (OSError, ValueError) as error:
        return [], [f"cannot read {str(path)!r}: {error}"]
    for number, value in parse_json_lines(text.splitlines()):
        if isinstance(value, NotJson):
            faults.append(f"{str(path)!r}, line {number}, {value}")
        else:
            lines.append(_mapping(value))
    return lines, faults


def _first_year(settings: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the first ``max_year`` that is a year."""
    for values in settings:
        try:
            return int(values["max_year"])
        except (KeyError, TypeError, ValueError):
            continue
    return None


# ---- plain values that may be anything


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(text) for text in value if text != "") if _is_list(value) else ()


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | Mapping)


def _by_power(value: Any) -> dict[str, tuple[str, ...]]:
    return {str(key): _texts(texts) for key, texts in _mapping(value).items()}
