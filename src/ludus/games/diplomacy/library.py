"""The ``diplomacy`` package, which adjudicates the orders. It is imported here and nowhere else.

That package is under the AGPL. Ludus neither contains nor requires it (extra ``diplomacy``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any
from warnings import catch_warnings, simplefilter

from ludus.distribution import install_command
from ludus.errors import MissingExtra
from ludus.games.diplomacy.records import POWERS

__all__ = ["engine_name", "new_game", "write_position"]


@cache
def _library() -> ModuleType:
    """Import and return the package's module of games."""
    with catch_warnings():
        simplefilter("ignore", ResourceWarning)  # it leaves the file of its convoy paths open
        try:
            return import_module("diplomacy.engine.game")
        except ImportError as error:
            message = f"diplomacy is not installed; games need it: {install_command('diplomacy')}"
            raise MissingExtra(message) from error


def engine_name() -> str:
    """Return the name and version of the installed package.

    Raises:
        MissingExtra: The package is not installed.
    """
    _library()
    return f"diplomacy-{version('diplomacy')}"


def new_game() -> Any:
    """Return a new game of the package, at the usual start.

    Raises:
        MissingExtra: The package is not installed.
    """
    return _library().Game(game_id="ludus")


def write_position(game: Any, state: Mapping[str, Any]) -> None:
    """Write a position onto a game's board without the checks of the package, which are slow."""
    game.set_current_phase(state["name"])
    game.note = state.get("note", "")
    game.error, game.outcome = [], []
    for power in POWERS:
        board = game.powers[power]
        units = state["units"].get(power, ())
        board.units = [unit for unit in units if unit[0] != "*"]
        board.retreats = {unit: list(to) for unit, to in state["retreats"].get(power, {}).items()}
        board.centers = list(state["centers"].get(power, ()))
        board.homes = list(state["homes"].get(power, game.map.homes[power]))
        board.influence = list(state["influence"].get(power, ()))
        board.civil_disorder = state["civil_disorder"].get(power, 0)
        board.orders, board.adjust = {}, []
    game.dislodged = {unit: "" for power in POWERS for unit in game.powers[power].retreats}
    game.popped = []
    game.rebuild_hash()
    game.build_caches()
