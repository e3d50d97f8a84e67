"""Recorded play: the buttons of every life, and what they tell about who pressed them.

- ``recording``: a scenario and the buttons of each life
- ``player_record``: the player's record of the level-generation track, 45 fields and a few more
- ``profiles``: records of a beginner, an average player and an expert
- ``indicators``: figures by which people and programs differ
"""

from __future__ import annotations

from ludus.games.platformer.recordings.indicators import (
    Indicators,
    compare_with_humans,
    measure_indicators,
)
from ludus.games.platformer.recordings.player_record import ALIASES, PlayerRecord
from ludus.games.platformer.recordings.profiles import PROFILES
from ludus.games.platformer.recordings.recording import Recording, read_recording

__all__ = [
    "ALIASES",
    "PROFILES",
    "Indicators",
    "PlayerRecord",
    "Recording",
    "compare_with_humans",
    "measure_indicators",
    "read_recording",
]
