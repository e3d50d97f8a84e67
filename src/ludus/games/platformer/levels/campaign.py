"""The campaign: 32 levels, 1-1 to 8-4, each with a proof that it can be finished.

The levels were made by our generator; each file holds its recipe. They are shipped as texts, so
that a later generator cannot change them: ``campaign-v1`` stays what it is for ever. The proofs are
the buttons of a small Mario's way to the exit.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ludus.errors import OptionError
from ludus.games.platformer.formats import decode_level
from ludus.games.platformer.levels.level import Level

__all__ = ["STAGES", "VERSION", "campaign_level", "campaign_levels", "campaign_proof"]

VERSION = "campaign-v1"

#: The names of the levels, in their order.
STAGES = tuple(f"{world}-{stage}" for world in range(1, 9) for stage in range(1, 5))

_FOLDER = files("ludus.games.platformer.levels").joinpath(VERSION)


@cache
def campaign_level(name: str) -> Level:
    """Return the level of this name, such as ``"1-1"``.

    Raises:
        OptionError: There is none of this name.

    Example:
        >>> campaign_level("1-1").height
        16
    """
    if name not in STAGES:
        raise OptionError(f"no level {name!r} in the campaign: they go from 1-1 to 8-4")
    return decode_level(_FOLDER.joinpath(f"{name}.txt").read_text(encoding="utf-8"), "text")


def campaign_levels() -> dict[str, Level]:
    """Return all 32 levels by name, in their order."""
    return {name: campaign_level(name) for name in STAGES}


def campaign_proof(name: str) -> bytes:
    """Return buttons, tick by tick, with which a small Mario finishes the level."""
    campaign_level(name)
    return _proofs()[name]


@cache
def _proofs() -> dict[str, bytes]:
    text = _FOLDER.joinpath("proofs.json").read_text(encoding="utf-8")
    return {name: _expand_runs(runs) for name, runs in json.loads(text).items()}


def _expand_runs(runs: str) -> bytes:
    """Return the actions of a text such as ``12x10 4x26``: twelve times 10, four times 26."""
    pairs = (run.split("x") for run in runs.split())
    return b"".join(bytes([int(action)]) * int(times) for times, action in pairs)
