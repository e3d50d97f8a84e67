"""Finds the saved games of Diplomacy in files and folders, of every layout that is known.

- ``lmvsgame.json`` in a folder of its own, with what AI Diplomacy writes beside it:
  ``overview.jsonl`` (settings), ``llm_responses.csv`` (every call of a model) and
  ``general_game.log`` (how long phases took);
- ``lmvsgame.json_TIME.json``, as older versions called further games of a folder;
- any other ``.json`` file with a list of ``phases``, alone or several in a folder;
- ``.jsonl`` files with one such game a line.

Other JSON beside games (memories, configurations, summaries) is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ludus.benchmarks.diplomacy.records import (
    GameSettings,
    SavedGame,
    parse_game,
    parse_settings,
)
from ludus.errors import OptionError
from ludus.foreign_files import JSON_BYTES, LINE_BYTES, TABLE_BYTES, read_lines, read_text
from ludus.json_files import NotJson, parse_json_lines, read_json

__all__ = ["GAME_FILE", "LOG", "OVERVIEW", "RESPONSES", "FoundGames", "find_games", "read_game"]

GAME_FILE = "lmvsgame.json"
OVERVIEW = "overview.jsonl"
RESPONSES = "llm_responses.csv"
LOG = "general_game.log"
RUN_FOLDER = "run_"


class FoundGames(NamedTuple):
    """The games of a folder, and what is wrong with files that should have been games."""

    games: list[SavedGame]
    faults: list[str]


def find_games(path: str | Path) -> FoundGames:
    """Read every game in a file or a folder, however deep.

    Files that should be games and cannot be read are named among the faults, as are folders of
    runs that have left no game.

    Raises:
        OptionError: There is nothing there.
    """
    root = Path(path)
    if not root.exists():
        raise OptionError(f"there is nothing at {str(path)!r}; name a game or a folder of games")
    found = FoundGames([], [])
    if root.is_file():
        name = root.resolve().parent.name if root.name == GAME_FILE else root.name
        _add_file(found, root, name, named=True)
        alone = root.name.startswith(GAME_FILE) or len(_list_json(root.parent)) == 1
        _attach_folder(found, root.parent, 0, alone=alone)
    else:
        for folder, inner in _walk(root):
            _add_folder(found, folder, root, inner)
    return found


def read_game(path: str | Path, name: str | None = None) -> SavedGame:
    """Read one game and what lies beside it.

    Args:
        path: The JSON file.
        name: What to call the game; by its folder or file if None.

    Raises:
        OptionError: It cannot be read, or is no game; the message names the file and the fault.
    """
    file = Path(path)
    if name is None:
        real = file.resolve()
        name = real.parent.name if real.name == GAME_FILE else real.name
    game = _parse(_read(file), name, file, repr(str(file)))
    return _read_beside(game, file.parent) if file.name == GAME_FILE else game


# ---- places


def _walk(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield every folder once, with the names of those in it; links are followed."""
    visited: set[str] = set()
    for folder, inner, _ in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        inner[:] = [] if real in visited else sorted(inner)
        if real not in visited:
            visited.add(real)
            yield Path(folder), inner


def _list_json(folder: Path) -> list[str]:
    """Return the names of JSON files in a folder that may be games."""
    names = sorted(os.listdir(folder))
    return [name for name in names if name.endswith((".json", ".jsonl")) and name != OVERVIEW]


def _add_folder(found: FoundGames, folder: Path, root: Path, inner: Sequence[str]) -> None:
    """Add the games that lie in a folder itself."""
    games, faults = len(found.games), len(found.faults)
    below = folder.relative_to(root).as_posix()
    whole = root.resolve().name if below == "." else below
    for name in _list_json(folder):
        own = name if below == "." else f"{below}/{name}"
        _add_file(found, folder / name, whole if name == GAME_FILE else own)
    if len(found.games) > games:
        _attach_folder(found, folder, games, alone=len(found.games) == games + 1)
    elif len(found.faults) == faults and not inner and _is_run(folder):
        found.faults.append(f"{str(folder)!r} has no {GAME_FILE}: the run left no game")


def _is_run(folder: Path) -> bool:
    """Return whether a folder without games looks like one that a run made for its game."""
    traces = (OVERVIEW, RESPONSES, LOG)
    return folder.name.startswith(RUN_FOLDER) or any((folder / name).exists() for name in traces)


# ---- files


def _add_file(found: FoundGames, file: Path, name: str, *, named: bool = False) -> None:
    """Add the games of a file; what is no game is a fault only if it was to be one."""
    expected = named or file.name.startswith(GAME_FILE)
    try:
        if file.suffix == ".jsonl":
            _add_lines(found, file, name, expected=expected)
            return
        values = _read(file)
        if expected or _has_phases(values):
            found.games.append(_parse(values, name, file, repr(str(file))))
    except OptionError as error:
        found.faults.append(str(error))


def _add_lines(found: FoundGames, file: Path, name: str, *, expected: bool) -> None:
    """Add the games that are lines of a file."""
    games, faults = 0, []
    try:
        for number, values in parse_json_lines(read_lines(file, TABLE_BYTES, LINE_BYTES)):
            place = f"{str(file)!r}, line {number},"
            try:
                if isinstance(values, NotJson):
                    raise OptionError(f"{place} {values}")
                if expected or _has_phases(values):
                    found.games.append(_parse(values, f"{name}:{number}", file, place))
                    games += 1
            except OptionError as error:
                faults.append(str(error))
    except (OSError, ValueError) as error:
        faults.append(f"{str(file)!r} cannot be read: {error}")
    if games or expected:
        found.faults.extend(faults)


def _has_phases(values: Any) -> bool:
    return isinstance(values, dict) and isinstance(values.get("phases"), list)


def _read(file: Path) -> Any:
    try:
        return read_json(file)
    except NotJson as error:
        raise OptionError(f"{str(file)!r} {error}") from error


def _parse(values: Any, name: str, file: Path, place: str) -> SavedGame:
    try:
        return parse_game(values, name, file)
    except OptionError as error:
        raise OptionError(f"{place} is no saved game: {error}") from error


# ---- what lies beside a game


def _attach_folder(found: FoundGames, folder: Path, first: int, *, alone: bool) -> None:
    """Give games what lies beside them: all to one alone, else its settings by its name."""
    for number in range(len(found.games) - 1, first - 1, -1):
        game = found.games[number]
        own = alone or game.file.name == GAME_FILE
        if not own and not game.file.name.startswith(GAME_FILE):
            continue
        try:
            found.games[number] = _read_beside(game, folder, own=own)
            found.faults.extend(found.games[number].faults)
        except OptionError as error:
            del found.games[number]
            found.faults.append(str(error))


def _read_beside(game: SavedGame, folder: Path, *, own: bool = True) -> SavedGame:
    overview, faults = _read_overview(folder / OVERVIEW)
    return replace(game, overview=overview, folder=folder if own else None, faults=tuple(faults))


def _read_overview(path: Path) -> tuple[GameSettings, list[str]]:
    if not path.is_file():
        return GameSettings(), []
    try:
        text = read_text(path, JSON_BYTES)
    except (OSError, ValueError) as error:
        return GameSettings(), [f"cannot read {str(path)!r}: {error}"]
    lines = list(parse_json_lines(text.splitlines()))
    torn = [(number, value) for number, value in lines if isinstance(value, NotJson)]
    faults = [f"{str(path)!r}, line {number}, {value}" for number, value in torn]
    try:
        return parse_settings([value for _, value in lines if isinstance(value, dict)]), faults
    except OptionError as error:
        raise OptionError(f"{str(path)!r}: {error}") from error
