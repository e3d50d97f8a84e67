"""What a play is measured by, by the same names under all rules, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ludus.games.platformer._native import WorldView, reward_2010
from ludus.games.platformer.codes import Status
from ludus.games.platformer.evaluation import (
    BONUS_OF_A_WIN,
    WEIGHTS_2010,
    Evaluation2009,
    Evaluation2010,
    evaluate,
)
from ludus.games.platformer.levels.reference import FORMATS

__all__ = ["EVALUATIONS", "Figures", "measure", "total_reward"]

Figures: TypeAlias = Mapping[str, Any]
"""What happened in a play: numbers and texts by name."""

RUNNING, WIN, DEAD = 2, 1, 0
CELL = 16
TICKS_A_SECOND = 1000 / 30
CLOCK = 1000

REWARDS = {
    "coins": 16,
    "hidden_blocks": 24,
    "flowers": 64,
    "mushrooms": 58,
    "stomps": 10,
    "hurts": -42,
}
REWARD_OF_WIN, REWARD_OF_DEATH = 1024, -512


def measure(world: WorldView) -> dict[str, Any]:
    """Return the figures of a world.

    Under the rules of a competition they are its own. Elsewhere they have the same names:
    ``status`` is 2 while the game runs, 1 after a win and 0 after a death or time-out, ``distance``
    is Mario's x in pixels, and times are in seconds.
    """
    if world.rules not in FORMATS:
        return _measure_framework(world)
    evaluation = evaluate(world)
    figures = evaluation._asdict()
    del figures["kills_by_kind"]
    if isinstance(evaluation, Evaluation2010):
        del figures["deaths"]
        return {**figures, "death": evaluation.death}
    return {**figures, "kills_total": evaluation.kills_total}


def _measure_framework(world: WorldView) -> dict[str, Any]:
    result = world.result()
    counted = (
        "mode", "coins", "mushrooms", "flowers", "kills_total", "kills_by_stomp", "kills_by_fire",
        "kills_by_shell", "kills_by_fall", "total_coins", "ticks",
    )  # fmt: skip
    return {
        "status": _status(result.status),
        "distance": world.mario.x,
        "cells": int(world.mario.x) // CELL,
        "time_left": result.remaining_time // CLOCK,
        "time_spent": int(result.ticks / TICKS_A_SECOND),
        **{name: getattr(result, name) for name in counted},
        "collisions": result.hurts,
        "length": world.level.width,
    }


def _status(status: int) -> int:
    if status == Status.RUNNING:
        return RUNNING
    return WIN if status == Status.WIN else DEAD


def total_reward(world: WorldView) -> int:
    """Return what all that happened in a world has paid so far, by the values of 2010.

    Stomp 10, coin 16, hidden block 24, mushroom 58, fire flower 64, win 1024, hurt -42, death
    -512. Engines other than that of 2010 pay for what they count: that of 2009 counts no items.
    """
    if world.rules == "2010":
        return reward_2010(world)
    paid = _count(world)
    earned = sum(REWARDS[name] * paid[name] for name in REWARDS)
    return earned + {RUNNING: 0, WIN: REWARD_OF_WIN, DEAD: REWARD_OF_DEATH}[paid["status"]]


def _count(world: WorldView) -> dict[str, int]:
    """Return how often each event happened that pays."""
    if world.rules == "2009":
        counted = Evaluation2009.of(world)
        return {
            "status": counted.status,
            "coins": counted.coins,
            "hidden_blocks": counted.hidden_blocks,
            "flowers": 0,
            "mushrooms": 0,
            "stomps": counted.kills_by_stomp + counted.bills_by_stomp,
            "hurts": counted.collisions,
        }
    result = world.result()
    return {
        "status": _status(result.status),
        "coins": result.coins,
        "hidden_blocks": 0,
        "flowers": result.flowers,
        "mushrooms": result.mushrooms,
        "stomps": result.kills_by_stomp,
        "hurts": result.hurts,
    }


def distance(figures: Figures) -> float:
    """Return Mario's x in pixels.

    Example:
        >>> distance({"distance": 4342.6})
        4342.6
    """
    return float(figures["distance"])


def basic(figures: Figures) -> float:
    """Return the distance less the time spent, plus the coins and a bonus for a win.

    The bonus is 1024 as in 2010; under the rules of 2009, whose engine has no ``mushrooms``, 5000.

    Example:
        >>> basic({"distance": 100, "time_spent": 9, "coins": 3, "status": 1, "mushrooms": 0})
        1118.0
    """
    bonus = WEIGHTS_2010["status"] if "mushrooms" in figures else BONUS_OF_A_WIN
    won = figures["status"] == WIN
    return float(figures["distance"] - figures["time_spent"] + figures["coins"] + bonus * won)


def weighted_2010(figures: Figures) -> float:
    """Return the weighted fitness of 2010; a game that is still running is no win.

    Figures that the rules do not count are worth nothing.

    Example:
        >>> weighted_2010({"distance": 100, "status": 1, "mode": 2, "time_left": 10, "coins": 1})
        1284.0
    """
    counted = {**figures, "status": figures["status"] == WIN}
    return float(sum(weight * counted.get(name, 0) for name, weight in WEIGHTS_2010.items()))


EVALUATIONS: Mapping[str, Callable[[Figures], float]] = {
    "distance": distance,
    "basic": basic,
    "weighted-2010": weighted_2010,
}
"""The evaluation functions by name."""
