"""The figures of 2010 by the names of its recordings, and by ours."""

from __future__ import annotations

FIGURES = {
    "ticks": "ticks",
    "status": "status",
    "mode": "mode",
    "distPhys": "distance",
    "distCells": "cells",
    "timeLeft": "time_left",
    "timeSpent": "time_spent",
    "coins": "coins",
    "hidden": "hidden_blocks",
    "mushrooms": "mushrooms",
    "green": "green_mushrooms",
    "flowers": "flowers",
    "killsTotal": "kills_total",
    "killsStomp": "kills_by_stomp",
    "killsFire": "kills_by_fire",
    "killsShell": "kills_by_shell",
    "collisions": "collisions",
    "totCoins": "total_coins",
    "totHidden": "total_hidden_blocks",
    "totMush": "total_mushrooms",
    "totFlow": "total_flowers",
    "totCreat": "total_creatures",
    "length": "length",
    "reward": "reward",
    "basic": "basic_fitness",
    "weighted": "weighted_fitness",
}
