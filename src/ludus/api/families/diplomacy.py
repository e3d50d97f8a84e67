"""What a language model would be asked in a phase of a saved game."""

from __future__ import annotations

import json
from pathlib import Path

from ludus.agents.diplomacy.preview import PromptPreview
from ludus.agents.diplomacy.preview import preview_prompt as _preview
from ludus.benchmarks.diplomacy.finding import read_game
from ludus.errors import OptionError, one_line
from ludus.foreign_files import JSON_BYTES, read_text

__all__ = ["PromptPreview", "preview_prompt"]


def preview_prompt(
    game: str | Path,
    phase: str,
    *,
    power: str = "FRANCE",
    variant: str = "baseline",
    year: int | None = None,
) -> PromptPreview:
    """Return what a model would be asked for its orders in a phase of a saved game.

    Args:
        game: The file of a saved game.
        phase: The phase's name, such as ``F1903M``.
        power: The seat.
        variant: The prompts: the name of a set of Ludus, or the path of a folder.
        year: The last year of the game. If it is None: as the game or the overview beside it
            tells, or else that of its last phase.

    Raises:
        OptionError: The file is no saved game, or has no such phase; the message names the file.
    """
    try:
        values = json.loads(read_text(game, JSON_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise OptionError(f"{str(game)!r} is no saved game: {one_line(error)}") from None
    try:
        told, press = _read_settings(game)
        year = year or told
        return _preview(values, phase.upper(), power.upper(), variant, year, press=press)
    except OptionError as error:
        raise OptionError(f"{str(game)!r}: {error}") from None


def _read_settings(file: str | Path) -> tuple[int | None, bool]:
    """Return the last year that a game tells, if it does, and whether it has rounds of messages."""
    try:
        game = read_game(file)
    except OptionError:
        return None, False  # games that cannot be scored may still have a position
    told, own = game.overview, game.settings
    rounds = own.rounds if told.rounds is None else told.rounds
    return told.max_year or own.max_year, bool(rounds)
