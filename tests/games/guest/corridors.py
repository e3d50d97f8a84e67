"""Small guest environments: a corridor, in the interface of today and in the one of old."""

from __future__ import annotations

from collections import deque
from random import Random, random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

STAY, RIGHT, LEFT, DIE, COIN = range(5)
FLAG = 120
SPEED = 3
CLOCK = 400
LEVELS = [f"{world}-{stage}" for world in range(1, 9) for stage in range(1, 5)]


class Corridor:
    """What both interfaces share: a way of 120 pixels with coins, a flag and a clock."""

    def __init__(self, levels: tuple[str, ...] = ("1-1",), lives: int = 1) -> None:
        self.levels = deque(levels)
        self.x, self.coins, self.time, self.life = 40, 97, CLOCK, lives - 1
        self.flag = self.dead = False

    def play(self, action: int) -> None:
        self.time -= 1
        self.flag = False
        self.x += {RIGHT: SPEED, LEFT: -SPEED}.get(action, 0)
        self.coins = (self.coins + (action == COIN)) % 100
        if action == DIE or self.time == 0:
            self.life -= 1
            self.x, self.time = 40, CLOCK
            self.dead = self.life < 0
        elif self.x >= FLAG:
            self.flag = True
            if len(self.levels) > 1:
                self.levels.popleft()
                self.x, self.time = 40, CLOCK

    @property
    def over(self) -> bool:
        return self.dead or (self.flag and self.x >= FLAG)

    def info(self) -> dict[str, Any]:
        world, stage = map(np.uint8, self.levels[0].split("-"))
        return {
            "x_pos": np.int64(self.x),
            "world": world,
            "stage": stage,
            "coins": np.uint8(self.coins),
            "time": self.time,
            "flag_get": np.bool_(self.flag),
            "life": np.uint8(self.life % 256),
            "status": "tall",
            "ram": np.zeros(4),
        }

    def seen(self) -> NDArray[np.uint8]:
        picture = np.zeros((8, 130, 3), np.uint8)
        picture[:, self.x % 130] = 255
        return picture


class Modern(gymnasium.Env[NDArray[np.uint8], Any]):
    """The interface of Gymnasium."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, **terms: Any) -> None:
        self.render_mode = render_mode
        self._terms = terms
        self.action_space = gymnasium.spaces.Discrete(5)
        self.observation_space = gymnasium.spaces.Box(0, 255, (8, 130, 3), np.uint8)
        self.corridor = Corridor(**terms)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        self.corridor = Corridor(**self._terms)
        return self.corridor.seen(), self.corridor.info()

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        self.corridor.play(int(action))
        return self.corridor.seen(), 0.0, self.corridor.over, False, self.corridor.info()

    def render(self) -> Any:
        return self.corridor.seen() if self.render_mode else None


class Numbered:
    """A space of numbered actions as gym had it."""

    n = np.int64(5)


class Old:
    """The interface of old: four values, no info at first, no seed, nothing to see."""

    action_space = Numbered()

    def __init__(self) -> None:
        self.corridor = Corridor()

    def reset(self) -> int:
        self.corridor = Corridor()
        return self.corridor.x

    def step(self, action: int) -> tuple[int, float, bool, dict[str, Any]]:
        self.corridor.play(action)
        return self.corridor.x, 0.0, self.corridor.over, self.corridor.info()


class Fickle(Old):
    """An environment whose chance no seed reaches."""

    def step(self, action: int) -> tuple[int, float, bool, dict[str, Any]]:
        self.corridor.x -= int(3 * random())
        return super().step(action)


class Seeded(Old):
    """An environment of old that draws its chance from a seed."""

    def __init__(self) -> None:
        super().__init__()
        self._chance = Random(0)

    def seed(self, seed: int) -> None:
        self._chance = Random(seed)

    def step(self, action: int) -> tuple[int, float, bool, dict[str, Any]]:
        self.corridor.x -= int(3 * self._chance.random())
        return super().step(action)


class Continuous(Old):
    """An environment whose actions have no numbers."""

    action_space = gymnasium.spaces.Box(0, 1)  # type: ignore[assignment]


class Silent(Old):
    """An environment that tells nothing of where the hero is."""

    def step(self, action: int) -> tuple[int, float, bool, dict[str, Any]]:
        *rest, info = super().step(action)
        return (*rest, {"score": info["coins"]})  # type: ignore[return-value]


def whole_game() -> Modern:
    return Modern(levels=tuple(LEVELS), lives=6)


def make(name: str) -> Old:
    if name != "Corridor-1-1-v0":
        raise KeyError(name)
    return Old()


if "CorridorRegistered-v0" not in gymnasium.registry:
    gymnasium.register("CorridorRegistered-v0", Modern)
