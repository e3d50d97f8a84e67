"""What a guest's frames add up to, told from the few numbers in its ``info``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Tally"]

MOST_COINS = 99
MOST_X = 65_535
MOST_TIME = 999
COUNTER = 100
"""The coin counter has two digits: after 99 comes 0."""

BYTE = 256
"""Lives are a byte: below 0 comes 255."""

MOST_AT_ONCE = 10
"""So many coins or lives may come or go in a frame; more is a counter that was set anew."""

SAME_PLACE = 16
POWERS = {"small": 0, "tall": 1, "fireball": 2}

Told = int | float | str | None


@dataclass(slots=True)
class _Figures:
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
        self._goal = _place(*map(int, stages[-1].split("-")))
        self._alone = len(stages) == 1
        self._here = _place(*map(int, stages[0].split("-")))
        self._levels = {self._here: _Figures()}
        self._x = 0
        self._stale: int | None = None
        self._counter: int | None = None
        self._life: int | None = None
        self._power = 0
        self._frames = -1
        self._warps = 0
        self._died = False

    @property
    def over(self) -> bool:
        """Whether the task is completed, or was one level only and a life was lost in it."""
        return self._done or (self._alone and self._died)

    def decide(self) -> None:
        """Count a decision."""
        self._levels[self._here].steps += 1

    def look(self, info: Mapping[str, int | float | str]) -> None:
        """Take note of a frame."""
        self._frames += 1
        level = self._levels[self._here]
        lost = self._lives_lost(info.get("life"))
        level.deaths += lost
        self._died = self._died or lost > 0
        level.coins += self._coins_gained(info.get("coins"))
        x = max(_whole(info.get("x_pos"), self._x), 0)
        self._go(_place(_whole(info.get("world"), 0), _whole(info.get("stage"), 0)), x)
        self._measure(x, info.get("time"))
        if info.get("flag_get"):
            self._levels[self._here].completed = True
        self._power = POWERS.get(str(info.get("status")), self._power)

    def facts(self, *, ended: bool) -> dict[str, int | float | str | None]:
        """Return what the scores are made of.

        Args:
            ended: Whether the guest itself ended the episode; what is not completed then is lost.
        """
        furthest = max(self._levels)
        levels = self._levels.values()
        deaths = max(sum(one.deaths for one in levels), int(ended and not self._done))
        return {
            "world": furthest // 4 + 1,
            "stage": furthest % 4 + 1,
            "completed": int(self._done),
            "max_x_pos": self._levels[furthest].max_x,
            "steps": sum(one.steps for one in levels),
            "ticks": max(self._frames, 0),
            "coins": sum(min(one.coins, MOST_COINS) for one in levels),
            "time_remaining": self._levels[furthest].time,
            "lives": 0 if self._life is None or self._life >= BYTE // 2 else self._life,
            "deaths": deaths,
            "power": 0 if deaths and not self._done else self._power,
            "levels_completed": sum(one.completed for one in levels),
            "full_game": int(not self._alone),
            "warps": self._warps,
            **({} if self._alone else self._by_level()),
        }

    @property
    def _done(self) -> bool:
        """Whether the last level of the task is completed."""
        return self._goal in self._levels and self._levels[self._goal].completed

    def _lives_lost(self, told: Told) -> int:
        """Return how many lives were lost since the frame before."""
        before = self._life
        if told is not None:
            self._life = _whole(told, 0) % BYTE
        lost = 0 if before is None or self._life is None else (before - self._life) % BYTE
        return lost if lost <= MOST_AT_ONCE else 0

    def _coins_gained(self, told: Told) -> int:
        """Return how many coins were collected since the frame before."""
        before = self._counter
        if told is not None:
            self._counter = _whole(told, 0) % COUNTER
        gained = (
            0 if before is None or self._counter is None else (self._counter - before) % COUNTER
        )
        return gained if gained <= MOST_AT_ONCE else 0

    def _go(self, place: int, x: int) -> None:
        """Go to the level that the guest is in now, if it is another."""
        if place < 0 or place == self._here:
            return
        if place == self._here + 1:
            self._levels[self._here].completed = True
        if self._alone:
            return
        if place > self._here + 1:
            self._warps += 1
        self._stale = x if abs(x - self._x) <= SAME_PLACE else None
        self._here = place
        self._levels.setdefault(place, _Figures())

    def _measure(self, x: int, time: Told) -> None:
        """Take note of place and clock while the level is being played."""
        self._x = x
        if self._stale is not None and x > self._stale - SAME_PLACE:
            return
        self._stale = None
        level = self._levels[self._here]
        if level.completed:
            return
        level.time = min(max(_whole(time, level.time), 0), MOST_TIME)
        if x <= MOST_X:
            level.max_x = max(level.max_x, x)

    def _by_level(self) -> dict[str, int]:
        """Return the figures of every level that was reached, under names such as ``1-2.steps``."""
        made: dict[str, int] = {}
        for place, one in self._levels.items():
            name = f"{place // 4 + 1}-{place % 4 + 1}"
            made |= {
                f"{name}.completed": int(one.completed),
                f"{name}.max_x_pos": one.max_x,
                f"{name}.steps": one.steps,
                f"{name}.coins": min(one.coins, MOST_COINS),
                f"{name}.time_remaining": one.time,
                f"{name}.deaths": one.deaths,
            }
        return made


def _place(world: int, stage: int) -> int:
    """Return a level's place in the game, counted from 0; -1 if there is no such level."""
    return 4 * (world - 1) + stage - 1 if 1 <= world <= 8 and 1 <= stage <= 4 else -1


def _whole(value: Told, default: int) -> int:
    """Return a number that a guest tells as a whole one."""
    return default if value is None or isinstance(value, str) else int(value)
