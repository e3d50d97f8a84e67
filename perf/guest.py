"""What the process of a guest environment costs: ``python -m perf.guest``.

A decision of four frames is timed in this process, in a process of its own, and confined. The
environment itself does next to nothing, so what is left is the way to it. Of many decisions the
fastest tenth is taken, so that other work on the machine matters little.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np

from ludus.agents.isolation import EnvironmentProcess
from ludus.agents.sandbox import has_sandbox
from ludus.context import RunContext
from ludus.games.guest.environment import GuestEnv
from ludus.games.guest.played import Environment

DECISIONS = 3_000
FRAMES = [0, 0, 0, 0]
SIZES = {"small": (84, 84), "large": (240, 256, 3)}


class Still(gymnasium.Env[np.ndarray, Any]):
    """Shows the same picture for ever."""

    def __init__(self, size: str) -> None:
        self.action_space = gymnasium.spaces.Discrete(2)
        self._picture = np.zeros(SIZES[size], np.uint8)

    def reset(self, **_: object) -> tuple[np.ndarray, dict[str, int]]:
        """Begin an episode."""
        return self._picture, {"x_pos": 40}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, int]]:
        """Play a frame."""
        return self._picture, 0.0, False, False, {"x_pos": 40, "time": 400, "coins": 0}


small, large = partial(Still, "small"), partial(Still, "large")


def measure() -> None:
    """Print the microseconds for a decision, and the milliseconds to open and close."""
    ways: dict[str, Callable[[str], Environment]] = {
        "in this process": GuestEnv,
        "in its own process": partial(EnvironmentProcess, context=RunContext()),
    }
    if has_sandbox():
        ways["confined"] = partial(EnvironmentProcess, context=RunContext(sandbox=True))
    for size in SIZES:
        for way, open_environment in ways.items():
            micros, millis = _time(f"{Path(__file__).resolve()}:{size}", open_environment)
            sys.stdout.write(f"{size:6} {way:20} {micros:8.1f} µs a decision, {millis:6.1f} ms\n")


def _time(spec: str, open_environment: Callable[[str], Environment]) -> tuple[float, float]:
    open_environment(spec).close()  # the first one starts what forks the others
    started = perf_counter()
    env = open_environment(spec)
    opening = perf_counter() - started
    env.reset(0)
    taken = sorted(_time_decision(env) for _ in range(DECISIONS))
    started = perf_counter()
    env.close()
    return 1e6 * taken[DECISIONS // 10], 1e3 * (opening + perf_counter() - started)


def _time_decision(env: Environment) -> float:
    started = perf_counter()
    env.step(FRAMES)
    return perf_counter() - started


if __name__ == "__main__":
    measure()
