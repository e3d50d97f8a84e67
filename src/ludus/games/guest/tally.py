"""Counts what happens in a guest environment, from the few numbers in its ``info``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

__all__ = ["Tally"]

MOST_COINS = 99
MOST_X = 65_535
MOST_TIME = 999
COUNTER = 100
"""The coin counter has two digits: after 99 comes 0."""

BYTE = 256
"""Lives are a byte: below 0 comes 255."""

MOST_PER_FRAME = 10
"""The most coins or lives that change in a frame; a larger change is a counter that was reset."""

SAME_X = 16
POWERS = {"small": 0, "tall": 1, "fireball": 2}

InfoValue = int | float | str | None


@dataclass(slots=True)
class _LevelFigures:
    """What happened in one level."""

    max_x: int = 0
    steps: int = 0
    coins: int = 0
    time: int = 0
    deaths: int = 0
    completed: bool = False


class Tally:
    """Counts what happens in an episode of a guest, frame by frame.

    The x of a guest falls in bonus rooms and mazes, and in the first frames of a level may still be
    that of the level before; hence the furthest x counts, and an x that did not move between levels
    does not.
    """

    def __init__(self, stages: Sequence[str]) -> None:
        self._goal = _level_number(*map(int, stages[-1].split("-")))
        self._single_level = len(stages) == 1
        self._level = _level_number(*map(int, stages[0].split("-")))
        self._levels = {self._level: _LevelFigures()}
        self._x = 0
        self._stale_x: int | None = None
        self._coin_counter: int | None = None
        self._lives: int | None = None
        self._power = 0
        self._frames = -1
        self._warps = 0
        self._died = False

    @property
    def over(self) -> bool:
        """Whether the task is completed, or was one level only and a life was lost in it."""
        return self._completed or (self._single_level and self._died)

    def count_decision(self) -> None:
        """Count a decision."""
        self._levels[self._level].steps += 1

    def add_frame(self, info: Mapping[str, int | float | str]) -> None:
        """Count what changed in a frame."""
        self._frames += 1
        level = self._levels[self._level]
        lives_lost = self._lives_lost(info.get("life"))
        level.deaths += lives_lost
        self._died = self._died or lives_lost > 0
        level.coins += self._coins_gained(info.get("coins"))
        x = max(_as_int(info.get("x_pos"), self._x), 0)
        self._change_level(
            _level_number(_as_int(info.get("world"), 0), _as_int(info.get("stage"), 0)), x
        )
        self._measure_progress(x, info.get("time"))
        if _as_int(info.get("flag_get"), 0):
            self._levels[self._level].completed = True
        self._power = POWERS.get(str(info.get("status")), self._power)

    def facts(self, *, ended: bool) -> dict[str, int | float | str | None]:
        """Return the figures that are scored.

        Args:
            ended: Whether the guest itself ended the episode; what is not completed then is lost.
        """
        furthest = max(self._levels)
        levels = self._levels.values()
        deaths = max(sum(level.deaths for level in levels), int(ended and not self._completed))
        return {
            "world": furthest // 4 + 1,
            "stage": furthest % 4 + 1,
            "completed": int(self._completed),
            "max_x_pos": self._levels[furthest].max_x,
            "steps": sum(level.steps for level in levels),
            "ticks": max(self._frames, 0),
            "coins": sum(min(level.coins, MOST_COINS) for level in levels),
            "time_remaining": self._levels[furthest].time,
            "lives": 0 if self._lives is None or self._lives >= BYTE // 2 else self._lives,
            "deaths": deaths,
            "power": 0 if deaths and not self._completed else self._power,
            "levels_completed": sum(level.completed for level in levels),
            "full_game": int(not self._single_level),
            "warps": self._warps,
            **({} if self._single_level else self._by_level()),
        }

    @property
    def _completed(self) -> bool:
        """Whether the last level of the task is completed."""
        return self._goal in self._levels and self._levels[self._goal].completed

    def _lives_lost(self, value: InfoValue) -> int:
        """Return how many lives were lost since the frame before."""
        before = self._lives
        if value is not None:
            self._lives = _as_int(value, before or 0) % BYTE
        lost = 0 if before is None or self._lives is None else (before - self._lives) % BYTE
        return lost if lost <= MOST_PER_FRAME else 0

    def _coins_gained(self, value: InfoValue) -> int:
        """Return how many coins were collected since the frame before."""
        before = self._coin_counter
        if value is not None:
            self._coin_counter = _as_int(value, before or 0) % COUNTER
        gained = (
            0
            if before is None or self._coin_counter is None
            else (self._coin_counter - before) % COUNTER
        )
        return gained if gained <= MOST_PER_FRAME else 0

    def _change_level(self, number: int, x: int) -> None:
        """Switch to the level that the guest is in now, if it is another."""
        if number < 0 or number == self._level:
            return
        if number == self._level + 1:
            self._levels[self._level].completed = True
        if self._single_level:
            return
        if number > self._level + 1:
            self._warps += 1
        self._stale_x = x if abs(x - self._x) <= SAME_X else None
        self._level = number
        self._levels.setdefault(number, _LevelFigures())

    def _measure_progress(self, x: int, time: InfoValue) -> None:
        """Record position and clock while the level is being played."""
        self._x = x
        if self._stale_x is not None and x > self._stale_x - SAME_X:
            return
        self._stale_x = None
        level = self._levels[self._level]
        if level.completed:
            return
        level.time = min(max(_as_int(time, level.time), 0), MOST_TIME)
        if x <= MOST_X:
            level.max_x = max(level.max_x, x)

    def _by_level(self) -> dict[str, int]:
        """Return the figures of every level that was reached, under names such as ``1-2.steps``."""
        figures: dict[str, int] = {}
        for number, level in self._levels.items():
            name = f"{number // 4 + 1}-{number % 4 + 1}"
            figures |= {
                f"{name}.completed": int(level.completed),
                f"{name}.max_x_pos": level.max_x,
                f"{name}.steps": level.steps,
                f"{name}.coins": min(level.coins, MOST_COINS),
                f"{name}.time_remaining": level.time,
                f"{name}.deaths": level.deaths,
            }
        return figures


def _level_number(world: int, stage: int) -> int:
    """Return a level's place in the game, counted from 0; -1 if there is no such level."""
    return 4 * (world - 1) + stage - 1 if 1 <= world <= 8 and 1 <= stage <= 4 else -1


def _as_int(value: InfoValue, default: int) -> int:
    """Return a number of a guest's ``info`` as an integer; what is none counts as missing."""
    if isinstance(value, float):
        return int(value) if isfinite(value) else default
    return int(value) if isinstance(value, int) else default
